// Whether a GLB keeps the rules of glTF 2.0: those that a reader may rely on, and that the official validator counts as
// errors. Written from the specification; it shares no code with our readers and writers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace fascia::test {

class GlbValidity {
public:
    /// One sentence per flaw; empty if the file is valid.
    static std::vector<std::string> flaws(std::span<const std::uint8_t> bytes) {
        GlbValidity check;
        if (check.open(bytes)) check.check_all();
        return std::move(check.flaws_);
    }

private:
    using json = nlohmann::json;
    static constexpr int is_float = 5126;

    json root_;
    std::span<const std::uint8_t> binary_;
    std::vector<std::string> flaws_;

    void say(const std::string& what) {
        if (flaws_.size() < 20) flaws_.push_back(what);
    }
    bool need(bool condition, const std::string& what) {
        if (!condition) say(what);
        return condition;
    }

    // ---- small readers -------------------------------------------------------------------------

    static const json& member(const json& object, const std::string& key) {
        static const json none;
        const auto found = object.is_object() ? object.find(key) : object.end();
        return object.is_object() && found != object.end() ? *found : none;
    }
    std::size_t count(const char* list) const { return member(root_, list).size(); }
    const json& entry(const char* list, const json& index) const {
        return member(root_, list)[index.get<std::size_t>()];
    }
    /// An index into a list; absent is fine unless it is required.
    bool is_index(const json& object, const char* key, std::size_t length, const std::string& where, bool required) {
        const json& value = member(object, key);
        if (value.is_null()) return need(!required, where + " has no " + key) && false;
        return need(value.is_number_unsigned() && value.get<std::uint64_t>() < length,
                    where + ": " + key + " " + value.dump() + " does not exist");
    }
    bool are_numbers(const json& value, std::size_t length, const std::string& where) {
        bool good = value.is_array() && value.size() == length;
        for (std::size_t i = 0; good && i < length; ++i)
            good = value[i].is_number() && std::abs(value[i].get<double>()) <= 3.4028234663852886e38;
        return need(good, where + " is not " + std::to_string(length) + " floats");
    }
    static std::string at(const char* list, std::size_t i) { return std::string(list) + " " + std::to_string(i); }

    static std::size_t width_of(const std::string& type) {
        static const std::map<std::string, std::size_t> known = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
        const auto found = known.find(type);
        return found == known.end() ? 0 : found->second;
    }
    static std::size_t bytes_of(int component) {
        switch (component) {
            case 5120:
            case 5121: return 1;
            case 5122:
            case 5123: return 2;
            case 5125:
            case is_float: return 4;
            default: return 0;
        }
    }

    // ---- accessors -----------------------------------------------------------------------------

    struct Accessor {
        int component = 0;
        std::string type;
        std::size_t width = 0, count = 0, stride = 0, offset = 0;
        bool normalized = false, sound = false, strided = false;
    };
    std::vector<Accessor> accessors_;

    double number(const Accessor& a, std::size_t element, std::size_t part) const {
        const std::uint8_t* p = binary_.data() + a.offset + element * a.stride + part * bytes_of(a.component);
        const auto read = [&](auto value) {
            std::memcpy(&value, p, sizeof value);
            return static_cast<double>(value);
        };
        switch (a.component) {
            case 5120: return read(std::int8_t{});
            case 5121: return read(std::uint8_t{});
            case 5122: return read(std::int16_t{});
            case 5123: return read(std::uint16_t{});
            case 5125: return read(std::uint32_t{});
            default: return read(float{});
        }
    }
    double value(const Accessor& a, std::size_t element, std::size_t part) const {
        const double raw = number(a, element, part);
        if (!a.normalized) return raw;
        const double full = a.component == 5120 ? 127 : a.component == 5121 ? 255 : a.component == 5122 ? 32767 : 65535;
        return std::max(-1.0, raw / full);
    }
    double length_of(const Accessor& a, std::size_t element, std::size_t parts) const {
        double sum = 0;
        for (std::size_t i = 0; i < parts; ++i) sum += value(a, element, i) * value(a, element, i);
        return std::sqrt(sum);
    }

