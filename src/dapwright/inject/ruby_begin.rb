# The file on whose first line rdbg waits until it is configured: on the program's own first
# line, which is past when it goes on, a breakpoint would never be hit.
#
# Output goes out as it is printed, so that it is there when the program stops
# (Ruby keeps it back where it writes into a pipe).
$stdout.sync = true
$stderr.sync = true
