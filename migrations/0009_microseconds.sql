-- Think times of bots in microseconds: most moves of quick bots take less than a millisecond. And in v_moves what a
-- review says of each move.
ALTER TABLE moves ADD COLUMN think_us INTEGER;
ALTER TABLE moves_taken_back ADD COLUMN think_us INTEGER;

DROP VIEW v_moves;
CREATE VIEW v_moves AS
SELECT m.game_id, g.game, g.source, g.run_id, json_array_length(g.start) + m.ply AS ply,
       CASE (json_array_length(g.start) + m.ply) % 2 WHEN 0 THEN 'x' ELSE 'o' END AS side,
       p.id AS player_id, p.name AS player, p.kind, m.cell, m.at_ms, m.think_ms,
       coalesce(m.think_us, 1000 * m.think_ms) AS think_us,
       CASE WHEN m.think_us IS NULL THEN 1000 ELSE 1 END AS resolution_us,
       m.wait_ms,
       coalesce(json_extract(CASE (json_array_length(g.start) + m.ply) % 2 WHEN 0 THEN g.x_limit ELSE g.o_limit END,
                             '$.move_ms'), g.move_ms) AS limit_ms,
       m.nodes, m.depth, m.value, m.win_in, m.pruned,
       r.verdict, r.exact, r.could AS best_verdict,
       -- As engine.analysis.verdict.grade, which a test compares it to.
       CASE WHEN r.verdict IS NULL THEN NULL
            WHEN json_extract(r.best, '$[0]') = m.cell THEN 'good'
            WHEN r.exact = 0 OR r.could NOT IN ('won', 'drawn', 'lost')
                THEN CASE WHEN r.lost_ranks >= 2 AND r.verdict != 'better' THEN 'doubtful' ELSE 'good' END
            WHEN r.lost_ranks > 0 THEN 'mistake'
            WHEN r.win_in IS NULL OR r.could_in IS NULL OR r.at_most = 1 THEN 'good'
            WHEN r.verdict = 'lost'
                 AND EXISTS (SELECT 1 FROM review_moves AS a WHERE a.game_id = m.game_id AND a.at_most = 1) THEN 'good'
            WHEN r.could_in < r.win_in THEN 'slow' ELSE 'good' END AS grade,
       CASE WHEN r.verdict IS NOT NULL
            THEN r.exact = 1 AND r.could IN ('won', 'drawn', 'lost') AND r.lost_ranks > 0
                 AND json_extract(r.best, '$[0]') IS NOT m.cell END AS blunder
FROM moves AS m
JOIN games AS g ON g.id = m.game_id
JOIN players AS p ON p.id = CASE (json_array_length(g.start) + m.ply) % 2 WHEN 0 THEN g.x_player ELSE g.o_player END
LEFT JOIN (
    SELECT game_id, ply, verdict, exact, win_in, at_most, best, could, could_in,
           CASE could WHEN 'won' THEN 3 WHEN 'better' THEN 1 WHEN 'worse' THEN -1 WHEN 'lost' THEN -3 ELSE 0 END
           - CASE verdict WHEN 'won' THEN 3 WHEN 'better' THEN 1 WHEN 'worse' THEN -1 WHEN 'lost' THEN -3 ELSE 0 END
           AS lost_ranks
    FROM review_moves
) AS r ON r.game_id = m.game_id AND r.ply = m.ply;
