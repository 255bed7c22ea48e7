import io

from dotenv import dotenv_values


def test_a_later_line_sees_what_stands_before_it():
    lines = io.StringIO("hello=hi\ngreet=${hello}\nbye=ciao\ngreet=${bye}\n")
    assert dotenv_values(stream=lines)["greet"] == "ciao"
