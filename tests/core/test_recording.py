"""Calls as an engine sees them begin and end: who is over without a return, what sleeps, what is left out."""

from dapwright.core.recording import Recorder, changes

T = "main"


def begin(recorder, key, depth, thread=T, **more):
    call = recorder.begin(thread, key, depth, **more)
    if call.shown:
        recorder.began(thread, call, key, "shop.js", 3, {"thread": thread})
    return call


def told(recorder):
    """The events as short words: `call 1 under 0 main`, `return 1 4`."""
    said = []
    for kind, number, *rest in recorder.take():
        said.append(f"call {number} under {rest[0]} {rest[1]}" if kind == "call" else f"{kind} {number} {rest[0]}")
    return said


def test_recursion_is_told_call_by_call():
    recorder = Recorder()
    outer = begin(recorder, "fact", 5)
    inner = begin(recorder, "fact", 6)
    assert recorder.find(T, "fact", 6) is inner
    recorder.end(T, inner, "return", "1", {})
    assert recorder.find(T, "fact", 5) is outer
    recorder.end(T, outer, "return", "2", {})
    assert told(recorder) == ["call 1 under 0 fact", "call 2 under 1 fact", "return 2 1", "return 1 2"]


def test_what_lies_deeper_than_an_event_was_ended_by_what_was_thrown():
    recorder = Recorder()
    safe = begin(recorder, "safe", 2)
    begin(recorder, "add", 3)
    recorder.throw(T, "Error: too much", fatal=False)
    assert recorder.find(T, "safe", 2) is safe
    recorder.end(T, safe, "return", "null", {})
    assert told(recorder)[-2:] == ["raise 2 Error: too much", "return 1 null"]


def test_who_ends_without_a_word_is_told_as_unknown():
    recorder = Recorder()
    begin(recorder, "jump", 4)
    begin(recorder, "next", 4)
    assert "return 1 <unknown>" in told(recorder)


def test_a_known_handler_ends_those_above_it_at_once_and_clears_the_rest():
    recorder = Recorder()
    main, add = begin(recorder, "main", 1), begin(recorder, "add", 3)
    recorder.throw(T, "too much", fatal=False)
    recorder.catch(T, 2)
    assert told(recorder)[-1] == f"raise {add.number} too much" and not main.thrown
    recorder.finish(T)
    assert told(recorder) == []


def test_at_the_end_only_what_nothing_caught_is_a_raise():
    caught, fatal = Recorder(), Recorder()
    for recorder in (caught, fatal):
        begin(recorder, "main", 1)
        recorder.throw(T, "no", fatal=recorder is fatal)
        recorder.finish(T)
    assert told(caught) == ["call 1 under 0 main"] and told(fatal)[-1] == "raise 1 no"


def test_threads_have_stacks_of_their_own():
    recorder = Recorder()
    begin(recorder, "main", 1)
    begin(recorder, "work", 1, thread="other")
    begin(recorder, "inner", 2)
    assert told(recorder) == ["call 1 under 0 main", "call 2 under 0 work", "call 3 under 1 inner"]


def test_suspended_calls_wake_by_their_arguments():
    recorder = Recorder()
    one, two = (begin(recorder, "later", 4, suspends=True) for _ in range(2))
    one.arguments, two.arguments = {"x": "1"}, {"x": "2"}
    assert recorder.find(T, "later", 1) is None
    woken = recorder.find(T, "later", 1, {"x": "2"})
    assert woken is two
    recorder.end(T, two, "return", "3", {})
    assert recorder.find(T, "later", 1) is one
    assert told(recorder)[-1] == "return 2 3"


def test_depth_and_events_are_limited_and_what_is_left_out_is_not_counted_as_none():
    recorder = Recorder(most=3, depth=1)
    begin(recorder, "main", 1)
    assert not begin(recorder, "add", 2).shown
    begin(recorder, "main", 1)
    assert recorder.full and recorder.left_out == -1 and len(told(recorder)) == 3


def test_one_call_alone_is_told_with_what_it_calls():
    recorder = Recorder(only=2)
    begin(recorder, "main", 1)
    assert recorder.early
    two = begin(recorder, "add", 2)
    begin(recorder, "inner", 3)
    recorder.end(T, recorder.find(T, "add", 2), "return", "1", {})
    assert told(recorder) == ["call 2 under 1 add", "call 3 under 2 inner", "return 3 <unknown>", "return 2 1"]
    assert recorder.full and recorder.left_out == 0 and two.number == 2


def test_changes_are_what_differs():
    assert changes({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"}) == {"b": ["2", "3"], "c": [None, "4"]}
    assert changes(None, {"a": "1"}) == {} == changes({"a": "1"}, None)
