// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/target_output.h"

#include <fmt/format.h>

#include <charconv>

#include "harness/campaign/started_process.h"

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostReport = 16 << 10;

// The number after `label`; 0 if the line does not have it.
std::uint64_t number_behind(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  std::uint64_t number = 0;
  if (at != std::string_view::npos) std::from_chars(line.data() + at + label.size(), line.data() + line.size(), number);
  return number;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

// The report of an oracle of the target (fuzz/target.h, fuzz/report_finding.h).
std::optional<std::string> oracle_of(const std::string& output) {
  constexpr std::string_view kBroken = "\nbroken: ", kRule = "an honest endpoint is found to break ";
  const std::size_t at = ("\n" + output).find(kBroken);
  if (at == std::string::npos) return std::nullopt;
  const std::string_view what = first_line(std::string_view(output).substr(at + kBroken.size() - 1));
  if (!what.starts_with(kRule)) return fmt::format("broken {}", what);
  return fmt::format("rule {}", what.substr(kRule.size(), what.find(' ', kRule.size()) - kRule.size()));
}

struct EngineFault {
  std::string_view said, signature;
};
constexpr EngineFault kEngineFaults[] = {{"ERROR: libFuzzer: timeout", "timeout"},
                                         {"ERROR: libFuzzer: out-of-memory", "memory"},
                                         {"ERROR: libFuzzer: fuzz target exited", "exited"},
                                         {"ERROR: libFuzzer: deadly signal", "died"}};

}  // namespace

std::optional<TargetStatus> status_of(std::string_view line) {
  if (!line.starts_with('#') || line.find("cov: ") == std::string_view::npos) return std::nullopt;
  const std::size_t tab = line.find('\t');
  return TargetStatus{.runs = number_behind(line, "#"),
                      .coverage = number_behind(line, "cov: "),
                      .features = number_behind(line, "ft: "),
                      .corpus = number_behind(line, "corp: "),
                      .rate = number_behind(line, "exec/s: "),
                      .is_new = tab != std::string_view::npos && line.substr(tab + 1).starts_with("NEW")};
}

std::optional<std::uint64_t> runs_done(std::string_view line) {
  if (!line.starts_with("Done ") || line.find(" runs in ") == std::string_view::npos) return std::nullopt;
  return number_behind(line, "Done ");
}

std::optional<TargetFault> fault_of(const std::string& output) {
  const auto from = [&](std::size_t at) { return output.substr(at, kMostReport); };
  if (const auto oracle = oracle_of(output)) return TargetFault{*oracle, from(output.find("broken: "))};
  if (const auto report = sanitizer_report(output))
    return TargetFault{fmt::format("sanitizer {} in {}", report->what, report->frames), report->text};
  for (const EngineFault& fault : kEngineFaults)
    if (const std::size_t at = output.find(fault.said); at != std::string::npos)
      return TargetFault{std::string(fault.signature), from(at)};
  return std::nullopt;
}

std::string artifact_of(const std::string& output) {
  constexpr std::string_view kWritten = "Test unit written to ";
  const std::size_t at = output.rfind(kWritten);
  return at == std::string::npos ? "" : std::string(first_line(std::string_view(output).substr(at + kWritten.size())));
}

}  // namespace wirelaw::campaign
