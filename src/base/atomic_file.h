// Output that appears under its name only when it is complete: bytes go to a temporary beside it, which is renamed at
// the end. Whatever fails before that, an old file or folder of that name stays as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/unfinished.h"
#include "fascia/api.h"
#include "fascia/output.h"
#include "fascia/result.h"

// Shown to our other libraries, as Unfinished is.
FASCIA_API_BEGIN
namespace fascia {

/// "could not write PATH: REASON", with the system's reason for `error_number`.
Error write_error(const std::string& path, int error_number);

/// One file. It is finished in two steps, so that several files can be on the disk before the first one is renamed.
class AtomicFile {
public:
    static Result<std::unique_ptr<AtomicFile>> create(const std::string& path);
    ~AtomicFile();  ///< removes the temporary unless it was published
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    Status write(const void* data, std::size_t size);
    /// Flushes everything to the disk; nothing may be written afterwards.
    Status seal();
    /// Renames the sealed temporary into place.
    Status publish();

    /// As the user named it, for messages.
    const std::string& path() const { return path_; }
    /// The name to write to for now, for another program that writes the file.
    const std::string& written_to() const { return temporary_.empty() ? target_ : temporary_; }

private:
    AtomicFile() = default;
    Status flush();

    std::string path_;
    std::string target_;     ///< where the file really is, with links followed
    std::string temporary_;  ///< empty where a device or pipe is written directly
    int descriptor_ = -1;
    std::vector<std::uint8_t> buffer_;
    Unfinished unfinished_;
};

/// A file to which nothing more will be written.
std::unique_ptr<Output> as_output(std::unique_ptr<AtomicFile> file);

/// One folder of files, replaced as a whole.
class AtomicFolder {
public:
    /// Refuses to replace a folder that holds anything but files ending in `extension`.
    static Result<std::unique_ptr<AtomicFolder>> create(const std::string& path, const std::string& extension);
    ~AtomicFolder();
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;

    /// The path to write a file of this name to for now; it moves with the folder.
    std::string inside(const std::string& name) const { return temporary_ + "/" + name; }
    /// The same file's final name, for messages.
    std::string final_name(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }
    Status publish();

private:
    AtomicFolder() = default;
    std::string path_, temporary_;
    Unfinished unfinished_;
};

/// An unnamed file on the same disk as `beside`; it disappears when it is closed, even after a crash.
class ScratchFile {
public:
    static Result<std::unique_ptr<ScratchFile>> create(const std::string& beside);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    Status write(const void* data, std::size_t size);
    std::uint64_t size() const { return size_; }
    /// Copies bytes [offset, offset + size) to the end of `out`.
    Status copy_to(AtomicFile& out, std::uint64_t offset, std::uint64_t size);

private:
    ScratchFile() = default;
    Status flush();

    std::string path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    std::vector<std::uint8_t> buffer_;
};

}  // namespace fascia
FASCIA_API_END
