"""Meetings in a day, and the gaps between them."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Meeting:
    """From a minute of the day up to another."""

    start: int
    end: int
    title: str = ""


def merged(meetings):
    """Meetings that touch or overlap as one."""
    blocks = []
    for meeting in sorted(meetings):
        if blocks and meeting.start <= blocks[-1][1]:
            first = blocks[-1][0]
            blocks[-1] = (first, meeting.end)
        else:
            block = (meeting.start, meeting.end)
            blocks.append(block)
    return blocks


def gaps(meetings, opening=540, closing=1020):
    """Free time between opening and closing."""
    free = []
    at = opening
    for start, end in merged(meetings):
        if start > at:
            free.append((at, start))
        at = max(at, end)
    if at < closing:
        free.append((at, closing))
    return free


if __name__ == "__main__":
    print(gaps([Meeting(600, 720, "long"), Meeting(630, 660, "inside"), Meeting(900, 930)]))
