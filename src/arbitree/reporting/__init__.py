"""What people see: text, pages, workbooks. They show Results and compute nothing."""
