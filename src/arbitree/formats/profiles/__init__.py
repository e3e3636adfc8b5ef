"""Read and write the tables of [incr tsdb()] profiles."""
