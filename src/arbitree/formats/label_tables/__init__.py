"""Read and write tables of labels: their rows, spellings, columns of ticks and data frames."""
