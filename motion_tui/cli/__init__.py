"""The command line: one file a command; `diagnostics` owns stderr and exit codes."""
