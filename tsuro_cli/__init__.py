"""The `tsuro` command: reads arguments and calls the other packages. Nobody imports it."""
