// SPDX-License-Identifier: Apache-2.0
// The address of fabric_peer for its peers, in one line that is also an argument:
//   fabric_peer ready peer=udp://127.0.0.1:40000?addr=0x7f0000000000&key=0x5e0005&length=8388608 connid=0x1234abcd
//   address=HEX version=libfabric-1.17 queue_pair=srd://127.0.0.1/40000/0x1234abcd?addr=…
// `peer=` may also be such an srd:// URI, which contains the connid.
// Words without a known name before '=' are ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/lab/fabric_endpoint.h"

namespace wirelaw::lab {

struct PeerAddress {
  RawAddress raw;
  std::uint64_t memory = 0;
  std::uint64_t length = 0;
  std::uint64_t key = 0;
};

struct UdpPlace {
  std::string host;  // an address, without brackets
  std::uint16_t port = 0;
};
// udp://127.0.0.1:PORT or udp://[::1]:PORT; what follows a '?' is ignored.
Result<UdpPlace> read_uri(std::string_view uri);

std::string ready_line(const PeerAddress& self, const std::string& version);
// Needs either address= or peer= with connid=. The error names what is missing or wrong.
Result<PeerAddress> read_ready_line(const std::string& line);

}  // namespace wirelaw::lab
