"""Measuring the server on this machine, each figure next to a control in the same run."""
