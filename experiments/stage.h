// Playback for the experiments: every frame of a motion with some method, and pictures of chosen moments.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fascia/fascia.h"

namespace fascia::experiments {

struct Frame {
    int index = 0;  ///< 0: the first pose, at rest
    double time = 0;
    const std::vector<Vec3>&positions, &normals, &skinned;  ///< skinned: the same pose without flesh
    const State& state;
};

struct Playing {
    double seconds = 2, fps = 60;
    std::function<void(int frame, std::vector<Affine>& joints)> disturb;  ///< changes a pose before it is used
};

/// Plays a clip from its beginning. Returns the cost of each stage.
StageTimes play(const Character& character, const Rig& rig, const std::string& clip, const Playing& playing,
                const std::function<void(const Frame&)>& seen);

/// The character itself; ends the program with an error message if it cannot be loaded.
Character cast(const std::string& name);
RigPtr dressed(const Character& character, const Settings& settings, const BindInputs& inputs = {});
Settings settings_of(const std::string& method, const std::string& preset_name);
/// A preset as the settings of a method.
template <class Own = LayersSettings>
Own flesh_of(const std::string& preset_name) {
    return *settings_of(Own::method, preset_name).template as<Own>();
}

/// Vertices that follow this joint most.
std::vector<std::size_t> vertices_of(const Character& character, const std::string& joint);

/// How the cells of a sheet are framed: with one view for the whole motion, or each by its own skinned surface.
struct Framing {
    std::optional<View> view;
    int width = 300, height = 340;
    bool heat = false;  ///< colour by distance from skinning instead of its own colours; red: a tenth of the size
};

/// One row of a contact sheet: a method at the given times.
void add_row(ContactSheet& sheet, const std::string& label, const Character& character, const Rig& rig,
             const std::string& clip, const std::vector<double>& times, const Framing& framing, Playing playing = {});

/// A view that shows the whole of a clip, from the front and slightly from the side.
View view_of_clip(const Character& character, const std::string& clip, double seconds);

/// Ends the program with the message of an error.
void must(const Status& status);

}  // namespace fascia::experiments
