"""Prints who bought and who sold a stock last quarter: python3 examples/holders.py AAPL"""

import sys

from openfilings import OpenFilings


def main(ticker: str) -> None:
    with OpenFilings() as of:
        found = next(iter(of.securities.list(q=ticker)), None)
        if found is None:
            sys.exit(f"no security is called {ticker}")
        holders = of.securities.holders(found["sec_id"], sort="bought")
        print(f"{found['issuer_name']}, {holders.page()['period']}")
        for row in holders:
            print(f"{row['holder']:40} {row['change'] or 'not compared':12} {row['amount_change'] or '':>16}")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["AAPL"]))
