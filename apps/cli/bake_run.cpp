#include "bake_run.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "bake_session.h"
#include "bound_character.h"
#include "frame_sinks.h"
#include "inputs.h"
#include "interrupt.h"
#include "kept_inputs.h"
#include "output_paths.h"
#include "picture_plan.h"
#include "report.h"

namespace fascia::cli {

namespace {

/// Everything that the motions of one bake share.
struct Bake {
    const BakeOptions& options;
    const Character& character;
    const Flesh& flesh;
    const BoundRig& bound;
    const KeptInputs& inputs;
    const WorldScene* world;  ///< or null
};

/// The picture of one motion; lives as long as its sink.
struct Preview {
    std::string path;
    Painter painter;
    std::optional<ContactSheet> sheet;  ///< for .png
};

Result<std::unique_ptr<Preview>> open_preview(const Bake& bake, const std::string& path, const MotionJob& job,
                                              const FrameTimes& times, FrameSinks& sinks) {
    constexpr std::size_t rows = 2, framed_of_a_film = 240;
    const BakeOptions& o = bake.options;
    const bool is_sheet = extension_of(path) == ".png";
    const PictureSize size = is_sheet ? o.pictures.cell() : o.pictures.film();
    const std::vector<std::size_t> shown = spread_frames(times, is_sheet ? rows * sheet_columns : framed_of_a_film);
    const MotionView camera = plan_pictures(bake.character, job.clip, times, shown, o.pictures, size,
                                            is_sheet ? Zoom::by_picture : Zoom::steady);
    auto preview =
        std::make_unique<Preview>(Preview{path, Painter(bake.character, camera, size, o.color, thread_count(o)), {}});
    preview->painter.show(*bake.bound.rig);
    if (is_sheet) {
        preview->sheet = make_sheet(times, size);
        preview->sheet->title(fmt::format("{}: {}", bake.character.name, job.label));
        sinks.push_back(make_sheet_rows(*preview->sheet, preview->painter, o.method, shown));
        return preview;
    }
    Result<std::unique_ptr<FrameSink>> film = open_film_sink(path, preview->painter, o.method, times);
    if (!film) return film.error();
    sinks.push_back(std::move(*film));
    return preview;
}

Status open_files(const Bake& bake, const OutputPaths& paths, const FrameTimes& times, std::size_t glb_stride,
                  FrameSinks& sinks) {
    for (const std::string& path : paths.frames) {
        const std::size_t stride = extension_of(path) == ".glb" ? glb_stride : 1;
        Result<std::unique_ptr<FrameSink>> sink = open_file_sink(path, bake.character, bake.options, times, stride);
        if (!sink) return sink.error();
        sinks.push_back(std::move(*sink));
    }
    return ok_status();
}

/// Holds back each finished file until all of them are finished.
Status keep(Result<std::unique_ptr<Output>> output, Outputs& outputs) {
    if (!output) return output.error();
    outputs.push_back(std::move(*output));
    return ok_status();
}

/// Some outputs write more than the file they are named after, such as an OBJ's materials; only they know which.
Status check_sinks(const KeptInputs& inputs, const FrameSinks& sinks) {
    for (const auto& sink : sinks)
        if (Output* output = sink->output())
            if (Status kept = inputs.check(output->names()); !kept) return kept;
    return ok_status();
}

Result<BakeMeasures> run_session(const Bake& bake, const MotionJob& job, const FrameTimes& times,
                                 const OutputPaths& paths, Outputs& outputs) {
    BakeSession session(bake.character, *bake.bound.rig, job.clip, times,
                        session_settings(bake.options, bake.bound, bake.world));

    std::unique_ptr<Preview> preview;  // declared before the sinks, which draw with it
    FrameSinks sinks;
    const Status opened = open_files(bake, paths, times, frame_rates(bake.options).glb_stride, sinks);
    if (!opened) return opened.error();
    if (!paths.preview.empty()) {
        auto result = open_preview(bake, paths.preview, job, times, sinks);
        if (!result) return result.error();
        preview = std::move(*result);
    }
    if (const Status kept = check_sinks(bake.inputs, sinks); !kept) return kept.error();
    Result<BakeMeasures> measures = session.run(sinks);
    if (!measures) return measures;
    for (const auto& sink : sinks)
        if (auto output = sink->take_output()) outputs.push_back(std::move(output));
    if (preview && preview->sheet) {
        const Status kept = keep(stage_png(paths.preview, preview->sheet->finish()), outputs);
        if (!kept) return kept.error();
    }
    return measures;
}

Status bake_motion(const Bake& bake, const MotionJob& job, const FrameTimes& times, const OutputPaths& paths,
                   Outputs& outputs, BakeSummary& summary) {
    Result<BakeMeasures> measures = run_session(bake, job, times, paths, outputs);
    if (!measures) return measures.error();
    const auto warnings = gather_warnings(bake.character, bake.flesh, job, *bake.bound.rig, *measures);
    const BakeRecord record{bake.character,     *bake.bound.rig,      job.label, times,
                            bake.bound.bind_ms, std::move(*measures), warnings};
    if (!paths.report.empty()) {
        const std::string text = report_json(record);
        Status kept =
            keep(stage_file(paths.report, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}), outputs);
        if (!kept) return kept;
    }
    summary.warnings.insert(summary.warnings.end(), warnings.begin(), warnings.end());
    summary.rows.push_back(summary_row(fmt::format("{} {}", bake.bound.rig->method(), job.label), record));
    for (const std::string& path : paths.all()) summary.files.push_back(path);
    return ok_status();
}

/// When each motion is sampled; a mistake in the last one is reported before the first is baked.
Result<std::vector<FrameTimes>> all_times(const BakeOptions& options, const std::vector<MotionJob>& jobs) {
    std::vector<FrameTimes> out;
    for (const MotionJob& job : jobs) {
        const Result<FrameTimes> times = frame_times(options, job.clip, frame_rates(options).fps);
        if (!times) return times.error();
        out.push_back(*times);
    }
    return out;
}

/// Every check of the command line that needs no file.
Status check_options(const BakeOptions& options, const KeptInputs& inputs) {
    Status status = check_method(options.method);
    if (status && options.outputs.empty() && options.report.empty() && options.preview.empty())
        status = usage_error("where to? Give at least one -o NAME.glb, .pc2, .mdd, .usda or .obj");
    if (status) status = check_outputs(options, inputs);
    return status;
}

}  // namespace

