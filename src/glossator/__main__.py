"""`python -m glossator` is the command `glossator`."""

import sys

from glossator.cli import main

if __name__ == "__main__":
    sys.exit(main())