    void check_views() {
        for (std::size_t i = 0; i < count("bufferViews"); ++i) {
            const json& view = member(root_, "bufferViews")[i];
            const std::string where = at("bufferView", i);
            if (!is_index(view, "buffer", count("buffers"), where, true)) continue;
            const std::uint64_t offset = view.value("byteOffset", std::uint64_t{0});
            const std::uint64_t length = view.value("byteLength", std::uint64_t{0});
            need(length >= 1 && offset + length <= binary_.size(), where + " lies outside the buffer");
            if (const json& stride = member(view, "byteStride"); !stride.is_null())
                need(stride.is_number_unsigned() && stride >= 4 && stride <= 252 && stride.get<int>() % 4 == 0,
                     where + ": byteStride " + stride.dump());
        }
    }

    Accessor read_accessor(const json& from, const std::string& where) {
        Accessor out;
        out.component = from.value("componentType", 0);
        out.type = from.value("type", std::string());
        out.width = width_of(out.type);
        out.count = from.value("count", std::size_t{0});
        out.normalized = from.value("normalized", false);
        const std::size_t size = bytes_of(out.component);
        if (!need(size > 0 && out.width > 0 && out.count > 0, where + " has no valid type or count")) return out;
        need(!out.normalized || (out.component != is_float && out.component != 5125), where + " cannot be normalized");
        if (!is_index(from, "bufferView", count("bufferViews"), where, true)) return out;
        const json& view = entry("bufferViews", from["bufferView"]);
        const std::size_t begin = from.value("byteOffset", std::size_t{0});
        out.strided = view.contains("byteStride");
        out.stride = view.value("byteStride", size * out.width);
        out.offset = view.value("byteOffset", std::size_t{0}) + begin;
        need(begin % size == 0 && out.offset % size == 0, where + " is not aligned");
        out.sound = need(out.stride >= size * out.width &&
                             begin + (out.count - 1) * out.stride + size * out.width <= view.value("byteLength", 0u) &&
                             out.offset + (out.count - 1) * out.stride + size * out.width <= binary_.size(),
                         where + " does not fit into its view");
        return out;
    }

    void check_values(const json& from, const Accessor& a, const std::string& where) {
        std::vector<double> low(a.width, INFINITY), high(a.width, -INFINITY);
        for (std::size_t i = 0; i < a.count; ++i)
            for (std::size_t c = 0; c < a.width; ++c) {
                const double x = number(a, i, c);
                if (!need(std::isfinite(x), where + " holds a number that is not finite")) return;
                low[c] = std::min(low[c], x), high[c] = std::max(high[c], x);
            }
        for (const auto& [key, real] : {std::pair("min", &low), std::pair("max", &high)}) {
            const json& said = member(from, key);
            if (said.is_null() || !are_numbers(said, a.width, where + ": " + key)) continue;
            for (std::size_t c = 0; c < a.width; ++c)
                need(static_cast<float>(said[c].get<double>()) == static_cast<float>((*real)[c]),
                     where + ": " + key + " is not what it holds");
        }
    }

    void check_accessors() {
        for (std::size_t i = 0; i < count("accessors"); ++i) {
            const json& from = member(root_, "accessors")[i];
            accessors_.push_back(read_accessor(from, at("accessor", i)));
            if (accessors_.back().sound) check_values(from, accessors_.back(), at("accessor", i));
        }
    }
    const Accessor* accessor(const json& index, const std::string& where) {
        const bool known = index.is_number_unsigned() && index.get<std::size_t>() < accessors_.size();
        if (!need(known, where + ": accessor " + index.dump() + " does not exist")) return nullptr;
        const Accessor& out = accessors_[index.get<std::size_t>()];
        return out.sound ? &out : nullptr;
    }

    // ---- meshes --------------------------------------------------------------------------------

    static bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

