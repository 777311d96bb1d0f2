"""Walks a list from page to page: which address comes next, and how large the page is."""

from __future__ import annotations

import re

from .errors import ApiError
from .plan import next_url


class Walk:
    """The pages of one walk. ``url`` is the address of the page to request; ``None`` after the last page.

    The first page has the default size of the list, since many loops end there, and later pages have the largest size.

    :param url: address of the first page
    :param largest: the largest size of a page; ``None`` if all pages keep their size
    """

    def __init__(self, url: str, largest: int | None) -> None:
        self.url: str | None = url
        self._named = url
        self._largest = largest

    def go_on(self, link: str | None) -> None:
        """Goes to the next page, which the header ``Link`` of this page names."""
        following = next_url(self.url or "", link)
        self.url = following
        if following is None:
            return
        self._named = following
        # The service repeats the size in the link to the page after it.
        if self._largest is not None and not re.search(r"[?&]limit=", following):
            self.url = f"{following}{'&' if '?' in following else '?'}limit={self._largest}"

    def shrink(self, error: ApiError) -> None:
        """Goes back to the default size after an error that the size of the page may have caused.

        An earlier version of the service has a lower maximum, or a larger page takes longer than the operator allows.
        Raises every other error, and one of a page that has the default size.
        """
        too_large = error.code == "invalid_parameter" and error.message.startswith("limit:")
        if self.url == self._named or not (too_large or error.code == "query_too_expensive"):
            raise error
        self._largest = None
        self.url = self._named
