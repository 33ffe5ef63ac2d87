// SPDX-License-Identifier: Apache-2.0
// The server for a client under test. It behaves correctly unless the case sends something else in between.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/ramcloud/probes/probe.h"

namespace wirelaw::ramcloud {

// A session as the probe offers it in an open response.
struct Offer {
  std::uint64_t token = 0x1d3a5c7e9fb2d4f6;
  std::uint32_t server_hint = 0x00c0ffee;
  // In both readings of the octet, 7 gives several channels and 1 gives at least one (RAMCLOUD/R1).
  std::uint8_t max_channel_id = 7;
};

// A completely received request.
struct ClientRequest {
  Header header;  // header of the fragment that completed it
  OctetBuffer octets;

  Rpc rpc() const { return {header.channel_id, header.rpc_id}; }
  std::uint16_t total() const { return header.total_frags; }
};

class ClientProbe : public Probe {
 public:
  static constexpr Role kIut = Role::initiator;

  explicit ClientProbe(CaseRun& run) : Probe(run) {}

  // --- the beginning of every case
  void trigger(const TriggerRequest& request);
  // The client's open request. The case is inconclusive if none comes.
  Header await_open();
  // Answers an open request, and serves the session from then on.
  void accept(const Header& open, const Offer& offer = {});
  // Trigger, open handshake, and the first request, not yet answered.
  ClientRequest first_request(const TriggerRequest& request, const Offer& offer = {});

  // --- headers of packets to the client
  static Header open_response(const Header& open, const Offer& offer);
  static Header data(const Header& request, std::size_t number = 0, std::size_t total = 1);
  static Header data_with(const Header& request, Flags flags, std::size_t number = 0, std::size_t total = 1);
  static Header ack(const Header& request);
  static Header bad_session(const Header& offending);

  // --- serving
  // The next request that has not been returned yet. Serves meanwhile: repeats open responses and responses, answers
  // requests for ACKs. Nothing if none comes within `patience()`.
  std::optional<ClientRequest> next_request();
  std::optional<ClientRequest> next_request(Instant deadline);
  // Same; the case is inconclusive if there is none.
  ClientRequest await_request();
  // Waits for the first DATA of a request without serving it. Serves open requests that are repeated before it.
  std::optional<Received> await_data();
  // Sends the response, and repeats it when the client shows that it lacks it.
  void answer(const ClientRequest& request, Octets response, std::size_t fragment_octets = kFragmentOctets);
  void echo(const ClientRequest& request, std::size_t fragment_octets = kFragmentOctets) {
    answer(request, request.octets, fragment_octets);
  }
  // Sends fragments of a response in the given order, perhaps some of them twice or never, without asking for an ACK.
  // Sends the missing ones when the client shows that it lacks them.
  void echo_in_order(const ClientRequest& request, std::size_t fragment_octets, const std::vector<std::size_t>& order);
  // Serves one packet as a correct server does. Returns the request that it completes, if any.
  std::optional<ClientRequest> serve(const Received& packet);
  // Serves until the client has been quiet for a while.
  void serve_to_the_end();

  // --- what a case expects
  // Expects the client to send its next request, and returns it. The probe serves meanwhile.
  std::optional<ClientRequest> expect_next(const Rule& rule, std::string_view explanation = {});
  // Answers the request correctly, and expects the client to continue. Resends the whole response if some of it was
  // sent.
  std::optional<ClientRequest> expect_to_go_on(const Rule& rule, const ClientRequest& request,
                                               std::string_view explanation = {});
  // Expects no new request, since the answer just sent is incomplete. The client may repeat itself or be silent.
  bool expect_no_next(const Rule& rule, const ClientRequest& request, std::string_view explanation = {});
  // Expects both: the client ignores the packets of `bogus`, and accepts the correct answer that follows.
  void expect_not_taken(const Rule& rule, const ClientRequest& request, const std::function<void()>& bogus,
                        std::string_view explanation = {});

  // Same, for a client that was sent a part of its response and then something that may have spoilt it. If it does not
  // accept the rest, or is silent, this is a warning (RAMCLOUD/R45).
  void expect_still_lacking(const Rule& rule, const ClientRequest& request, std::string_view explanation);

  // Sends fragments of a response, the last of them asking for an ACK, until an ACK comes that reports `wanted`, at
  // most kTries times. Returns the last ACK.
  std::optional<Received> ask_for_ack(const ClientRequest& request, const std::vector<OctetBuffer>& fragments,
                                      const std::vector<std::uint16_t>& sent, const Ack& wanted);

  // True if the network may have caused the silence: the client has asked again for what it had been sent, so packets
  // are lost, and its last request was not answered so often that one answer must have arrived.
  bool may_lack_answer() const { return asked_again_ && answers_ < kTries; }

  // --- what came
  static bool is_request(const Received& packet, Rpc rpc) {
    return packet.is(PayloadType::data) && belongs_to(packet.header, rpc);
  }
  // One that came before it, and was sent again before its answer was there, may arrive late.
  static bool is_another_request(const Received& packet, const ClientRequest& request) {
    const Rpc rpc = request.rpc();
    const bool before = packet.header.channel_id == rpc.channel && packet.header.rpc_id - rpc.id > 0x7fffffff;
    return packet.is(PayloadType::data) && !belongs_to(packet.header, rpc) && !before &&
           packet.header.client_session_hint == request.header.client_session_hint;
  }
  static bool is_ack(const Received& packet, Rpc rpc) {
    return packet.is(PayloadType::ack) && belongs_to(packet.header, rpc);
  }

 private:
  struct Channel {
    std::uint32_t rpc_id = 0;
    FragmentsHere request;
    bool complete = false;
    std::vector<OctetBuffer> response;  // in fragments; empty as long as there is none
  };
  struct Served {
    Header open;
    Offer offer;
    std::map<std::uint8_t, Channel> channels;
  };

  void answer_properly(const ClientRequest& request);
  Served* served(const Header& header);
  Channel* channel_of(const ClientRequest& request);
  void serve_open(const Header& open);
  void send_response(const Header& request, const Channel& channel, const Ack& known);

  std::list<Served> sessions_;
  bool asked_again_ = false;  // the client has asked again for an open response or a response that had been sent
  unsigned answers_ = 0;      // times that the response to the last request, or its missing part, was sent
};

}  // namespace wirelaw::ramcloud
