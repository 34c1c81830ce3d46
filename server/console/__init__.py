"""What commands share: types of arguments with their completion, JSON with its schema, progress."""
