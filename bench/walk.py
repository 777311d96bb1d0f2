"""Walks a list to its end with the Python client and prints the rows and seconds, for clients.ts: walk.py PAGE"""

import sys
import time

from openfilings import OpenFilings


def main(page: str) -> None:
    with OpenFilings() as of:
        # Opens the connection and loads all code, as the other clients have done before they are measured.
        of.offerings.list(limit=1).page()
        begun = time.perf_counter()
        rows = sum(1 for row in of.offerings.list(limit=int(page)) if row["accession"])
        print(rows, time.perf_counter() - begun)


if __name__ == "__main__":
    main(*sys.argv[1:])
