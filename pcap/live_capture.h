// SPDX-License-Identifier: Apache-2.0
// The frames that pass a network interface of this machine, by libpcap, each as soon as the kernel has seen it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "pcap/frame.h"
#include "pcap/problem.h"

struct pcap;  // libpcap's pcap_t

namespace wirelaw::pcap {

class LiveCapture {
 public:
  // Captures what `filter` lets through, in the language of pcap-filter(7). A problem names the interface as its file.
  // This needs a privilege: on Linux CAP_NET_RAW.
  static tl::expected<LiveCapture, Problem> open(const std::string& interface, const std::string& filter);

  // The next frame that has come, whose octets are valid until the call after; false if there is none yet, or if
  // none will come any more, as problem() says. It has no number.
  bool next(Frame& frame);
  // Why no more frames come: the interface has gone. Its file is the interface.
  const std::optional<Problem>& problem() const { return problem_; }
  // Readable when frames have come.
  int descriptor() const { return descriptor_; }
  // Frames that the kernel or the interface had no room for, so far.
  std::uint64_t lost() const;

 private:
  struct Close {
    void operator()(struct ::pcap* capture) const;
  };
  LiveCapture(std::string interface, std::unique_ptr<struct ::pcap, Close> capture);

  std::string interface_;
  std::unique_ptr<struct ::pcap, Close> capture_;
  int link_type_ = 0;
  int descriptor_ = -1;
  std::optional<Problem> problem_;
};

}  // namespace wirelaw::pcap
