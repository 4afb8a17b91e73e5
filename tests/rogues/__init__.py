"""The rogues' gallery: players that misbehave, each in one way, and each within bounds.

All play like `second` until their second turn. Run them only in processes of their own.
"""
