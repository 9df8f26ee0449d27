import {
  all,
  insertAfter,
  insertBefore,
  type MergeCase,
  moveBefore,
  remove,
  replace,
} from './mergeCase';

const text = `"""Reads measurements of weather stations."""

from __future__ import annotations

import csv
import logging
from dataclasses import dataclass, field
from pathlib import Path

log = logging.getLogger(__name__)

MISSING = "-999"


@dataclass
class Station:
    name: str
    latitude: float
    longitude: float
    readings: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float | None:
        if not self.readings:
            return None
        return sum(self.readings) / len(self.readings)

    @property
    def highest(self) -> float | None:
        if not self.readings:
            return None
        return max(self.readings)

    def add(self, raw: str) -> None:
        if raw == MISSING:
            return
        try:
            self.readings.append(float(raw))
        except ValueError:
            log.warning("not a number: %s", raw)


class Reader:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stations: dict[str, Station] = {}

    def read_stations(self) -> None:
        with open(self.folder / "stations.csv", newline="") as file:
            for row in csv.DictReader(file):
                station = Station(row["name"], float(row["lat"]), float(row["lon"]))
                self.stations[row["id"]] = station

    def read_values(self, year: int) -> None:
        with open(self.folder / f"{year}.csv", newline="") as file:
            for row in csv.DictReader(file):
                station = self.stations.get(row["id"])
                if station is None:
                    continue
                station.add(row["value"])


def main() -> None:
    reader = Reader(Path("data"))
    reader.read_stations()
    for year in range(2010, 2020):
        reader.read_values(year)
    for station in reader.stations.values():
        print(station.name, station.mean)


if __name__ == "__main__":
    main()
`;

const highest = `    @property
    def highest(self) -> float | None:
        if not self.readings:
            return None
        return max(self.readings)

`;

export const python: MergeCase = {
  path: 'weather/reader.py',
  text,
  edits: {
    'logs an unknown station': replace(
      '                if station is None:\n                    continue\n',
      '                if station is None:\n                    log.warning("unknown station: %s", row["id"])\n                    continue\n',
    ),
    'removes a property that resembles another': remove(highest),
    'moves a property up': moveBefore(highest, '    @property\n    def mean'),
    'adds a method at the end of a class': insertAfter(
      '                station.add(row["value"])\n',
      '\n    def names(self) -> list[str]:\n        return sorted(station.name for station in self.stations.values())\n',
    ),
    'takes arguments from the command line': all(
      insertBefore('import csv\n', 'import argparse\n'),
      replace(
        '    reader = Reader(Path("data"))\n',
        '    parser = argparse.ArgumentParser()\n    parser.add_argument("folder", type=Path)\n    reader = Reader(parser.parse_args().folder)\n',
      ),
    ),
    'changes one constant': replace('MISSING = "-999"', 'MISSING = "NA"'),
  },
};
