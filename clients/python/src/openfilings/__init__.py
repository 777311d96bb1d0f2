"""Public filings of the SEC, of advisers and of broker-dealers, from a service that runs OpenFilings."""

from . import webhooks
from .client import AsyncOpenFilings, OpenFilings
from .errors import (
    ApiError,
    BadRequest,
    CutOff,
    Forbidden,
    InvalidAnswer,
    InvalidSignature,
    MissingPackage,
    NoConnection,
    NotFound,
    OpenFilingsError,
    RateLimited,
    ServerError,
    TimedOut,
    Unauthorized,
)
from .etags import ETags
from .files import Document, Download
from .follow import AsyncFollow, Follow
from .frames import to_pandas
from .generated import models
from .pages import AsyncListing, Listing
from .session import VERSION as __version__
from .settings import Limits, Retry, Settings, Timeouts
from .shapes import native
from .values import day, decimal, moment
from .webhooks import verify

__all__ = [
    "ApiError",
    "AsyncFollow",
    "AsyncListing",
    "AsyncOpenFilings",
    "BadRequest",
    "CutOff",
    "Document",
    "Download",
    "ETags",
    "Follow",
    "Forbidden",
    "InvalidAnswer",
    "InvalidSignature",
    "Limits",
    "Listing",
    "MissingPackage",
    "NoConnection",
    "NotFound",
    "OpenFilings",
    "OpenFilingsError",
    "RateLimited",
    "Retry",
    "ServerError",
    "Settings",
    "TimedOut",
    "Timeouts",
    "Unauthorized",
    "__version__",
    "day",
    "decimal",
    "models",
    "moment",
    "native",
    "to_pandas",
    "verify",
    "webhooks",
]
