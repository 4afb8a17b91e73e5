"""`python -m tsuro_cli` is the same as `tsuro`."""

import sys

from tsuro_cli.main import main

sys.exit(main())
