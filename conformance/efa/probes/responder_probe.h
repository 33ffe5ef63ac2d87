// SPDX-License-Identifier: Apache-2.0
// The requester for a responder under test. It behaves correctly unless the case sends something else in between.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/efa/probes/intake.h"
#include "conformance/efa/probes/probe.h"
#include "conformance/verdict.h"
#include "reference/efa/atomic.h"

namespace wirelaw::efa {

// Options for sending a message or a write.
struct SendOptions {
  Transfer transfer = Transfer::eager;
  std::optional<std::uint64_t> tag = {};
  std::optional<std::uint64_t> cq_data = {};
  bool delivery_complete = false;
  // Octets of data in one packet; 0: as many as fit.
  std::size_t segment = 0;
  // Octets of data in the LONGCTS request.
  std::size_t in_request = 0;
  // Segments of a medium message, or CTSDATA packets of a window, from the last to the first.
  bool backwards = false;
  // Sends every packet with data twice.
  bool doubled = false;
  std::uint32_t credit_request = 64;
};

// An atomic operation and its required effect.
struct AtomicStep {
  AtomicCall call;
  AtomicOp op;
  Datatype datatype;
  OctetBuffer operand;
  OctetBuffer compare = {};
};

class ResponderProbe : public Probe {
 public:
  static constexpr Role kIut = Role::responder;

  // The number of attempts to find an effect that no packet acknowledges, before it counts as missing.
  static constexpr unsigned kTries = 8;

  explicit ResponderProbe(CaseRun& run, unsigned identity = 1) : Probe(run, identity), intake_(*this) {}

  Intake& intake() { return intake_; }
  bool echoes() const { return echoes_; }

  // --- the beginning of most cases: an eager message, the HANDSHAKE that answers it, and, of an application that
  // echoes, the echo. If that fails, the case is inconclusive: the cases of the handshake and of eager messages report
  // it.
  void meet();
  // For a case that uses handshake_by_hand(): announces the features that an RDMA write with immediate needs, and ID 8
  // if the peer announces it (4.9 of later documents).
  void announce_rdma_writes();

  // --- messages
  std::uint32_t next_msg_id() { return next_msg_id_++; }
  std::uint32_t fresh_id() { return next_id_++; }  // ID for a new operation of the probe
  void reuse_id(std::uint32_t id) { next_id_ = id; }
  // The packets of an eager or medium message, or the REQ packet of a long-CTS one, in order.
  std::vector<OctetBuffer> message_packets(std::uint32_t msg_id, Octets message, const SendOptions& options,
                                           std::uint32_t send_id = 0);
  // Sends a complete message as a correct sender does. Returns false if a CTS or a requested RECEIPT did not come.
  bool send_message(Octets message, const SendOptions& options = {});
  bool send_message(std::uint32_t msg_id, Octets message, const SendOptions& options);
  // The next message that the peer sends; empty if none comes.
  std::optional<WholeMessage> await_message();
  std::optional<WholeMessage> await_message(Octets like);
  // Sends a message, and expects an echo application to return it.
  bool expect_echo(const Rule& rule, Octets message, const SendOptions& options = {},
                   std::string_view explanation = {});
  // Expects the echo of a message that the case has sent itself.
  bool expect_echoed(const Rule& rule, Octets message, std::string_view explanation = {});
  // Same, as a warning: a device's transport never does this to a peer, or the document leaves it open.
  bool prefer_echoed(const Rule& rule, Octets message, std::string_view explanation);
  bool expect_no_message(const Rule& rule, std::string_view expected, std::string_view explanation = {});

  // --- registered memory of the peer, that the user has declared (addr, key, length)
  // Skips the case if the IUT offers fewer octets; later calls then do nothing.
  void need_memory(std::uint64_t octets) { need_memory(octets, false); }
  // Same, for cases that address all of it, its ends, or memory outside it.
  void need_whole_memory(std::uint64_t octets) { need_memory(octets, true); }
  RmaIov region() const { return region_; }  // after need_whole_memory()
  RmaIov part(std::uint64_t offset, std::uint64_t octets) const { return {region_.addr + offset, octets, region_.key}; }
  // A REQ packet that names memory.
  Packet one_sided(PacketType type, const std::vector<RmaIov>& iovs);
  // Writes as a correct requester does. Returns false like send_message().
  bool write(const std::vector<RmaIov>& to, Octets data, const SendOptions& options = {});
  // Reads the octets in that memory; empty if no READRSP comes.
  std::optional<OctetBuffer> read(const RmaIov& from);
  struct LongRead {
    std::uint64_t first_window = 0;  // recv_length of the LONGCTS_RTR
    std::uint64_t window = 0;        // recv_length of each CTS
  };
  std::optional<OctetBuffer> read_long(const std::vector<RmaIov>& from, const LongRead& how);
  // Writes the initial contents for a case. The case is inconclusive if they cannot be read back.
  void prepare(std::uint64_t offset, Octets octets);
  // Reads the memory a few times, since nothing acknowledges a write.
  bool expect_memory(const Rule& rule, std::uint64_t offset, Octets octets, std::string_view explanation = {});
  // Sends an RTA. Returns the previous values for one that fetches them, empty if none came.
  std::optional<OctetBuffer> atomic(const AtomicStep& step, const std::vector<RmaIov>& on);
  Packet atomic_request(const AtomicStep& step, const std::vector<RmaIov>& on, std::uint32_t recv_id);

  // --- expectations after something that no correct requester sends
  // Expects that the peer still serves a second requester, which has a new address.
  bool expect_alive(const Rule& rule, std::string_view explanation = {});
  // Same, as a warning: the document leaves the outcome open.
  bool prefer_alive(const Rule& rule, std::string_view explanation);
  // Expects that another requester reads the octets of prepare() unchanged, and that the peer is alive.
  bool expect_untouched(const Rule& rule, std::uint64_t offset, Octets octets, std::string_view explanation = {});

 protected:
  bool serve(const Received& packet) override { return intake_.take(packet); }

 private:
  bool is_alive(const Rule& rule, std::string_view explanation, Severity severity);
  bool send_windows(std::uint32_t send_id, Octets message, const SendOptions& options);
  bool await_receipt(std::uint32_t send_id);
  void send_doubled(const OctetBuffer& octets, bool doubled);
  const Received* await_cts(std::uint32_t send_id);

  Intake intake_;
  bool echoes_ = run().application() != Service::none;
  std::uint32_t next_msg_id_ = first_msg_id();
  std::uint32_t next_id_ = 0x1001;
  void need_memory(std::uint64_t octets, bool whole);

  RmaIov region_;
  OctetBuffer iov_octets_;  // memory that the last one_sided() refers to
  OctetBuffer operands_;    // memory that the last atomic_request() refers to
};

}  // namespace wirelaw::efa
