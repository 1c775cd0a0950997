// Skeletons for static meshes: TGF, BVH, and the joints of any character file.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <string_view>

#include "base/ascii.h"
#include "base/words.h"
#include "fascia/io.h"
#include "fascia/rig_mesh.h"
#include "io/file_bytes.h"
#include "io/text_scanner.h"

namespace fascia {

namespace {

struct Point {
    Vec3d at;
    std::string name;
    int parent = -1;
    std::vector<int> children;
};

Error bad_line(const std::string& name, int line, const std::string& why) {
    return input_error(name + ": line " + std::to_string(line) + ": " + why);
}

/// Points by their number in the file; coinciding ones share an entry.
class Points {
public:
    void add(long long number, Vec3d at, std::string name) {
        for (std::size_t k = 0; k < all.size(); ++k)
            if (length(all[k].at - at) == 0) {
                index_[number] = int(k);
                if (all[k].name.empty()) all[k].name = std::move(name);
                return;
            }
        index_[number] = int(all.size());
        all.push_back({at, std::move(name), -1, {}});
    }
    int find(long long number) const {
        const auto found = index_.find(number);
        return found == index_.end() ? -1 : found->second;
    }
    bool has(long long number) const { return index_.count(number) > 0; }

    std::vector<Point> all;

private:
    std::map<long long, int> index_;
};

bool leads_up_to(const std::vector<Point>& points, int from, int to) {
    for (; from >= 0; from = points[std::size_t(from)].parent)
        if (from == to) return true;
    return false;
}

/// Names for joints, each once: "arm", "arm.2", "arm.3".
class Names {
public:
    std::string give(std::string name, int number) {
        if (name.empty()) name = "joint" + std::to_string(number);
        std::string out = name;
        while (uses_.count(out) != 0) out = name + "." + std::to_string(++uses_[name]);
        uses_[out] = 1;
        return out;
    }

private:
    std::map<std::string, int> uses_;  ///< of every name given: the last number that was tried behind it
};

/// Parents first; a chain's end is a tail, not a joint.
Skeleton joints_of(const std::vector<Point>& points) {
    Skeleton out;
    Names names;
    std::vector<std::pair<int, int>> waiting;  // point, parent joint
    for (std::size_t k = points.size(); k-- > 0;)
        if (points[k].parent < 0) waiting.push_back({int(k), -1});
    while (!waiting.empty()) {
        const auto [p, parent] = waiting.back();
        waiting.pop_back();
        const Point& point = points[std::size_t(p)];
        SkeletonJoint joint{names.give(point.name, p + 1), parent, point.at, {}};
        const int self = int(out.size());
        const bool ends = point.children.size() == 1 && points[std::size_t(point.children[0])].children.empty();
        if (ends) joint.tail = points[std::size_t(point.children[0])].at;
        out.push_back(joint);
        if (!ends)
            for (std::size_t k = point.children.size(); k-- > 0;) waiting.push_back({point.children[k], self});
    }
    return out;
}

constexpr std::size_t most_points = 4096;

Skeleton from_motion(const Motion& motion) {
    Skeleton out;
    Names names;
    std::vector<int> place(motion.joints.size(), -1);
    std::vector<Vec3d> at(motion.joints.size());
    for (std::size_t k = 0; k < motion.joints.size(); ++k) {
        const MotionJoint& joint = motion.joints[k];
        at[k] = joint.parent >= 0 ? at[std::size_t(joint.parent)] + joint.offset : Vec3d{};
        const int parent = joint.parent >= 0 ? place[std::size_t(joint.parent)] : -1;
        if (joint.end_site) {
            if (parent >= 0) out[std::size_t(parent)].tail = at[k];
            continue;
        }
        place[k] = int(out.size());
        out.push_back({names.give(joint.name, int(k)), parent, at[k], {}});
    }
    return out;
}

Skeleton from_character(const Character& character) {
    Skeleton out;
    for (const Joint& joint : character.joints)
        out.push_back({joint.name, joint.parent, translation_of(joint.rest), joint.tail});
    return out;
}

std::vector<std::string_view> words_of(std::string_view line) {
    constexpr const char* spaces = " \t\v\f\r";
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(spaces); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(spaces, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(spaces, end);
    }
    return words;
}

bool ends_with(const std::string& path, const char* extension) {
    const std::string e(extension);
    if (path.size() < e.size()) return false;
    std::string tail = path.substr(path.size() - e.size());
    std::transform(tail.begin(), tail.end(), tail.begin(), ascii::lower);
    return tail == e;
}

}  // namespace

Result<Skeleton> parse_tgf(const std::string& text, const std::string& name) {
    Points points;
    std::istringstream lines(text);
    int section = 0, number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.find_first_not_of(" \t") == std::string::npos) continue;
        if (line[line.find_first_not_of(" \t")] == '#') {
            ++section;
            continue;
        }
        const std::vector<std::string_view> words = words_of(line);
        if (section == 0) {
            std::int64_t index = 0;
            Vec3d at;
            if (words.size() < 4 || !io::parse_integer(words[0], index) || !io::parse_number(words[1], at.x) ||
                !io::parse_number(words[2], at.y) || !io::parse_number(words[3], at.z))
                return bad_line(name, number, "a point is 'index x y z', and perhaps a name");
            if (points.has(index)) return bad_line(name, number, "this index is used twice");
            if (points.all.size() >= most_points) return bad_line(name, number, "there are more than 4096 points");
            points.add(index, at, words.size() > 4 ? short_name(words[4]) : std::string());
        } else if (section == 1) {
            std::int64_t a = 0, b = 0;
            if (words.size() < 2 || !io::parse_integer(words[0], a) || !io::parse_integer(words[1], b))
                return bad_line(name, number, "a bone is 'from to'");
            const int from = points.find(a), to = points.find(b);
            if (from < 0 || to < 0) return bad_line(name, number, "this bone names a point that does not exist");
            if (from == to) continue;
            if (points.all[std::size_t(to)].parent >= 0 || leads_up_to(points.all, from, to))
                return bad_line(name, number, "bones must form trees: this point has a bone leading to it already");
            points.all[std::size_t(to)].parent = from;
            points.all[std::size_t(from)].children.push_back(to);
        }
    }
    if (points.all.empty()) return input_error(name + ": has no points; a skeleton needs at least one");
    return joints_of(points.all);
}

Result<Skeleton> load_skeleton(const std::string& path) {
    if (ends_with(path, ".tgf")) {
        const auto bytes = io::read_file(path);
        if (!bytes) return bytes.error();
        return parse_tgf(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()), path);
    }
    if (ends_with(path, ".bvh")) {
        const Result<Motion> motion = load_motion(path);
        if (!motion) return motion.error();
        if (motion->joints.size() > most_points)
            return input_error(path + ": has " + std::to_string(motion->joints.size()) +
                               " joints, and a skeleton at most 4096; remove those that carry nothing");
        return from_motion(*motion);
    }
    if (ends_with(path, ".glb") || ends_with(path, ".gltf") || ends_with(path, ".vrm")) {
        const Result<Character> character = load_character(path);
        if (!character) return character.error();
        return from_character(*character);
    }
    return usage_error(path + ": a skeleton is read from .tgf, .bvh, .glb, .gltf or .vrm");
}

}  // namespace fascia
