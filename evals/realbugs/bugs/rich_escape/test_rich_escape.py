from rich.markup import escape, render


def test_a_backslash_at_the_end_is_kept():
    assert render("[bold]" + escape("C:\\") + "[/bold]").plain == "C:\\"
