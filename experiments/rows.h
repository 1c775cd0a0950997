// One motion with several rigs: what each adds to skinning, what it costs, and a sheet of pictures.
#pragma once

#include <string>
#include <vector>

#include "stage.h"

namespace fascia::experiments {

struct Row {
    std::string label;
    RigPtr rig;
};

/// Milliseconds of simulation per frame of the clip: the minimum of several rounds.
double frame_ms(const Character& character, const Rig& rig, const std::string& clip = "dance");

/// RMS of the motion that flesh adds, in per cent of the size, over a clip.
double secondary(const Character& character, const Rig& rig, const std::string& clip, double seconds);

/// Prints what each row adds, and draws them all if `picture` is not empty.
void compare(const Character& character, const std::string& clip, const std::vector<double>& times,
             const std::vector<Row>& rows, const std::string& picture);
void compare(const Character& character, const std::string& clip, const std::vector<double>& times,
             const std::vector<Row>& rows, const std::string& picture, const Framing& framing);

/// Mean offset from skinning of the vertices that follow `joint` most, along y, in per cent of the size.
class PartOffset {
public:
    PartOffset(const Character& character, const std::string& joint);
    double operator()(const Frame& frame) const;

private:
    std::vector<std::size_t> vertices_;
    double size_;
};

/// The name of a picture in a folder; empty without a folder.
std::string in(const std::string& folder, const std::string& name);

}  // namespace fascia::experiments
