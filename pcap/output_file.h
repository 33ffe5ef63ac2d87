// SPDX-License-Identifier: Apache-2.0
// A file that gets its name only when it is complete. Until commit() it is a temporary file in the same directory,
// which is removed if anything fails. Standard output ("-"), pipes and devices cannot be renamed and are written
// directly.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "pcap/descriptor.h"
#include "pcap/problem.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

class OutputFile {
 public:
  static tl::expected<OutputFile, Problem> create(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();  // removes the temporary file unless commit() was called

  // Octets are buffered before they are written. After an error, every call returns that error.
  tl::expected<void, Problem> append(Octets octets);
  tl::expected<void, Problem> flush();
  tl::expected<void, Problem> commit();

  const std::string& path() const { return path_; }

 private:
  OutputFile() = default;
  tl::expected<void, Problem> fail(int error);
  tl::expected<void, Problem> write_through();

  std::string path_;       // as the user named it
  std::string target_;     // final name of the temporary file; symbolic links are followed
  std::string temporary_;  // empty if the octets go to the target directly
  Descriptor descriptor_;
  OctetBuffer buffer_;
  int error_ = 0;
};

}  // namespace wirelaw::pcap