    /// Types and components that the format allows for an attribute.
    bool has_allowed_form(const std::string& name, const Accessor& a, bool target) const {
        const auto& used = member(root_, "extensionsUsed");
        const bool quantized = std::find(used.begin(), used.end(), "KHR_mesh_quantization") != used.end();
        const bool small = a.component == 5120 || a.component == 5121 || a.component == 5122 || a.component == 5123;
        const bool floats = a.component == is_float && !a.normalized;
        const bool fraction = (a.component == 5121 || a.component == 5123) && a.normalized;
        if (name == "POSITION") return a.type == "VEC3" && (floats || (quantized && small));
        if (name == "NORMAL")
            return a.type == "VEC3" &&
                   (floats || (quantized && a.normalized && (a.component == 5120 || a.component == 5122)));
        if (name == "TANGENT")
            return a.type == (target ? "VEC3" : "VEC4") &&
                   (floats || (quantized && a.normalized && (a.component == 5120 || a.component == 5122)));
        if (starts_with(name, "TEXCOORD_")) return a.type == "VEC2" && (floats || fraction || (quantized && small));
        if (starts_with(name, "COLOR_")) return (a.type == "VEC3" || a.type == "VEC4") && (floats || fraction);
        if (starts_with(name, "JOINTS_"))
            return a.type == "VEC4" && !a.normalized && (a.component == 5121 || a.component == 5123);
        if (starts_with(name, "WEIGHTS_")) return a.type == "VEC4" && (floats || fraction);
        return starts_with(name, "_");
    }

    void check_attribute(const std::string& name, const json& index, bool target, std::size_t& vertices,
                         const std::string& where) {
        const Accessor* a = accessor(index, where + " " + name);
        if (!a) return;
        need(has_allowed_form(name, *a, target), where + ": " + name + " has a form that is not allowed");
        need(a->offset % 4 == 0 && a->stride % 4 == 0, where + ": " + name + " is not aligned to 4 bytes");
        if (vertices == 0) vertices = a->count;
        need(a->count == vertices, where + ": " + name + " has another count");
        const json& source = member(root_, "accessors")[index.get<std::size_t>()];
        if (name == "POSITION") need(source.contains("min") && source.contains("max"), where + ": no bounds");
        if (target) return;
        for (std::size_t v = 0; v < a->count; ++v) {
            const bool quantized = a->component != is_float;
            const double slack = quantized ? 0.02 : 0.0008;
            if (name == "NORMAL" &&
                !need(std::abs(length_of(*a, v, 3) - 1) < slack, where + ": a normal is not of length 1"))
                return;
            if (name == "TANGENT" &&
                (!need(std::abs(length_of(*a, v, 3) - 1) < slack, where + ": a tangent is not of length 1") ||
                 !need(std::abs(value(*a, v, 3)) == 1, where + ": handedness is not 1 or -1")))
                return;
            if (starts_with(name, "COLOR_"))
                for (std::size_t c = 0; c < a->width; ++c)
                    if (!need(value(*a, v, c) >= 0 && value(*a, v, c) <= 1, where + ": a colour is not in 0..1"))
                        return;
        }
    }

    /// Sets are numbered without gaps, and those that the material uses exist.
    void check_sets(const json& primitive, const std::string& where) {
        const json& attributes = member(primitive, "attributes");
        for (const char* kind : {"TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"}) {
            std::size_t sets = 0;
            for (const auto& [name, index] : attributes.items()) sets += starts_with(name, kind);
            for (std::size_t s = 0; s < sets; ++s)
                need(attributes.contains(kind + std::to_string(s)), where + ": sets of " + kind + " have gaps");
        }
        need(attributes.contains("JOINTS_0") == attributes.contains("WEIGHTS_0"), where + ": JOINTS without WEIGHTS");
        if (!is_index(primitive, "material", count("materials"), where, false)) return;
        check_texture_sets(entry("materials", primitive["material"]), attributes, where);
    }
    void check_texture_sets(const json& object, const json& attributes, const std::string& where) {
        if (!object.is_structured()) return;
        for (auto it = object.begin(); it != object.end(); ++it) {
            if (object.is_object() && it.key() == "extras") continue;
            const bool texture = object.is_object() && it->is_object() && it.key().size() > 7 &&
                                 it.key().compare(it.key().size() - 7, 7, "Texture") == 0;
            if (texture) {
                is_index(*it, "index", count("textures"), where + " " + it.key(), true);
                const std::string set = "TEXCOORD_" + std::to_string(it->value("texCoord", 0));
                need(attributes.contains(set), where + ": the material needs " + set);
            }
            check_texture_sets(*it, attributes, where);
        }
    }

