-- Players whom the operator keeps out, for a time or for good.
CREATE TABLE bans (
    player_id INTEGER PRIMARY KEY REFERENCES players (id),
    since_ms  INTEGER NOT NULL,
    until_ms  INTEGER,          -- NULL for good
    reason    TEXT    NOT NULL  -- told to the player; may be empty
) STRICT;
