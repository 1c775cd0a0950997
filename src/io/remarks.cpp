#include "io/remarks.h"

namespace fascia::io {

void Remarks::add(const std::string& code, const std::string& text, std::size_t count) {
    if (count == 0) return;
    for (Remark& remark : list_) {
        if (remark.code == code) {
            remark.count += count;
            return;
        }
    }
    list_.push_back({code, text, count});
}

}  // namespace fascia::io
