// SPDX-License-Identifier: Apache-2.0
// The source of the frames that pass on the network during a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "pcap/frame.h"

namespace wirelaw {

class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // The name for messages: "eth0".
  virtual const std::string& name() const = 0;
  // The next frame that has arrived. Its octets are valid until the next call. False if there is none yet.
  virtual bool next(pcap::Frame& frame) = 0;
  // Waits until a frame has arrived, or for `time`.
  virtual void wait(std::chrono::nanoseconds time) = 0;
  // The number of frames so far that passed but were not captured.
  virtual std::uint64_t lost() const = 0;
};

// A network interface of this machine; `filter` (pcap-filter(7)) selects its frames. The error is one line.
tl::expected<std::unique_ptr<FrameSource>, std::string> capture_on(const std::string& interface,
                                                                   const std::string& filter);

// True if the note's address is unspecified: 0.0.0.0 or ::.
bool is_unspecified(const std::string& note);

// Returns a filter for the connections of the IUT. `note` is Iut::capture_note().
std::string capture_filter(const std::string& note);

}  // namespace wirelaw
