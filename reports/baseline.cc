// SPDX-License-Identifier: Apache-2.0
#include "reports/baseline.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kHint = "a baseline is what `wirelaw check --format json -o FILE` wrote";

bool add_failed(const Json& document, const char* list, std::set<std::string>& ids) {
  const auto entries = document.find(list);
  if (entries == document.end() || !entries->is_array()) return false;
  for (const Json& entry : *entries) {
    if (!entry.is_object()) return false;
    const auto id = entry.find("id");
    const auto verdict = entry.find("verdict");
    if (id == entry.end() || !id->is_string() || verdict == entry.end() || !verdict->is_string()) return false;
    if (verdict->get_ref<const std::string&>() == "fail") ids.insert(id->get<std::string>());
  }
  return true;
}

}  // namespace

tl::expected<Baseline, std::string> parse_baseline(const std::string& name, const std::string& json) {
  const auto error = [&](std::string_view what) {
    return tl::make_unexpected(fmt::format("{}: {}; {}", printable(name), what, kHint));
  };
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) return error("is not JSON");
  if (!document.is_object()) return error("is not a result of wirelaw");
  const auto schema = document.find("schema");
  if (schema == document.end() || *schema != kResultSchema)
    return error(fmt::format("does not say \"schema\": \"{}\"", kResultSchema));
  Baseline baseline;
  if (!add_failed(document, "rules", baseline.failed_rules)) return error("has no usable list \"rules\"");
  if (!add_failed(document, "cases", baseline.failed_cases)) return error("has no usable list \"cases\"");
  return baseline;
}

tl::expected<Baseline, std::string> read_baseline(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  std::string text;
  std::size_t got = 0;
  char buffer[1 << 16];
  if (file)
    while ((got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0) text.append(buffer, got);
  if (!file || std::ferror(file.get()))
    return tl::make_unexpected(
        fmt::format("{}: the baseline cannot be read: {}", printable(path), std::strerror(errno)));
  return parse_baseline(path, text);
}

}  // namespace wirelaw