Result<BakeSummary> run_bake(const BakeOptions& options) {
    KeptInputs inputs = inputs_of(options);
    if (const Status checked = check_options(options, inputs); !checked) return checked.error();
    Result<Character> character = open_character(options.character);
    if (character) character = prepare_character(options, options.method, std::move(*character));
    if (!character) return character.error();
    if (const Status attached = attach_files(options, *character); !attached) return attached.error();
    if (const Status close = check_close(options.pictures, *character); !close) return close.error();
    const Result<Flesh> flesh = resolve_flesh(options, *character, {options.method});
    if (!flesh) return flesh.error();
    const Result<std::vector<MotionJob>> jobs = open_motions(options, *character);
    if (!jobs) return jobs.error();
    const Result<std::vector<FrameTimes>> times = all_times(options, *jobs);
    if (!times) return times.error();
    const Result<std::optional<WorldScene>> world = open_world(options, *character);
    if (!world) return world.error();
    inputs.add_mask(*flesh);
    for (const MotionJob& job : *jobs) {
        const Status kept = inputs.check(output_paths(options, job.file_part, options.motion == "all").all());
        if (!kept) return kept.error();
    }
    const Result<BoundRig> bound = bind_method(*character, options, options.method, *flesh, *jobs);
    if (!bound) return bound.error();
    if (const Status color = check_color(options.color, *bound->rig); !color) return color.error();

    BakeSummary summary;
    summary.rows.push_back(summary_headings());
    const Bake bake{options, *character, *flesh, *bound, inputs, *world ? &**world : nullptr};
    Outputs outputs;
    for (std::size_t i = 0; i < jobs->size(); ++i) {
        const MotionJob& job = (*jobs)[i];
        const OutputPaths paths = output_paths(options, job.file_part, options.motion == "all");
        const Status baked = bake_motion(bake, job, (*times)[i], paths, outputs, summary);
        if (!baked) return baked.error();
    }
    if (interrupted()) return output_error("interrupted");
    if (const Status published = publish_together(outputs); !published) return published.error();
    print_warnings(summary.warnings, options.quiet);
    return summary;
}

}  // namespace fascia::cli
