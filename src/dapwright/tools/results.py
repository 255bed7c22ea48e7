"""The result of an evaluation as an answer shows it."""

import re
from typing import Any

from dapwright.core import render
from dapwright.core.bodies import EvaluateBody
from dapwright.core.model import Raw, Variable
from dapwright.session import Session, showing
from dapwright.session.connection import Connection

UNCUT = 131_072
CUT = re.compile(r"\(cut: (\d+) (characters|bytes) in all\)$")
"""How code of ours in a program tells that it cut a value."""


def valued(
    session: Session, connection: Connection, expression: str, body: EvaluateBody, frame: int | None
) -> dict[str, Any]:
    """A value with its type and its handle; what is longer than a value may be is cut, and told."""
    variable = Variable(
        expression, Raw(body.result), body.type or "", body.variables_reference, expression, body.indexed_variables
    )
    row = showing.variable_row(session, connection, variable, frame=frame, limit=0)
    value = str(row.pop("value"))
    answer: dict[str, Any] = {"result": render.clip(value, UNCUT), "type": row.get("type")}
    answer["variablesReference"] = row.get("variablesReference")
    if whole := CUT.search(value):
        answer["truncation"] = {
            "valueTruncatedCount": 1,
            "notice": f"{whole[1]} {whole[2]} in all; evaluate a slice for the rest",
        }
    elif len(value) > UNCUT:
        answer["truncation"] = {
            "valueTruncatedCount": 1,
            "notice": f"{len(value)} characters; evaluate a slice for the rest",
        }
    return answer
