"""Java through the tools, for real: what a person asks of a paused program, a hot path, a build tool's projects."""

import subprocess

import pytest
from dap import line_of

from live.served import values

pytestmark = [pytest.mark.live, pytest.mark.needs("javac"), pytest.mark.timeout(180)]

HOT = """\
public class Hot {
    static int total;

    static int helper(int n) {
        total += n;
        return n + 1;
    }

    static int work(int times) {
        int last = 0;
        for (int i = 0; i < times; i++) {
            last = helper(i);
        }
        return last;
    }

    public static void main(String[] args) {
        int got = work(300000);
        System.out.println(got);
    }
}
"""
MODULE = """\
package app;

public class Main {
    private static int hidden = 5;

    public static void main(String[] args) {
        int n = hidden + 1;
        System.out.println(n);
    }
}
"""
FENCE = """\
package demo;

public class Fence {
    public static int posts(int length) {
        int sections = length / 2;
        return sections;
    }

    public static void main(String[] args) {
        System.out.println(posts(4));
    }
}
"""
FENCE_TEST = """\
package demo;

import static org.junit.Assert.assertEquals;
import org.junit.Test;

public class FenceTest {
    @Test public void longFence() {
        int found = Fence.posts(6);
        assertEquals(4, found);
    }
}
"""
GRADLE = """\
subprojects {
    apply plugin: 'java'
    repositories { maven { url 'file:///usr/share/maven-repo' } }
}
project(':app') {
    dependencies {
        compile project(':core')
        testCompile 'junit:junit:4.x'
    }
}
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def test_a_step_out_past_a_hot_path_tells_its_value_at_once_and_an_evaluation_what_it_passed_over(served, tmp_path):
    source = write(tmp_path / "Hot.java", HOT)
    stop = served.run("java", {"file": source, "statement": "int last = 0;"}, scriptPath=source)
    served.ok("set_breakpoint", sessionId=stop["sessionId"], file=source, statement="total += n;", condition="n == 99")
    told = served.ok("evaluate_expression", sessionId=stop["sessionId"], expression="helper(99)")
    assert told["result"] == "100" and "1 stops inside" in told["note"]
    served.ok("remove_breakpoint", sessionId=stop["sessionId"], file=source, line=line_of(source, "total += n;"))
    stop = served.ok("step_out", sessionId=stop["sessionId"])
    assert stop["state"] == "paused", "the hold of a step is 5 s: a flood of events would take longer"
    assert stop["returnValue"]["value"] == "300000" and stop["location"]["function"] == "Hot.main"


def test_a_module_is_launched_by_its_name_alone(served, tmp_path):
    source = write(tmp_path / "app" / "Main.java", MODULE)
    info = write(tmp_path / "module-info.java", "module app { exports app; }\n")
    subprocess.run(["javac", "-g", "-d", str(tmp_path / "out" / "app"), info, source], check=True)
    named = {"mainClass": "app/app.Main", "modulePath": [str(tmp_path / "out")]}
    stop = served.run("java", {"file": source, "statement": "System.out.println(n);"}, adapterLaunchConfig=named)
    assert stop["state"] == "paused" and values(stop)["n"] == "6", stop
    told = served.ok("evaluate_expression", sessionId=stop["sessionId"], expression="n * hidden")
    assert told["result"] == "30"
    snippet = "Stream.of(1, 2).map(x -> new Main()).toList().size()"
    assert served.ok("evaluate_expression", sessionId=stop["sessionId"], expression=snippet)["result"] == "2"


@pytest.mark.needs("gradle")
def test_a_test_in_a_module_of_gradle_is_built_with_what_it_needs_and_stood_at(served, tmp_path):
    write(tmp_path / "build.gradle", GRADLE)
    write(tmp_path / "settings.gradle", "include 'core',\n    'app'\n")
    write(tmp_path / "core" / "src" / "main" / "java" / "demo" / "Fence.java", FENCE)
    write(tmp_path / "app" / "src" / "test" / "java" / "demo" / "FenceTest.java", FENCE_TEST)
    told = served.ok("debug_test", test="FenceTest#longFence", language="java", cwd=str(tmp_path))
    assert told["content"] == "assertEquals(4, found);" and values(told)["found"] == "3", told
    assert told["failure"]["comparison"] == {"op": "expected, was", "left": "4", "right": "3"}
