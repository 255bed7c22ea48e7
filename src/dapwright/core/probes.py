"""What a probe looks at, and how code of ours inside a program is told of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dapwright.core import hits, logs

if TYPE_CHECKING:
    from dapwright.core.ledger import Record


@dataclass(slots=True)
class Probe:
    """A place to look at while the program runs on."""

    name: str
    capture: tuple[str, ...] = ()
    most: int = 0
    """Rows to keep; 0 keeps all."""
    change: Mapping[str, str] = field(default_factory=dict[str, str])
    """Names to give new values: expressions of the program's language."""
    hold: bool = False
    """Stop there too."""
    quiet: bool = False
    """Counts alone: it says whether the place was reached at all."""
    samples: list[Mapping[str, str]] = field(default_factory=list[Mapping[str, str]])
    counts: dict[int, tuple[int, int, int]] = field(default_factory=dict[int, tuple[int, int, int]])
    """By process: reached, condition true, condition false."""

    @property
    def false(self) -> int:
        """How often its condition was false, as far as was told."""
        return sum(count[2] for count in self.counts.values())

    @property
    def reached(self) -> int:
        """How often the program came by."""
        return sum(max(count[0], count[1] + count[2]) for count in self.counts.values())

    def count(self, process: int, *, true: bool, sample: Mapping[str, str] | None = None) -> int:
        """Count an arrival that we judged ourselves; how often the condition was true so far."""
        reached, hits, false = self.counts.get(process, (0, 0, 0))
        self.counts[process] = (reached + 1, hits + true, false + (not true))
        if not true and sample and len(self.samples) < 3:
            self.samples.append(sample)
        return hits + true


def described(record: "Record") -> dict[str, Any]:
    """A breakpoint as the code inside a program is told of it: the words of inject/python_probe.py."""
    said: dict[str, Any] = {"id": record.id}
    if record.condition:
        said["condition"] = record.condition
    if record.hit_condition:
        wanted = hits.parse(record.hit_condition)
        said["hits"] = [wanted.operator, wanted.count]
    if record.log_message:
        said["log"] = [[part.text, part.expression] for part in logs.parse(record.log_message)]
    if record.enters:
        said["enters"] = True
    if record.probe is None:
        return {**said, "stops": not record.log_message}
    probe = record.probe
    if probe.capture:
        said["capture"] = list(probe.capture)
    if probe.change:
        said["set"] = [[name, text] for name, text in probe.change.items()]
    return {**said, "most": probe.most, "rows": not probe.quiet, "stops": probe.hold}


def text_of(records: "Sequence[Record]", port: int, nonce: str) -> dict[str, Any]:
    """The records of one line, and where to tell what is seen there."""
    return {"to": [port, nonce], "probes": [described(record) for record in records]}
