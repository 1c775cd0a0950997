// glTF files with a few things wrong: values of the JSON replaced, removed, doubled or swapped, bytes of the buffer
// overwritten. Unlike random bytes they get past a parser and reach what is written.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/gltf_builder.h"

namespace fascia::test {

class GltfMutants {
public:
    explicit GltfMutants(std::uint64_t seed) : random_(seed) {}

    /// A GLB made from the seed (a GLB, too) with one to five changes.
    std::vector<std::uint8_t> mutant(const std::vector<std::uint8_t>& seed) {
        if (seed.size() < 28) return seed;
        std::uint32_t text = 0;
        std::memcpy(&text, seed.data() + 12, 4);
        if (seed[0] != 'g' || 20 + std::size_t{text} > seed.size()) return mutant_of_text(seed);
        json root = json::parse(seed.begin() + 20, seed.begin() + 20 + text, nullptr, false);
        std::vector<std::uint8_t> binary;
        if (seed.size() > 28 + std::size_t{text}) binary.assign(seed.begin() + 28 + text, seed.end());
        change(root, binary);
        return GltfBuilder::container(root.dump(-1, ' ', false, json::error_handler_t::replace), binary);
    }

private:
    std::mt19937_64 random_;

    std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

    std::vector<std::uint8_t> mutant_of_text(const std::vector<std::uint8_t>& seed) {
        json root = json::parse(seed.begin(), seed.end(), nullptr, false);
        if (!root.is_object()) return seed;
        std::vector<std::uint8_t> none;
        change(root, none);
        const std::string text = root.dump(-1, ' ', false, json::error_handler_t::replace);
        return {text.begin(), text.end()};
    }

    void change(json& root, std::vector<std::uint8_t>& binary) {
        for (std::size_t i = 1 + below(5); i > 0; --i) {
            if (!binary.empty() && below(4) == 0)
                spoil(binary);
            else
                change_json(root);
        }
    }

    void spoil(std::vector<std::uint8_t>& binary) {
        const float values[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e38f, -1e38f, 1e-42f, 3.0f, -1.0f};
        const std::size_t at = below(binary.size() / 4) * 4;
        if (at + 4 > binary.size()) return;
        if (below(2) == 0)
            std::memcpy(binary.data() + at, &values[below(std::size(values))], 4);
        else
            binary[at + below(4)] = static_cast<std::uint8_t>(random_());
    }

    /// Every place of the tree is as likely as any other.
    static void collect(json& value, std::vector<json*>& parents) {
        if (!value.is_structured()) return;
        if (!value.empty()) parents.push_back(&value);
        for (json& child : value) collect(child, parents);
    }

    void change_json(json& root) {
        std::vector<json*> parents;
        collect(root, parents);
        if (parents.empty()) return;
        json& parent = *parents[below(parents.size())];
        const std::size_t which = below(parent.size());
        auto child = parent.begin();
        std::advance(child, which);
        switch (below(7)) {
            case 0: parent.erase(child); break;
            case 1:
            case 2: *child = any_value(); break;
            case 3:  // a little off
                if (child->is_number_integer())
                    *child = child->get<std::int64_t>() + (below(2) == 0 ? 1 : -1);
                else if (child->is_number())
                    *child = -child->get<double>();
                else
                    *child = any_value();
                break;
            case 4:  // twice
                if (parent.is_array()) parent.push_back(json(*child));
                break;
            case 5: {  // another part of the file
                const json other = *parents[below(parents.size())];
                if (other.dump(-1, ' ', false, json::error_handler_t::replace).size() < 4000) *child = other;
                break;
            }
            default: {  // a sibling
                auto sibling = parent.begin();
                std::advance(sibling, below(parent.size()));
                const json copy = *sibling;
                *child = copy;
            }
        }
    }

    json any_value() {
        const json values[] = {0,
                               1,
                               2,
                               3,
                               -1,
                               7,
                               99,
                               5121,
                               5123,
                               5126,
                               4294967295u,
                               1e300,
                               -1e300,
                               1e39,
                               0.5,
                               -0.5,
                               1e-300,
                               2147483648u,
                               nullptr,
                               true,
                               "x",
                               "",
                               "VEC3",
                               "VEC4",
                               "SCALAR",
                               "\xff\xfe",
                               json::array(),
                               json::object(),
                               json::array({0}),
                               json::array({0, 0}),
                               json::array({1, 2, 3}),
                               json::array({0, 0, 0, 0}),
                               json::array({1e300, 0, 0}),
                               json::array({0, 0, 0, 1, 5}),
                               json::array({nullptr}),
                               json{{"extras", {{"a", nullptr}}}}};
        return values[below(std::size(values))];
    }
};

}  // namespace fascia::test
