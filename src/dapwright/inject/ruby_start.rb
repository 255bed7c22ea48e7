# Loaded into a debugged Ruby program before its first line.
#
# Output goes out as it is printed, so that it is there when the program stops
# (Ruby keeps it back where it writes into a pipe).
$stdout.sync = true
$stderr.sync = true

# rdbg stops at an exception that nobody rescued when the program has ended, with the
# frames that it kept in this variable. `exit` and a signal are ends, not failures.
[SystemExit, SignalException].each do |ending|
  ending.class_eval do
    def instance_variable_defined?(name)
      name != :@__debugger_postmortem_frames && super
    end
  end
end
