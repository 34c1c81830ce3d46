-- Bots that people made for programs of theirs.
CREATE TABLE owned_bots (
    player_id    INTEGER PRIMARY KEY REFERENCES players (id),
    owner_id     INTEGER NOT NULL REFERENCES players (id),
    withdrawn_ms INTEGER -- since when no token makes a program this bot; NULL while one does
) STRICT;

CREATE INDEX owned_bots_by_owner ON owned_bots (owner_id);
