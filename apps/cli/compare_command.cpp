#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "bake_session.h"
#include "bound_character.h"
#include "close_ups.h"
#include "command.h"
#include "console.h"
#include "fascia/fascia.h"
#include "frame_sinks.h"
#include "inputs.h"
#include "interrupt.h"
#include "kept_inputs.h"
#include "output_paths.h"
#include "picture_plan.h"
#include "report.h"

namespace fascia::cli {

namespace {

struct CompareOptions {
    BakeOptions bake;
    std::string methods, folder;
};

std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> words(1);
    for (char c : text) {
        if (c == ',')
            words.emplace_back();
        else if (c != ' ')
            words.back() += c;
    }
    words.erase(std::remove(words.begin(), words.end(), ""), words.end());
    return words;
}

Result<std::vector<std::string>> check_options(const CompareOptions& options) {
    const std::vector<std::string> methods = split_list(options.methods);
    if (methods.empty()) return usage_error("which methods? Give two or more, such as --methods lbs,dqs");
    for (std::size_t i = 0; i < methods.size(); ++i) {
        if (const Status known = check_method(methods[i]); !known) return known.error();
        if (std::find(methods.begin(), methods.begin() + static_cast<std::ptrdiff_t>(i), methods[i]) !=
            methods.begin() + static_cast<std::ptrdiff_t>(i))
            return usage_error("the method '" + methods[i] + "' is listed twice in --methods");
    }
    if (options.bake.motion == "all") return usage_error("compare takes one motion; give its name to --motion");
    if (options.folder.empty()) return usage_error("where to? Give a folder with -o DIR");
    if (const Status folder = check_folder(options.folder); !folder) return folder.error();
    return methods;
}

/// One file of the result, kept until all methods are done: a folder with half a comparison helps nobody.
struct Page {
    std::string name, text;
};

Status write_pages(const std::string& folder, const std::vector<Page>& pages, const Image& sheet) {
    Outputs outputs;
    for (const Page& page : pages) {
        auto output = stage_file(folder + "/" + page.name,
                                 {reinterpret_cast<const std::uint8_t*>(page.text.data()), page.text.size()});
        if (!output) return output.error();
        outputs.push_back(std::move(*output));
    }
    auto picture = stage_png(folder + "/sheet.png", sheet);
    if (!picture) return picture.error();
    outputs.push_back(std::move(*picture));
    return publish_together(outputs);
}

/// A new folder that could not be filled is removed again.
Status fill_folder(const std::string& folder, const std::vector<Page>& pages, const Image& sheet) {
    std::error_code code;
    const bool is_new = !std::filesystem::exists(folder, code);
    Status status = make_folder(folder);
    if (status) status = write_pages(folder, pages, sheet);
    if (!status && is_new) std::filesystem::remove(folder, code);
    return status;
}

/// Nothing that is read may be overwritten by what goes into the folder.
Status check_kept(const CompareOptions& options, const std::vector<std::string>& methods, const KeptInputs& inputs) {
    std::vector<std::string> names{options.folder + "/table.txt", options.folder + "/sheet.png"};
    for (const std::string& method : methods) names.push_back(options.folder + "/" + method + ".report.json");
    return inputs.check(names);
}

/// What all methods have in common.
struct Comparison {
    const CompareOptions& options;
    const Character& character;
    const Flesh& flesh;
    const MotionJob& job;
    FrameTimes times;
    std::vector<std::string> methods;
    const WorldScene* world;  ///< or null
};

/// The results, method by method.
struct Outcome {
    std::vector<std::vector<std::string>> rows;
    std::vector<Page> pages;
    std::vector<std::string> warnings;  ///< each one once
};

BakeSession open_session(const Comparison& c, const BoundRig& bound) {
    SessionSettings settings = session_settings(c.options.bake, bound, c.world);
    settings.penetration = true;
    return {c.character, *bound.rig, c.job.clip, c.times, settings};
}

/// All methods are bound first, so that a mistake in the last one is reported before the first has run.
Result<std::vector<BoundRig>> bind_all(const Comparison& c) {
    std::vector<BoundRig> rigs;
    for (const std::string& method : c.methods) {
        BakeOptions own = c.options.bake;
        // Methods without points inside the body have no other way to carry the surface.
        if (find_method_info(method)->abilities.embeddings.empty()) own.embed = {};
        const Result<BoundRig> bound = bind_method(c.character, own, method, c.flesh, {c.job});
        if (!bound) return bound.error();
        rigs.push_back(*bound);
    }
    return rigs;
}

/// The pictures of all methods, which show the same frames.
struct Pictures {
    std::vector<std::size_t> frames;
    ContactSheet sheet;
    Painter painter;
    CloseUps close_ups;
};

Pictures start_pictures(const Comparison& c) {
    const BakeOptions& o = c.options.bake;
    const PictureSize cell = o.pictures.cell();
    const std::vector<std::size_t> frames = spread_frames(c.times, sheet_columns);
    const MotionView camera =
        plan_pictures(c.character, c.job.clip, c.times, frames, o.pictures, cell, Zoom::by_picture);
    Pictures pictures{frames, make_sheet(c.times, cell), Painter(c.character, camera, cell, o.color, thread_count(o)),
                      CloseUps(c.character)};
    pictures.sheet.title(fmt::format("{}: {}", c.character.name, c.job.label));
    return pictures;
}

Status run_method(const Comparison& c, const std::string& method, const BoundRig& bound, Pictures& pictures,
                  Outcome& outcome) {
    FrameSinks sinks;
    pictures.painter.show(*bound.rig);
    sinks.push_back(make_sheet_rows(pictures.sheet, pictures.painter, method, pictures.frames));
    sinks.push_back(pictures.close_ups.watch(method, pictures.frames));
    Result<BakeMeasures> measures = open_session(c, bound).run(sinks);
    if (!measures) return measures.error();
    const auto warnings = gather_warnings(c.character, c.flesh, c.job, *bound.rig, *measures);
    const BakeRecord record{c.character,   *bound.rig,           c.job.label, c.times,
                            bound.bind_ms, std::move(*measures), warnings};
    outcome.rows.push_back(summary_row(method, record));
    outcome.pages.push_back({method + ".report.json", report_json(record)});
    for (const std::string& warning : warnings)
        if (std::find(outcome.warnings.begin(), outcome.warnings.end(), warning) == outcome.warnings.end())
            outcome.warnings.push_back(warning);
    return ok_status();
}

Status run_comparison(const Comparison& c) {
    const Result<std::vector<BoundRig>> rigs = bind_all(c);
    if (!rigs) return rigs.error();
    const BakeOptions& o = c.options.bake;
    // Methods that have no layers may stand beside those that do.
    const auto shows = [&](const BoundRig& bound) { return check_color(o.color, *bound.rig).ok(); };
    if (std::none_of(rigs->begin(), rigs->end(), shows)) return check_color(o.color, *rigs->front().rig);
    Pictures pictures = start_pictures(c);
    Outcome outcome{{summary_headings()}, {}, {}};
    outcome.rows[0][0] = "method";
    for (std::size_t i = 0; i < rigs->size(); ++i) {
        Status status = run_method(c, c.methods[i], (*rigs)[i], pictures, outcome);
        if (!status) return status;
    }
    pictures.close_ups.add_row(pictures.painter, sheet_columns, pictures.sheet);
    outcome.pages.push_back({"table.txt", table(outcome.rows)});
    if (interrupted()) return output_error("interrupted");
    Status written = fill_folder(c.options.folder, outcome.pages, pictures.sheet.finish());
    if (!written) return written;
    print_warnings(outcome.warnings, o.quiet);
    if (o.quiet) return ok_status();
    print_out(table(outcome.rows));
    print_out(
        fmt::format("wrote {0}/sheet.png, {0}/table.txt and a report of each method\n", printable(c.options.folder)));
    return ok_status();
}

Status compare(const CompareOptions& options) {
    const Result<std::vector<std::string>> methods = check_options(options);
    if (!methods) return methods.error();
    const BakeOptions& o = options.bake;
    Result<Character> character = open_character(o.character);
    // All methods get the same weights; only a method that runs alone may compute its own.
    if (character)
        character = prepare_character(o, methods->size() == 1 ? methods->front() : "", std::move(*character));
    if (!character) return character.error();
    if (const Status attached = attach_files(o, *character); !attached) return attached;
    if (const Status close = check_close(o.pictures, *character); !close) return close;
    const Result<Flesh> flesh = resolve_flesh(o, *character, *methods);
    if (!flesh) return flesh.error();
    KeptInputs inputs = inputs_of(o);
    inputs.add_mask(*flesh);
    if (const Status kept = check_kept(options, *methods, inputs); !kept) return kept;
    const Result<std::vector<MotionJob>> jobs = open_motions(o, *character);
    if (!jobs) return jobs.error();
    const Result<FrameTimes> times = frame_times(o, jobs->front().clip, o.fps.value_or(60));
    if (!times) return times.error();
    const Result<std::optional<WorldScene>> world = open_world(o, *character);
    if (!world) return world.error();
    return run_comparison({options, *character, *flesh, jobs->front(), *times, *methods, *world ? &**world : nullptr});
}

}  // namespace

void add_compare_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("compare", "The same motion by several methods: a sheet, a table, reports");
    auto options = std::make_shared<CompareOptions>();
    add_character(*app, options->bake.character);
    app->add_option("--methods", options->methods, "Methods, separated by commas")->type_name("A,B,C");
    app->add_option("-o,--output", options->folder, "Folder for sheet.png, table.txt and METHOD.report.json")
        ->type_name("DIR");
    add_shared_options(*app, options->bake);
    app->footer(
        "Examples:\n"
        "  fascia compare bunny --methods lbs,dqs --motion jump -o comparison\n"
        "  fascia compare tube --methods lbs,dqs --motion twist --color strain -o twist");
    app->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace fascia::cli
