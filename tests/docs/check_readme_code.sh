#!/bin/bash
# The C++ in the README is the marked region of examples/01_hello.cpp, which the tests compile and run.
project=$1
readme=$(awk '/^```cpp *$/ {on = 1; next} /^```/ {on = 0} on' "$project/README.md")
example=$(awk '/\[\/readme\]/ {on = 0} on {sub(/^    /, ""); print} /\[readme\]/ {on = 1}' "$project/examples/01_hello.cpp")
diff <(echo "$readme") <(echo "$example")
