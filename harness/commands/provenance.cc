// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/provenance.h"

#include <filesystem>

#include "harness/certify/digest.h"
#include "harness/commands/command.h"
#include "harness/commands/evidence_folder.h"

namespace wirelaw {
namespace {

ReadFile read_file_of(const std::string& path) {
  ReadFile file{.name = path, .sha256 = {}, .why = {}};
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_regular_file(path, ignored)) {
    file.why = "not a regular file";
    return file;
  }
  const auto digest = digest_of_file(path);
  if (!digest) {
    file.why = digest.error();
    return file;
  }
  file.octets = digest->octets;
  file.sha256 = digest->sha256;
  return file;
}

}  // namespace

RunProvenance provenance_of(const std::string& started, const std::vector<NamedFile>& files) {
  RunProvenance all{
      .command = command_line(), .started = started, .ended = {}, .machine = machine_in_words(), .files = {}};
  for (const NamedFile& one : files) all.files.push_back(read_file_of(one.path));
  all.ended = now_in_words();
  return all;
}

}  // namespace wirelaw
