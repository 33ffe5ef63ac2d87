// SPDX-License-Identifier: Apache-2.0
// An endpoint that commits deviations: it overrides each step that a deviation changes.
#pragma once

#include "reference/smbd/deviations.h"
#include "reference/smbd/endpoint.h"

namespace wirelaw::smbd {

class FaultyEndpoint final : public Endpoint {
 public:
  // `deviations` must be those of the role.
  FaultyEndpoint(Role role, const Options& options, Registrar& registrar, const Deviations& deviations)
      : Endpoint(role, options, registrar), deviations_(deviations) {}

  void begin(Instant now) override;
  void receive(Octets octets, std::optional<Token> invalidated, Instant now) override;
  void advance(Instant now) override;
  tl::expected<MessageId, SendError> send(OctetBuffer message, std::optional<Token> invalidate) override;
  std::optional<std::vector<BufferDescriptorV1>> register_buffer(std::span<const std::span<Octet>> parts,
                                                                 Access access) override;
  bool deregister_buffer(std::span<const BufferDescriptorV1> descriptors) override;
  Parameters parameters() const override;

 private:
  // --- negotiation, timers and end (faulty_endpoint.cc)
  std::size_t first_receive() const override;
  void send_request() override;
  std::optional<Refusal> check_request(Octets octets) override;
  void adopt_request(const NegotiateRequest& request) override;
  void refuse(const Refusal& refusal) override;
  std::optional<Reason> check_response(Octets octets) override;
  void adopt_response(const NegotiateResponse& response) override;
  void establish() override;
  void on_negotiation_timeout() override;
  void on_idle() override;
  void terminate(Reason reason, std::uint32_t nt_status) override;
  bool enforces(Reason reason) const override;
  void report(Event event) override;

  // --- sending (faulty_endpoint_send.cc)
  void flush() override;
  std::uint16_t grant(bool last_credit) override;
  std::uint32_t post_receives(std::uint32_t count) override;
  bool may_spend(std::uint16_t granted) const override;
  std::uint32_t fragment_octets(std::size_t left) const override;
  void put(const NegotiateRequest& request) override;
  void put(const NegotiateResponse& response) override;
  void put(const Segment& segment) override;

  // --- receiving, and RDMA (faulty_endpoint_receive.cc)
  std::optional<Reason> check_data(const DataTransfer& message, Octets octets) const override;
  void account(const DataTransfer& message) override;
  void answer_keepalive() override;
  Octets data_of(const DataTransfer& message, Octets octets) const override;
  void assemble(const DataTransfer& message, Octets data) override;
  void on_broken_fragments(Reason reason) override;
  void deliver(OctetBuffer&& message) override;
  tl::expected<std::vector<Piece>, TransferError> plan(std::span<const BufferDescriptorV1> remote, std::uint64_t offset,
                                                       std::size_t octets) const override;
  void undo_registration(std::span<const BufferDescriptorV1> descriptors) override;

  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }
  std::optional<std::uint32_t> own_bound() const;
  void put_data(const Segment& segment);
  void put_stray(DataTransfer message);
  void put_stray_data();
  void put_again(const Segment& segment);
  std::optional<Token> token_for(const Segment& segment);
  bool leaves_out(const Segment& segment);
  void hang();
  void report_token_again(const Event& event);

  Deviations deviations_;
  std::uint32_t peer_receive_size_ = 0;  // the peer's MaxReceiveSize
  bool hangs_ = false;
  bool receiving_ = false;
  bool negotiated_again_ = false;
  bool begun_with_message_ = false;
  bool begun_with_fragments_ = false;
  unsigned asked_ = 0;     // keepalive_repeated: number of requests
  unsigned fragment_ = 0;  // index of the next fragment of the message being sent
  std::uint32_t first_remaining_ = 0;
  std::optional<Token> token_;    // token of that message
  std::optional<PostSend> held_;  // fragments_swapped
  std::uint32_t left_ = 0;        // octets missing of the message being received
  bool came_in_fragments_ = false;
  OctetBuffer left_behind_;
  std::optional<Token> reported_;  // token to report again with a message that invalidates none
  bool with_message_ = false;      // a token was reported for the current message
};

}  // namespace wirelaw::smbd
