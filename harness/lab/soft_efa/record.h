// SPDX-License-Identifier: Apache-2.0
// Writes the packets that a device sends and receives into a pcap file: LINKTYPE_WIRESHARK_UPPER_PDU with the dissector
// name efa_rdm, the GIDs as IPv6 addresses, the QPNs as ports. The order is that in which the device handled them.
#pragma once

#include <sys/uio.h>

#include <span>
#include <string>

#include "harness/lab/soft_efa/socket.h"

namespace wirelaw::soft_efa {

class Record {
 public:
  // %p in the name is the process ID. An empty name records nothing.
  explicit Record(const std::string& name);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  ~Record();

  bool ok() const { return !failed_; }  // the file could be created
  // The first `octets` of what `parts` hold. Each packet is one write, so that a killed process leaves whole packets.
  void packet(const Peer& from, const Peer& to, std::span<const iovec> parts, std::size_t octets);

 private:
  int fd_ = -1;
  bool failed_ = false;
};

}  // namespace wirelaw::soft_efa
