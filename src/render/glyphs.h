// A typeface of pen strokes, drawn for this project: no font file is needed, and it is smooth at any size.
#pragma once

namespace fascia::picture {

/// A letter as pen strokes on a grid: baseline at y = 0, capitals to 10, small letters to 7, descenders to -3.
/// "M x y" lifts the pen, "L x y" draws a line, "Q cx cy x y" a curve pulled towards (cx, cy). A line of no length is
/// a dot.
struct Glyph {
    float width;
    const char* strokes;
};

constexpr int first_glyph = 32, last_glyph = 126;

/// The glyph of a character; a box if the typeface does not have it.
const Glyph& glyph_of(unsigned code_point);

}  // namespace fascia::picture
