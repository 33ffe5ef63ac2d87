// SPDX-License-Identifier: Apache-2.0
// A responder with a buffer that its Reply advertises. It serves the operations of an initiator: it places Writes,
// echoes Sends, and answers Reads from the buffer.
#pragma once

#include "conformance/rdmap/probes/initiator_probe.h"

namespace wirelaw::rdmap {

class ServedInitiator : public InitiatorProbe {
 public:
  static constexpr std::uint32_t kStag = 0x2ead0001;
  static constexpr std::uint64_t kTo = 0x100000;
  static constexpr std::uint32_t kOctets = 65536;

  // Starts the initiator, and Full Operation. `reads`: limit of its outstanding Reads, if it asks for more (RFC 6581,
  // 9.1).
  explicit ServedInitiator(CaseRun& run, const TriggerRequest& trigger = {}, std::uint16_t reads = 0xffff);

  // The next message; a Write has been placed.
  Response take(Instant deadline);
  // The octets that a Read requests, and a complete answer with them.
  OctetBuffer data(const ReadRequest& read) const;
  void answer(const ReadRequest& read);
  void answer(const Response& request);  // answers a Read or an Atomic Operation; other messages need no answer
  // Serves until nothing more comes, or the initiator ends the connection or sends a Terminate. Returns that last
  // event.
  Response serve();
  // The number of echoes sent.
  unsigned echoed() const { return echoed_; }
  // The number of Write segments placed, and the STag of the first segment for another buffer.
  unsigned writes() const { return writes_; }
  std::optional<std::uint32_t> stray_write() const { return stray_write_; }

 private:
  void place(const ddp::Segment& write);
  void echo_in_segments(Octets data);

  OctetBuffer memory_ = OctetBuffer(kOctets);
  OctetBuffer message_;          // the Send that has begun
  bool indication_due_ = false;  // a ready-to-receive indication is due: an empty Send that is not from the application
  unsigned echoed_ = 0;
  unsigned writes_ = 0;
  std::optional<std::uint32_t> stray_write_;
};

// The Read Request that has come, if it is one.
std::optional<ReadRequest> read_request_in(const Response& answer);

}  // namespace wirelaw::rdmap
