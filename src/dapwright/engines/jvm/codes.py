"""Numbers of the Java Debug Wire Protocol, by name, as its specification gives them."""

from enum import IntEnum
from typing import Final

Command = tuple[int, int]


class Kind(IntEnum):
    """Kinds of events."""

    STEP = 1
    BREAKPOINT = 2
    EXCEPTION = 4
    THREAD_START = 6
    THREAD_DEATH = 7
    CLASS_PREPARE = 8
    CLASS_UNLOAD = 9
    FIELD_ACCESS = 20
    FIELD_MODIFICATION = 21
    METHOD_ENTRY = 40
    METHOD_EXIT = 41
    METHOD_EXIT_WITH_VALUE = 42
    VM_START = 90
    VM_DEATH = 99


class Policy(IntEnum):
    """What an event suspends."""

    NONE = 0
    THREAD = 1
    ALL = 2


VERSION: Final = (1, 1)
CLASSES_BY_SIGNATURE: Final = (1, 2)
ALL_CLASSES: Final = (1, 3)
ALL_THREADS: Final = (1, 4)
DISPOSE: Final = (1, 6)
ID_SIZES: Final = (1, 7)
SUSPEND_VM: Final = (1, 8)
RESUME_VM: Final = (1, 9)
EXIT_VM: Final = (1, 10)
CREATE_STRING: Final = (1, 11)
CAPABILITIES: Final = (1, 17)
VM_CLASS_PATHS: Final = (1, 13)
REDEFINE: Final = (1, 18)
SIGNATURE: Final = (2, 1)
CLASS_LOADER: Final = (2, 2)
STATIC_VALUES: Final = (2, 6)
SOURCE_FILE: Final = (2, 7)
STATUS: Final = (2, 9)
INTERFACES: Final = (2, 10)
CLASS_OBJECT: Final = (2, 11)
SOURCE_MAP: Final = (2, 12)
FIELDS: Final = (2, 14)
METHODS: Final = (2, 15)
SUPERCLASS: Final = (3, 1)
SET_STATIC: Final = (3, 2)
INVOKE_STATIC: Final = (3, 3)
NEW_INSTANCE: Final = (3, 4)
NEW_ARRAY: Final = (4, 1)
INVOKE_INTERFACE: Final = (5, 1)
LINE_TABLE: Final = (6, 1)
BYTECODES: Final = (6, 3)
VARIABLE_TABLE: Final = (6, 5)
TYPE_OF: Final = (9, 1)
GET_FIELDS: Final = (9, 2)
SET_FIELDS: Final = (9, 3)
MONITOR_INFO: Final = (9, 5)
INVOKE: Final = (9, 6)
KEEP: Final = (9, 7)
RELEASE: Final = (9, 8)
STRING: Final = (10, 1)
THREAD_NAME: Final = (11, 1)
SUSPEND_THREAD: Final = (11, 2)
RESUME_THREAD: Final = (11, 3)
THREAD_STATUS: Final = (11, 4)
THREAD_GROUP: Final = (11, 5)
FRAMES: Final = (11, 6)
FRAME_COUNT: Final = (11, 7)
OWNED_MONITORS: Final = (11, 8)
WAITED_MONITOR: Final = (11, 9)
SUSPEND_COUNT: Final = (11, 12)
IS_VIRTUAL: Final = (11, 15)
GROUP_NAME: Final = (12, 1)
ARRAY_LENGTH: Final = (13, 1)
ARRAY_GET: Final = (13, 2)
ARRAY_SET: Final = (13, 3)
REFLECTED: Final = (17, 1)
SET_REQUEST: Final = (15, 1)
CLEAR_REQUEST: Final = (15, 2)
FRAME_GET: Final = (16, 1)
FRAME_SET: Final = (16, 2)
FRAME_THIS: Final = (16, 3)
POP_FRAMES: Final = (16, 4)
EVENT: Final = (64, 100)

ABSENT_INFORMATION: Final = 101
NATIVE_METHOD: Final = 511
OPAQUE_FRAME: Final = 32
INVALID_FRAME: Final = 30
INVALID_THREAD: Final = 10
NOT_SUSPENDED: Final = 13
INVALID_OBJECT: Final = 20
DEAD: Final = 112
INVALID_LENGTH: Final = 504

ERRORS: Final = {
    10: "the thread is gone",
    11: "the thread group is gone",
    12: "the priority is not valid",
    13: "the thread is not suspended by an event",
    14: "the thread is already suspended",
    15: "the thread has not started or is gone",
    20: "the object was garbage collected",
    21: "the class was unloaded",
    22: "the class is not prepared yet",
    23: "there is no such method",
    24: "there is no such place in the code",
    25: "there is no such field",
    30: "the frame is gone",
    31: "there are no more frames",
    32: "the frame is native, or its method was redefined",
    33: "the frame is not on this thread's stack",
    34: "the value has another type",
    35: "the local variable is not visible here",
    40: "it is there already",
    41: "it was not found",
    50: "the monitor is not valid",
    51: "the thread does not own the monitor",
    52: "the thread was interrupted",
    60: "the new class file is malformed",
    61: "the class hierarchy is circular",
    62: "the new class file fails verification",
    63: "a method was added, which this JVM cannot take live",
    64: "a field was added, removed or changed, which this JVM cannot take live",
    65: "the class is in a state that forbids it",
    66: "the superclass or the interfaces changed, which this JVM cannot take live",
    67: "a method was removed, which this JVM cannot take live",
    68: "the class file is of a version that this JVM does not know",
    69: "the class file is of another class",
    70: "the modifiers of the class changed, which this JVM cannot take live",
    71: "the modifiers of a method changed, which this JVM cannot take live",
    72: "the class file has attributes that this JVM cannot change live",
    73: "the class cannot be modified",
    99: "this JVM does not implement it",
    100: "a null was sent",
    101: "the class was compiled without that information",
    102: "the event type is not valid",
    103: "an argument is not valid",
    110: "the JVM is out of memory",
    111: "debugging is not enabled in this JVM",
    112: "the JVM has ended",
    113: "the JVM met an internal error",
    115: "the thread is not attached",
    500: "the kind of the object id is not valid",
    502: "the thread is already in a call of ours",
    503: "the index is out of range",
    504: "the length is not valid",
    506: "the string is not valid",
    507: "the class loader is not valid",
    508: "the array is not valid",
    509: "the transport failed to load",
    511: "the method is native",
    512: "the count is not valid",
}

STATES: Final = {0: "ended", 1: "running", 2: "sleeping", 3: "blocked", 4: "waiting"}

STATIC, FINAL, SYNTHETIC, BRIDGE, NATIVE, ABSTRACT = 0x8, 0x10, 0x1000, 0x40, 0x100, 0x400
INTERFACE, ENUM = 0x200, 0x4000
