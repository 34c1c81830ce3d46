-- What reviews say of finished games, a row for each move that has been judged.

CREATE TABLE reviews (
    game_id  INTEGER PRIMARY KEY REFERENCES games (id),
    version  INTEGER NOT NULL, -- of what judged it: `engine.judged.VERSION`; the moves of another version are removed
    begun_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE review_moves (
    game_id  INTEGER NOT NULL REFERENCES reviews (game_id),
    ply      INTEGER NOT NULL CHECK (ply >= 0), -- as in `moves`
    verdict  TEXT    NOT NULL CHECK (verdict IN ('won', 'drawn', 'lost', 'better', 'even', 'worse')),
    exact    INTEGER NOT NULL CHECK (exact IN (0, 1)),
    value    REAL    NOT NULL CHECK (value BETWEEN -1 AND 1), -- for who made the move
    win_in   INTEGER,          -- plies to the forced end, negative for a loss; NULL where none is proven
    at_most  INTEGER NOT NULL CHECK (at_most IN (0, 1)), -- win_in is a bound
    best     TEXT    NOT NULL CHECK (json_valid(best)),  -- the best line from before the move, as cells
    could    TEXT    NOT NULL CHECK (could IN ('won', 'drawn', 'lost', 'better', 'even', 'worse')),
    could_in INTEGER,
    nodes    INTEGER NOT NULL,
    PRIMARY KEY (game_id, ply)
) STRICT, WITHOUT ROWID;
