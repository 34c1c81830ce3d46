"""What a soak says: slopes over all pieces, joints, and what clients met."""

from __future__ import annotations

from client.lab.bench.figures import lines
from client.lab.bench.soak.samples import Life, Piece, Sample, Soak
from client.lab.bench.soak.table import part
from tests.support.lab.bench import figures


def sample(at_s: float, rss_mb: float = 50, files: int = 30, games: int = 0) -> Sample:
    return Sample(
        at_s=at_s,
        rss=int(rss_mb * 2**20),
        pss=0,
        workers_pss=0,
        ladder_pss=0,
        processes=3,
        files=files,
        threads=4,
        tasks=20,
        rooms=5,
        connections=9,
        games=games,
        database=10_000 + 500 * games,
    )


def test_pieces_add_up_with_their_joints() -> None:
    first = [sample(at * 600, rss_mb=50 + at, games=at) for at in range(7)]
    second = [sample(at * 600, rss_mb=90 + at, games=100 + at) for at in range(4)]
    soak = Soak(
        [
            Piece("a machine", 0, [Life(0, "killed", first)], 4),
            Piece("a machine", 7_200_000, [Life(0, None, second)], 2, ["Oh: no"]),
        ]
    )
    told = part(soak, warm_s=0)
    assert told.about == "1.5 hours in 2 pieces, 2 starts"
    growth, joints = told.tables
    rows = {row[0]: row[1:] for row in growth.rows}
    assert rows["server, RSS, MB"] == ("50", "93", "+6.00", "+6.00 to +6.00")
    assert rows["descriptors"] == ("30", "30", "+0.00", "+0.00 to +0.00")
    assert joints.rows == [
        ("1", "1970-01-01 00:00", "60", "killed"),
        ("2", "1970-01-01 02:00", "30", "broken off"),
    ]
    assert figures(told) == {
        "games in the database": 103,
        "database, for each game more": 500,
        "reconnects": 6,
    }
    assert "met by a client: Oh: no" in told.notes


def test_what_a_start_fills_is_no_growth() -> None:
    life = [sample(0, rss_mb=20), *(sample(at, rss_mb=50) for at in (400, 500, 600))]
    growth = part(Soak([Piece("a machine", 0, [Life(0, "stopped", life)])]), warm_s=300).tables[0]
    assert growth.rows[0] == ("server, RSS, MB", "50", "50", "+0.00", "+0.00 to +0.00")


def test_a_soak_without_pieces_says_so() -> None:
    text = "\n".join(lines(part(Soak())))
    assert "0.0 hours in 0 pieces" in text
