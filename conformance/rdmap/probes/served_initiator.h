// SPDX-License-Identifier: Apache-2.0
// The responder that has a buffer of its own, which its Reply advertises, and does what an initiator's operations ask
// for: Writes are placed, Sends come back, Reads are answered by what is there.
#pragma once

#include "conformance/rdmap/probes/initiator_probe.h"

namespace wirelaw::rdmap {

class ServedInitiator : public InitiatorProbe {
 public:
  static constexpr std::uint32_t kStag = 0x2ead0001;
  static constexpr std::uint64_t kTo = 0x100000;
  static constexpr std::uint32_t kOctets = 65536;

  // Starts the initiator, and Full Operation. `reads`: the Reads that it may have outstanding, where it asks for more
  // (RFC 6581, 9.1).
  explicit ServedInitiator(CaseRun& run, const TriggerRequest& trigger = {}, std::uint16_t reads = 0xffff);

  // The next message; a Write has been placed.
  Response take(Instant deadline);
  // The octets that a Read asks for, and a whole answer of them.
  OctetBuffer data(const ReadRequest& read) const;
  void answer(const ReadRequest& read);
  void answer(const Response& request);  // a Read, or an Atomic Operation; nothing else wants an answer
  // Serves until nothing more comes, the initiator ends, or terminates: gives that.
  Response serve();
  // Echoes that were sent by it.
  unsigned echoed() const { return echoed_; }
  // Segments of Writes that were placed, and the STag of the first that was to go to another buffer.
  unsigned writes() const { return writes_; }
  std::optional<std::uint32_t> stray_write() const { return stray_write_; }

 private:
  void place(const ddp::Segment& write);
  void echo_in_segments(Octets data);

  OctetBuffer memory_ = OctetBuffer(kOctets);
  OctetBuffer message_;          // the Send that has begun
  bool indication_due_ = false;  // a Send of no octets, which is no Send of the application
  unsigned echoed_ = 0;
  unsigned writes_ = 0;
  std::optional<std::uint32_t> stray_write_;
};

// The Read Request that has come, if it is one.
std::optional<ReadRequest> read_request_in(const Response& answer);

}  // namespace wirelaw::rdmap
