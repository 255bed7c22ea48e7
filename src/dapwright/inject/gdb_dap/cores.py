"""Why a core file cannot be opened, by its ELF header: gdb only says that it does not know the format."""

import platform

MACHINES = {3: "i386", 8: "mips", 20: "powerpc", 21: "ppc64", 22: "s390x", 40: "arm", 62: "x86_64", 183: "aarch64"}
MACHINES.update({243: "riscv", 258: "loongarch"})
CORE = 4


def explain(path):
    """What is wrong with the core file at PATH, "" where its header says nothing against it."""
    try:
        with open(path, "rb") as file:
            head = file.read(20)
    except OSError as error:
        return "it cannot be read: %s" % error.strerror
    if len(head) < 20 or head[:4] != b"\x7fELF":
        return "it is no ELF file"
    order = "little" if head[5] == 1 else "big"
    kind, machine = int.from_bytes(head[16:18], order), int.from_bytes(head[18:20], order)
    if kind != CORE:
        return "it is a program or a library, no core file"
    name, mine = MACHINES.get(machine, "machine type %d" % machine), platform.machine()
    return "" if name == mine else "the core is of another machine (%s; this one is %s)" % (name, mine)
