"""How hypothesis searches: the same examples every run; `--hypothesis-profile=search` looks for new ones.

The `browser` stands here, above all folders, so that one serves all tests.
"""

import os
import signal

from hypothesis import HealthCheck, settings

from browser import browser
from mls.workers import ONE_THREAD

__all__ = ["browser"]

os.environ |= ONE_THREAD  # several processes test at once: more threads would only wait for each other
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell runs the tests in the background

_COMMON = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", max_examples=60, derandomize=True, **_COMMON)
settings.register_profile("search", max_examples=2000, **_COMMON)
settings.load_profile("steady")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: some tests wait while others work."""
    return min(4, 1 + (os.cpu_count() or 1))
