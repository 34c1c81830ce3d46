-- Ladders, ratings and the explorer. docs/schema.md says what each table and view is for.

-- One list of a ladder: bots of one game under one limit. Other settings are another list, with a run_id of its own.
CREATE TABLE ladder_lists (
    run_id     TEXT    NOT NULL PRIMARY KEY, -- 'overnight/qubic/3f9a1c20b7d4': the ladder, the list, the settings' digest
    ladder     TEXT    NOT NULL,
    list       TEXT    NOT NULL,
    game       TEXT    NOT NULL,
    settings   TEXT    NOT NULL CHECK (json_valid(settings)),
    created_ms INTEGER NOT NULL,
    rated_ms   INTEGER, -- when the standings were computed; NULL before the first time
    advantage  REAL,    -- Elo that moving first is worth
    drawing    REAL     -- Davidson's draw parameter: between equals, draws to wins of either side, minus the advantage
) STRICT, WITHOUT ROWID;

-- Each bot of a list as it stood when its standings were computed last.
CREATE TABLE ladder_standings (
    run_id      TEXT    NOT NULL REFERENCES ladder_lists (run_id),
    player_id   INTEGER NOT NULL REFERENCES players (id),
    place       INTEGER NOT NULL CHECK (place >= 1),
    rating      REAL    NOT NULL, -- Elo; the mean of a list is 0
    low         REAL    NOT NULL, -- 95 % interval
    high        REAL    NOT NULL,
    superiority REAL    CHECK (superiority BETWEEN 0 AND 1), -- over the next in the list; NULL for the last
    retired     INTEGER NOT NULL CHECK (retired IN (0, 1)),  -- for its faults
    PRIMARY KEY (run_id, player_id)
) STRICT, WITHOUT ROWID;

