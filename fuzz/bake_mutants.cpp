// Bakes many mutated glTF files and checks what is written; without libFuzzer or sanitizers, in any build.
//     bake_mutants COUNT SEED FILE|FOLDER... [--keep FOLDER]
// Every invalid file is kept in FOLDER with the input that led to it; with KEEP_ALL in the environment all files are,
// for the official validator (tests/web/check_mutants.mjs).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "support/baked_bytes.h"
#include "support/glb_validity.h"
#include "support/gltf_mutants.h"

namespace {

using fascia::test::FileBytes;
namespace fs = std::filesystem;

FileBytes read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void save(const fs::path& path, const FileBytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

struct Tally {
    std::size_t read = 0, written = 0, invalid = 0;
};

void check(const FileBytes& input, const std::optional<FileBytes>& output, const char* kind, std::size_t number,
           const fs::path& keep, Tally& tally) {
    if (!output) return;
    ++tally.written;
    const auto flaws = fascia::test::GlbValidity::flaws(*output);
    const std::string name = std::string(kind) + std::to_string(number);
    if (!flaws.empty()) {
        ++tally.invalid;
        std::printf("%s: %s\n", name.c_str(), flaws[0].c_str());
    }
    const bool every = std::getenv("KEEP_ALL") != nullptr;
    if (!keep.empty() && (!flaws.empty() || every)) save(keep / (name + ".glb"), *output);
    if (!keep.empty() && !flaws.empty()) save(keep / (name + ".input"), input);
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return std::fprintf(stderr, "bake_mutants COUNT SEED FILE|FOLDER... [--keep FOLDER]\n"), 2;
    const std::size_t mutants = std::strtoull(arguments[1], nullptr, 10);
    fascia::test::GltfMutants make(std::strtoull(arguments[2], nullptr, 10));
    fs::path keep;
    std::vector<FileBytes> seeds;
    for (int i = 3; i < count; ++i) {
        if (std::strcmp(arguments[i], "--keep") == 0 && i + 1 < count) {
            keep = arguments[++i];
            fs::create_directories(keep);
        } else if (fs::is_directory(arguments[i])) {
            for (const auto& entry : fs::directory_iterator(arguments[i])) seeds.push_back(read(entry.path()));
        } else {
            seeds.push_back(read(arguments[i]));
        }
    }
    Tally tally;
    for (std::size_t k = 0; k < mutants; ++k) {
        const FileBytes input = make.mutant(seeds[k % seeds.size()]);
        const auto character = fascia::load_character_from_memory(input, "mutant.glb");
        if (!character) continue;
        ++tally.read;
        check(input, fascia::test::baked_bytes(*character), "baked", k, keep, tally);
        check(input, fascia::test::written_bytes(*character), "written", k, keep, tally);
    }
    std::printf("%zu mutants, %zu read, %zu files written, %zu invalid\n", mutants, tally.read, tally.written,
                tally.invalid);
    return tally.invalid > 0 ? 1 : 0;
}
