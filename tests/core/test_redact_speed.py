"""Redaction does work in proportion to the text, however hostile: measured against a quarter of it."""

import time

import pytest

from dapwright.core import redact

UNITS = [
    "password=",
    "password='",
    "password=\"x a_password='x ",
    "password=" + "\\" * 7 + "'",
    "secrets=['a',",
    '"name":"password" , ',
    "://a:bbbbbbbb",
    "-----BEGIN PRIVATE KEY-----\nABCDEFGHIJKLMNOPQRST\n",
    "PRIVATE KEY-----Abc: x\n",
    "eyJhbGciAAAA.eyJ",
    "Some(",
    "login x password ",
    "uid=a;",
    "x",
    " ",
    '"x"==',
    "earer aaaaaaaaaa",
    "<password>a",
    "api key ",
]


def seconds(text):
    start = time.process_time()
    redact.text(text)
    return time.process_time() - start


@pytest.mark.parametrize("unit", UNITS, ids=range(len(UNITS)))
def test_work_is_linear(unit):
    text = "password " + unit * (240_000 // len(unit))
    small = min(seconds(text[: len(text) // 4]) for _ in range(2))
    large = min(seconds(text) for _ in range(2))
    assert large < 0.05 + small * 9, (small, large)
