// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/evidence_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "reports/output.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

tl::expected<void, std::string> write_file(const std::string& path, const std::string& text) {
  auto out = Output::to_file(path);
  if (!out) return tl::make_unexpected(out.error());
  out->put(text);
  return out->commit();
}

}  // namespace

tl::expected<EvidenceFolder, std::string> EvidenceFolder::create(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(path, error)) {
    if (!fs::is_directory(path, error))
      return tl::make_unexpected(fmt::format("--evidence {}: is not a folder", printable(path)));
    if (!fs::is_empty(path, error) || error)
      return tl::make_unexpected(fmt::format(
          "--evidence {}: is not empty; name a new folder, so that two certifications do not mix", printable(path)));
    return EvidenceFolder(path, false);
  }
  if (!fs::create_directories(path, error) || error)
    return tl::make_unexpected(fmt::format("--evidence {}: cannot be created: {}", printable(path), error.message()));
  return EvidenceFolder(path, true);
}

// Removes the whole content, since the folder was empty at first.
void EvidenceFolder::discard() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) fs::remove(entry.path(), ignored);
  if (is_made_) fs::remove(path_, ignored);
  files_.clear();
}

tl::expected<void, std::string> EvidenceFolder::write(const std::string& name, const std::string& text) {
  if (auto written = write_file(path_of(name), text); !written) return written;
  return take(name);
}

tl::expected<void, std::string> EvidenceFolder::take(const std::string& name) {
  auto digest = digest_of_file(path_of(name));
  if (!digest) return tl::make_unexpected(digest.error());
  files_.push_back({name, std::move(*digest)});
  return {};
}

tl::expected<void, std::string> EvidenceFolder::write_statement(const std::string& text,
                                                                const std::string& page) const {
  if (auto written = write_file(path_of(kPageFile), page); !written) return written;
  return write_file(path_of(kStatementFile), text);
}

std::string random_id() {
  std::random_device source;
  std::string id;
  for (int word = 0; word < 4; ++word) id += fmt::format("{:08x}", source());
  return id;
}

std::string now_in_words() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

std::string machine_in_words() {
  utsname name{};
  if (::uname(&name) != 0) return "unknown";
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

}  // namespace wirelaw
