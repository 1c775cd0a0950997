#include "base/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fascia/output.h"

namespace fascia {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = 1 << 18;

/// Tries names beside `target` until `make` (which returns 0 or an error number) finds a free one. Returns "" and sets
/// `reason` when it fails for any other cause.
template <class Make>
std::string make_temporary(const std::string& target, Make make, int& reason) {
    for (int attempt = 0; attempt < 10000; ++attempt) {
        const std::string name = target + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
        reason = make(name);
        if (reason == 0) return name;
        if (reason != EEXIST) return {};
    }
    return {};
}

std::string without_trailing_slashes(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

/// The file that a link points to, so that writing through a link does not replace the link; it need not exist yet.
std::string resolve_links(const std::string& path) {
    constexpr int most_links = 40;
    std::error_code ignored, failure;
    fs::path at = path;
    for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(at, ignored)) && !failure; ++i)
        at = at.parent_path() / fs::read_symlink(at, failure);  // an absolute target replaces the path before it
    return failure ? path : at.string();
}

std::string folder_of(const std::string& path) {
    const fs::path parent = fs::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

/// Writes all of it; 0 or the error number.
int write_all(int descriptor, const std::uint8_t* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(descriptor, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        data += written;
        size -= static_cast<std::size_t>(written);
    }
    return 0;
}

/// A rename is only safe once the folder's entry is on disk too. Best effort: some file systems refuse.
void sync_folder(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace

Error write_error(const std::string& path, int error_number) {
    return output_error("could not write " + path + ": " + std::generic_category().message(error_number));
}

// ---- one file ------------------------------------------------------------------------------------

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path) {
    std::unique_ptr<AtomicFile> file(new AtomicFile);
    file->path_ = path;
    file->target_ = resolve_links(path);
    struct stat old {};
    const bool exists = ::stat(file->target_.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return write_error(path, EISDIR);
    if (exists && !S_ISREG(old.st_mode)) {
        // A device or a pipe cannot be replaced by renaming: it is written to directly.
        file->descriptor_ = ::open(file->target_.c_str(), O_WRONLY | O_CLOEXEC);
        if (file->descriptor_ < 0) return write_error(path, errno);
        return file;
    }
    int reason = 0;
    const auto open_new = [&](const std::string& name) {
        file->descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        return file->descriptor_ < 0 ? errno : 0;
    };
    const Unfinished::Lock held = Unfinished::lock();
    if (Unfinished::too_late()) return write_error(path, EINTR);
    file->temporary_ = make_temporary(file->target_, open_new, reason);
    if (file->temporary_.empty()) return write_error(path, reason);
    file->unfinished_ = Unfinished([name = file->temporary_] { ::unlink(name.c_str()); });
    if (exists) {  // keep the permissions if we may, else the new file gets the default ones
        [[maybe_unused]] const int ignored = ::fchmod(file->descriptor_, old.st_mode & 07777);
    }
    return file;
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status AtomicFile::write(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    if (buffer_.size() + size > buffer_size) {
        if (Status flushed = flush(); !flushed) return flushed;
    }
    if (size >= buffer_size) {
        if (const int reason = write_all(descriptor_, bytes, size)) return write_error(path_, reason);
        return ok_status();
    }
    buffer_.insert(buffer_.end(), bytes, bytes + size);
    return ok_status();
}

Status AtomicFile::flush() {
    const int reason = write_all(descriptor_, buffer_.data(), buffer_.size());
    buffer_.clear();
    if (reason) return write_error(path_, reason);
    return ok_status();
}

Status AtomicFile::seal() {
    if (descriptor_ < 0) return ok_status();
    if (Status flushed = flush(); !flushed) return flushed;
    // Devices and pipes cannot be synced, which is not an error.
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) return write_error(path_, errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) return write_error(path_, errno);
    return ok_status();
}

Status AtomicFile::publish() {
    if (Status sealed = seal(); !sealed) return sealed;
    if (temporary_.empty()) return ok_status();
    const Unfinished::Lock held = Unfinished::lock();
    if (Unfinished::too_late()) return write_error(path_, EINTR);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return write_error(path_, errno);
    temporary_.clear();
    unfinished_.done();
    sync_folder(folder_of(target_));
    return ok_status();
}

// ---- one folder ----------------------------------------------------------------------------------

namespace {

/// Why a folder of that name must not be replaced; empty if it may be.
std::string why_not_replace(const std::string& path, const std::string& extension) {
    std::error_code failure;
    const fs::file_status status = fs::symlink_status(path, failure);
    if (!fs::exists(status)) return {};
    if (!fs::is_directory(status)) return "there is something of that name that is not a folder; choose another name";
    fs::directory_iterator entries(path, failure);
    if (failure) return failure.message();
    for (const fs::directory_entry& entry : entries) {
        if (entry.path().extension() != extension || !entry.is_regular_file(failure))
            return "the folder of that name holds " + entry.path().filename().string() +
                   ", which is not a frame; choose another name";
    }
    return {};
}

void remove_folder(const std::string& name) {
    std::error_code ignored;
    fs::remove_all(name, ignored);
}

/// Swaps the folders `fresh` and `old`. Returns 0 or the error number.
int swap_folders(const std::string& fresh, const std::string& old) {
#if defined(RENAME_EXCHANGE)
    if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, old.c_str(), RENAME_EXCHANGE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
    // Without an atomic exchange: two renames, the first of which is undone if the second fails.
    int reason = 0;
    const auto move_old = [&](const std::string& name) { return ::rename(old.c_str(), name.c_str()) == 0 ? 0 : errno; };
    const std::string aside = make_temporary(old, move_old, reason);
    if (aside.empty()) return reason;
    if (::rename(fresh.c_str(), old.c_str()) != 0) {
        reason = errno;
        ::rename(aside.c_str(), old.c_str());
        return reason;
    }
    return ::rename(aside.c_str(), fresh.c_str()) == 0 ? 0 : errno;
}

}  // namespace

Result<std::unique_ptr<AtomicFolder>> AtomicFolder::create(const std::string& path, const std::string& extension) {
    std::unique_ptr<AtomicFolder> folder(new AtomicFolder);
    folder->path_ = without_trailing_slashes(path);
    if (const std::string obstacle = why_not_replace(folder->path_, extension); !obstacle.empty())
        return output_error("could not write " + folder->path_ + ": " + obstacle);
    int reason = 0;
    const auto make_folder = [](const std::string& name) { return ::mkdir(name.c_str(), 0777) == 0 ? 0 : errno; };
    const Unfinished::Lock held = Unfinished::lock();
    if (Unfinished::too_late()) return write_error(folder->path_, EINTR);
    folder->temporary_ = make_temporary(folder->path_, make_folder, reason);
    if (folder->temporary_.empty()) return write_error(folder->path_, reason);
    folder->unfinished_ = Unfinished([name = folder->temporary_] { remove_folder(name); });
    return folder;
}

AtomicFolder::~AtomicFolder() {
    if (!temporary_.empty()) remove_folder(temporary_);
}

Status AtomicFolder::publish() {
    sync_folder(temporary_);
    const Unfinished::Lock held = Unfinished::lock();
    if (Unfinished::too_late()) return write_error(path_, EINTR);
    std::error_code failure;
    if (fs::exists(fs::symlink_status(path_, failure))) {
        // After the exchange the temporary name holds the old frames; the destructor removes them.
        if (const int reason = swap_folders(temporary_, path_)) return write_error(path_, reason);
    } else {
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) return write_error(path_, errno);
        temporary_.clear();
        unfinished_.done();
    }
    sync_folder(folder_of(path_));
    return ok_status();
}

// ---- scratch -------------------------------------------------------------------------------------

Result<std::unique_ptr<ScratchFile>> ScratchFile::create(const std::string& beside) {
    std::unique_ptr<ScratchFile> file(new ScratchFile);
    file->path_ = beside;
    std::error_code ignored;
    const std::string target = resolve_links(beside);
    const bool device = fs::is_other(fs::status(target, ignored));
    const std::string folder = device ? fs::temp_directory_path(ignored).string() : folder_of(target);
    file->descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file->descriptor_ < 0) {  // not every file system supports unnamed files
        int reason = 0;
        const auto open_new = [&](const std::string& name) {
            file->descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            return file->descriptor_ < 0 ? errno : 0;
        };
        const std::string name = make_temporary(folder + "/scratch", open_new, reason);
        if (name.empty()) return write_error(beside, reason);
        ::unlink(name.c_str());
    }
    return file;
}

