// SPDX-License-Identifier: Apache-2.0
// Captures frames on a network interface of this machine, by libpcap, each as soon as the kernel has seen it.
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
  // Captures the frames that match `filter`, a pcap-filter(7) expression. A problem names the interface as its file.
  // Requires a privilege: CAP_NET_RAW on Linux.
  static tl::expected<LiveCapture, Problem> open(const std::string& interface, const std::string& filter);

  // Reads the next frame. Its octets are valid until the next call. False if there is none yet, or if problem() is set
  // and none will come. The frame has no number.
  bool next(Frame& frame);
  // The reason why no more frames will arrive: the interface is gone. The problem's file is the interface.
  const std::optional<Problem>& problem() const { return problem_; }
  // Readable if there are frames.
  int descriptor() const { return descriptor_; }
  // Number of frames so far that were dropped for lack of room, by the kernel or the interface.
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
