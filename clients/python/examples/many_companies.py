"""Requests the figures of several companies at the same time: python3 examples/many_companies.py 320193 1326801"""

import asyncio
import sys

from openfilings import AsyncOpenFilings, NotFound


async def newest(of: AsyncOpenFilings, cik: str) -> str:
    try:
        rows = [row async for row in of.companies.financials(cik).native()]
    except NotFound as error:
        return f"{cik}: {error.message}"
    return f"{cik}: {rows[0]['end_date']} {rows[0]['revenue']}" if rows else f"{cik}: no figures"


async def main(ciks: list[str]) -> None:
    async with AsyncOpenFilings() as of:
        for line in await asyncio.gather(*(newest(of, cik) for cik in ciks)):
            print(line)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or ["320193", "1326801"]))
