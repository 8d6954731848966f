"""Cron expressions: five fields, in UTC."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.errors import RunError

MINUTE_MS = 60_000


def ms(written):
    return int(datetime.fromisoformat(written).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("expression", "after", "fires"),
    [
        ("* * * * *", "2024-01-01T00:00:00", "2024-01-01T00:01:00"),
        ("* * * * *", "2024-01-01T00:00:59.999", "2024-01-01T00:01:00"),
        ("*/15 * * * *", "2024-01-01T00:15:00", "2024-01-01T00:30:00"),
        ("5/20 * * * *", "2024-01-01T00:26:00", "2024-01-01T00:45:00"),
        ("30 4 * * *", "2024-01-01T04:30:00", "2024-01-02T04:30:00"),
        ("0 9-17/4 * * *", "2024-01-01T10:00:00", "2024-01-01T13:00:00"),
        ("0,30 0 * * *", "2023-12-31T23:59:00", "2024-01-01T00:00:00"),
        ("0 0 29 2 *", "2024-02-29T00:00:00", "2028-02-29T00:00:00"),
        ("0 0 31 * *", "2024-04-01T00:00:00", "2024-05-31T00:00:00"),
        ("0 0 * * mon", "2024-01-01T00:00:00", "2024-01-08T00:00:00"),
        ("0 0 * * 7", "2024-01-01T00:00:00", "2024-01-07T00:00:00"),
        ("0 0 * * FRI-sat", "2024-01-01T00:00:00", "2024-01-05T00:00:00"),
        ("0 0 * feb *", "2024-01-01T00:00:00", "2024-02-01T00:00:00"),
        # Both day fields restricted: either is enough.
        ("0 0 13 * fri", "2024-01-01T00:00:00", "2024-01-05T00:00:00"),
        ("0 0 13 * fri", "2024-01-12T00:00:00", "2024-01-13T00:00:00"),
        # One of them begins with a star: both must fit.
        ("0 0 */2 * mon", "2024-01-01T00:00:00", "2024-01-15T00:00:00"),
    ],
)
def test_the_first_time_after(call, expression, after, fires):
    assert call("cron-fire-after", expression, ms(after)) == ms(fires)


def test_parse_lists_what_an_expression_names(call):
    assert call("cron-parse", "0,30 8-10 1 */6 sun") == {
        "minutes": [0, 30],
        "hours": [8, 9, 10],
        "days": [1],
        "months": [1, 7],
        "weekdays": [0],
    }


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("* * * *", 'the expression "* * * *" has 4 fields; 5 are needed'),
        ("60 * * * *", '"60" is no minute; numbers from 0 to 59 are needed'),
        ("* 24 * * *", '"24" is no hour'),
        ("* * 0 * *", '"0" is no day of month'),
        ("* * * 13 *", '"13" is no month'),
        ("* * * * 8", '"8" is no day of week'),
        ("5-1 * * * *", '"5-1" is no minute'),
        ("*/0 * * * *", '"*/0" is no minute'),
        ("1,,2 * * * *", '"" is no minute'),
        ("jan * * * *", '"jan" is no minute'),
        ("* * * * fun", '"fun" is no day of week'),
        ("-1 * * * *", '"-1" is no minute'),
    ],
)
def test_what_is_no_cron_expression(call, expression, message):
    with pytest.raises(RunError) as raised:
        call("cron-parse", expression)

    assert raised.value.code == "invalid-argument"
    assert message in raised.value.message


def test_what_never_fires(call):
    with pytest.raises(RunError, match='"0 0 30 2 \\*" never fires'):
        call("cron-fire-after", "0 0 30 2 *", 0)


@pytest.mark.parametrize("after_ms", [1e17, float("nan"), True, "0"])
def test_a_time_that_is_none(call, after_ms):
    with pytest.raises(RunError) as raised:
        call("cron-fire-after", "* * * * *", after_ms)

    assert raised.value.code == "invalid-argument"


fields = st.tuples(
    st.sampled_from(["*", "*/7", "0", "15,45", "10-20"]),
    st.sampled_from(["*", "3", "*/5", "22-23"]),
    st.sampled_from(["*", "1", "15,31", "28-31"]),
    st.sampled_from(["*", "2", "1-6/5"]),
    st.sampled_from(["*", "0", "mon-wed", "6,7"]),
)


@given(fields, st.integers(0, 4_000_000_000_000))
def test_no_time_between_is_left_out(call, written, after_ms):
    """Against a walk over minutes, as far as a day."""
    expression = " ".join(written)
    times = call("cron-parse", expression)
    either = not written[2].startswith("*") and not written[4].startswith("*")

    def fits(moment):
        by_day = moment.day in times["days"]
        by_weekday = moment.isoweekday() % 7 in times["weekdays"]
        return (
            moment.minute in times["minutes"]
            and moment.hour in times["hours"]
            and moment.month in times["months"]
            and (by_day or by_weekday if either else by_day and by_weekday)
        )

    fires = call("cron-fire-after", expression, after_ms)
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    moment = epoch + timedelta(milliseconds=fires)
    earliest = max(after_ms // MINUTE_MS * MINUTE_MS, fires - 24 * 60 * MINUTE_MS)

    assert fires > after_ms
    assert fits(moment)
    for between in range(fires - MINUTE_MS, earliest, -MINUTE_MS):
        assert not fits(epoch + timedelta(milliseconds=between))
