"""The requests that this engine answers; the topic files register theirs."""

from typing import Any

from dapwright.engines.dapserver import Requests
from dapwright.engines.jvm.session import Session

REQUESTS: Requests[Session] = Requests()
Body = dict[str, Any]
