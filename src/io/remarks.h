// Collects what the readers found, one Remark per code.
#pragma once

#include <string>
#include <vector>

#include "fascia/character.h"

namespace fascia::io {

class Remarks {
public:
    /// Adds `count` cases to the remark `code`; the first call's text is kept.
    void add(const std::string& code, const std::string& text, std::size_t count = 1);
    std::vector<Remark> take() { return std::move(list_); }
    const std::vector<Remark>& list() const { return list_; }

private:
    std::vector<Remark> list_;
};

}  // namespace fascia::io
