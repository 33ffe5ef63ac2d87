// SPDX-License-Identifier: Apache-2.0
// A builder of iWARP traces: an honest connection, which a trace changes in one field.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "corpora/traces/trace.h"
#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::corpora {

class RdmapTraceBuilder {
 public:
  static constexpr bool kIsStream = true;

  using StartEdit = std::function<void(mpa::StartFrame&)>;  // changes the honest frame
  using HeaderEdit = std::function<void(ddp::Header&)>;     // changes the honest DDP header
  using Faults = mpa::FramingFaults;

  // --- the start. Side a is the initiator. The honest frames: revision 1, CRC, no markers, no private data.
  void open();  // both SYNs; an MSS of 1460
  void request(const StartEdit& edit = {}, OctetBuffer private_data = {});
  void reply(const StartEdit& edit = {}, OctetBuffer private_data = {});
  void start();  // open, request, reply
  // As start(), but in revision 2 with enhanced data, and followed by the RTR. Unless edited, the connection is peer to
  // peer and the RTR is a zero-length Write.
  using EnhancedEdit = std::function<void(mpa::EnhancedData&)>;
  void enhanced_start(const EnhancedEdit& request = {}, const EnhancedEdit& reply = {});
  // Sets how a side frames its FPDUs from now on, if that differs from what the start frames negotiated.
  void frame_with(Side side, bool markers, bool crc);

  // --- messages of one segment; the builder numbers them (MSN)
  void send(Side side, Octets payload, rdmap::Opcode opcode = rdmap::Opcode::send, std::uint32_t invalidate = 0,
            const HeaderEdit& edit = {}, const Faults& faults = {});
  void write(Side side, Octets payload, std::uint32_t stag = kStag, std::uint64_t to = 0, const HeaderEdit& edit = {},
             const Faults& faults = {});
  void read_request(Side side, const rdmap::ReadRequest& request = kRead, const HeaderEdit& edit = {});
  void read_response(Side side, Octets payload, const rdmap::ReadRequest& request = kRead, const HeaderEdit& edit = {});
  void read(Side requester, const rdmap::ReadRequest& request = kRead);  // a request and its honest response
  void terminate(Side side, const rdmap::Terminate& terminate, const HeaderEdit& edit = {});
  // RFC 7306
  void immediate_data(Side side, Octets data, rdmap::Opcode opcode = rdmap::Opcode::immediate_data,
                      const HeaderEdit& edit = {});
  void atomic_request(Side side, const rdmap::AtomicRequest& request = kFetchAdd, const HeaderEdit& edit = {});
  void atomic_response(Side side, const rdmap::AtomicResponse& response = {.request_identifier = kIdentifier},
                       const HeaderEdit& edit = {});

  // --- segments: an honest header of the next message of that kind; does not advance the MSN
  ddp::Header untagged(Side side, rdmap::Opcode opcode) const;
  static ddp::Header tagged(rdmap::Opcode opcode, std::uint32_t stag, std::uint64_t to);
  void segment(Side side, const ddp::Header& header, Octets payload, const Faults& faults = {});
  // Ends a message: the next one on this queue gets the next MSN.
  void numbered(Side side, std::uint32_t queue) { ++msn_[index(side)][queue & 3]; }
  void fpdu(Side side, Octets ulpdu, const Faults& faults = {});

  // --- anything
  void octets(Side side, OctetBuffer octets);
  void gap(Side side, std::uint64_t missing);  // octets that the capture lacks
  void close(Side side);                       // FIN
  void reset(Side side);                       // RST

  // Extends the capture by this time after the last message.
  void silence(std::chrono::nanoseconds time) { silence_ns_ = time.count(); }
  std::int64_t silence_ns() const { return silence_ns_; }

  std::vector<TraceMessage> take() { return std::exchange(messages_, {}); }
  TraceMessage& last() { return messages_.back(); }
  // The ULPDU of the last segment, for a Terminate that blames it.
  const OctetBuffer& last_ulpdu() const { return last_ulpdu_; }
  // An honest Terminate for the last segment, with the contents that the rules for its error require.
  rdmap::Terminate blame_last(const rdmap::ErrorCode& error) const;

  static constexpr std::uint32_t kStag = 0x11223344;
  static constexpr std::uint32_t kSinkStag = 0x55667788;
  static constexpr rdmap::ReadRequest kRead{
      .sink_stag = kSinkStag, .sink_to = 0x1000, .size = 64, .source_stag = kStag, .source_to = 0x2000};
  static constexpr std::uint32_t kIdentifier = 0xa70a1c;
  static constexpr rdmap::AtomicRequest kFetchAdd{.reserved_and_opcode = rdmap::kFetchAdd,
                                                  .request_identifier = kIdentifier,
                                                  .stag = kStag,
                                                  .to = 0x40,
                                                  .data = 1,
                                                  .compare_mask = ~std::uint64_t{0}};

 private:
  static std::size_t index(Side side) { return side == Side::a ? 0 : 1; }
  void start_frame(Side side, mpa::StartFrame frame, OctetBuffer private_data, const StartEdit& edit);
  mpa::Framer& framer(Side side);

  std::vector<TraceMessage> messages_;
  std::array<std::optional<mpa::StartFrame>, 2> frames_;  // without private data
  std::array<std::optional<mpa::Framer>, 2> framers_;
  std::array<std::array<std::uint32_t, 4>, 2> msn_{{{1, 1, 1, 1}, {1, 1, 1, 1}}};
  OctetBuffer last_ulpdu_;
  std::int64_t silence_ns_ = 0;
};

// Returns `count` octets that differ from each other.
OctetBuffer pattern(std::size_t count, Octet first = 0);

}  // namespace wirelaw::corpora
