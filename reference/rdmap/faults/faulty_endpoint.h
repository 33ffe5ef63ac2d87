// SPDX-License-Identifier: Apache-2.0
// An endpoint that commits deviations: it overrides each step that a deviation changes.
#pragma once

#include <map>
#include <set>

#include "reference/rdmap/deviations.h"
#include "reference/rdmap/endpoint.h"
#include "reference/rdmap/faults/message_faults.h"

namespace wirelaw::rdmap {

class FaultyEndpoint final : public Endpoint {
 public:
  // `deviations` must be those of the role.
  FaultyEndpoint(Role role, const Options& options, Buffers& buffers, const Deviations& deviations);

  void receive(Octets octets, Instant now) override;
  void peer_ended(Ending ending, Instant now) override;
  void advance(Instant now) override;
  std::optional<Instant> deadline() const override;
  bool next_octets(OctetBuffer& out) override;
  void close() override;
  void terminate(const ErrorCode& error) override;

 private:
  // --- start-up and end (faulty_endpoint.cc)
  void open(Octets private_data) override;
  void limit_startup() override;
  void grant(Octets private_data) override;
  void refuse_connection(Octets private_data) override;
  void leave_mpa() override;
  void take_early(Octets octets) override;
  void begin_operation() override;
  Framing framing() const override;
  std::optional<Work> ready_to_receive() const override;
  void abort_start(std::string text) override;
  void fail(const ErrorCode& error, const Offender* offender, std::string text) override;
  bool may_terminate() const override;
  OctetBuffer terminate_message(const ErrorCode& error, const Offender* offender) const override;
  void stop() override;
  bool drained() const override;
  void settle() override;
  void end() override;

  // --- receiving (faulty_endpoint_receive.cc)
  bool refuse(const Violation& violation, const Offender* offender) override;
  void take_fpdu(const mpa::Fpdu& fpdu) override;
  void take_ulpdu(const mpa::Fpdu& fpdu) override;
  void take_segment(Incoming& segment) override;
  bool understands_extensions() const override;
  void take_message(const OpcodeRow& row, Incoming& segment) override;
  bool admit(Incoming& segment, std::optional<std::size_t> capacity) override;
  Buffers::Range look(Stag stag, std::uint64_t to, std::uint64_t size, Use use) const override;
  void on_write(Incoming& segment) override;
  void place_write(Octets payload, std::span<Octet> memory) override;
  void on_read_response(Incoming& segment) override;
  bool is_ready_to_receive(const Incoming& segment) const override;
  std::optional<std::size_t> receive_capacity() const override;
  bool invalidate_for_peer(Stag stag) override;
  void complete_receive(Received&& received) override;
  std::size_t ird() const override;
  bool check_source(InboundRead& read, Stag stag, std::uint64_t to, std::uint64_t size, Use use) override;
  void on_atomic_request(const Incoming& segment, Octets message) override;
  void on_atomic_response(Incoming& segment) override;
  void answer_later(InboundRead&& read) override;
  std::optional<std::size_t> atomic_response_capacity() const override;
  void obey(const Incoming& segment, RemoteTerminate&& terminate) override;

  // --- sending (faulty_endpoint_send.cc)
  tl::expected<WorkId, PostError> post(Work&& work) override;
  bool produce(OctetBuffer& out) override;
  std::size_t ord() const override;
  bool begin_work(Work& work) override;
  Octets payload_of(Work& work) override;
  bool begin_response() override;
  void begin_read_response(BufferAt sink, std::uint32_t size) override;
  void begin_atomic_response(const AtomicResponse& response) override;
  std::optional<std::uint64_t> perform(const InboundRead& read) override;
  bool read_source(std::uint32_t octets, Octets& payload) override;
  void finish_message(OctetBuffer& out) override;
  std::uint32_t take_msn(std::uint32_t queue) override;
  void send_segment(const Segmenter::Piece& piece, Opcode opcode, Octets payload, OctetBuffer& out) override;
  void send_fpdu(std::span<const Octets> ulpdu, OctetBuffer& out) override;
  void send_terminate(OctetBuffer& out) override;

  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }
  bool tolerates(Check check) const;
  void place_delayed();
  void place_after_error(Octets octets);
  bool release_held(OctetBuffer& out);
  OctetBuffer stray_fpdu() const;

  struct Held {
    ddp::Header header;
    OctetBuffer payload;
  };

  Deviations deviations_;
  mpa::FramingFaults framing_faults_;
  bool dead_ = false;  // no longer does anything
  bool terminate_sent_ = false;
  bool taking_read_request_ = false;
  bool taking_extension_ = false;
  OctetBuffer early_;                                // octets after a request
  std::uint32_t segment_index_ = 0;                  // index of the last sent segment in its message
  std::optional<Held> held_;                         // a segment that waits for the next message
  std::set<std::uint32_t> unreadable_;               // MSNs of requests whose source must not be read: zeros are sent
  std::optional<std::uint32_t> answered_once_;       // MSN of the request that is answered a second time
  std::map<const Octet*, std::uint64_t> last_seen_;  // values of words after an atomic operation, by address
  OctetBuffer filler_;                               // sent instead of a buffer's octets
  std::deque<std::pair<std::span<Octet>, OctetBuffer>> delayed_;  // Writes that are not placed yet
};

}  // namespace wirelaw::rdmap
