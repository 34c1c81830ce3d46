-- What a game began with is in its event, the seed of its bots too: a room comes back from its events alone.
UPDATE events SET body = json_set(
    body, '$.seed', (SELECT seed FROM games WHERE id = json_extract(events.body, '$.game.id'))
)
WHERE type = 'started'
  AND room_number IN (SELECT number FROM rooms WHERE closed_ms IS NULL)
  AND (SELECT seed FROM games WHERE id = json_extract(events.body, '$.game.id')) IS NOT NULL;
