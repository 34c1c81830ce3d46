-- A private game whose record somebody chose to share: whoever holds the secret of its link may read it.
CREATE TABLE shares (
    game_id     INTEGER PRIMARY KEY REFERENCES games (id), -- one link at a time: a new one takes the place of the last
    secret_hash BLOB    NOT NULL,                          -- the secret itself is told once and kept nowhere
    made_ms     INTEGER NOT NULL
) STRICT;
