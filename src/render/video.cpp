// Encodes video by an ffmpeg child process that reads raw pixels from its standard input; no shell is involved.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/number_text.h"
#include "fascia/picture.h"
#include "render/encoder_process.h"
#include "render/film_check.h"

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
    Arguments arguments = {"ffmpeg",
                           "-hide_banner",
                           "-loglevel",
                           "error",
                           "-xerror",
                           "-nostdin",
                           "-y",
                           "-f",
                           "rawvideo",
                           "-pixel_format",
                           "rgb24",
                           "-video_size",
                           std::to_string(width) + "x" + std::to_string(height),
                           "-framerate",
                           number_text(fps, 6),
                           "-i",
                           "pipe:0"};
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

class FfmpegWriter final : public VideoWriter {
public:
    FfmpegWriter(std::unique_ptr<AtomicFile> file, std::string extension, int width, int height)
        : file_(std::move(file)), extension_(std::move(extension)), width_(width), height_(height) {}

    Status start(double fps) {
        const int failure = process_.start(ffmpeg_arguments(extension_, file_->written_to(), width_, height_, fps));
        if (failure == 0) return ok_status();
        if (failure == ENOENT)
            return failed("ffmpeg is not on the PATH; install it (Debian: apt install ffmpeg) or ask for a .png");
        return failed(std::string("ffmpeg did not start: ") + std::strerror(failure));
    }

    std::vector<std::string> names() const override { return {file_->path()}; }

    Status frame(const Image& image) override {
        if (sealed_ || failed_) return failed("the video has already ended");
        const std::size_t size = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3;
        if (image.width != width_ || image.height != height_ || image.rgb.size() != size) {
            return failed("a frame is " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                          ", the video " + std::to_string(width_) + " x " + std::to_string(height_) +
                          "; render all frames at one size");
        }
        ++frames_;
        if (process_.write(image.rgb.data(), size)) return ok_status();
        process_.finish();
        return give_up();
    }

    Status seal() override {
        if (failed_) return failed("the video has already ended");
        if (sealed_) return ok_status();
        if (frames_ == 0) return failed("the video has no frames");
        // ffmpeg may report success even though the disk was full.
        if (!process_.finish() || !picture::is_whole_film(file_->written_to(), extension_, frames_)) return give_up();
        sealed_ = true;
        return file_->seal();
    }

    Status publish() override {
        if (Status sealed = seal(); !sealed) return sealed;
        return file_->publish();
    }

private:
    Error failed(const std::string& why) const { return output_error("cannot write " + file_->path() + ": " + why); }

    Status give_up() {
        failed_ = true;
        const std::string complaint = process_.complaint();
        return failed("ffmpeg failed: " + (complaint.empty() ? "the film is cut short; is the disk full?" : complaint));
    }

    std::unique_ptr<AtomicFile> file_;  ///< ffmpeg writes it; destroyed after the process has ended
    std::string extension_;
    int width_, height_;
    std::size_t frames_ = 0;
    bool sealed_ = false, failed_ = false;
    picture::EncoderProcess process_;
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
    auto file = AtomicFile::create(path);  // a missing folder is reported before the first frame is rendered
    if (!file) return file.error();
    auto writer = std::make_unique<FfmpegWriter>(std::move(*file), extension, width, height);
    const Status started = writer->start(fps);
    if (!started) return started.error();
    return std::unique_ptr<VideoWriter>(std::move(writer));
}

}  // namespace fascia
