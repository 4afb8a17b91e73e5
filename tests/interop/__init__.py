"""Tests that run in environments of their own; `make test-interop` makes them. See interop.mk.

The files are called check_*.py, so that the usual test run leaves them alone.
"""
