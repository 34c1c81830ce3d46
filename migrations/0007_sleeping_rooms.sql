-- A room that nobody is in, and where nothing happens by itself, sleeps: it comes back when somebody comes to it, and
-- not with every start of the server.
ALTER TABLE rooms ADD COLUMN slept_ms INTEGER; -- since when it sleeps; NULL while it is awake
CREATE INDEX rooms_awake ON rooms (number) WHERE closed_ms IS NULL AND slept_ms IS NULL;

-- Who has a part in a sleeping room.
CREATE TABLE sleeping_rooms (
    player_id   INTEGER NOT NULL REFERENCES players (id),
    room_number INTEGER NOT NULL REFERENCES rooms (number),
    made        INTEGER NOT NULL CHECK (made IN (0, 1)),    -- they made the room
    seated      INTEGER NOT NULL CHECK (seated IN (0, 1)),  -- they sit in it
    waiting     INTEGER NOT NULL CHECK (waiting IN (0, 1)), -- nobody has taken the free seat yet
    PRIMARY KEY (player_id, room_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX sleeping_rooms_by_room ON sleeping_rooms (room_number);
CREATE INDEX sleeping_rooms_waiting ON sleeping_rooms (room_number) WHERE waiting = 1;
