"""Cron expressions of five fields, in UTC: when they fire.

A field is `*`, a number, a range `a-b`, either with a step `/n`, or a list of these with
commas. Months and weekdays have English names of three letters; Sunday is 0 and 7. As cron
itself does it: when the day of month and the day of week are both restricted (neither begins
with `*`), a day fits that fits one of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphden.errors import RunError
from graphden.stdlib.arguments import invalid

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PART = re.compile(
    r"(?:(\*)|([0-9]{1,4}|[a-z]{3})(?:-([0-9]{1,4}|[a-z]{3}))?)(?:/([0-9]{1,4}))?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_SEARCHED_DAYS = 366 * 9
"""29 February can be eight years away."""


@dataclass(frozen=True, slots=True)
class Times:
    """The minutes, hours and days at which an expression fires; weekday 0 is Sunday."""

    expression: str
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool
    """Whether one of day of month and day of week is enough."""

    def next_after(self, time_ms: float) -> int:
        """The first time after `time_ms` at which it fires; both in milliseconds since 1970.

        Raises RunError `invalid-argument` when there is none, as for 30 February.
        """
        try:
            start = _EPOCH + timedelta(minutes=time_ms // 60_000 + 1)
            day = start.replace(hour=0, minute=0)
            for _ in range(_SEARCHED_DAYS):
                if self._fits(day):
                    for hour in sorted(self.hours):
                        for minute in sorted(self.minutes):
                            found = day.replace(hour=hour, minute=minute)
                            if found >= start:
                                return round((found - _EPOCH) / timedelta(milliseconds=1))
                day += timedelta(days=1)
        except OverflowError:
            raise invalid(f"cron: the time {time_ms:g} is beyond the calendar") from None
        raise invalid(f'cron: the expression "{self.expression}" never fires')

    def _fits(self, day: datetime) -> bool:
        if day.month not in self.months:
            return False
        by_day = day.day in self.days
        by_weekday = day.isoweekday() % 7 in self.weekdays
        return by_day or by_weekday if self.either_day else by_day and by_weekday


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    lowest: int
    highest: int
    names: tuple[str, ...] = ()
    """Names of the numbers from `lowest` on."""

    def numbers(self, written: str) -> frozenset[int]:
        """The numbers that the text of this field names."""
        numbers: set[int] = set()
        for part in written.split(","):
            match = _PART.fullmatch(part)
            if match is None:
                raise self._wrong(part)
            star, first, last, step = match.groups()
            start = self.lowest if star else self._number(part, first)
            end = self.highest if star or (step and not last) else start
            if last:
                end = self._number(part, last)
            if start > end or (step and not int(step)):
                raise self._wrong(part)
            numbers.update(range(start, end + 1, int(step or 1)))
        return frozenset(numbers)

    def _number(self, part: str, written: str) -> int:
        if written in self.names:
            return self.lowest + self.names.index(written)
        if not written.isdigit() or not self.lowest <= int(written) <= self.highest:
            raise self._wrong(part)
        return int(written)

    def _wrong(self, part: str) -> RunError:
        return invalid(
            f'cron: "{part}" is no {self.name}; numbers from {self.lowest} to {self.highest} '
            "are needed, as in 5, 1-5, */10 or 1,15"
        )


_MINUTE = _Field("minute", 0, 59)
_HOUR = _Field("hour", 0, 23)
_DAY = _Field("day of month", 1, 31)
_MONTH = _Field("month", 1, 12, _MONTHS)
_WEEKDAY = _Field("day of week", 0, 7, _WEEKDAYS)


def parse(expression: str) -> Times:
    """Read a cron expression. Raises RunError `invalid-argument` that names the wrong field."""
    fields = expression.lower().split()
    if len(fields) != 5:
        raise invalid(
            f'cron: the expression "{expression}" has {len(fields)} fields; 5 are needed: '
            "minute, hour, day of month, month, day of week"
        )
    minute, hour, day, month, weekday = fields
    return Times(
        expression=expression,
        minutes=_MINUTE.numbers(minute),
        hours=_HOUR.numbers(hour),
        days=_DAY.numbers(day),
        months=_MONTH.numbers(month),
        weekdays=frozenset(number % 7 for number in _WEEKDAY.numbers(weekday)),
        either_day=not day.startswith("*") and not weekday.startswith("*"),
    )
