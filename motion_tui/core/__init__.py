"""Facts and records that every other part shares: errors, geometry, frames, stage facts, options, scores."""
