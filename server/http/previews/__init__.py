"""Pictures and tags for whoever shows a link."""
