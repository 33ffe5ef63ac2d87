// SPDX-License-Identifier: Apache-2.0
// The interface through which a case sends packets, receives packets and states expectations. A case is written as a
// straight line: after a failure or a missing answer, the probe stays stopped and every further call does nothing.
//
// ServerProbe plays the client of a server under test, ClientProbe the server of a client under test.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case_probe.h"
#include "conformance/sample_octets.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

// A packet from the implementation under test.
struct Received {
  Header header;
  OctetBuffer payload;

  bool is(PayloadType type) const { return header.payload_type == type; }
  bool is_of(std::uint8_t channel, std::uint32_t rpc_id) const {
    return header.channel_id == channel && header.rpc_id == rpc_id;
  }
};

// One RPC of a session.
struct Rpc {
  std::uint8_t channel = 0;
  std::uint32_t id = 0;
  friend constexpr bool operator==(const Rpc&, const Rpc&) = default;
};

constexpr bool belongs_to(const Header& header, Rpc rpc) {
  return header.channel_id == rpc.channel && header.rpc_id == rpc.id;
}

// A predicate for awaited or unwanted packets.
inline constexpr auto is_data = [](const Received& packet, const auto&...) { return packet.is(PayloadType::data); };

// Octets in a fragment of deployed implementations: 1400 octets of UDP payload without the header.
inline constexpr std::size_t kFragmentOctets = 1374;
// The fragments of a message; one empty fragment for an empty message (RAMCLOUD/R20).
std::vector<OctetBuffer> fragments_of(Octets message, std::size_t octets = kFragmentOctets);

std::string to_text(const Received& packet);
std::string to_text(const std::optional<Received>& packet);  // "nothing" if there is none
std::string to_text(const Ack& ack);

// The fragments of a message that are there, as an ACK reports them ("Acknowledgement Response Payload Format").
class FragmentsHere {
 public:
  // The first fragment determines the total. A fragment that does not fit is skipped.
  bool add(std::uint16_t number, std::uint16_t total, Octets octets);
  bool complete() const { return total_ > 0 && count_ == total_; }
  bool any() const { return count_ > 0; }
  bool has(std::uint16_t number) const { return number < here_.size() && here_[number]; }
  std::uint16_t total() const { return total_; }
  Ack ack() const;
  OctetBuffer message() const;

 private:
  std::uint16_t total_ = 0;
  std::size_t count_ = 0;
  std::vector<bool> here_;
  std::vector<OctetBuffer> octets_;
};

class Probe : public CaseProbe {
 public:
  // The number of times that a probe sends something before it treats silence as the peer's answer.
  static constexpr unsigned kTries = 8;

  using CaseProbe::CaseProbe;

  // --- packets
  // Packets that the case itself sends are the stimulus of its rule (CaseRun::stimulates_own_rule).
  void send(const Header& header, Octets payload = {}) {
    stimulates_own_rule();
    send_good(header, payload);
  }
  // Sends a packet that any correct peer sends. It stimulates no rule.
  void send_good(const Header& header, Octets payload = {});
  // Ignores packets to this client hint from now on: the session is over, and late packets do not matter.
  void ignore(std::uint32_t client_hint) { ignored_.push_back(client_hint); }
  // The next packet, without those shorter than a header (the observer judges them). Nothing if `deadline` has passed
  // or the probe has stopped.
  std::optional<Received> receive(Instant deadline);
  // Called with every packet that is received from now on, before the case sees it.
  void watch(std::function<void(const Received&)> watcher) { watcher_ = std::move(watcher); }
  // The next wanted packet; others are ignored.
  template <class Wanted>
  std::optional<Received> await(Instant deadline, Wanted wanted) {
    while (auto packet = receive(deadline))
      if (wanted(*packet)) return packet;
    return std::nullopt;
  }
  // Lets time pass until packets in transit have arrived, and discards them.
  void settle() {
    await(in(run().silence_time() / 20), [](const Received&) { return false; });
  }
  // Waits as long as silence must last: a packet that is unwanted breaks the rule.
  template <class Unwanted>
  bool expect_none(const Rule& rule, Unwanted unwanted, std::string_view expected, std::string_view explanation = {}) {
    const auto packet = await(in(run().silence_time()), unwanted);
    if (!ok()) return false;
    return require(rule, !packet, expected, to_text(packet), explanation);
  }

  // --- time
  std::chrono::nanoseconds retry_time() const { return run().answer_time() / kTries; }
  // The time limit for an event that depends on a timer of the implementation under test.
  std::chrono::nanoseconds patience() const { return 4 * std::max(run().answer_time(), run().silence_time()); }

 private:
  std::function<void(const Received&)> watcher_;
  std::vector<std::uint32_t> ignored_;
};

}  // namespace wirelaw::ramcloud
