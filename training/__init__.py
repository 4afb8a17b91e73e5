"""Learning a strategy and exporting it. Nothing is here yet: see CHANGELOG.md for what is."""
