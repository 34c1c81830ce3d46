"""What the database knows of players who may be seated next, and of the game that may start."""

from __future__ import annotations

from server.play.inputs import Prepared
from server.play.session import Session
from server.play.views import rating_view
from server.rooms.room.services import RoomServices
from server.wire import Player


async def prepared(session: Session, newcomer: Player, services: RoomServices) -> Prepared:
    """Ratings of those who sit, will sit from the start, or may sit down now. Raises StoreUnavailable."""
    seats = (*session.seats.values(), session.spec.x, session.spec.o)
    players = {newcomer.id, *(seat.id for seat in seats if seat is not None)}
    known = await services.ratings.known(session.rules.id, sorted(players))
    at_ms = services.clock.unix_ms()
    ratings = {player: rating_view(rating, at_ms) for player, rating in known.items()}
    return Prepared(session.ticket or await services.tickets.new_ticket(), ratings)
