// SPDX-License-Identifier: Apache-2.0
// The octets of a descriptor, inflated if they are gzip'd (RFC 1952), in constant memory.
#pragma once

#include <zlib.h>

#include <memory>
#include <span>
#include <string>

#include "pcap/descriptor.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

bool is_gzip(Octets head);

class OctetSource {
 public:
  explicit OctetSource(Descriptor descriptor);
  ~OctetSource();
  OctetSource(const OctetSource&) = delete;
  OctetSource& operator=(const OctetSource&) = delete;

  // Reads between 1 and out.size() octets. 0 at the end; error() is set if the end is early. Does not wait for more
  // than there is, so that a live pipe flows.
  std::size_t read(std::span<Octet> out);

  // The reason why the octets ended early. Empty if they did not.
  const std::string& error() const { return error_; }

 private:
  bool fill();   // reads more raw octets
  void begin();  // detects gzip
  std::size_t read_descriptor(std::span<Octet> out);
  std::size_t read_plain(std::span<Octet> out);
  std::size_t inflate_some(std::span<Octet> out);
  bool next_member();

  Descriptor descriptor_;
  OctetBuffer raw_;
  std::size_t begin_ = 0, end_ = 0;  // range of the raw octets that are not used yet
  std::unique_ptr<z_stream> inflater_;
  bool begun_ = false, finished_ = false;
  std::string error_;
};

}  // namespace wirelaw::pcap
