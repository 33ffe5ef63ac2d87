// SPDX-License-Identifier: Apache-2.0
// Many results side by side, by peer and version or by pairs of peers: which rules fail in which result.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reports/output.h"
#include "reports/result_file.h"

namespace wirelaw {

// The path of a result, and its name: "siw/6.1=siw.json".
struct MatrixPlace {
  std::string row, column, file;
  std::string report = {};  // URI reference that the cell links to; empty: none
};
// The error is one line.
tl::expected<MatrixPlace, std::string> matrix_place(std::string_view text);

struct MatrixCell {
  MatrixPlace place;
  ResultFile result;
};

// The overall verdict of a result.
struct Standing {
  std::string
      word;  // "fail", "warned", "pass"; "nothing" if nothing was judged; "peer-lost", … if the run was not completed
  std::size_t failed = 0, warned = 0, passed = 0;  // numbers of rules
};
Standing standing_of(const ResultFile& result);

struct Matrix {
  std::vector<std::string> rows, columns;  // in the order of first appearance
  std::vector<MatrixCell> cells;           // at most one for each row and column
};
// The error is one line.
tl::expected<Matrix, std::string> matrix_of(std::vector<MatrixCell> cells);

void write_matrix_markdown(const Matrix& matrix, Output& out);
void write_matrix_html(const Matrix& matrix, std::string_view version, Output& out);

}  // namespace wirelaw
