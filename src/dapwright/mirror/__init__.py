"""A read-only DAP endpoint for a person's IDE: it shows a session and moves nothing."""

from dapwright.mirror.endpoint import Endpoint

__all__ = ["Endpoint"]
