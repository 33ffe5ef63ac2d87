// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/digest.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "conformance/stack.h"
#include "harness/certify/sha256.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

void add(const Rule& rule, Sha256& to) {
  for (const std::string_view text : {rule.id, to_string(rule.level), rule.section, to_string(rule.observable),
                                      rule.summary, rule.note, to_string(rule.evidence)})
    to.add_text(text);
  to.add_text(fmt::format("{}", static_cast<int>(rule.subject)));
}

void add(const Case& one, Sha256& to) {
  for (const std::string_view text : {one.id, one.purpose}) to.add_text(text);
  to.add_text(fmt::format("{} {} {}", static_cast<int>(one.iut), static_cast<int>(one.needs), one.rules.size()));
  for (const Rule* rule : one.rules) to.add_text(rule->id);
}

struct Rulings {
  std::string_view protocol, sha256;
};
constexpr Rulings kRulings[] = {
#include <rulings.inc>
    {"", ""},
};

}  // namespace

std::string sha256_of(std::string_view octets) {
  Sha256 sum;
  sum.add(octets);
  return sum.finish();
}

tl::expected<FileDigest, std::string> digest_of_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))  // reading a pipe would block
    return tl::make_unexpected(fmt::format("{}: is no file", printable(path)));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  Sha256 sum;
  FileDigest digest;
  std::array<char, 1 << 16> buffer;
  std::size_t got = 0;
  while (file && (got = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0) {
    sum.add({buffer.data(), got});
    digest.octets += got;
  }
  if (!file || std::ferror(file.get()))
    return tl::make_unexpected(fmt::format("{}: cannot be read: {}", printable(path), std::strerror(errno)));
  digest.sha256 = sum.finish();
  return digest;
}

JudgedBy judged_by(const Protocol& protocol) {
  Sha256 rules, cases, rulings;
  for (const Protocol* one : stack_of(protocol, protocols())) {
    for (const Rule* rule : one->catalogue().rules()) add(*rule, rules);
    for (const Rulings& page : kRulings)
      if (page.protocol == one->name) rulings.add_text(page.sha256);
  }
  for (const Case& one : protocol.cases()) add(one, cases);
  return {.rules = rules.finish(), .cases = cases.finish(), .rulings = rulings.finish()};
}

}  // namespace wirelaw
