"""The report as one HTML file: what is counted, said, drawn and linked to in it."""
