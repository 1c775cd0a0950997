#include "methods/neck/neck_file.h"

#include <algorithm>

#include "sim/mass_properties.h"

namespace fascia {

namespace {

// Each function below both writes and reads: its calls of `field` list the contents in order.
struct Writing {
    ByteWriter& out;
    template <class T>
    void value(const T& v) {
        if constexpr (std::is_same_v<T, bool>)
            out.value(std::uint8_t(v));
        else
            out.value(v);
    }
    template <class Array>
    void array(const Array& a) {
        out.array(a);
    }
    template <class T, class Field>
    void list(const std::vector<T>& items, Field field) {
        out.value(std::uint64_t(items.size()));
        for (const T& each : items) field(*this, each);
    }
};

struct Reading {
    ByteReader& in;
    template <class T>
    void value(T& v) {
        if constexpr (std::is_same_v<T, bool>)
            v = in.value<std::uint8_t>() != 0;
        else
            v = in.value<T>();
    }
    template <class Array>
    void array(Array& a) {
        in.array(a);
    }
    template <class T, class Field>
    void list(std::vector<T>& items, Field field) {
        const auto count = in.value<std::uint64_t>();
        for (std::uint64_t k = 0; k < count && in.ok(); ++k) {
            items.emplace_back();
            field(*this, items.back());
        }
    }
};

template <class Io, class Line>
void line_fields(Io& io, Line& line) {
    io.array(line.name), io.array(line.a), io.array(line.b);
    io.value(line.from), io.value(line.to);
}

template <class Io, class Scene>
void scene_fields(Io& io, Scene& scene) {
    io.value(scene.unit);
    io.list(scene.bodies, [](auto& o, auto& b) {
        o.array(b.name), o.array(b.joint), o.value(b.free), o.value(b.density), o.value(b.mass);
        o.array(b.solid.points), o.array(b.solid.triangles);
    });
    io.list(scene.joints, [](auto& o, auto& j) {
        o.array(j.name), o.array(j.a), o.array(j.b), o.value(j.revolute), o.value(j.at), o.value(j.axis);
        o.value(j.limit);
    });
    io.list(scene.muscles, [](auto& o, auto& m) {
        o.array(m.name), o.value(m.young), o.value(m.poisson), o.value(m.density);
        o.array(m.points), o.array(m.hexahedra), o.array(m.tetrahedra);
        o.list(m.attachments, [](auto& p, auto& a) { p.array(a.body), p.value(a.within), p.value(a.stiffness); });
    });
    io.list(scene.actuators, [](auto& o, auto& a) {
        line_fields(o, a);
        o.value(a.f0), o.value(a.lo), o.value(a.lmax), o.value(a.gamma), o.value(a.damping), o.value(a.activation);
        o.array(a.joint);
    });
    io.list(scene.springs, [](auto& o, auto& s) { line_fields(o, s), o.value(s.stiffness), o.value(s.damping); });
    io.value(scene.skin);
}

bool is_finite_place(Vec3d v) {
    return std::abs(v.x) <= 1e12 && std::abs(v.y) <= 1e12 && std::abs(v.z) <= 1e12;
}

bool indices_fit(const std::vector<std::uint32_t>& indices, std::size_t points, std::size_t each) {
    return indices.size() % each == 0 &&
           std::all_of(indices.begin(), indices.end(), [&](std::uint32_t i) { return i < points; });
}

bool numbers_fit(const AnatomyScene& s) {
    bool good = s.unit > 0 && s.unit <= 1e9;
    const auto amount = [&](double v, double most = 1e15) { good &= v >= 0 && v <= most; };
    const auto place = [&](Vec3d v) { good &= is_finite_place(v); };
    for (const auto& b : s.bodies) {
        for (const Vec3d& p : b.solid.points) place(p);
        good &= !b.solid.triangles.empty() && indices_fit(b.solid.triangles, b.solid.points.size(), 3);
        amount(b.density), amount(b.mass);
    }
    for (const auto& j : s.joints) place(j.at), place(j.axis), amount(j.limit, 180);
    for (const auto& m : s.muscles) {
        for (const Vec3d& p : m.points) place(p);
        good &= indices_fit(m.hexahedra, m.points.size(), 8) && indices_fit(m.tetrahedra, m.points.size(), 4);
        amount(m.young), amount(m.poisson, 0.499), amount(m.density);
        good &= m.young > 0 && m.density > 0;
        for (const auto& a : m.attachments) amount(a.within), amount(a.stiffness);
    }
    const auto line = [&](const AnatomyScene::Line& l) {
        place(l.from), place(l.to);
        good &= length(l.to - l.from) > 0;
    };
    for (const auto& a : s.actuators) {
        line(a);
        for (const double v : {a.f0, a.lo, a.lmax, a.gamma, a.damping}) amount(v);
        amount(a.activation, 1);
    }
    for (const auto& each : s.springs) line(each), amount(each.stiffness), amount(each.damping);
    amount(s.skin.epidermal), amount(s.skin.connecting), amount(s.skin.density), amount(s.skin.reach);
    return good && s.skin.density > 0;
}

}  // namespace

void write_neck(const NeckBlueprint& blueprint, ByteWriter& out) {
    write_rest_surface(blueprint.surface, out);
    Writing writing{out};
    scene_fields(writing, blueprint.scene);
}

Result<NeckBlueprint> read_neck(ByteReader& in) {
    Result<RestSurface> surface = read_rest_surface(in);
    if (!surface) return surface.error();
    NeckBlueprint out;
    out.surface = std::move(*surface);
    Reading reading{in};
    scene_fields(reading, out.scene);
    if (!in.ok() || !in.at_end()) return input_error("the anatomy is cut short or followed by other bytes");
    if (const Status checked = check_scene(out.scene, out.surface.joints); !checked) return checked.error();
    return out;
}

Status check_scene(const AnatomyScene& scene, const std::vector<Joint>& joints) {
    if (!numbers_fit(scene)) return input_error("the anatomy has a number or an index outside of its range");
    const auto has_joint = [&](const std::string& name) {
        return std::any_of(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == name; });
    };
    const auto has_body = [&](const std::string& name) {
        return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const auto& b) { return b.name == name; });
    };
    const auto missing = [](const std::string& what, const std::string& name) {
        return input_error("the anatomy names a " + what + " '" + name + "' that is not there");
    };
    for (const auto& body : scene.bodies) {
        if (!has_joint(body.joint)) return missing("joint", body.joint);
        if (body.free && !(body.mass > 0) &&
            !(std::abs(sim::mass_properties(body.solid.points, body.solid.triangles).volume) > 0))
            return input_error("the body '" + body.name + "' is free but encloses no volume: give it a mass");
    }
    for (const auto& each : scene.actuators)
        if (!each.joint.empty() && !has_joint(each.joint)) return missing("joint", each.joint);
    const auto ends = [&](const auto& list) -> Status {
        for (const auto& each : list)
            for (const std::string* name : {&each.a, &each.b})
                if (!has_body(*name)) return missing("body", *name);
        return ok_status();
    };
    if (const Status s = ends(scene.joints); !s) return s;
    if (const Status s = ends(scene.actuators); !s) return s;
    if (const Status s = ends(scene.springs); !s) return s;
    for (const auto& muscle : scene.muscles)
        for (const auto& attachment : muscle.attachments)
            if (!has_body(attachment.body)) return missing("body", attachment.body);
    return ok_status();
}

}  // namespace fascia
