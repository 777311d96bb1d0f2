"""Walks a list to its end with the Python client and prints the rows and seconds, for clients.ts: walk.py GROUP"""

import sys
import time

from openfilings import OpenFilings


def main(group: str) -> None:
    with OpenFilings() as of:
        # Opens the connection and loads all code, as the other clients have done before they are measured.
        found = getattr(of, group)
        found.list(limit=1).page()
        begun = time.perf_counter()
        rows = sum(1 for row in found.list() if row["accession"])
        print(rows, time.perf_counter() - begun)


if __name__ == "__main__":
    main(*sys.argv[1:])
