"""The participant's server: each misuse has its status, and the page keeps to itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response  # what the test client of this version of Starlette speaks

from mls.errors import MlsError
from mls.study.consent import CONSENT
from mls.study.create import codes
from mls.study.server import make_app
from mls.study.store import Store
