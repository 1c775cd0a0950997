#include "character/joint_names.h"

#include <algorithm>
#include <string_view>

#include "base/ascii.h"

namespace fascia {
namespace {

using Kind = NameMeaning::Kind;

using ascii::is_digit;
using ascii::is_letter;
using ascii::is_lower;
using ascii::is_upper;

/// True when a new word starts at character `i` of the name.
bool starts_word(const std::string& name, std::size_t i) {
    const char before = name[i - 1], here = name[i];
    if (is_letter(here) != is_letter(before) || is_digit(here) != is_digit(before)) return true;
    if (is_upper(here) && is_lower(before)) return true;  // left|Up
    const bool acronym_ends = is_upper(here) && is_upper(before) && i + 1 < name.size() && is_lower(name[i + 1]);
    return acronym_ends;  // L|Hip
}

struct Keyword {
    std::string_view word;
    Kind kind;
    std::array<int, kLimbParts> fit;
};

// How well a word fits the parts of a limb. A word that names exactly one part scores 10; a vague one ("leg",
// "shoulder") scores less on several parts, so that the rest of the chain decides.
constexpr Keyword kKeywords[] = {
    {"hips", Kind::hips, {}},
    {"hip", Kind::hips, {}},
    {"pelvis", Kind::hips, {}},
    {"spine", Kind::spine, {}},
    {"chest", Kind::spine, {}},
    {"upperchest", Kind::spine, {}},
    {"torso", Kind::spine, {}},
    {"abdomen", Kind::spine, {}},
    {"belly", Kind::spine, {}},
    {"waist", Kind::spine, {}},
    {"back", Kind::spine, {}},
    {"lowerback", Kind::spine, {}},
    {"upperback", Kind::spine, {}},
    {"thorax", Kind::spine, {}},
    {"ribcage", Kind::spine, {}},
    {"neck", Kind::neck, {}},
    {"lowerneck", Kind::neck, {}},
    {"upperneck", Kind::neck, {}},
    {"head", Kind::head, {}},

    {"clavicle", Kind::arm, {10, 0, 0, 0, 0}},
    {"collar", Kind::arm, {10, 0, 0, 0, 0}},
    {"collarbone", Kind::arm, {10, 0, 0, 0, 0}},
    {"scapula", Kind::arm, {8, 0, 0, 0, 0}},
    {"shoulder", Kind::arm, {6, 5, 0, 0, 0}},
    {"shldr", Kind::arm, {4, 6, 0, 0, 0}},
    {"upperarm", Kind::arm, {0, 10, 0, 0, 0}},
    {"uparm", Kind::arm, {0, 10, 0, 0, 0}},
    {"humerus", Kind::arm, {0, 10, 0, 0, 0}},
    {"bicep", Kind::arm, {0, 9, 0, 0, 0}},
    {"arm", Kind::arm, {2, 8, 6, 5, 0}},
    {"forearm", Kind::arm, {0, 0, 10, 0, 0}},
    {"lowerarm", Kind::arm, {0, 0, 10, 0, 0}},
    {"lowarm", Kind::arm, {0, 0, 10, 0, 0}},
    {"elbow", Kind::arm, {0, 0, 10, 0, 0}},
    {"radius", Kind::arm, {0, 0, 10, 0, 0}},
    {"hand", Kind::arm, {0, 0, 0, 10, 0}},
    {"wrist", Kind::arm, {0, 0, 0, 10, 0}},

    {"hipjoint", Kind::leg, {10, 0, 0, 0, 0}},
    {"buttock", Kind::leg, {10, 0, 0, 0, 0}},
    {"upleg", Kind::leg, {0, 10, 0, 0, 0}},
    {"upperleg", Kind::leg, {0, 10, 0, 0, 0}},
    {"thigh", Kind::leg, {0, 10, 0, 0, 0}},
    {"femur", Kind::leg, {0, 10, 0, 0, 0}},
    {"leg", Kind::leg, {0, 8, 8, 5, 2}},
    {"lowleg", Kind::leg, {0, 0, 10, 0, 0}},
    {"lowerleg", Kind::leg, {0, 0, 10, 0, 0}},
    {"shin", Kind::leg, {0, 0, 10, 0, 0}},
    {"calf", Kind::leg, {0, 0, 10, 0, 0}},
    {"knee", Kind::leg, {0, 0, 10, 0, 0}},
    {"tibia", Kind::leg, {0, 0, 10, 0, 0}},
    {"ankle", Kind::leg, {0, 0, 0, 10, 0}},
    {"foot", Kind::leg, {0, 0, 0, 10, 3}},
    {"paw", Kind::leg, {0, 0, 0, 9, 3}},
    {"toe", Kind::leg, {0, 0, 0, 0, 10}},
    {"toes", Kind::leg, {0, 0, 0, 0, 10}},
    {"toebase", Kind::leg, {0, 0, 0, 0, 10}},
    {"ball", Kind::leg, {0, 0, 0, 0, 10}},
};

// Words for joints that steer a rig, spread a twist or only mark an end: they are not body parts.
constexpr std::string_view kHelperWords[] = {"ik",     "fk",   "ctrl",   "control", "pole",    "target", "slot",
                                             "helper", "end",  "nub",    "tip",     "twist",   "roll",   "stretch",
                                             "socket", "prop", "weapon", "attach",  "effector"};

struct FingerWord {
    std::string_view word;
    int finger;
};
constexpr FingerWord kFingerWords[] = {{"thumb", thumb},          {"index", index_finger},   {"middle", middle_finger},
                                       {"mid", middle_finger},    {"ring", ring_finger},     {"pinky", little_finger},
                                       {"pinkie", little_finger}, {"little", little_finger}, {"finger", any_finger},
                                       {"fingers", any_finger}};

const Keyword* find_keyword(std::string_view word) {
    for (const Keyword& keyword : kKeywords)
        if (keyword.word == word) return &keyword;
    return nullptr;
}

/// Takes the words "left", "l", "right", "r" out of `words` and returns the side they name.
Side take_side(std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        Side side = Side::middle;
        if (word == "left" || word == "l" || word == "lft") side = Side::left;
        if (word == "right" || word == "r" || word == "rgt") side = Side::right;
        if (side == Side::middle) continue;
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
        return side;
    }
    return Side::middle;
}

/// "leftarm" or "lfemur", written without a separator: cuts off the side if a known word remains.
Side take_glued_side(std::vector<std::string>& words) {
    constexpr struct {
        std::string_view text;
        Side side;
    } prefixes[] = {{"left", Side::left}, {"right", Side::right}, {"l", Side::left}, {"r", Side::right}};
    for (std::string& word : words) {
        if (find_keyword(word)) continue;
        for (const auto& prefix : prefixes) {
            if (word.compare(0, prefix.text.size(), prefix.text) != 0) continue;
            const std::string rest = word.substr(prefix.text.size());
            const bool known = find_keyword(rest) || std::any_of(std::begin(kFingerWords), std::end(kFingerWords),
                                                                 [&](const FingerWord& f) { return f.word == rest; });
            if (!known) continue;
            word = rest;
            return prefix.side;
        }
    }
    return Side::middle;
}

/// Limbs before the trunk ("BackLeg" is a leg), then the longer word ("up", "leg" is upleg, not leg).
bool is_better(const Keyword& a, const Keyword& b) {
    const auto is_limb = [](const Keyword& k) { return k.kind == Kind::arm || k.kind == Kind::leg; };
    if (is_limb(a) != is_limb(b)) return is_limb(a);
    return a.word.size() > b.word.size();
}

/// The best keyword that a run of neighbouring words spells.
const Keyword* best_keyword(const std::vector<std::string>& words) {
    const Keyword* best = nullptr;
    for (std::size_t first = 0; first < words.size(); ++first) {
        std::string run;
        for (std::size_t last = first; last < std::min(first + 3, words.size()); ++last) {
            run += words[last];
            const Keyword* found = find_keyword(run);
            if (found && (!best || is_better(*found, *best))) best = found;
        }
    }
    return best;
}

bool has_word(const std::vector<std::string>& words, std::string_view wanted) {
    return std::find(words.begin(), words.end(), wanted) != words.end();
}

/// VRM counts the bones of a finger in words.
int finger_bone_number(const std::vector<std::string>& words, int number) {
    if (has_word(words, "metacarpal")) return 0;
    if (has_word(words, "proximal")) return 1;
    if (has_word(words, "intermediate")) return 2;
    if (has_word(words, "distal")) return 3;
    return number;
}

/// The front legs of an animal are its arms.
void turn_front_leg_into_arm(const std::vector<std::string>& words, NameMeaning& meaning) {
    const bool front = has_word(words, "front") || has_word(words, "fore");
    if (meaning.kind != Kind::leg || !front) return;
    meaning.kind = Kind::arm;
    meaning.fit[limb_tip] = 0;
}

}  // namespace

