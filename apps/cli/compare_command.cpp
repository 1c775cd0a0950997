#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "bake_session.h"
#include "bound_character.h"
#include "command.h"
#include "console.h"
#include "fascia/fascia.h"
#include "frame_sinks.h"
#include "inputs.h"
#include "interrupt.h"
#include "output_paths.h"
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
        const Result<Settings> settings = resolve_settings(options.bake, methods[i], Flesh{});
        if (!settings) return settings.error();
        if (std::find(methods.begin(), methods.begin() + static_cast<std::ptrdiff_t>(i), methods[i]) !=
            methods.begin() + static_cast<std::ptrdiff_t>(i))
            return usage_error("the method '" + methods[i] + "' is listed twice in --methods");
    }
    if (options.bake.motion == "all") return usage_error("compare takes one motion; give its name to --motion");
    if (options.folder.empty()) return usage_error("where to? Give a folder with -o DIR");
    Status status = refuse_not_yet(options.bake);
    if (status) status = check_color(options.bake.color);
    if (status) status = check_folder(options.folder);
    if (!status) return status.error();
    return methods;
}

/// One file of the result, kept until all methods are through: a folder with half a comparison helps nobody.
struct Page {
    std::string name, text;
};

Status write_pages(const std::string& folder, const std::vector<Page>& pages, const Image& sheet) {
    Status status = make_folder(folder);
    for (const Page& page : pages)
        if (status)
            status = write_file_atomically(folder + "/" + page.name,
                                           {reinterpret_cast<const std::uint8_t*>(page.text.data()), page.text.size()});
    if (status) status = write_png(folder + "/sheet.png", sheet);
    return status;
}

Status compare(const CompareOptions& options) {
    const Result<std::vector<std::string>> methods = check_options(options);
    if (!methods) return methods.error();
    const BakeOptions& o = options.bake;
    const Result<Character> character = open_character(o.character);
    if (!character) return character.error();
    const Result<Flesh> flesh = resolve_flesh(o, *character);
    if (!flesh) return flesh.error();
    const Result<std::vector<MotionJob>> jobs = open_motions(o, *character);
    if (!jobs) return jobs.error();
    const MotionJob& job = jobs->front();
    const Result<FrameTimes> times = frame_times(o, job.clip, o.fps.value_or(60));
    if (!times) return times.error();

    // All methods are bound first, so that all rows can be looked at from the same place.
    std::vector<BoundRig> rigs;
    View view;
    for (const std::string& method : *methods) {
        const Result<BoundRig> bound = bind_method(*character, o, method, *flesh);
        if (!bound) return bound.error();
        rigs.push_back(*bound);
        BakeSession(*character, *bound->rig, job.clip, *times, session_settings(o))
            .include_motion(view, rigs.size() == 1);
    }

    ContactSheet sheet = make_sheet(*times);
    sheet.title(fmt::format("{}: {}", character->name, job.label));
    Painter painter(*character, view, o.color, thread_count(o));
    std::vector<std::vector<std::string>> rows{summary_headings()};
    rows[0][0] = "method";
    std::vector<Page> pages;
    std::vector<std::string> told;
    for (std::size_t i = 0; i < rigs.size(); ++i) {
        BakeSession session(*character, *rigs[i].rig, job.clip, *times, session_settings(o));
        FrameSinks sinks;
        sinks.push_back(make_sheet_rows(sheet, painter, (*methods)[i], *times, 1));
        Result<BakeMeasures> measures = session.run(sinks);
        if (!measures) return measures.error();
        const auto warnings = gather_warnings(*character, *flesh, job, *rigs[i].rig, *measures);
        const BakeRecord record{*character,      *rigs[i].rig,         job.label, *times,
                                rigs[i].bind_ms, std::move(*measures), warnings};
        rows.push_back(summary_row((*methods)[i], record));
        pages.push_back({(*methods)[i] + ".report.json", report_json(record)});
        for (const std::string& warning : warnings)
            if (std::find(told.begin(), told.end(), warning) == told.end()) told.push_back(warning);
    }
    pages.push_back({"table.txt", table(rows)});
    if (interrupted()) return output_error("interrupted");
    Status written = write_pages(options.folder, pages, sheet.finish());
    if (!written) return written;
    print_warnings(told, o.quiet);
    if (o.quiet) return ok_status();
    print_out(table(rows));
    print_out(fmt::format("wrote {0}/sheet.png, {0}/table.txt and a report of each method\n", options.folder));
    return ok_status();
}

}  // namespace

void add_compare_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("compare", "The same motion by several methods: a sheet, a table, reports");
    auto options = std::make_shared<CompareOptions>();
    add_character(*app, options->bake.character);
    app->add_option("--methods", options->methods, "Methods with commas between them")->type_name("A,B,C");
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
