// SPDX-License-Identifier: Apache-2.0
// wirelaw matrix: shows many results side by side.
#include "reports/matrix.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/same_file.h"
#include "reports/sarif.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    "Rows and columns have the names that you give them: peers and versions, servers and clients. A cell links to the\n"
    "page of its result, if there is one: NAME.html beside NAME.json, or report.html beside result.json. Otherwise it\n"
    "links to the result.\n\n"
    "Examples:\n"
    "  wirelaw matrix siw/6.1=siw-61.json siw/6.12=siw-612.json rxe/6.1=rxe.json > MATRIX.md\n"
    "  wirelaw matrix --format html -o matrix.html alpha/beta=ab.json beta/alpha=ba.json\n\n"
    "Exit status: 0 it was written; 2 wrong use, an input that is not a result, or output that could not be written.\n";

struct MatrixCommand {
  std::vector<std::string> places;
  std::string format = "markdown", file;
};

tl::expected<Matrix, std::string> matrix_from(const std::vector<MatrixPlace>& places) {
  std::vector<MatrixCell> cells;
  for (const MatrixPlace& place : places) {
    auto result =
        read_result_file(place.file, "a result is what `wirelaw check` or `wirelaw test` writes with --format json");
    if (!result) return tl::make_unexpected(result.error());
    cells.push_back({place, std::move(*result)});
  }
  return matrix_of(std::move(cells));
}

// The page of the result, as seen from the folder of the matrix; else the result itself. NAME.html is the page of
// NAME.json, and report.html that of result.json; beside another file, report.html may be the page of another run.
std::string report_beside(const std::string& result, const std::string& output) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path file(result), folder = fs::path(output).parent_path();
  std::vector<fs::path> pages{fs::path(file).replace_extension(".html")};
  if (file.filename() == "result.json") pages.push_back(file.parent_path() / "report.html");
  fs::path report = file;
  for (const fs::path& page : pages)
    if (report == file && page != fs::path(output) && fs::is_regular_file(page, ignored)) report = page;
  if (output == "-") return uri_reference(report.string());
  const fs::path seen = fs::relative(report, folder.empty() ? fs::path(".") : folder, ignored);
  return uri_reference(seen.empty() ? report.string() : seen.string());
}

int run(const MatrixCommand& command) {
  std::vector<MatrixPlace> places;
  std::vector<NamedFile> inputs;
  for (const std::string& text : command.places) {
    auto place = matrix_place(text);
    if (!place) return complain(place.error());
    inputs.push_back({"a result", place->file});
    places.push_back(std::move(*place));
  }
  const std::string output = command.file.empty() ? "-" : command.file;
  for (MatrixPlace& place : places) place.report = report_beside(place.file, output);
  if (const auto trouble = overwritten(inputs, {{"-o", output}})) return complain(*trouble);
  const auto matrix = matrix_from(places);
  if (!matrix) return complain(matrix.error());
  auto out = output == "-" ? Output::to_descriptor(STDOUT_FILENO, "standard output") : Output::to_file(output);
  if (!out) return complain(out.error());
  if (command.format == "html")
    write_matrix_html(*matrix, version(), *out);
  else
    write_matrix_markdown(*matrix, *out);
  return finish(*out);
}

}  // namespace

void add_matrix(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("matrix", "Show JSON results in a table: peers by version, or peers by peer");
  auto command = std::make_shared<MatrixCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "RESULT", command->places, "A cell and its result: ROW/COLUMN=FILE")->type_name("")->required();
  add_option(*app, "--format", command->format, "Output format (default markdown)")
      ->type_name("markdown|html")
      ->check(one_of({"markdown", "html"}));
  add_option(*app, "-o,--output", command->file, "Output file (default: standard output)")->type_name("FILE");
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
