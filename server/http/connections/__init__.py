"""Sockets that speak HTTP until they become websockets."""
