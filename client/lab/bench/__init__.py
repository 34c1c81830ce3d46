"""Measuring the server on this machine, each figure beside a control of the same run."""
