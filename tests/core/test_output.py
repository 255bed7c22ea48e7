"""The transcript of a launch: entries, pages, the unread tail."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from dapwright.core.output import ENTRY, Transcript, cleaned

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def filled(*chunks, category="stdout"):
    transcript = Transcript()
    for number, chunk in enumerate(chunks):
        transcript.add(category, chunk, number)
    return transcript


def outputs(page):
    return [entry["output"] for entry in page["entries"]]


def test_an_entry_is_a_chunk_as_it_came():
    page = filled("one\n", "two", " and three\n").page()
    assert outputs(page) == ["one\n", "two", " and three\n"]
    assert page["entries"][0] == {"seq": 1, "category": "stdout", "output": "one\n", "timestamp": 0}
    assert (page["nextSince"], page["hasMore"], page["dropped"]) == (3, False, 0)


def test_pages_follow_each_other_without_gap():
    transcript, since, seen = filled(*(f"{n}\n" for n in range(250))), 0, []
    while True:
        page = transcript.page(since, limit=100)
        seen += outputs(page)
        since = page["nextSince"]
        if not page["hasMore"]:
            break
    assert seen == [f"{n}\n" for n in range(250)]
    assert transcript.page(since) == {"entries": [], "nextSince": 250, "hasMore": False, "dropped": 0}


def test_old_entries_are_dropped_and_counted():
    transcript = filled(*(f"{n}\n" for n in range(1500)))
    page = transcript.page(0, limit=5000)
    assert page["dropped"] == 500 and len(page["entries"]) == 1000 and page["entries"][0]["seq"] == 501
    assert transcript.page(700)["dropped"] == 0
    assert transcript.page(700)["entries"][0]["seq"] == 701


def test_tail_and_categories_choose():
    transcript = filled("a\n", "b\n", "c\n")
    transcript.add("stderr", "oops\n", 9)
    assert outputs(transcript.page(tail=2)) == ["c\n", "oops\n"]
    assert outputs(transcript.page(categories=["stderr"])) == ["oops\n"]
    assert outputs(transcript.page(categories=["stdout"], tail=1)) == ["c\n"]


def test_a_filtered_page_goes_on_after_its_last_entry():
    transcript = Transcript()
    for n in range(10):
        transcript.add("stdout" if n % 2 else "stderr", f"{n}\n", n)
    page = transcript.page(categories=["stderr"], limit=2)
    assert outputs(page) == ["0\n", "2\n"] and page["hasMore"]
    assert outputs(transcript.page(page["nextSince"], categories=["stderr"], limit=10)) == ["4\n", "6\n", "8\n"]


def test_a_long_chunk_loses_its_middle_and_says_so():
    for length in (ENTRY + 1, 100_000, 3_000_000):
        entry = filled("a" + " b" * (length // 2) + " z\n").page()["entries"][0]
        assert entry["truncated"] is True and len(entry["output"]) <= ENTRY
        assert entry["output"].startswith("a b") and entry["output"].endswith("z\n") and "cut" in entry["output"]
    assert "truncated" not in filled("x" * 10 + "\n").page()["entries"][0]


def test_a_secret_over_two_chunks_is_masked():
    transcript = filled(f"using {KEY[:9]}", f"{KEY[9:]} now\n", "password=", "hunter22\n")
    text = json.dumps(transcript.page())
    assert KEY[:9] not in text and KEY[9:] not in text and "hunter22" not in text
    assert text.count("<redacted:") == 2


def test_a_secret_in_the_cut_of_a_huge_chunk_does_not_show():
    for at in range(4000, 4200, 7):
        text = "x " * (at // 2) + KEY + " y" * 60_000
        assert "ghp_" not in filled(text).page()["entries"][0]["output"]


def test_categories_do_not_mix_what_waits():
    transcript = Transcript()
    transcript.add("stdout", "password=", 1)
    transcript.add("stderr", "plain\n", 2)
    transcript.add("stdout", "hunter22\n", 3)
    assert "plain" in json.dumps(transcript.page()) and "hunter22" not in json.dumps(transcript.page())


def test_what_waits_is_let_go_at_a_stop():
    transcript = filled("ghp")
    assert transcript.page()["entries"] == []
    assert [entry.output for entry in transcript.flush()] == ["ghp"]
    assert transcript.flush() == []


def test_odd_bytes_are_made_visible_or_replaced():
    assert cleaned("raw \udcff\udcfe ok") == "raw \ufffd\ufffd ok"
    assert cleaned("\ud83d\ude00") == "\U0001f600"
    assert cleaned("\x1b[31mred\x1b[0m \x00nul\r\n") == "red ␀nul\n"
    assert cleaned("\x1b]0;title\x07text\x1b]8;;http://x\x1b\\link") == "textlink"
    assert cleaned("10%\r20%\r\n") == "10%␍20%\n" or cleaned("10%\r20%\r\n") == "10%\r20%\n"
    assert cleaned("tab\tand\nline") == "tab\tand\nline"


def test_escapes_and_characters_split_over_chunks_come_whole():
    assert "".join(outputs(filled("a\x1b[3", "1mred\x1b", "[0m\n").page())) == "ared\n"
    assert "".join(outputs(filled("x\ud83d", "\ude00\n").page())) == "x\U0001f600\n"
    assert "".join(outputs(filled("one\r", "\ntwo\r\n").page())) == "one\ntwo\n"


def test_unread_tells_what_came_since():
    transcript = filled("one\n")
    text, cursor = transcript.unread(0)
    assert text == "one\n"
    transcript.add("stderr", "bad\nworse\n", 2)
    transcript.add("telemetry", "secretly\n", 2)
    transcript.add("stdout", "two\n", 3)
    text, cursor = transcript.unread(cursor)
    assert text == "stderr: bad\nstderr: worse\ntwo\n"
    assert transcript.unread(cursor) == ("", cursor)


def test_unread_is_a_tail_and_says_what_is_missing():
    transcript = filled(*(f"line {n}\n" for n in range(5000)))
    text, _ = transcript.unread(0)
    assert len(text) <= 2000 and text.endswith("line 4999\n") and text.startswith("… earlier output cut")
    assert len(filled("y" * 7000 + "\n").unread(0)[0]) <= 2000


def test_a_report_on_stderr_is_told_once_though_it_comes_in_pieces():
    def find(text):
        return re.findall("<.*?>", text), text.rfind(">") + 1

    transcript = Transcript()
    transcript.add("stderr", "noise <a> <b", 1)
    transcript.add("stdout", "between", 1)
    assert transcript.reports(find) == ["<a>"] and transcript.reports(find) == []
    transcript.add("stderr", "c> and\n", 1)
    transcript.add("stdout", "after\n" * 2000, 1)
    assert transcript.reports(find) == ["<bc>"] and transcript.reports(find) == []


def test_output_without_a_newline_is_told():
    assert filled("no newline at end|").unread(0)[0] == "no newline at end|"


@given(st.lists(st.tuples(st.sampled_from(["stdout", "stderr"]), st.text(st.characters(), max_size=40)), max_size=12))
def test_any_output_can_be_sent(chunks):
    transcript = Transcript()
    for category, chunk in chunks:
        transcript.add(category, chunk, 1)
    text, _ = transcript.unread(0)
    text.encode("utf-8")
    json.dumps(transcript.page(limit=1000), ensure_ascii=False).encode("utf-8")
    assert "\x1b" not in text and "\x00" not in text