    void check_indices(const json& primitive, std::size_t vertices, const std::string& where) {
        const int mode = primitive.value("mode", 4);
        need(mode >= 0 && mode <= 6, where + ": mode " + std::to_string(mode));
        if (!primitive.contains("indices")) return;
        const Accessor* a = accessor(primitive["indices"], where + " indices");
        if (!a) return;
        need(a->type == "SCALAR" && !a->normalized && !a->strided &&
                 (a->component == 5121 || a->component == 5123 || a->component == 5125),
             where + ": indices have a form that is not allowed");
        const double restart = a->component == 5121 ? 255 : a->component == 5123 ? 65535 : 4294967295.0;
        for (std::size_t i = 0; i < a->count; ++i)
            if (!need(number(*a, i, 0) < double(vertices) && number(*a, i, 0) != restart,
                      where + ": an index is too large"))
                return;
    }

    void check_meshes() {
        for (std::size_t m = 0; m < count("meshes"); ++m) {
            const json& mesh = member(root_, "meshes")[m];
            const json& primitives = member(mesh, "primitives");
            need(primitives.is_array() && !primitives.empty(), at("mesh", m) + " has no primitives");
            std::set<std::size_t> targets;
            for (std::size_t p = 0; p < primitives.size(); ++p) {
                const std::string where = at("mesh", m) + " primitive " + std::to_string(p);
                const json& primitive = primitives[p];
                const json& attributes = member(primitive, "attributes");
                need(attributes.is_object() && attributes.contains("POSITION"), where + " has no positions");
                std::size_t vertices = 0;
                for (const auto& [name, index] : attributes.items())
                    check_attribute(name, index, false, vertices, where);
                for (const json& target : member(primitive, "targets"))
                    for (const auto& [name, index] : target.items()) {
                        need(attributes.contains(name), where + ": a target moves " + name + ", which it lacks");
                        check_attribute(name, index, true, vertices, where + " target");
                    }
                targets.insert(member(primitive, "targets").size());
                check_indices(primitive, vertices, where);
                check_sets(primitive, where);
            }
            need(targets.size() <= 1, at("mesh", m) + ": primitives have different numbers of targets");
            if (const json& weights = member(mesh, "weights"); !weights.is_null() && !targets.empty())
                are_numbers(weights, *targets.begin(), at("mesh", m) + " weights");
        }
    }

    // ---- nodes, scenes, skins ------------------------------------------------------------------

    std::vector<int> parents_;

    void check_node(std::size_t n) {
        const json& node = member(root_, "nodes")[n];
        const std::string where = at("node", n);
        if (const json& r = member(node, "rotation"); !r.is_null() && are_numbers(r, 4, where + " rotation")) {
            double sum = 0;
            for (const json& x : r) sum += x.get<double>() * x.get<double>();
            need(std::abs(std::sqrt(sum) - 1) < 1e-4, where + ": the rotation is not of length 1");
        }
        for (const char* key : {"translation", "scale"})
            if (const json& v = member(node, key); !v.is_null()) are_numbers(v, 3, where + " " + key);
        if (const json& m = member(node, "matrix"); !m.is_null()) {
            are_numbers(m, 16, where + " matrix");
            need(!node.contains("translation") && !node.contains("rotation") && !node.contains("scale"),
                 where + " has a matrix and its parts");
        }
        is_index(node, "camera", count("cameras"), where, false);
        const bool mesh = is_index(node, "mesh", count("meshes"), where, false);
        if (is_index(node, "skin", count("skins"), where, false) && need(mesh, where + " has a skin but no mesh"))
            for (const json& primitive : member(entry("meshes", node["mesh"]), "primitives"))
                need(member(primitive, "attributes").contains("JOINTS_0"), where + ": a skinned mesh without joints");
        if (const json& weights = member(node, "weights"); !weights.is_null() && need(mesh, where + " weighs no mesh"))
            are_numbers(weights, member(member(entry("meshes", node["mesh"]), "primitives")[0], "targets").size(),
                        where + " weights");
        for (const json& child : member(node, "children")) {
            if (!need(child.is_number_unsigned() && child.get<std::size_t>() < parents_.size(),
                      where + " has a child that does not exist"))
                continue;
            int& parent = parents_[child.get<std::size_t>()];
            need(parent < 0, where + " has a child with two parents");
            parent = static_cast<int>(n);
        }
    }

