"""Sums private placements by state and year with pandas: python3 examples/offerings_frame.py"""

from openfilings import OpenFilings


def main() -> None:
    with OpenFilings() as of:
        frame = of.formd.list(amended="latest").to_pandas(decimals="float")
    frame["year"] = frame["filed_date"].dt.year
    print(frame.groupby(["state", "year"])["total_sold"].agg(["count", "sum"]))


if __name__ == "__main__":
    main()
