// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name only when it is whole: until commit() it is a temporary beside it, which goes
// away when anything fails. Standard output ("-"), pipes and devices cannot be renamed and are written directly.
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
  ~OutputFile();  // without commit() nothing remains

  // Octets reach the system once there are enough of them. After an error every call gives that error.
  tl::expected<void, Problem> append(Octets octets);
  tl::expected<void, Problem> flush();
  tl::expected<void, Problem> commit();

  const std::string& path() const { return path_; }

 private:
  OutputFile() = default;
  tl::expected<void, Problem> fail(int error);
  tl::expected<void, Problem> write_through();

  std::string path_;       // as the user named it
  std::string target_;     // what the temporary becomes; symbolic links are followed
  std::string temporary_;  // empty if the octets go to the target directly
  Descriptor descriptor_;
  OctetBuffer buffer_;
  int error_ = 0;
};

}  // namespace wirelaw::pcap
