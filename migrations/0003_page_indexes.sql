-- The newest games of a run, and of two players, without looking at all of theirs.
CREATE INDEX games_by_run_start ON games (run_id, started_ms) WHERE run_id IS NOT NULL;
CREATE INDEX games_by_players ON games (x_player, o_player, started_ms);
