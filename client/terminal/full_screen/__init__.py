"""The full screen: the lobby, games, replays and studies as screens of widgets."""
