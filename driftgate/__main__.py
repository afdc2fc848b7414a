"""`python -m driftgate`."""

import sys

from driftgate.cli import main

sys.exit(main())
