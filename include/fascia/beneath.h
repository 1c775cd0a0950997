// Bones and muscles as surfaces, for pictures and for looking inside.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fascia/api.h"
#include "fascia/math.h"
#include "fascia/method.h"

FASCIA_API_BEGIN
namespace fascia {

class Beneath {
public:
    virtual ~Beneath() = default;
    struct Piece {
        std::string name;
        bool muscle = false;  ///< otherwise a bone
        std::size_t first_vertex = 0, vertices = 0;
        std::size_t first_triangle = 0, triangles = 0;
    };
    virtual std::span<const Piece> pieces() const = 0;
    /// [triangles * 3] of all pieces, facing outwards
    virtual std::span<const std::uint32_t> triangles() const = 0;
    /// Where they are now, in scene space. out: [vertices of all pieces]
    virtual void positions(const State& state, std::span<Vec3> out, Workspace& work) const = 0;
};

/// What a rig has beneath its skin; null if its method or its character has neither bones nor muscles there.
const Beneath* beneath(const Rig& rig);

}  // namespace fascia
FASCIA_API_END
