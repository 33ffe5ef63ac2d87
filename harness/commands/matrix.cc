// SPDX-License-Identifier: Apache-2.0
// wirelaw matrix: many results beside one another.
#include "reports/matrix.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/same_file.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    "Rows and columns have the names that you give them: peers and versions, servers and clients.\n\n"
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
