// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "conformance/script/syntax.h"

namespace wirelaw {

std::optional<std::chrono::sys_seconds> time_of(const std::string& issued) {
  int year = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  char end = 0, more = 0;
  if (issued.size() != 20 || std::sscanf(issued.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u%c%c", &year, &month, &day, &hour,
                                         &minute, &second, &end, &more) != 7)
    return std::nullopt;
  const auto date = std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day};
  if (end != 'Z' || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
         std::chrono::seconds{second};
}

std::optional<std::chrono::sys_days> day_of(const std::string& issued) {
  const auto time = time_of(issued);
  return time ? std::optional(std::chrono::floor<std::chrono::days>(*time)) : std::nullopt;
}

bool is_file_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos && name != kStatementFile && name != kPageFile;
}

std::string scripts_sha256(const std::vector<EvidenceFile>& files) {
  std::string text;
  for (const EvidenceFile& one : files)
    if (one.name.ends_with(script::kFileSuffix)) text += fmt::format("{} {}\n", one.name, one.digest.sha256);
  return text.empty() ? text : sha256_of(text);
}

}  // namespace wirelaw
