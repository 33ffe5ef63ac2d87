// SPDX-License-Identifier: Apache-2.0
// What a capture holds and this reader does not read, by the number that announces it: so that a report can say it, and
// so that frames which might hold a judged protocol are never part of a clean pass.
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

  // In the order in which they were first seen. At most kMostKinds; the frames of all others are in others().
  const std::vector<Kind>& kinds() const { return kinds_; }
  std::uint64_t others() const { return others_; }
  // Frames that might hold what is judged here: not ARP, ICMP, spanning trees and the like, which cannot.
  std::uint64_t suspects() const;
  // "3 frames of IPsec ESP, 1 frame of EtherType 0x1234 in geneve": suspects only, the most frequent first.
  std::string text() const;

 private:
  static constexpr std::size_t kMostKinds = 64;
  std::vector<Kind> kinds_;
  std::uint64_t others_ = 0;
};

// For people: "IPsec ESP", "EtherType 0x1234", "IP protocol 99".
std::string name_of(const Layer& layer);
bool is_known(const Layer& layer);  // it has a name

}  // namespace wirelaw::pcap
