// Rigs: binding, retuning, saving and loading, and what they were made from.
#include <cstring>

#include "objects.h"

namespace fascia_c {

BoundRig::BoundRig(fascia::RigPtr bound) : value(std::move(bound)), warnings(value->warnings()) {
    if (const fascia::Inside* inside = value->inside()) layers = inside->layer_names();
    if (const fascia::Live* live = value->live()) joints = live->joint_names();
}

fascia_rig* give_rig(fascia::Result<fascia::RigPtr> rig, ErrorText error) {
    if (rig) return hand_out<fascia_rig>(std::move(*rig));
    fail(rig.error(), error);
    return nullptr;
}

size_t give_text(const std::string& text, char* to, size_t size) noexcept {
    copy_text(text.c_str(), to, size);
    return text.size() + 1;
}

size_t give_bytes(const std::vector<std::uint8_t>& from, std::uint8_t* to, size_t capacity) noexcept {
    if (to != nullptr && capacity >= from.size()) std::memcpy(to, from.data(), from.size());
    return from.size();
}

}  // namespace fascia_c

namespace {

using namespace fascia_c;

fascia::Result<fascia::Flesh> flesh_from(const char* flesh_json) {
    fascia::Result<fascia::Flesh> flesh = fascia::preset("default");
    if (flesh && flesh_json != nullptr) flesh = fascia::parse_flesh(flesh_json, "flesh", *flesh);
    return flesh;
}

fascia::Result<fascia::RigPtr> bind_with(const fascia::Character& character, const std::string& method,
                                         const fascia_bind_options& options) {
    const auto flesh = flesh_from(options.flesh_json);
    if (!flesh) return flesh.error();
    fascia::BindInputs inputs;
    inputs.read_mask = fascia::load_mask;
    inputs.weights = text_or(options.weights, "auto");
    inputs.rectify = options.rectify != 0;
    inputs.threads = options.threads > 0 ? options.threads : 1;
    inputs.embed.how = text_or(options.embed, "auto");
    inputs.embed.kernel = text_or(options.embed_kernel, "gauss");
    if (options.embed_samples != 0) inputs.embed.samples = options.embed_samples;
    if (options.mask != nullptr) inputs.mask.assign(options.mask, options.mask + character.mesh.vertex_count());
    if (options.progress != nullptr)
        inputs.progress = [&](double share) { return options.progress(share, options.progress_user) != 0; };
    return fascia::bind(character, method, *flesh, inputs);
}

fascia::Result<fascia::RigPtr> retune_with(const fascia::RigPtr& rig, const char* flesh_json) {
    const auto flesh = flesh_from(flesh_json);
    if (!flesh) return flesh.error();
    const auto settings = fascia::settings_for(rig->method(), *flesh);
    if (!settings) return settings.error();
    return fascia::retune(rig, *settings);
}

/// Runs `make` with the object of a handle; it returns a rig, or why there is none.
template <class Handle, class Make>
fascia_rig* make_rig(const Handle* from, ErrorText error, Make&& make) {
    auto* object = find(from, error);
    if (object == nullptr) return nullptr;
    return guarded<fascia_rig*>(nullptr, error, [&] { return give_rig(make(*object), error); });
}

}  // namespace

extern "C" {

fascia_rig* fascia_bind(const fascia_character* character, const char* method, const char* flesh_json, char* error,
                        size_t error_size) {
    fascia_bind_options options{};
    options.flesh_json = flesh_json;
    return fascia_bind_with(character, method, &options, error, error_size);
}

fascia_rig* fascia_bind_with(const fascia_character* character, const char* method, const fascia_bind_options* options,
                             char* error, size_t error_size) {
    return make_rig(character, {error, error_size}, [&](const fascia::Character& c) {
        return bind_with(c, text_or(method, ""), options != nullptr ? *options : fascia_bind_options{});
    });
}

void fascia_rig_free(fascia_rig* rig) {
    put_away(rig);
}

size_t fascia_rig_vertex_count(const fascia_rig* rig) {
    return with(rig, size_t{0}, [](const BoundRig& r) { return r.value->vertex_count(); });
}
size_t fascia_rig_joint_count(const fascia_rig* rig) {
    return with(rig, size_t{0}, [](const BoundRig& r) { return r.value->joint_count(); });
}
size_t fascia_point_count(const fascia_rig* rig) {
    return with(rig, size_t{0}, [](const BoundRig& r) { return r.value->point_count(); });
}
const char* fascia_rig_joint_name(const fascia_rig* rig, size_t joint) {
    return with<const char*>(rig, nullptr, [&](const BoundRig& r) { return text_at(r.joints, joint); });
}
int fascia_rig_has_normals(const fascia_rig* rig) {
    return with(rig, 0, [](const BoundRig& r) { return r.value->has_normals() ? 1 : 0; });
}
int fascia_rig_has_tangents(const fascia_rig* rig) {
    return with(rig, 0, [](const BoundRig& r) { return r.value->has_tangents() ? 1 : 0; });
}
int fascia_rig_influences(const fascia_rig* rig) {
    return with(rig, 0, [](const BoundRig& r) {
        const fascia::SkinWeights* weights = r.value->skin_weights();
        return weights != nullptr ? weights->influences : 0;
    });
}
int fascia_rig_skin_weights(const fascia_rig* rig, uint16_t* joints, float* weights) {
    return with_status(rig, {},
                       [&](const BoundRig& r) { return give_weights(r.value->skin_weights(), joints, weights); });
}
const char* fascia_rig_method(const fascia_rig* rig) {
    return with<const char*>(rig, nullptr, [](const BoundRig& r) { return r.value->method(); });
}
uint64_t fascia_rig_fingerprint(const fascia_rig* rig) {
    return with(rig, uint64_t{0}, [](const BoundRig& r) { return r.value->fingerprint(); });
}
const char* fascia_rig_warning(const fascia_rig* rig, size_t index) {
    return with<const char*>(rig, nullptr, [&](const BoundRig& r) {
        return index < r.warnings.size() ? r.warnings[index].c_str() : nullptr;
    });
}

fascia_rig* fascia_rig_set(const fascia_rig* rig, const char* key, const char* value, char* error, size_t error_size) {
    return make_rig(rig, {error, error_size},
                    [&](const BoundRig& r) { return fascia::retune(r.value, text_or(key, ""), text_or(value, "")); });
}

fascia_rig* fascia_retune(const fascia_rig* rig, const char* flesh_json, char* error, size_t error_size) {
    return make_rig(rig, {error, error_size}, [&](const BoundRig& r) { return retune_with(r.value, flesh_json); });
}

size_t fascia_rig_save(const fascia_rig* rig, uint8_t* bytes, size_t capacity) {
    return with(rig, size_t{0}, [&](const BoundRig& r) {
        const auto saved = fascia::save_rig(*r.value);
        if (saved) return give_bytes(*saved, bytes, capacity);
        fail(saved.error());
        return size_t{0};
    });
}

fascia_rig* fascia_rig_load(const uint8_t* bytes, size_t size, char* error, size_t error_size) {
    const ErrorText to{error, error_size};
    return guarded<fascia_rig*>(nullptr, to, [&] {
        return give_rig(fascia::load_rig({bytes, bytes == nullptr ? 0 : size}), to);
    });
}

}  // extern "C"
