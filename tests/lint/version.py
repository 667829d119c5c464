#!/usr/bin/env python3
"""CMakeLists.txt says the version; whatever else has to say it says the same (app/versions.py)."""
import sys

import sources

sys.path.insert(0, str(sources.ROOT / "app"))
from versions import problems  # noqa: E402

if __name__ == "__main__":
    sys.exit(sources.report(problems(sources.ROOT)))