-- What a bot did wrong in a game that it forfeited.
CREATE TABLE faults (
    game_id   INTEGER PRIMARY KEY REFERENCES games (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    sentence  TEXT    NOT NULL
) STRICT;

-- How a running ladder does, now and then. Counts and sums are since its process began.
CREATE TABLE ladder_samples (
    ladder      TEXT    NOT NULL,
    at_ms       INTEGER NOT NULL,
    begun_ms    INTEGER NOT NULL, -- when its process began
    games       INTEGER NOT NULL,
    memory_kb   INTEGER NOT NULL, -- resident: the process itself
    workers_kb  INTEGER NOT NULL, -- and its workers
    cpu_ms      INTEGER NOT NULL, -- of the process itself
    workers_ms  INTEGER NOT NULL, -- and of its workers
    schedule_ms INTEGER NOT NULL, -- CPU spent on choosing games and on ratings
    write_ms    INTEGER NOT NULL, -- CPU spent on writing
    PRIMARY KEY (ladder, at_ms)
) STRICT, WITHOUT ROWID;

-- A game that a ladder is playing, to be watched; rewritten about once a second while it runs.
CREATE TABLE ladder_live (
    ladder     TEXT    NOT NULL PRIMARY KEY,
    run_id     TEXT    NOT NULL REFERENCES ladder_lists (run_id),
    x_player   INTEGER NOT NULL REFERENCES players (id),
    o_player   INTEGER NOT NULL REFERENCES players (id),
    start      TEXT    NOT NULL CHECK (json_valid(start)), -- moves as text
    moves      TEXT    NOT NULL CHECK (json_valid(moves)), -- after the start
    begun_ms   INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A pair is committed whole and once.
CREATE UNIQUE INDEX games_by_ladder_pair ON games (run_id, pair_id, x_player) WHERE source = 'ladder';

-- Online ratings (Glicko-2) by game, of people and bots, from rated games in rooms. Ladders never touch them.
CREATE TABLE ratings (
    player_id  INTEGER NOT NULL REFERENCES players (id),
    game       TEXT    NOT NULL,
    rating     REAL    NOT NULL,
    deviation  REAL    NOT NULL CHECK (deviation > 0),
    volatility REAL    NOT NULL CHECK (volatility > 0),
    games      INTEGER NOT NULL CHECK (games >= 1),
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (player_id, game)
) STRICT, WITHOUT ROWID;

-- What each rated game made of its two players' ratings.
CREATE TABLE rating_changes (
    game_id    INTEGER NOT NULL REFERENCES games (id),
    player_id  INTEGER NOT NULL REFERENCES players (id),
    before     REAL    NOT NULL,
    rating     REAL    NOT NULL,
    deviation  REAL    NOT NULL,
    volatility REAL    NOT NULL,
    PRIMARY KEY (game_id, player_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_changes_by_player ON rating_changes (player_id, game_id);

-- From each position, the moves that were played and how their games ended. Positions that are alike share a key.
CREATE TABLE explorer_moves (
    game      TEXT    NOT NULL,
    key       INTEGER NOT NULL,
    cell      INTEGER NOT NULL, -- in the position's canonical orientation
    x_won     INTEGER NOT NULL,
    drawn     INTEGER NOT NULL,
    o_won     INTEGER NOT NULL,
    last_game INTEGER NOT NULL, -- the id of the newest game with it
    PRIMARY KEY (game, key, cell)
) STRICT, WITHOUT ROWID;

-- Games whose moves are in explorer_moves.
CREATE TABLE explored_games (
    game_id INTEGER PRIMARY KEY REFERENCES games (id)
) STRICT;

CREATE VIEW v_games AS
SELECT g.id AS game_id, g.game, g.source, g.run_id, l.ladder, l.list, g.pair_id, g.opening_id,
       g.x_player AS x_id, x.name AS x, x.kind AS x_kind, xv.version AS x_version, g.x_limit,
       g.o_player AS o_id, o.name AS o, o.kind AS o_kind, ov.version AS o_version, g.o_limit,
       g.winner, g.termination,
       CASE WHEN g.termination IS NULL OR g.termination = 'aborted' THEN NULL
            WHEN g.winner = 'x' THEN 1.0 WHEN g.winner = 'o' THEN 0.0 ELSE 0.5 END AS x_points,
       json_array_length(g.start) AS start_plies, g.plies, g.rated, g.private,
       g.started_ms, g.ended_ms, g.ended_ms - g.started_ms AS duration_ms, g.machine, g.software
FROM games AS g
JOIN players AS x ON x.id = g.x_player
JOIN players AS o ON o.id = g.o_player
LEFT JOIN bot_versions AS xv ON xv.player_id = g.x_player
LEFT JOIN bot_versions AS ov ON ov.player_id = g.o_player
LEFT JOIN ladder_lists AS l ON l.run_id = g.run_id;

CREATE VIEW v_moves AS
SELECT m.game_id, g.game, g.source, g.run_id, json_array_length(g.start) + m.ply AS ply,
       CASE (json_array_length(g.start) + m.ply) % 2 WHEN 0 THEN 'x' ELSE 'o' END AS side,
       p.id AS player_id, p.name AS player, p.kind, m.cell, m.at_ms, m.think_ms, m.wait_ms,
       coalesce(json_extract(CASE (json_array_length(g.start) + m.ply) % 2 WHEN 0 THEN g.x_limit ELSE g.o_limit END,
                             '$.move_ms'), g.move_ms) AS limit_ms,
       m.nodes, m.depth, m.value, m.win_in, m.pruned
FROM moves AS m
JOIN games AS g ON g.id = m.game_id
JOIN players AS p ON p.id = CASE (json_array_length(g.start) + m.ply) % 2 WHEN 0 THEN g.x_player ELSE g.o_player END;

CREATE VIEW v_standings AS
SELECT l.run_id, l.ladder, l.list, l.game, s.place, s.player_id, p.name AS bot, b.version,
       s.rating, s.low, s.high, s.superiority, s.retired,
       count(r.points) AS games, count(*) FILTER (WHERE r.points = 1) AS won,
       count(*) FILTER (WHERE r.points = 0.5) AS drawn, count(*) FILTER (WHERE r.points = 0) AS lost,
       total(r.points) AS points, avg(r.points) AS share, count(*) FILTER (WHERE r.fault) AS faults
FROM ladder_standings AS s
JOIN ladder_lists AS l ON l.run_id = s.run_id
JOIN players AS p ON p.id = s.player_id
LEFT JOIN bot_versions AS b ON b.player_id = s.player_id
LEFT JOIN (
    SELECT run_id, x_player AS player_id, CASE winner WHEN 'x' THEN 1.0 WHEN 'o' THEN 0.0 ELSE 0.5 END AS points,
           termination IN ('crash', 'stall', 'illegal_move', 'flag') AND winner = 'o' AS fault
    FROM games WHERE source = 'ladder' AND run_id IS NOT NULL AND termination != 'aborted'
    UNION ALL
    SELECT run_id, o_player, CASE winner WHEN 'o' THEN 1.0 WHEN 'x' THEN 0.0 ELSE 0.5 END,
           termination IN ('crash', 'stall', 'illegal_move', 'flag') AND winner = 'x'
    FROM games WHERE source = 'ladder' AND run_id IS NOT NULL AND termination != 'aborted'
) AS r ON r.run_id = s.run_id AND r.player_id = s.player_id
GROUP BY s.run_id, s.player_id;
