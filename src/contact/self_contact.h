// A body that touches itself: places on its surface against the flesh of other parts, wherever those are now.
//
//     frame:  begin   the next step looks for contacts anew
//     step:   press   asks the points of each contact to part
//
// A sample q that has come near other flesh is followed back into the rest pose (flesh_place.h): there the distance
// field says how deep it is and which way is out. For some steps this plane stays, and only its sides move:
//
//     depth = c + out . (sum share p - sum weight p)     [points that carry the other side, and the sample]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_sums.h"
#include "contact/flesh_place.h"
#include "contact/near_patches.h"
#include "contact/touching_body.h"

namespace fascia::contact {

/// The contacts of one frame, and the scratch memory of its steps.
class SelfContact {
public:
    /// Steps that take this many seconds together are going to follow.
    void begin(float seconds);

    /// Asks points to part. points: right after a step; turns: as they are then; most_depth: no more of a depth than
    /// this is corrected
    void press(const TouchingBody& body, const TouchedPoints& points, const PointTurns& turns, float most_depth,
               ContactSums& sums);

    std::size_t hit_count() const { return hit_count_; }

private:
    /// A sample and what it is about to touch.
    struct Contact {
        std::uint32_t first = 0;           ///< in carriers_: those of the sample, then those of the other side
        std::uint16_t own = 0, other = 0;  ///< their numbers
        float depth = 0;                   ///< c
        float facing = 1;                  ///< share of the depth that is corrected
        float own_share = 0.5f;            ///< how much of a move the sample's side makes
        Vec3 out;                          ///< the way that the sample has to go
    };
    struct Carrier {
        std::uint32_t point = 0;  ///< in met_
        float weight = 0;
    };
    /// A point in one step: position and speed.
    struct Now {
        float v[8];
    };

    void make_room(const TouchingBody& body);
    void search(const TouchingBody& body, const TouchedPoints& points);
    void look_around(const TouchingBody& body, const TouchedPoints& points, std::uint32_t patch);
    void find_starts(const TouchingBody& body, std::span<const NearPatches::Met> met, const TouchingBody::Patch& patch);
    void add_contact(const TouchingBody& body, const TouchedPoints& points, const TouchingBody::Sample& sample,
                     const Turn& turn, const FleshPlace& there);
    void add_carrier(std::uint32_t point, float weight);
    Now mean_of(std::span<const Carrier> carriers) const;

    float seconds_ = 0;   ///< of the steps of this frame
    int steps_left_ = 0;  ///< before contacts are looked for anew
    NearPatches near_;
    FleshPlaces places_;
    std::uint32_t starts_[TouchingBody::most_in_patch]{};  ///< [samples of a patch] points, or none
    std::vector<Contact> contacts_;
    std::vector<Carrier> carriers_;
    std::vector<std::uint32_t> met_;     ///< points of all contacts: places in channels
    std::vector<std::uint32_t> met_as_;  ///< [stride] in met_, or none
    std::vector<Now> now_;               ///< as met_
    std::size_t hit_count_ = 0;
};

}  // namespace fascia::contact
