"""Exports of annotation tools: zip files and directories that name their annotators."""
