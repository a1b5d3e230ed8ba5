"""Device code: one small file a twin; plain functions of an index, arrays and integers."""