    void check_nodes() {
        parents_.assign(count("nodes"), -1);
        for (std::size_t n = 0; n < parents_.size(); ++n) check_node(n);
        for (std::size_t n = 0; n < parents_.size(); ++n) {
            std::size_t steps = 0;
            for (int above = parents_[n]; above >= 0 && steps <= parents_.size(); ++steps)
                above = parents_[static_cast<std::size_t>(above)];
            if (!need(steps <= parents_.size(), at("node", n) + " is in a loop")) return;
        }
        is_index(root_, "scene", count("scenes"), "the file", false);
        for (std::size_t s = 0; s < count("scenes"); ++s) {
            std::set<std::size_t> roots;
            for (const json& node : member(member(root_, "scenes")[s], "nodes")) {
                if (!need(node.is_number_unsigned() && node.get<std::size_t>() < parents_.size(),
                          at("scene", s) + " lists a node that does not exist"))
                    continue;
                need(roots.insert(node.get<std::size_t>()).second, at("scene", s) + " lists a node twice");
                need(parents_[node.get<std::size_t>()] < 0, at("scene", s) + " lists a node that is no root");
            }
        }
    }

    void check_skins() {
        for (std::size_t s = 0; s < count("skins"); ++s) {
            const json& skin = member(root_, "skins")[s];
            const std::string where = at("skin", s);
            std::set<std::size_t> joints;
            std::set<int> roots;
            for (const json& joint : member(skin, "joints")) {
                if (!need(joint.is_number_unsigned() && joint.get<std::size_t>() < parents_.size(),
                          where + " names a joint that does not exist"))
                    continue;
                need(joints.insert(joint.get<std::size_t>()).second, where + " names a joint twice");
            }
            need(!joints.empty(), where + " has no joints");
            is_index(skin, "skeleton", count("nodes"), where, false);
            if (!skin.contains("inverseBindMatrices")) continue;
            const Accessor* a = accessor(skin["inverseBindMatrices"], where);
            if (!a || !need(a->type == "MAT4" && a->component == is_float && a->count >= joints.size(),
                            where + ": inverse bind matrices of another form or number"))
                continue;
            for (std::size_t i = 0; i < a->count; ++i)
                for (std::size_t c = 0; c < 4; ++c)
                    need(value(*a, i, 4 * c + 3) == (c == 3 ? 1 : 0), where + ": a matrix is not affine");
        }
    }

    // ---- animations ----------------------------------------------------------------------------

    void check_sampler(const json& animation, const json& channel, const std::string& where) {
        const json& samplers = member(animation, "samplers");
        if (!is_index(channel, "sampler", samplers.size(), where, true)) return;
        const json& sampler = samplers[channel["sampler"].get<std::size_t>()];
        const Accessor *input = accessor(member(sampler, "input"), where),
                       *output = accessor(member(sampler, "output"), where);
        if (!input || !output) return;
        const std::string path = member(channel, "target").value("path", std::string());
        const std::string interpolation = sampler.value("interpolation", std::string("LINEAR"));
        const std::size_t values = interpolation == "CUBICSPLINE" ? 3 : 1;
        need(interpolation == "LINEAR" || interpolation == "STEP" || values == 3, where + ": unknown interpolation");
        need(values == 1 || input->count > 1, where + ": a cubic spline needs two keys");
        need(input->type == "SCALAR" && input->component == is_float, where + ": times are no floats");
        const json& times = entry("accessors", sampler["input"]);
        need(times.contains("min") && times.contains("max"), where + ": times have no bounds");
        for (std::size_t k = 0; k < input->count; ++k)
            if (!need(number(*input, k, 0) >= 0 && (k == 0 || number(*input, k, 0) > number(*input, k - 1, 0)),
                      where + ": times do not increase"))
                break;
        std::size_t targets = 1;
        if (path == "weights")
            if (const json& node = entry("nodes", member(channel, "target")["node"]); node.contains("mesh"))
                targets = member(member(entry("meshes", node["mesh"]), "primitives")[0], "targets").size();
        need(output->count == input->count * values * targets, where + ": as many values as times are needed");
        need(output->type == (path == "rotation"  ? "VEC4"
                              : path == "weights" ? "SCALAR"
                                                  : "VEC3"),
             where + ": values of another type");
        if (path != "rotation" || output->type != "VEC4") return;
        for (std::size_t k = values == 3 ? 1 : 0; k < output->count; k += values)
            if (!need(std::abs(length_of(*output, k, 4) - 1) < 1e-3, where + ": a rotation is not of length 1")) return;
    }

