// Motions for a character, besides the clips of its file, and what its flesh hangs on.
#include <memory>
#include <string>

#include "objects.h"

namespace {

using namespace fascia_c;

constexpr std::string_view bundled_prefix = "bundled:";

fascia::Result<fascia::Retargeted> made_for(const fascia::Character& character,
                                            const fascia::Result<fascia::Motion>& motion) {
    if (!motion) return motion.error();
    return fascia::retarget(character, *motion);
}

fascia::Result<fascia::Retargeted> open_motion(const fascia::Character& character, const std::string& motion) {
    if (motion.rfind(bundled_prefix, 0) == 0)
        return fascia::bundled_motion(character, motion.substr(bundled_prefix.size()));
    return made_for(character, fascia::load_motion(motion));
}

/// A copy of the character with what `open(character)` returns as its last clip.
template <class Open>
fascia_character* with_clip(const fascia_character* character, ErrorText error, Open&& open) {
    const fascia::Character* from = find(character, error);
    if (from == nullptr) return nullptr;
    return guarded<fascia_character*>(nullptr, error, [&]() -> fascia_character* {
        fascia::Result<fascia::Retargeted> motion = open(*from);
        if (!motion) return fail(motion.error(), error), nullptr;
        fascia::Character out = *from;
        out.clips.push_back(std::move(motion->clip));
        for (std::string& warning : motion->warnings) out.remarks.push_back({"motion", std::move(warning), 0});
        return hand_out<fascia_character>(std::move(out));
    });
}

}  // namespace

extern "C" {

fascia_character* fascia_character_with_motion(const fascia_character* character, const char* motion, char* error,
                                               size_t error_size) {
    return with_clip(character, {error, error_size},
                     [&](const fascia::Character& from) { return open_motion(from, text_or(motion, "")); });
}

fascia_character* fascia_character_with_bvh(const fascia_character* character, const char* text, size_t size,
                                            const char* name, char* error, size_t error_size) {
    return with_clip(character, {error, error_size}, [&](const fascia::Character& from) {
        return made_for(from, fascia::parse_bvh({text, text == nullptr ? 0 : size}, text_or(name, "motion")));
    });
}

fascia_character* fascia_character_with_anatomy(const fascia_character* character, const char* text, size_t size,
                                                const char* name, char* error, size_t error_size) {
    const ErrorText also{error, error_size};
    const fascia::Character* from = find(character, also);
    if (from == nullptr) return nullptr;
    return guarded<fascia_character*>(nullptr, also, [&]() -> fascia_character* {
        fascia::Result<fascia::AnatomyScene> scene =
            fascia::parse_anatomy({text, text == nullptr ? 0 : size}, text_or(name, "anatomy"));
        if (!scene) return fail(scene.error(), also), nullptr;
        if (const fascia::Status checked = fascia::check_anatomy(*scene, *from); !checked)
            return fail(checked.error(), also), nullptr;
        fascia::Character out = *from;
        out.scene = std::make_shared<const fascia::AnatomyScene>(std::move(*scene));
        return hand_out<fascia_character>(std::move(out));
    });
}

const char* fascia_bundled_motion(size_t index) {
    return guarded<const char*>(nullptr, {}, [&] { return text_at(fascia::bundled_motion_names(), index); });
}

const char* fascia_bundled_character(size_t index) {
    return guarded<const char*>(nullptr, {}, [&] { return text_at(fascia::bundled_names(), index); });
}

}  // extern "C"
