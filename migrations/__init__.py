"""The schema of the database: numbered SQL files, applied in order and never changed afterwards.

Each file runs in one transaction, which `server.db` opens and commits.
"""
