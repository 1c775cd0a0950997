// For libraries without vector kernels, because an object library needs a source.
