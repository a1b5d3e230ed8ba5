"""motion-tui: where a GPU twin of VMAF's motion feature departs from its CPU reference, and why."""
