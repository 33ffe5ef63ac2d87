// SPDX-License-Identifier: Apache-2.0
// Judges each violating sample of corpora/ as a user would: a file, with its port declared, and --complete. Findings of
// the observers alone (corpora/traces) must survive recognition, reassembly and evidence.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "harness/check/check_files.h"

namespace wirelaw {
namespace {

struct Samples {
  const char* protocol;
  std::vector<std::string> declared;
  std::size_t least;  // samples that there are at least
};
void PrintTo(const Samples& samples, std::ostream* out) {
  *out << samples.protocol;
}

std::vector<std::string> cut(const std::string& line, char separator) {
  std::vector<std::string> columns;
  std::istringstream text(line);
  for (std::string one; std::getline(text, one, separator);) columns.push_back(one);
  return columns;
}

// Octets after a FIN. TCP cannot carry them, so only the observer is given this sample.
constexpr std::string_view kBehindFin = "violating/MPA-7.2-1.pcapng";

class ViolatingSamples : public testing::TestWithParam<Samples> {};

TEST_P(ViolatingSamples, AreFoundInTheirFiles) {
  const std::string folder = std::string(WIRELAW_SOURCE_DIR "/corpora/") + GetParam().protocol + '/';
  std::ifstream table(folder + "EXPECTED.tsv");
  std::size_t seen = 0;
  for (std::string line; std::getline(table, line);) {
    const std::vector<std::string> row = cut(line, '\t');  // file, rule, severity, --revision, --feature
    if (row.size() < 3 || !row[0].starts_with("violating/")) continue;
    if (row[0] == kBehindFin) continue;
    ++seen;
    CheckOptions options;
    options.complete = true;
    if (row.size() > 3) options.revision = row[3];
    if (row.size() > 4) options.features = cut(row[4], ',');
    for (const std::string& one : GetParam().declared) options.decode_as.push_back(parse_decode_as(one).value());
    const std::vector<std::string> files{folder + row[0]};
    const FileResults judged = check_files(files, options);
    // In a complete capture, other connections may prove a violation that one connection can only warn about.
    const bool has_to_fail = row[2] == "violation";
    const auto is_it = [&](const Finding& one) {
      return one.rule->id == row[1] && !one.held_back && (!has_to_fail || one.severity == Severity::violation);
    };
    EXPECT_TRUE(std::ranges::any_of(judged.results.findings, is_it)) << row[0] << ": " << row[1];
  }
  EXPECT_GE(seen, GetParam().least);
}

INSTANTIATE_TEST_SUITE_P(Protocols, ViolatingSamples,
                         testing::Values(Samples{"efa", {"udp.port=21200,efa"}, 300},
                                         Samples{"ramcloud", {"udp.port=21200,ramcloud"}, 50},
                                         Samples{"rdmap", {"tcp.port=21200,rdmap"}, 150}, Samples{"smbd", {}, 50},
                                         Samples{"umsp", {"tcp.port=2110,umsp", "udp.port=2110,umsp"}, 250}),
                         [](const auto& one) { return std::string(one.param.protocol); });

}  // namespace
}  // namespace wirelaw
