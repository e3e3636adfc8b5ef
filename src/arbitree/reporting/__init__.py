"""Text, pages and workbooks that show Results; nothing is computed here."""
