// SPDX-License-Identifier: Apache-2.0
// Counts the frames that this reader does not read, by the number that announces their content. So a report can name
// them, and frames that might hold a judged protocol are never part of a clean pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pcap/carriers.h"

namespace wirelaw::pcap {

class Unread {
 public:
  struct Kind {
    Layer layer;
    const char* carrier = nullptr;  // the innermost tag or tunnel that has a name
    std::uint64_t frames = 0;
  };

  void add(const Layer& layer, const char* carrier = nullptr);

  // Kinds in the order of their first appearance, at most kMostKinds. The frames of all other kinds are in others().
  const std::vector<Kind>& kinds() const { return kinds_; }
  std::uint64_t others() const { return others_; }
  // Number of frames that might hold a judged protocol. ARP, ICMP, spanning trees and the like cannot.
  std::uint64_t suspects() const;
  // "3 frames of IPsec ESP, 1 frame of EtherType 0x1234 in geneve": suspects only, the most frequent first.
  std::string text() const;

 private:
  static constexpr std::size_t kMostKinds = 64;
  std::vector<Kind> kinds_;
  std::uint64_t others_ = 0;
};

// The name shown to users: "IPsec ESP", "EtherType 0x1234", "IP protocol 99".
std::string name_of(const Layer& layer);
bool is_known(const Layer& layer);  // true if the layer has a name

}  // namespace wirelaw::pcap
