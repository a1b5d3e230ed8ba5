"""`python -m motion_tui`."""

from motion_tui.cli.main import main

main()
