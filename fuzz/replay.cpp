// Runs a fuzz target over files, without libFuzzer: for coverage, and to look at a crash in a debugger.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

// A function of libFuzzer's that the custom mutator of fuzz_gltf refers to; nothing is mutated here.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) {
    return size;
}

int main(int count, char** arguments) {
    int files = 0;
    for (int i = 1; i < count; ++i) {
        if (!std::filesystem::is_directory(arguments[i])) {
            replay(arguments[i]);
            ++files;
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
            replay(entry.path());
            ++files;
        }
    }
    std::printf("%d files\n", files);
    return 0;
}
