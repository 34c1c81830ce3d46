-- What somebody said, where they sat and which rooms they made, found without looking at everybody's: for those who
-- have their data deleted.
CREATE INDEX events_said_by ON events (json_extract(body, '$.by.id')) WHERE type = 'said';
CREATE INDEX events_seated ON events (json_extract(body, '$.seat.id')) WHERE type = 'seated';
CREATE INDEX rooms_by_creator ON rooms (json_extract(spec, '$.creator.id'));
