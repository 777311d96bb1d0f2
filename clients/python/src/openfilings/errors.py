"""Exceptions of this package. Each of them is an ``OpenFilingsError``."""

from __future__ import annotations

from collections.abc import Mapping


class OpenFilingsError(Exception):
    """Base class of all exceptions that this package raises by itself."""


class ApiError(OpenFilingsError):
    """An answer with an error status.

    ``code`` is for programs and keeps its meaning; ``message`` is for people and may change.
    For an unknown code, go by ``status``. ``code`` is empty if something between this client and the service
    answered.
    """

    def __init__(
        self,
        *,
        status: int,
        code: str,
        message: str,
        request_id: str | None,
        retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        named = f" [{code}]" if code else ""
        asked = f" (request {request_id})" if request_id else ""
        super().__init__(f"{status}{named}: {message}{asked}")
        self.status = status
        self.code = code
        self.message = message
        self.request_id = request_id
        #: Seconds to wait before another request, if the service states them.
        self.retry_after = retry_after
        self.headers: Mapping[str, str] = dict(headers or {})


class BadRequest(ApiError):
    """The request cannot be answered as it is: 400, 406, 414 and others between 400 and 499."""


class Unauthorized(ApiError):
    """The key is missing, unknown, revoked or expired: 401."""


class Forbidden(ApiError):
    """The key lacks a scope, or the operator closed the endpoint: 403."""


class NotFound(ApiError):
    """Nothing has the identifier, or it was never loaded: 404. ``code`` tells which."""


class RateLimited(ApiError):
    """A limit of the key is used up, and the allowed tries and waits too: 429."""


class ServerError(ApiError):
    """The service, or something in front of it, cannot answer now: 500 and above."""


class NoConnection(OpenFilingsError):
    """The service could not be reached, or the connection broke off."""


class TimedOut(NoConnection):
    """The service did not answer in time."""


class InvalidAnswer(OpenFilingsError):
    """The answer is not what the API promises: no valid JSON, another content type, or too large."""


class CutOff(OpenFilingsError):
    """A file ended before its last line, which counts its rows. What had arrived was removed."""


class InvalidSignature(OpenFilingsError):
    """A webhook delivery is not signed by the service, was changed, or is too old."""


class MissingPackage(OpenFilingsError, ImportError):
    """A package is needed for this method and is not installed."""


_BY_STATUS: dict[int, type[ApiError]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    429: RateLimited,
}


def error_class(status: int) -> type[ApiError]:
    """Returns the class of exceptions for an error status."""
    return _BY_STATUS.get(status, ServerError if status >= 500 else BadRequest)
