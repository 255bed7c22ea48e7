# Loaded into a debugged Ruby program before its first line, and before rdbg itself.
#
# rdbg is loaded by what stands in RUBYOPT, which is for this process alone: a Ruby program that
# this one starts would open the same socket, and wait for ever for a debugger.
options, suspends = ENV["RUBYOPT"].to_s, "RUBY_DEBUG_INITIAL_SUSPEND_PATH"
rdbg = options[%r{-r ?(\S*/debug/(?:open|start))\b}, 1]
require rdbg if rdbg && ENV[suspends]
options = options.sub(%r{-r ?\S*/debug/(?:open|start)\b}, "").strip
ENV["RUBYOPT"] = options.empty? ? nil : options
ENV.delete(suspends)

load File.join(__dir__, "ruby_begin.rb")

# rdbg stops at an exception that nobody rescued when the program has ended, with the
# frames that it kept in this variable. `exit` and a signal are ends, not failures.
[SystemExit, SignalException].each do |ending|
  ending.class_eval do
    def instance_variable_defined?(name)
      name != :@__debugger_postmortem_frames && super
    end
  end
end