    void check_animations() {
        for (std::size_t i = 0; i < count("animations"); ++i) {
            const json& animation = member(root_, "animations")[i];
            std::set<std::pair<std::size_t, std::string>> seen;
            need(!member(animation, "channels").empty() && !member(animation, "samplers").empty(),
                 at("animation", i) + " is empty");
            for (std::size_t c = 0; c < member(animation, "channels").size(); ++c) {
                const json& channel = animation["channels"][c];
                const std::string where = at("animation", i) + " channel " + std::to_string(c);
                const json& target = member(channel, "target");
                if (!is_index(target, "node", count("nodes"), where, true)) continue;
                need(seen.insert({target["node"].get<std::size_t>(), target.value("path", std::string())}).second,
                     where + " moves what another one moves");
                need(!entry("nodes", target["node"]).contains("matrix"), where + " moves a node with a matrix");
                check_sampler(animation, channel, where);
            }
        }
    }

    // ---- the rest ------------------------------------------------------------------------------

    void check_pictures() {
        for (std::size_t i = 0; i < count("images"); ++i) {
            const json& image = member(root_, "images")[i];
            is_index(image, "bufferView", count("bufferViews"), at("image", i), true);
            need(image.contains("mimeType") && !image.contains("uri"), at("image", i) + " has no type, or an address");
        }
        for (std::size_t i = 0; i < count("textures"); ++i) {
            const json& texture = member(root_, "textures")[i];
            is_index(texture, "source", count("images"), at("texture", i), false);
            is_index(texture, "sampler", count("samplers"), at("texture", i), false);
        }
    }

    /// No empty lists or objects where the format wants members, and nothing that is null.
    void check_form(const json& value, const std::string& where) {
        need(!value.is_null(), where + " is null");
        if (value.is_number_float()) need(std::isfinite(value.get<double>()), where + " is not finite");
        if (!value.is_structured()) return;
        need(!value.is_array() || !value.empty(), where + " is an empty list");
        for (auto it = value.begin(); it != value.end(); ++it) {
            const std::string key = value.is_object() ? it.key() : std::to_string(it - value.begin());
            if (key == "extras" || key == "extensions") continue;  // what others put there has rules of its own
            check_form(*it, where + "/" + key);
        }
    }

    void check_extensions() {
        const json& used = member(root_, "extensionsUsed");
        for (const json& name : member(root_, "extensionsRequired"))
            need(std::find(used.begin(), used.end(), name) != used.end(), name.dump() + " is required but not used");
    }

    bool open(std::span<const std::uint8_t> bytes) {
        const auto word = [&](std::size_t offset) {
            std::uint32_t out = 0;
            if (offset + 4 <= bytes.size()) std::memcpy(&out, bytes.data() + offset, 4);
            return std::size_t{out};
        };
        if (!need(word(0) == 0x46546c67 && word(4) == 2 && word(8) == bytes.size(), "not a GLB")) return false;
        const std::size_t text = word(12);
        if (!need(word(16) == 0x4e4f534a && text % 4 == 0 && 20 + text <= bytes.size(), "no JSON chunk")) return false;
        root_ = json::parse(bytes.begin() + 20, bytes.begin() + 20 + static_cast<std::ptrdiff_t>(text), nullptr, false);
        if (!need(root_.is_object(), "the JSON cannot be read")) return false;
        if (20 + text < bytes.size()) {
            const std::size_t binary = word(20 + text);
            if (!need(word(24 + text) == 0x004e4942 && binary % 4 == 0 && 28 + text + binary == bytes.size(),
                      "no binary chunk"))
                return false;
            binary_ = bytes.subspan(28 + text, binary);
        }
        const json& buffers = member(root_, "buffers");
        if (buffers.is_null()) return need(binary_.empty(), "a binary chunk without a buffer");
        const std::size_t length = buffers[0].value("byteLength", std::size_t{0});
        return need(buffers.size() == 1 && length >= 1 && length <= binary_.size() && binary_.size() < length + 4,
                    "the buffer is not the binary chunk");
    }

    void check_all() {
        need(member(member(root_, "asset"), "version") == "2.0", "it is not of version 2.0");
        check_form(root_, "");
        check_extensions();
        check_views();
        check_accessors();
        if (!flaws_.empty()) return;  // the rest reads what they describe
        check_pictures();
        check_meshes();
        check_nodes();
        check_skins();
        check_animations();
    }
};

}  // namespace fascia::test
