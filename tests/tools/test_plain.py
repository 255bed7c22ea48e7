"""The last cut of an answer tells the truth about what it left out."""

from dapwright.tools.plain import fit, weigh


def rows(number, length):
    return [{"name": f"v{n}", "value": "x" * length} for n in range(number)]


def test_what_an_earlier_cut_left_out_is_counted_too():
    earlier = {"omittedCount": 201, "valueTruncatedCount": 300, "notice": "earlier"}
    told = fit({"variables": rows(300, 1027), "count": 300, "total": 501, "truncation": earlier}, 160_000)
    shown = len(told["variables"])
    assert weigh(told) <= 160_000 and shown < 300
    assert told["count"] == shown
    assert told["truncation"]["omittedCount"] == 501 - shown
    assert told["truncation"]["valueTruncatedCount"] == shown


def test_a_count_that_is_a_total_stays():
    told = fit({"stackFrames": rows(200, 1000), "count": 900}, 50_000)
    assert told["count"] == 900 and len(told["stackFrames"]) < 200


def test_what_fits_is_left_alone():
    answer = {"variables": rows(3, 3), "count": 3}
    assert fit(answer, 1000) is answer
