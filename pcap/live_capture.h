// SPDX-License-Identifier: Apache-2.0
// The frames that pass a network interface of this machine, by libpcap, each as soon as the kernel has seen it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "pcap/frame.h"
#include "pcap/problem.h"

struct pcap;  // libpcap's pcap_t

namespace wirelaw::pcap {

class LiveCapture {
 public:
  // Of whatever `filter` lets through, in the language of pcap-filter(7). The problem's file is the interface. It takes
  // a privilege: on Linux CAP_NET_RAW.
  static tl::expected<LiveCapture, Problem> open(const std::string& interface, const std::string& filter);

  // The next frame that has come, whose octets are valid until the call after; false where there is none yet. It has no
  // number.
  bool next(Frame& frame);
  // Readable when frames have come.
  int descriptor() const { return descriptor_; }
  // Frames that the kernel had no room for, so far.
  std::uint64_t lost() const;

 private:
  struct Close {
    void operator()(struct ::pcap* capture) const;
  };
  explicit LiveCapture(std::unique_ptr<struct ::pcap, Close> capture);

  std::unique_ptr<struct ::pcap, Close> capture_;
  int link_type_ = 0;
  int descriptor_ = -1;
};

}  // namespace wirelaw::pcap
