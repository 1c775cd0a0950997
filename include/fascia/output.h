// Output that appears complete or not at all: everything is first written to temporaries beside the final names.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

/// Files that are being written. Until they are published, whatever had their names stays as it was.
class Output {
public:
    virtual ~Output() = default;  ///< removes what was not published
    /// What will be put in place: files, or a folder of files.
    virtual std::vector<std::string> names() const = 0;
    /// Flushes everything to disk, still under temporary names; nothing can be added afterwards.
    virtual Status seal() = 0;
    /// Puts what was sealed in place. Links are followed, not replaced.
    virtual Status publish() = 0;
    /// Both, for an output that stands alone.
    Status finish() {
        Status sealed = seal();
        return sealed ? publish() : sealed;
    }
};
using Outputs = std::vector<std::unique_ptr<Output>>;

/// A file with these bytes, sealed.
Result<std::unique_ptr<Output>> stage_file(const std::string& path, std::span<const std::uint8_t> bytes);

/// Seals all of them, then puts all of them in place: if one cannot be written, none replaces anything.
Status publish_together(const Outputs& outputs);

/// For a program that has to end at once, from any thread: waits for whatever is being put in place, removes every
/// temporary of this process, and from then on nothing is created or put in place any more.
void abandon_outputs();

}  // namespace fascia
FASCIA_API_END
