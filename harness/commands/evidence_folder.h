// SPDX-License-Identifier: Apache-2.0
// The folder that a certification writes (harness/certify/evidence.h).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/certify/evidence.h"

namespace wirelaw {

class EvidenceFolder {
 public:
  // A folder that is not there yet, or has nothing in it: evidence of two certifications never mixes. The error is one
  // line.
  static tl::expected<EvidenceFolder, std::string> create(const std::string& path);

  std::string path_of(const std::string& name) const { return path_ + "/" + name; }
  tl::expected<void, std::string> write(const std::string& name, const std::string& text);
  // A file that another program has written there.
  tl::expected<void, std::string> take(const std::string& name);
  const std::vector<EvidenceFile>& files() const { return files_; }
  // Takes away what this certification has put there, so that the next may have the folder.
  void discard();
  // The files that were written, except the statement.
  tl::expected<void, std::string> write_statement(const std::string& text, const std::string& page) const;

 private:
  EvidenceFolder(std::string path, bool is_made) : path_(std::move(path)), is_made_(is_made) {}

  std::string path_;
  bool is_made_;  // true: created by us; false: it existed and was empty
  std::vector<EvidenceFile> files_;
};

std::string random_id();         // 128 bits, 32 hexadecimal digits
std::string now_in_words();      // "2026-01-31T12:00:00Z"
std::string machine_in_words();  // "Linux 6.1.0-18-amd64 x86_64"

}  // namespace wirelaw
