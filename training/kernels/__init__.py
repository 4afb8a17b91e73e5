"""The compiled parts of training."""
