"""The compiled parts of the built-in players. They choose; what may be done is the engine's."""
