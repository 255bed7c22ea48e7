"""The requests of this engine; each topic file registers its own."""

from typing import TYPE_CHECKING

from dapwright.engines.dapserver import Requests

if TYPE_CHECKING:
    from dapwright.engines.node.session import Session

REQUESTS: "Requests[Session]" = Requests()
