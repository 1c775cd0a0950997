// Close-ups of the points where the methods of a comparison differ most.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "bake_session.h"
#include "fascia/fascia.h"
#include "frame_sinks.h"

namespace fascia::cli {

/// A copy of a frame that outlives the bake.
struct KeptFrame {
    std::size_t index;
    double time;
    std::vector<Vec3> positions, normals, fully_skinned;
    Pose pose;
    BakedFrame frame() const {
        const std::span<const Vec3> all(positions);
        return {index, time, all, normals, {}, all.first(fully_skinned.size()), fully_skinned, pose, nullptr};
    }
};

class CloseUps {
public:
    explicit CloseUps(const Character& character) : character_(character) {}

    /// Keeps these frames of a method that is about to run. The frames must be the same for all methods.
    std::unique_ptr<FrameSink> watch(const std::string& method, const std::vector<std::size_t>& frames);

    /// A row with a cell for each method, at the point and time where two of them are furthest apart; as many such
    /// points as `columns` has room for. No row if the methods agree.
    void add_row(Painter& painter, std::size_t columns, ContactSheet& sheet) const;

private:
    struct Take {
        std::string method;
        std::vector<KeptFrame> frames;
    };
    struct Place {
        std::size_t frame, vertex;
        double distance;
    };
    std::vector<Place> find_places(std::size_t most) const;
    View view_of_place(const Place& place, const Painter& painter) const;

    const Character& character_;
    std::list<Take> takes_;  ///< a list, because sinks keep references to their take
};

}  // namespace fascia::cli