std::vector<std::string> words_of_name(const std::string& name) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!is_letter(name[i]) && !is_digit(name[i])) continue;
        if (i == 0 || starts_word(name, i)) words.emplace_back();
        words.back() += ascii::lower(name[i]);
    }
    return words;
}

std::string comparable_name(const std::string& name) {
    std::string out = name.substr(name.rfind(':') + 1);  // npos + 1 = 0: the whole name
    for (char& c : out) c = ascii::lower(c);
    return out;
}

NameMeaning meaning_of_name(const std::string& name) {
    NameMeaning meaning;
    std::vector<std::string> words;
    for (std::string& word : words_of_name(name)) {
        if (is_digit(word[0])) {
            meaning.number = word.size() <= 6 ? std::stoi(word) : 0;
        } else {
            words.push_back(std::move(word));
        }
    }
    meaning.side = take_side(words);
    if (meaning.side == Side::middle) meaning.side = take_glued_side(words);

    for (std::string_view helper : kHelperWords) {
        if (!has_word(words, helper)) continue;
        meaning.kind = Kind::helper;
        return meaning;
    }
    for (const FingerWord& finger : kFingerWords) {
        if (!has_word(words, finger.word) || meaning.side == Side::middle || has_word(words, "toe")) continue;
        meaning.kind = Kind::finger;
        meaning.finger = finger.finger;
        meaning.number = finger_bone_number(words, meaning.number);
        return meaning;
    }
    const Keyword* keyword = best_keyword(words);
    if (!keyword) return meaning;
    meaning.kind = keyword->kind;
    meaning.fit = keyword->fit;
    if (keyword->word == "hip" && meaning.side != Side::middle) {
        meaning.kind = Kind::leg;
        meaning.fit = {5, 6, 0, 0, 0};
    }
    turn_front_leg_into_arm(words, meaning);
    return meaning;
}

}  // namespace fascia
