import click
from click.testing import CliRunner


@click.command()
@click.option("--fast", type=bool, is_flag=True, default=False)
def run(fast):
    click.echo(fast)


def test_a_typed_flag_is_set():
    assert CliRunner().invoke(run, ["--fast"]).output == "True\n"
