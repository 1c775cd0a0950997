#include "inputs.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fascia/bundled.h"
#include "fascia/io.h"
#include "fascia/pose.h"
#include "fascia/subdivide.h"
#include "fascia/weights.h"

namespace fascia::cli {

namespace {

namespace fs = std::filesystem;

bool ends_with_bvh(const std::string& text) {
    std::string extension = fs::path(text).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension == ".bvh";
}

bool is_plain_word(const std::string& text) {
    return text.find_first_of("./\\") == std::string::npos;
}

MotionRest rest_of(const std::string& word) {
    return word == "frame0" ? MotionRest::frame0 : word == "zero" ? MotionRest::zero : MotionRest::automatic;
}

using JointPairs = std::vector<std::pair<std::string, std::string>>;

Result<JointPairs> load_map(const std::string& path) {
    std::error_code code;
    std::ifstream file(path, std::ios::binary);
    if (!file || fs::is_directory(path, code)) return input_error(path + ": cannot be read; give --map a JSON file");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    if (!document.is_object()) return input_error(path + ": must be a JSON object such as {\"Hips\": \"pelvis\"}");
    JointPairs pairs;
    for (const auto& [key, value] : document.items()) {
        if (!value.is_string()) return input_error(path + ": \"" + key + "\" must name a joint of the character");
        pairs.emplace_back(key, value.get<std::string>());
    }
    return pairs;
}

Status check_name(const std::string& name, const std::vector<std::string>& known, const std::string& place) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return ok_status();
    return usage_error(place + " has no joint '" + name + "'; did you mean '" + nearest_name(name, known) + "'?");
}

/// A misspelt joint in a map would silently have no effect.
Status check_map(const JointPairs& map, const std::string& path, const Motion& motion, const Character& character) {
    std::vector<std::string> from, to;
    for (const MotionJoint& joint : motion.joints) from.push_back(joint.name);
    for (const Joint& joint : character.joints) to.push_back(joint.name);
    for (const auto& [theirs, ours] : map) {
        Status status = check_name(theirs, from, path + ": the motion");
        if (status) status = check_name(ours, to, path + ": " + character.name);
        if (!status) return status;
    }
    return ok_status();
}

constexpr std::string_view bundled_prefix = "bundled:";

bool names_bundled_motion(const std::string& motion) {
    return motion.rfind(bundled_prefix, 0) == 0;
}

Result<MotionJob> open_bundled_motion(const BakeOptions& options, const Character& character) {
    const std::string name = options.motion.substr(bundled_prefix.size());
    RetargetOptions retargeting;
    retargeting.raw = options.raw_motion;
    retargeting.clear = options.clear == "on";
    if (!options.map_file.empty()) {
        Result<JointPairs> map = load_map(options.map_file);
        if (!map) return map.error();
        retargeting.map = std::move(*map);
    }
    Result<Retargeted> made = bundled_motion(character, name, retargeting);
    if (!made) return made.error();
    return MotionJob{std::move(made->clip), name, name, std::move(made->warnings)};
}

Result<MotionJob> open_bvh(const BakeOptions& options, const Character& character) {
    const Result<Motion> motion = load_motion(options.motion);
    if (!motion) return motion.error();
    RetargetOptions retargeting;
    retargeting.rest = rest_of(options.bvh_rest);
    retargeting.raw = options.raw_motion;
    retargeting.clear = options.clear == "on";
    if (!options.map_file.empty()) {
        const Result<JointPairs> map = load_map(options.map_file);
        if (!map) return map.error();
        const Status checked = check_map(*map, options.map_file, *motion, character);
        if (!checked) return checked.error();
        retargeting.map = *map;
    }
    Result<Retargeted> retargeted = retarget(character, *motion, retargeting);
    if (!retargeted) return retargeted.error();
    const std::string label = fs::path(options.motion).stem().string();
    return MotionJob{std::move(retargeted->clip), label, label, std::move(retargeted->warnings)};
}

/// A clip's name as part of a file name: no separators, nothing that needs quoting in a shell.
std::string file_name_part(const std::string& label) {
    std::string out = label;
    for (char& c : out) {
        const auto u = static_cast<unsigned char>(c);
        const bool fine = std::isalnum(u) || u >= 0x80 || std::string_view("-_.+ ").find(c) != std::string_view::npos;
        if (!fine) c = '_';
    }
    constexpr std::size_t longest = 100;
    return out.substr(0, longest);
}

MotionJob job_of(const Character& character, const Clip& clip) {
    const auto index = static_cast<std::size_t>(&clip - character.clips.data());
    const std::string label = clip.name.empty() ? std::to_string(index) : clip.name;
    return {clip, label, file_name_part(label), {}};
}

/// Clips whose names become the same file name would overwrite each other.
void make_file_parts_unique(std::vector<MotionJob>& jobs) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto same = [&](const MotionJob& other) { return other.file_part == jobs[i].file_part; };
        const auto before = jobs.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::any_of(jobs.begin(), before, same)) jobs[i].file_part = fmt::format("{}.{}", jobs[i].file_part, i);
    }
}

