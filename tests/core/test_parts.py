"""Parts of a toolchain as commands and as words."""

from dapwright.core.model import Host
from dapwright.core.parts import Part, commands, told

PAIR = Part("Go", ("apt-get install golang delve", "brew install go delve"), page="https://go.dev/dl")
GDB = Part("gdb", ('pip install "dapwright[native]"',))


def host(*names, lists=("x_Packages",), root=True):
    return Host(
        platform="linux",
        which={name: f"/bin/{name}" for name in names}.get,
        env={},
        glob=lambda pattern: lists,
        python="/venv/bin/python",
        root=root,
    )


def test_a_hint_tells_every_way_and_every_part():
    assert told(PAIR, GDB) == (
        "apt-get install golang delve or brew install go delve or https://go.dev/dl, "
        'and pip install "dapwright[native]"'
    )


def test_the_first_registry_that_is_here_is_taken():
    assert commands([PAIR], host("apt-get", "brew")) == [("apt-get", "install", "-y", "golang", "delve")]
    assert commands([PAIR], host("brew")) == [("brew", "install", "go", "delve")]
    assert commands([PAIR], host()) == []


def test_pip_is_that_of_our_own_interpreter():
    assert commands([GDB], host()) == [("/venv/bin/python", "-m", "pip", "install", "dapwright[native]")]


def test_the_system_s_registry_is_root_s():
    assert commands([PAIR], host("apt-get", "sudo", root=False))[0][:2] == ("sudo", "apt-get")
    assert commands([PAIR], host("apt-get", root=False))[0][0] == "apt-get", "without sudo it tells so itself"


def test_a_container_without_package_lists_fetches_them_first():
    found = commands([PAIR, GDB], host("apt-get", lists=()))
    assert found[0] == ("apt-get", "update") and len(found) == 3
    assert commands([GDB], host("apt-get", lists=()))[0][2] == "pip"
