"""Prints new filings as they are read, and continues where it stopped: python3 examples/follow.py position.txt [COUNT]"""

import sys
from pathlib import Path

from openfilings import OpenFilings


def main(position: str, count: str = "0") -> None:
    kept = Path(position)
    after = int(kept.read_text()) if kept.exists() else 0
    with OpenFilings() as of, of.events.follow(after=after) as events:
        for number, event in enumerate(events, 1):
            filing = event["filing"]
            print(event["event_number"], event["what"], event["source"], filing["company_name"] if filing else "")
            # After the work, so that an event whose work was interrupted comes again.
            kept.write_text(str(event["event_number"]))
            if number == int(count):
                return


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["position.txt"]))