ScratchFile::~ScratchFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Status ScratchFile::write(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    buffer_.insert(buffer_.end(), bytes, bytes + size);
    size_ += size;
    return buffer_.size() >= buffer_size ? flush() : ok_status();
}

Status ScratchFile::flush() {
    const int reason = write_all(descriptor_, buffer_.data(), buffer_.size());
    buffer_.clear();
    if (reason) return write_error(path_, reason);
    return ok_status();
}

Status ScratchFile::copy_to(AtomicFile& out, std::uint64_t offset, std::uint64_t size) {
    if (Status flushed = flush(); !flushed) return flushed;
    std::vector<std::uint8_t> block(std::min<std::uint64_t>(size, 1 << 20));
    while (size > 0) {
        const ssize_t got =
            ::pread(descriptor_, block.data(), std::min<std::uint64_t>(size, block.size()), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return write_error(path_, got < 0 ? errno : EIO);
        if (Status written = out.write(block.data(), static_cast<std::size_t>(got)); !written) return written;
        offset += static_cast<std::uint64_t>(got);
        size -= static_cast<std::uint64_t>(got);
    }
    return ok_status();
}

// ---- for users of the library --------------------------------------------------------------------

namespace {

class StagedFile final : public Output {
public:
    explicit StagedFile(std::unique_ptr<AtomicFile> file) : file_(std::move(file)) {}
    std::vector<std::string> names() const override { return {file_->path()}; }
    Status seal() override { return file_->seal(); }
    Status publish() override { return file_->publish(); }

private:
    std::unique_ptr<AtomicFile> file_;
};

}  // namespace

std::unique_ptr<Output> as_output(std::unique_ptr<AtomicFile> file) {
    return std::make_unique<StagedFile>(std::move(file));
}

Result<std::unique_ptr<Output>> stage_file(const std::string& path, std::span<const std::uint8_t> bytes) {
    auto file = AtomicFile::create(path);
    if (!file) return file.error();
    Status status = (*file)->write(bytes.data(), bytes.size());
    if (status) status = (*file)->seal();
    if (!status) return status.error();
    return as_output(std::move(*file));
}

}  // namespace fascia
