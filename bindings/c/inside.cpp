// What is inside a body: points, layers, parts, cells.
#include <algorithm>

#include "objects.h"

namespace {

using namespace fascia_c;

/// Runs body(inside) if the method has points inside the body.
template <class Body>
int with_inside(const fascia_rig* rig, Body&& body) {
    return with_status(rig, {}, [&](const BoundRig& r) {
        const fascia::Inside* inside = r.value->inside();
        if (inside == nullptr) return fail(FASCIA_NONE, "this method has no points inside the body");
        return body(*inside);
    });
}

/// Copies an array; FASCIA_NONE if it is empty.
template <class From, class To>
int give_all(const std::vector<From>& from, To* to) {
    if (from.empty()) return fail(FASCIA_NONE, "this method has none of these");
    if (to == nullptr) return fail(FASCIA_REFUSED, "no array was given");
    std::copy(from.begin(), from.end(), to);
    return FASCIA_OK;
}

}  // namespace

extern "C" {

int fascia_rig_resolution(const fascia_rig* rig) {
    return with(rig, 0, [](const BoundRig& r) {
        const fascia::Inside* inside = r.value->inside();
        return inside != nullptr ? inside->resolution() : 0;
    });
}

double fascia_rig_spacing(const fascia_rig* rig) {
    return with(rig, 0.0, [](const BoundRig& r) {
        const fascia::Inside* inside = r.value->inside();
        return inside != nullptr ? inside->point_spacing() : 0;
    });
}

int fascia_points(fascia_instance* instance, float* points) {
    return with_status(instance, {}, [&](Instance& i) {
        const fascia::Inside* inside = i.rig->inside();
        if (inside == nullptr) return fail(FASCIA_NONE, "this method has no points inside the body");
        if (points == nullptr) return fail(FASCIA_REFUSED, "no array was given for the points");
        const size_t n = i.rig->point_count();
        inside->point_positions(i.state, {reinterpret_cast<fascia::Vec3*>(points), n}, *i.work);
        return int(FASCIA_OK);
    });
}

const char* fascia_layer_name(const fascia_rig* rig, size_t layer) {
    return with<const char*>(
        rig, nullptr, [&](const BoundRig& r) { return layer < r.layers.size() ? r.layers[layer].c_str() : nullptr; });
}

int fascia_point_layers(const fascia_rig* rig, uint8_t* layers) {
    return with_inside(rig, [&](const fascia::Inside& inside) { return give_all(inside.point_layers(), layers); });
}

int fascia_vertex_softness(const fascia_rig* rig, float* softness) {
    return with_inside(rig, [&](const fascia::Inside& inside) { return give_all(inside.vertex_softness(), softness); });
}

double fascia_layer_frequency(const fascia_rig* rig, const char* layer) {
    return with(rig, 0.0, [&](const BoundRig& r) {
        const fascia::Inside* inside = r.value->inside();
        if (inside == nullptr) return 0.0;
        for (const fascia::LayerFrequency& known : inside->layer_frequencies())
            if (known.layer == text_or(layer, "")) return known.hz;
        return 0.0;
    });
}

int fascia_point_parts(const fascia_rig* rig, uint16_t* bones, uint16_t* joints) {
    return with_inside(rig, [&](const fascia::Inside& inside) {
        const fascia::PointParts parts = inside.point_parts();
        if (parts.joints.empty()) return fail(FASCIA_NONE, "this method has no parts");
        if (bones != nullptr) std::copy(parts.bones.begin(), parts.bones.end(), bones);
        if (joints != nullptr) std::copy(parts.joints.begin(), parts.joints.end(), joints);
        return int(FASCIA_OK);
    });
}

size_t fascia_cell_count(const fascia_rig* rig) {
    return with(rig, size_t{0}, [](const BoundRig& r) {
        const fascia::Inside* inside = r.value->inside();
        return inside != nullptr ? inside->point_cells().size() / 8 : 0;
    });
}

int fascia_cells(const fascia_rig* rig, uint32_t* corners) {
    return with_inside(rig, [&](const fascia::Inside& inside) { return give_all(inside.point_cells(), corners); });
}

size_t fascia_rig_anatomy(const fascia_rig* rig, fascia_anatomy_part* parts, size_t capacity) {
    return with(rig, size_t{0}, [&](const BoundRig& r) {
        const fascia::Inside* inside = r.value->inside();
        if (inside == nullptr) return size_t{0};
        const fascia::FoundAnatomy found = inside->anatomy();
        std::vector<fascia_anatomy_part> all;
        for (const auto& stiff : found.stiff) all.push_back({stiff.joint, stiff.shells, stiff.vertices, 0});
        for (const auto& soft : found.soft) all.push_back({soft.joint, 0, soft.vertices, soft.softness});
        if (parts != nullptr) std::copy_n(all.begin(), std::min(capacity, all.size()), parts);
        return all.size();
    });
}

size_t fascia_joint_volumes(const fascia_instance* instance, uint32_t* joints, double* ratios, size_t capacity) {
    return with(instance, size_t{0}, [&](const Instance& i) {
        const fascia::Inside* inside = i.rig->inside();
        if (inside == nullptr) return size_t{0};
        const std::vector<fascia::JointVolume> volumes = inside->joint_volumes(i.state);
        for (size_t k = 0; k < std::min(capacity, volumes.size()); ++k) {
            if (joints != nullptr) joints[k] = static_cast<uint32_t>(volumes[k].joint);
            if (ratios != nullptr) ratios[k] = volumes[k].ratio;
        }
        return volumes.size();
    });
}

}  // extern "C"
