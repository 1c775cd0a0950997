// Stands in where a library has no vector kernels: an object library needs a source.
