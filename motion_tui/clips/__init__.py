"""Clips: frames in order, from files, video, images, arrays or a rule; random access at constant cost."""
