// Encodes video by an ffmpeg child process that reads raw pixels from its standard input; no shell is involved.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fascia/picture.h"
#include "render/replace_file.h"

extern char** environ;

namespace fascia {
namespace {

using Arguments = std::vector<std::string>;

std::string lower_extension(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return extension;
}

Arguments ffmpeg_arguments(const std::string& extension, const std::string& output, int width, int height, double fps) {
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.6g", fps);
    Arguments arguments = {
        "ffmpeg",        "-hide_banner", "-loglevel",   "error",
        "-nostdin",      "-y",           "-f",          "rawvideo",
        "-pixel_format", "rgb24",        "-video_size", std::to_string(width) + "x" + std::to_string(height),
        "-framerate",    rate,           "-i",          "pipe:0"};
    Arguments encoding;
    if (extension == ".mp4") {
        // 2 x 2 pixels share their chroma, so both sizes must be even; players expect BT.709 and the index at the
        // start.
        encoding = {"-vf",
                    "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv",
                    "-c:v",
                    "libx264",
                    "-preset",
                    "medium",
                    "-crf",
                    "18",
                    "-pix_fmt",
                    "yuv420p",
                    "-colorspace",
                    "bt709",
                    "-color_primaries",
                    "bt709",
                    "-color_trc",
                    "bt709",
                    "-movflags",
                    "+faststart",
                    "-f",
                    "mp4"};
    } else {
        encoding = {"-c:v", "libwebp_anim", "-quality", "85", "-compression_level", "4", "-loop", "0", "-f", "webp"};
    }
    arguments.insert(arguments.end(), encoding.begin(), encoding.end());
    // Keeps a name that begins with a dash from being read as an option.
    arguments.push_back("file:" + output);
    return arguments;
}

/// The child process, its standard input and its error output.
class Process {
public:
    Process() = default;
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        close_input();
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            wait();
        }
        if (complaints_) std::fclose(complaints_);
    }

    /// Returns 0, or the errno of the failure to start.
    int start(const Arguments& arguments) {
        // A socket instead of a pipe, because send() can be told not to raise SIGPIPE when the child has died.
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
        complaints_ = std::tmpfile();
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (complaints_) posix_spawn_file_actions_adddup2(&actions, fileno(complaints_), STDERR_FILENO);
        std::vector<char*> argv;
        for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
        argv.push_back(nullptr);
        const int failure = posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        input_ = ends[0];
        if (failure) pid_ = -1;
        return failure;
    }

    bool write(const std::uint8_t* data, std::size_t size) {
        while (size > 0) {
            const ssize_t sent = send(input_, data, size, MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent <= 0) return false;
            data += sent;
            size -= static_cast<std::size_t>(sent);
        }
        return true;
    }

    /// Closes the input and waits; true if the child succeeded.
    bool finish() {
        close_input();
        return wait();
    }

    /// The first line that the child wrote to its standard error.
    std::string complaint() {
        if (!complaints_) return "no reason given";
        std::rewind(complaints_);
        char line[300];
        if (!std::fgets(line, sizeof line, complaints_)) return "no reason given";
        line[std::strcspn(line, "\r\n")] = 0;
        return line;
    }

private:
    void close_input() {
        if (input_ >= 0) close(input_);
        input_ = -1;
    }
    bool wait() {
        int status = 0;
        while (pid_ > 0 && waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    pid_t pid_ = -1;
    int input_ = -1;
    std::FILE* complaints_ = nullptr;
};

class FfmpegWriter final : public VideoWriter {
public:
    FfmpegWriter(std::string path, int width, int height)
        : path_(std::move(path)), temporary_(picture::temporary_name(path_)), width_(width), height_(height) {}
    ~FfmpegWriter() override {
        if (!done_) picture::remove_quietly(temporary_);
    }

    Status start(const std::string& extension, double fps) {
        // Report a missing folder before the first frame is rendered.
        std::FILE* probe = std::fopen(temporary_.c_str(), "wb");
        if (!probe) {
            return output_error("cannot write " + path_ + ": " + std::strerror(errno) +
                                "; check that the folder exists and may be written to");
        }
        std::fclose(probe);
        const int failure = process_.start(ffmpeg_arguments(extension, temporary_, width_, height_, fps));
        if (failure == 0) return ok_status();
        if (failure == ENOENT) {
            return output_error(
                "cannot write " + path_ +
                ": ffmpeg is not on the PATH; install it (Debian: apt install ffmpeg) or ask for a .png");
        }
        return output_error("cannot write " + path_ + ": ffmpeg did not start: " + std::strerror(failure));
    }

    Status frame(const Image& image) override {
        if (done_ || failed_) return output_error("cannot write " + path_ + ": the video has already ended");
        const std::size_t size = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3;
        if (image.width != width_ || image.height != height_ || image.rgb.size() != size) {
            return output_error("cannot write " + path_ + ": a frame is " + std::to_string(image.width) + " x " +
                                std::to_string(image.height) + ", the video " + std::to_string(width_) + " x " +
                                std::to_string(height_) + "; render all frames at one size");
        }
        ++frames_;
        if (process_.write(image.rgb.data(), size)) return ok_status();
        return give_up();
    }

    Status finish() override {
        if (done_ || failed_) return output_error("cannot write " + path_ + ": the video has already ended");
        if (frames_ == 0) return output_error("cannot write " + path_ + ": the video has no frames");
        if (!process_.finish()) return give_up();
        done_ = true;
        return picture::rename_into_place(temporary_, path_);
    }

private:
    Status give_up() {
        failed_ = true;
        process_.finish();
        return output_error("cannot write " + path_ + ": ffmpeg failed: " + process_.complaint());
    }

    std::string path_, temporary_;
    int width_, height_;
    std::size_t frames_ = 0;
    bool done_ = false, failed_ = false;
    Process process_;
};

}  // namespace

Result<std::unique_ptr<VideoWriter>> VideoWriter::open(const std::string& path, int width, int height, double fps) {
    const std::string extension = lower_extension(path);
    if (extension != ".mp4" && extension != ".webp")
        return usage_error("cannot write " + path + ": a video ends in .mp4 or .webp");
    constexpr int largest = 8192;
    if (width < 1 || height < 1 || width > largest || height > largest)
        return usage_error("cannot write " + path + ": a video is 1 to 8192 pixels wide and high");
    if (!(fps >= 0.01 && fps <= 1000))
        return usage_error("cannot write " + path + ": choose 0.01 to 1000 frames a second");
    auto writer = std::make_unique<FfmpegWriter>(path, width, height);
    const Status started = writer->start(extension, fps);
    if (!started) return started.error();
    return std::unique_ptr<VideoWriter>(std::move(writer));
}

}  // namespace fascia
