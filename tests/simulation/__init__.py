"""The whole server in a simulation that repeats: see docs/server-simulation.md."""
