"""The experiments of the report on depth3."""
