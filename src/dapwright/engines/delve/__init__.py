"""Calls of Go programs, by Delve's own API: its DAP server tells no return values of nested calls, its tracepoints do.

It launches, traces and ends; it neither stops nor looks: for that there is Delve's DAP server.
"""
