"""The line mode: the same in typed lines, for pipes, screen readers and dumb terminals."""
