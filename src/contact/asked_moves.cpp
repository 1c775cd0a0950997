#include "contact/asked_moves.h"

namespace fascia::contact {

void AskedMoves::begin(std::size_t stride) {
    if (sums_.size() < stride) sums_.resize(stride);
    if (touched_.capacity() < stride) touched_.reserve(stride);
    touched_.clear();
}

}  // namespace fascia::contact