bool has_clip_named(const Character& character, const std::string& name) {
    return std::any_of(character.clips.begin(), character.clips.end(),
                       [&](const Clip& clip) { return clip.name == name; });
}

struct JointSplit {
    std::string joint;
    Split split = Split::four;
};

Result<JointSplit> parse_split(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    const std::string how = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (equals == 0 || (how != "1:3" && how != "1:4"))
        return usage_error("--subdivide needs JOINT=1:3 or JOINT=1:4, not '" + text + "'");
    return JointSplit{text.substr(0, equals), how == "1:3" ? Split::three : Split::four};
}

}  // namespace

bool is_bundled_name(const std::string& text) {
    const auto& names = bundled_names();
    std::error_code code;
    return std::find(names.begin(), names.end(), text) != names.end() && !fs::is_regular_file(text, code);
}

Result<Character> open_character(const std::string& file_or_name) {
    if (file_or_name.empty())
        return usage_error(fmt::format("which character? Give a .glb, .gltf or .vrm file, or one of {}",
                                       fmt::join(bundled_names(), ", ")));
    std::error_code code;
    if (is_bundled_name(file_or_name)) return bundled_character(file_or_name);
    if (!fs::exists(file_or_name, code)) {
        if (is_plain_word(file_or_name))
            return usage_error(fmt::format("there is no file and no bundled character '{}'; did you mean '{}'?",
                                           file_or_name, nearest_name(file_or_name, bundled_names())));
        return input_error(file_or_name + ": there is no such file");
    }
    if (ends_with_bvh(file_or_name))
        return usage_error(file_or_name + ": is a motion; give a character and this file with --motion");
    return load_character(file_or_name);
}

bool computes_own_weights(const std::string& method, const std::string& weights) {
    const MethodInfo* info = find_method_info(method);
    if (!info) return false;
    const auto& own = info->abilities.own_weights;
    return std::find(own.begin(), own.end(), weights) != own.end();
}

Result<Character> prepare_character(const BakeOptions& options, const std::string& method, Character character) {
    const bool own = computes_own_weights(method, options.weights);
    if (!options.weights.empty() && options.weights != "auto" && options.weights != "file" && !own) {
        WeightOptions wanted;
        wanted.method = options.weights;
        wanted.threads = thread_count(options);
        Result<ComputedWeights> computed = compute_weights(character, wanted);
        if (!computed) return computed.error();
        character.weights = std::move(computed->weights);
        for (const std::string& note : computed->notes)
            character.remarks.push_back({"weights", fmt::format("{} weights: {}", options.weights, note), 0});
    }
    for (const std::string& text : options.subdivide) {
        const Result<JointSplit> wanted = parse_split(text);
        if (!wanted) return wanted.error();
        Result<Subdivided> finer = subdivide(character, wanted->joint, wanted->split);
        if (!finer) return usage_error("--subdivide " + text + ": " + finer.error().message);
        character = std::move(finer->character);
    }
    return character;
}

Result<std::vector<MotionJob>> open_motions(const BakeOptions& options, const Character& character) {
    const bool named = has_clip_named(character, options.motion);
    const bool bundled = !named && names_bundled_motion(options.motion);
    if (bundled && options.bvh_rest != "auto")
        return usage_error("--bvh-rest is for a BVH; give one with --motion FILE.bvh");
    if (bundled || (!named && ends_with_bvh(options.motion))) {
        Result<MotionJob> job = bundled ? open_bundled_motion(options, character) : open_bvh(options, character);
        if (!job) return job.error();
        std::vector<MotionJob> jobs;
        jobs.push_back(std::move(*job));
        return jobs;
    }
    if (!options.map_file.empty() || options.bvh_rest != "auto" || options.clear != "on" || options.raw_motion)
        return usage_error(
            "--map, --bvh-rest, --clear and --raw-motion are for a BVH; give one with --motion FILE.bvh");
    if (character.clips.empty())
        return input_error(character.name + ": has no clip; give it a motion with --motion FILE.bvh or --motion " +
                           std::string(bundled_prefix) + bundled_motion_names().front());
    std::vector<MotionJob> jobs;
    if (!named && options.motion == "all") {
        for (const Clip& clip : character.clips) jobs.push_back(job_of(character, clip));
        make_file_parts_unique(jobs);
        return jobs;
    }
    if (options.motion.empty()) {
        jobs.push_back(job_of(character, character.clips.front()));
        return jobs;
    }
    const Result<const Clip*> clip = find_clip(character, options.motion);
    if (!clip) return clip.error();
    jobs.push_back(job_of(character, **clip));
    return jobs;
}

Status attach_files(const BakeOptions& options, Character& character) {
    for (const std::string& path : options.attach) {
        const Result<Mesh> mesh = load_mesh(path);
        if (!mesh) return mesh.error();
        add_attached(character, *mesh, std::filesystem::path(path).stem().string());
    }
    return ok_status();
}

}  // namespace fascia::cli
