-- The records of noughts. Times are integer milliseconds: *_ms beside a date is Unix time, else a duration.
-- docs/schema.md says what each table is for.

PRAGMA application_id = 1852798311; -- "noug": how a file is known as ours

CREATE TABLE schema_migrations (
    version    INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    checksum   TEXT    NOT NULL, -- SHA-256 of the file, in hexadecimal
    applied_ms INTEGER NOT NULL
) STRICT;

-- Several processes write to one database: each takes its ids from blocks reserved here.
CREATE TABLE ids (
    kind TEXT    NOT NULL PRIMARY KEY,
    next INTEGER NOT NULL CHECK (next >= 1)
) STRICT, WITHOUT ROWID;

INSERT INTO ids (kind, next) VALUES ('player', 1), ('room', 1), ('game', 1);

-- Written to and emptied again to find out whether the disk takes writes.
CREATE TABLE write_probe (
    id     INTEGER PRIMARY KEY,
    filler BLOB    NOT NULL
) STRICT;

CREATE TABLE players (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('person', 'bot')),
    token_hash BLOB    UNIQUE, -- a token is a bearer secret: only its hash is kept; NULL for bots of the roster
    created_ms INTEGER NOT NULL
) STRICT;

-- A bot of the roster is a player; other parameters or another version make another player.
CREATE TABLE bot_versions (
    player_id  INTEGER PRIMARY KEY REFERENCES players (id),
    name       TEXT    NOT NULL,
    parameters TEXT    NOT NULL CHECK (json_valid(parameters)),
    version    INTEGER NOT NULL,
    UNIQUE (name, parameters, version)
) STRICT;

CREATE TABLE rooms (
    number     INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    spec       TEXT    NOT NULL CHECK (json_valid(spec)),
    code       TEXT    UNIQUE, -- of an invite room, whose games are private
    created_ms INTEGER NOT NULL,
    closed_ms  INTEGER
) STRICT;

CREATE INDEX rooms_open ON rooms (number) WHERE closed_ms IS NULL;

CREATE TABLE games (
    id           INTEGER PRIMARY KEY,
    room_number  INTEGER REFERENCES rooms (number), -- NULL for games played outside rooms
    serial       INTEGER CHECK (serial >= 1),       -- of the game in its room
    source       TEXT    NOT NULL CHECK (source IN ('room', 'match', 'experiment', 'ladder')),
    game         TEXT    NOT NULL,                  -- which game of the family: 'qubic'
    x_player     INTEGER NOT NULL REFERENCES players (id),
    o_player     INTEGER NOT NULL REFERENCES players (id),
    initial_ms   INTEGER CHECK (initial_ms > 0),
    increment_ms INTEGER CHECK (increment_ms >= 0),
    move_ms      INTEGER CHECK (move_ms > 0),
    x_limit      TEXT    CHECK (x_limit IS NULL OR json_valid(x_limit)),
    o_limit      TEXT    CHECK (o_limit IS NULL OR json_valid(o_limit)),
    start        TEXT    NOT NULL CHECK (json_valid(start)), -- the moves, as text, that were made beforehand
    rated        INTEGER NOT NULL CHECK (rated IN (0, 1)),
    private      INTEGER NOT NULL CHECK (private IN (0, 1)), -- listed to its players only
    seed         INTEGER,
    run_id       TEXT,
    pair_id      INTEGER,
    opening_id   TEXT,
    machine      TEXT    NOT NULL,
    software     TEXT    NOT NULL,
    started_ms   INTEGER NOT NULL,
    ended_ms     INTEGER,
    winner       TEXT    CHECK (winner IN ('x', 'o')),
    termination  TEXT    CHECK (termination IN (
        'line', 'board_full', 'count', 'resignation', 'flag', 'agreement', 'illegal_move', 'crash', 'stall',
        'disconnection', 'adjudication', 'aborted'
    )),
    plies        INTEGER CHECK (plies >= 0),
    CHECK (move_ms IS NULL OR (initial_ms IS NULL AND increment_ms IS NULL)),
    CHECK ((ended_ms IS NULL) = (termination IS NULL) AND (plies IS NULL) = (termination IS NULL)),
    CHECK (winner IS NULL OR termination IS NOT NULL)
) STRICT;

CREATE INDEX games_by_start ON games (started_ms);
CREATE INDEX games_by_game ON games (game, started_ms);
CREATE INDEX games_by_x_player ON games (x_player, started_ms);
CREATE INDEX games_by_o_player ON games (o_player, started_ms);
CREATE INDEX games_by_run ON games (run_id, pair_id) WHERE run_id IS NOT NULL;
CREATE UNIQUE INDEX games_by_room ON games (room_number, serial) WHERE room_number IS NOT NULL;

-- The present line of each game. The key is the compare-and-set: nobody plays the same ply twice. References of moves
-- and events are deferred to the COMMIT: checked at once, SQLite would keep a journal of every many-row INSERT.
CREATE TABLE moves (
    game_id  INTEGER NOT NULL REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED,
    ply      INTEGER NOT NULL CHECK (ply >= 0), -- from 0, counted after `start`
    cell     INTEGER NOT NULL CHECK (cell >= 0),
    at_ms    INTEGER NOT NULL, -- when the move arrived or a search decided it
    think_ms INTEGER NOT NULL, -- what the mover's clock was charged
    wait_ms  INTEGER,          -- what a bot waited for a worker, charged to nobody
    x_ms     INTEGER,          -- left on the clocks after the move; NULL without a clock
    o_ms     INTEGER,
    nodes    INTEGER,          -- from here on: what a bot's search reported, NULL for people
    depth    INTEGER,
    value    REAL,             -- from the mover's side
    win_in   INTEGER,          -- plies to a proven end, negative for a loss
    pruned   INTEGER,          -- branches cut off
    PRIMARY KEY (game_id, ply)
) STRICT, WITHOUT ROWID;

-- Moves that a takeback removed, as they were. taken_seq is the seq of the room's event that removed them.
CREATE TABLE moves_taken_back (
    game_id   INTEGER NOT NULL REFERENCES games (id),
    taken_seq INTEGER NOT NULL,
    ply       INTEGER NOT NULL,
    cell      INTEGER NOT NULL,
    at_ms     INTEGER NOT NULL,
    think_ms  INTEGER NOT NULL,
    wait_ms   INTEGER,
    x_ms      INTEGER,
    o_ms      INTEGER,
    nodes     INTEGER,
    depth     INTEGER,
    value     REAL,
    win_in    INTEGER,
    pruned    INTEGER,
    PRIMARY KEY (game_id, taken_seq, ply)
) STRICT, WITHOUT ROWID;

-- The history of each room, append-only. Not WITHOUT ROWID: rows in the order in which they come fill the same few
-- pages, and only the narrow index is written all over; with 1,000 rooms that halves the cost of an event.
CREATE TABLE events (
    room_number INTEGER NOT NULL REFERENCES rooms (number) DEFERRABLE INITIALLY DEFERRED,
    seq         INTEGER NOT NULL CHECK (seq >= 1),
    ts          INTEGER NOT NULL, -- Unix time in milliseconds
    type        TEXT    NOT NULL,
    body        TEXT    NOT NULL, -- JSON, as it went over the wire without t, room, seq and ts
    PRIMARY KEY (room_number, seq)
) STRICT;
