"""The whole server in a simulation that repeats: see docs/simulation.md."""
