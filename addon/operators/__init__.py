"""Operators: each collects what the user wants, calls one function, and reports."""
