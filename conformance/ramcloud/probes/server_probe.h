// SPDX-License-Identifier: Apache-2.0
// The client for a server under test. It behaves correctly unless the case sends something else in between.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/ramcloud/probes/probe.h"

namespace wirelaw::ramcloud {

// A session that the server has opened for the probe.
struct ProbeSession {
  std::uint64_t token = 0;
  std::uint32_t client_hint = 0;
  std::uint32_t server_hint = 0;
  std::uint8_t max_channel_id = 0;
};

struct OpenOptions {
  std::optional<std::uint32_t> client_hint;  // a new one if none is given
  // A value that no table index can equal: deployed servers take an index for an attempt to use that session.
  std::uint32_t server_hint = 0xcccccccc;
  OctetBuffer payload;
};

// The behaviour of the probe during an RPC.
struct CallOptions {
  bool send_first = true;  // false: the case has sent the fragments; begin by receiving
  // Packets that are treated as if they had never arrived.
  std::function<bool(const Received&)> lost;
  // Called with every packet of this RPC that was not lost.
  std::function<void(const Received&)> seen;
  // Called with every ACK that the probe sends.
  std::function<void(const Ack&)> acknowledged;
};

class ServerProbe : public Probe {
 public:
  static constexpr Role kIut = Role::responder;

  explicit ServerProbe(CaseRun& run) : Probe(run) {}

  // --- sessions
  std::optional<ProbeSession> try_open(const OpenOptions& options = {});
  // If no session opens, the case is inconclusive: the case for the open handshake reports the fault.
  ProbeSession open(const OpenOptions& options = {});
  // Opens a session after the server has answered a plain request in another one. A later failure is then due to the
  // actions of the case.
  ProbeSession open_proven();
  std::uint32_t fresh_hint() { return next_hint_++; }
  static Header open_request(std::uint32_t client_hint);

  // --- headers of packets in a session
  static Header data(const ProbeSession& session, Rpc rpc, std::size_t number = 0, std::size_t total = 1);
  static Header data_with(const ProbeSession& session, Rpc rpc, Flags flags, std::size_t number = 0,
                          std::size_t total = 1);
  static Header ack(const ProbeSession& session, Rpc rpc);

  // --- RPCs
  // Performs an RPC as a correct client does: repeats lost fragments, answers requests for ACKs, and returns the
  // response. Empty if none came.
  std::optional<OctetBuffer> call(const ProbeSession& session, Rpc rpc, Octets request,
                                  const CallOptions& options = {});
  std::optional<OctetBuffer> call(const ProbeSession& session, Rpc rpc, const std::vector<OctetBuffer>& fragments,
                                  const CallOptions& options = {});
  // Expects an echo application to return the request, and any other to answer. The case is inconclusive if the
  // application is not the declared one.
  bool expect_echo(const Rule& rule, const ProbeSession& session, Rpc rpc, Octets request,
                   std::string_view explanation = {}, const CallOptions& options = {});
  bool expect_echo(const Rule& rule, const ProbeSession& session, Rpc rpc, const std::vector<OctetBuffer>& fragments,
                   std::string_view explanation = {}, const CallOptions& options = {});
  // Same, as a warning: another plausible reading allows another answer.
  void advise_echo(const Rule& rule, const ProbeSession& session, Rpc rpc, const std::vector<OctetBuffer>& fragments,
                   std::string_view explanation, const CallOptions& options = {});
  // Whatever has become of the sessions so far: another opens, and a request in it is answered.
  void expect_unharmed(const Rule& rule);
  // Sends a request that only prepares the test. The case is inconclusive if it is not answered.
  void prepare(const ProbeSession& session, Rpc rpc, Octets request);
  // The number of calls of a counting application, including this one. The case is inconclusive if the application does
  // not report it.
  std::uint32_t count(const ProbeSession& session, Rpc rpc, std::size_t octets = kCountRequest.size());
  static std::vector<OctetBuffer> count_request(std::size_t octets = kCountRequest.size());

  // Sends a fragment that asks for an ACK until one comes that reports `wanted`, at most kTries times. Returns the last
  // ACK. `again` is sent before each repetition.
  std::optional<Received> ask_for_ack(const ProbeSession& session, Rpc rpc, const std::vector<OctetBuffer>& fragments,
                                      const std::vector<std::uint16_t>& sent, const Ack& wanted);

  // --- what came
  static bool is_to(const Received& packet, const ProbeSession& session);
  static bool is_response(const Received& packet, const ProbeSession& session, Rpc rpc);
  static bool is_ack(const Received& packet, const ProbeSession& session, Rpc rpc);
  // A response DATA that the server sends to this session, on whatever channel.
  static bool is_data_to(const Received& packet, const ProbeSession& session);

 private:
  struct Call;
  void send_missing(const Call& call, bool all);
  bool foresees_answers() const { return run().application() != Service::none; }
  bool answers_otherwise();

  bool is_echo_ = false;  // the application has echoed something

  std::uint32_t next_hint_ = 0x5701;
};

// True if the packet is an application's answer: DATA with these octets. Used for requests that must not be executed.
inline bool carries(const Received& packet, Octets octets) {
  return packet.is(PayloadType::data) &&
         std::equal(packet.payload.begin(), packet.payload.end(), octets.begin(), octets.end());
}

}  // namespace wirelaw::ramcloud
