// SPDX-License-Identifier: Apache-2.0
// The interface through which a case sends packets, receives packets and states expectations. A case is written as a
// straight line: after a failure or a missing answer, the probe stays stopped and every further call does nothing.
//
// ResponderProbe plays the requester towards a responder under test, RequesterProbe the responder towards a requester.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case_probe.h"
#include "conformance/rdma.h"
#include "conformance/sample_octets.h"
#include "reference/efa/capability.h"
#include "reference/efa/packet.h"
#include "reference/efa/raw_address.h"

namespace wirelaw::efa {

// A packet from the implementation under test, with its octets.
struct Received {
  explicit Received(OctetBuffer own, Instant when) : octets(std::move(own)), arrived(when) {
    if (const auto decoded = decode(octets)) packet = *decoded;
  }
  Received(const Received&) = delete;
  Received& operator=(const Received&) = delete;

  OctetBuffer octets;
  Instant arrived;
  Packet packet;       // its views refer to `octets`
  bool taken = false;  // a case or the probe itself has handled it

  bool is(PacketType type) const { return packet.is(type); }
};

// The reason why a peer that counts duplicated data twice gets only a warning (EFA/A-76).
inline constexpr std::string_view kDeviceDoublesNothing =
    "duplicated: UDP may do so, the device does not, and the document requires nobody to expect it";

std::string to_text(const Received& packet);
std::string to_text(const Received* packet);  // "nothing" if there is none
// "64 octets", or the difference between `got` and the expected octets.
std::string size_of(Octets octets);
std::string difference(Octets wanted, Octets got);

// The identity of a probe as a peer of the implementation under test. Each has its own address and connid.
struct Identity {
  explicit Identity(unsigned number);
  RawAddress address;
  std::uint32_t connid() const { return address.connid; }
};

class Probe : public CaseProbe {
 public:
  explicit Probe(CaseRun& run, unsigned identity = 1);
  virtual ~Probe() = default;
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  // The RDMA interface; nullptr if the transport has none.
  Rdma* rdma() { return connected() ? rdma_of(transport()) : nullptr; }

  // --- the probe's identity and the contents of its HANDSHAKE; to be set before the first packet
  const Identity& identity() const { return identity_; }
  std::uint32_t connid() const { return identity_.connid(); }
  // True if the transport also delivers packets for another connid at the probe's address. SRD does not.
  bool may_change_connid() const { return may_change_connid_; }
  // True if the transport may deliver a packet twice: UDP may, the device does not.
  bool may_double() const { return may_change_connid_; }
  void announce(std::initializer_list<Extra> extras) { announce(std::span(extras.begin(), extras.size())); }
  void announce(std::span<const Extra> extras) {
    extra_info_ = 0;
    for (const Extra extra : extras) extra_info_ |= extra_bits({extra});
  }
  bool announces(Extra extra) const { return (extra_info_ >> static_cast<unsigned>(extra) & 1) != 0; }
  // From now on the probe does not answer the peer's first packet with a HANDSHAKE; the case may do so.
  void handshake_by_hand() { sends_handshake_ = false; }
  void send_handshake();
  std::size_t raw_address_octets = 36;  // `size` of our raw address header, as deployed (EFA/A-07)

  // --- what its HANDSHAKE has announced; false and nothing as long as none has come
  bool met() const { return handshake_ != nullptr; }
  const Received* handshake() const { return handshake_; }
  bool peer_announces(Extra extra) const { return met() && efa::announces(handshake_->packet.extra_info, extra); }

  // --- packets out
  // A REQ with the headers that a correct endpoint sends at this moment: the raw address until the HANDSHAKE has come,
  // and afterwards if the peer wants headers of a constant length (4.3); otherwise the connid if the peer asks for it
  // (4.4).
  Packet request(PacketType type) const;
  // Any other packet, with the probe's connid in its word.
  Packet answer(PacketType type) const;
  // If true, that word is padding without a zero octet, and reserved octets are not zero either (table 3.6).
  bool fills_padding = false;
  // Packets that the case itself sends are the stimulus of its rule (CaseRun::stimulates_own_rule).
  void send(const Packet& packet) { send_octets(octets_of(packet)); }
  void send_octets(Octets octets) {
    stimulates_own_rule();
    send_good(octets);
  }
  // Sends a packet that any correct endpoint sends at the start or in answer to another packet. It stimulates no rule.
  void send_good(Octets octets) { CaseProbe::send_octets(octets); }
  void send_good(const Packet& packet) { send_good(octets_of(packet)); }
  // Same, without sending it.
  OctetBuffer octets_of(const Packet& packet) const;
  void send_hex(std::string_view hex);
  // Octets of the largest packet sent: the user's parameter mtu, or else a size that every device can take.
  std::size_t packet_octets() const { return packet_octets_; }
  // The first message ID of both directions: the user's parameter msg_id, or else 0.
  std::uint32_t first_msg_id() const { return first_msg_id_; }
  // A tag that the peer's application receives: the user's parameter tag, or else `any`.
  std::uint64_t tag(std::uint64_t any) const { return tag_.value_or(any); }
  // A tag that it does not receive; empty if it receives all tags.
  std::optional<std::uint64_t> another_tag() const { return tag_ ? std::optional(*tag_ ^ 1) : std::nullopt; }

  // --- packets in
  // Waits for one packet and lets the probe serve it; false if `deadline` has passed or the probe has stopped.
  bool pump(Instant deadline);
  // Takes the first wanted packet among those received and not taken, or waits for one. Other packets stay for later
  // calls. The reference is valid as long as the probe.
  template <class Wanted>
  const Received* await(Instant deadline, Wanted wanted) {
    for (std::size_t at = 0; ok(); ++at) {
      while (at == log_.size())
        if (!pump(deadline)) return nullptr;
      Received& one = log_[at];
      if (one.taken || !wanted(static_cast<const Received&>(one))) continue;
      one.taken = true;
      return &one;
    }
    return nullptr;
  }
  template <class Wanted>
  const Received* await(Wanted wanted) {
    return await(in(run().answer_time()), wanted);
  }
  const Received* await(PacketType type) {
    return await([type](const Received& one) { return one.is(type); });
  }
  // Same, but also returns packets that have been taken, and takes none.
  template <class Wanted>
  const Received* find(Instant deadline, Wanted wanted) {
    for (std::size_t at = 0; ok(); ++at) {
      while (at == log_.size())
        if (!pump(deadline)) return nullptr;
      if (wanted(static_cast<const Received&>(log_[at]))) return &log_[at];
    }
    return nullptr;
  }
  // Waits until the condition holds; serves meanwhile.
  template <class Done>
  bool await_until(Instant deadline, Done done) {
    while (ok() && !done())
      if (!pump(deadline)) return ok() && done();
    return ok();
  }
  bool await_handshake() {
    return await_until(in(run().answer_time()), [this] { return met(); });
  }
  // Serves packets for the silence time.
  void listen() {
    const Instant deadline = in(run().silence_time());
    while (pump(deadline)) {
    }
  }
  // Same. An unwanted packet that has not been taken breaks the rule.
  template <class Unwanted>
  bool expect_none(const Rule& rule, Unwanted unwanted, std::string_view expected, std::string_view explanation = {}) {
    const Received* const packet = await(in(run().silence_time()), unwanted);
    return ok() && require(rule, packet == nullptr, expected, to_text(packet), explanation);
  }
  // Same, as a warning: another reading allows it.
  template <class Unwanted>
  bool prefer_none(const Rule& rule, Unwanted unwanted, std::string_view expected, std::string_view explanation) {
    const Received* const packet = await(in(run().silence_time()), unwanted);
    return ok() && advise(rule, packet == nullptr, expected, to_text(packet), explanation);
  }
  // Lets time pass until packets in transit have arrived and have been answered.
  void settle() {
    const Instant deadline = in(run().silence_time() / 10);
    while (pump(deadline)) {
    }
  }
  // The number of packets received, taken or not.
  template <class Counted>
  std::size_t count(Counted counted) const {
    std::size_t sum = 0;
    for (const Received& one : log_) sum += counted(one) ? 1 : 0;
    return sum;
  }
  std::size_t count(PacketType type) const {
    return count([type](const Received& one) { return one.is(type); });
  }
  // Leaves packets that match to the case; the probe does not serve them.
  void leave(std::function<bool(const Received&)> to_the_case) { left_to_case_ = std::move(to_the_case); }

 protected:
  // Handles the packet at once as a correct endpoint does. Returns true if nothing of it is left for the case.
  virtual bool serve(const Received& packet) = 0;

 private:
  void note(Received& packet);

  Identity identity_;
  bool may_change_connid_ = true;
  std::size_t packet_octets_;
  std::uint32_t first_msg_id_;
  std::optional<std::uint64_t> tag_;
  std::deque<Received> log_;
  const Received* handshake_ = nullptr;
  std::uint64_t extra_info_ = 0;
  bool sends_handshake_ = true;
  std::function<bool(const Received&)> left_to_case_;
};

inline constexpr std::string_view kAnyTag =
    "no tag is known that the peer's application does not receive: use ?tag= in its URI if it receives only one";

// True if a peer's msg_id wraps from the last one to 0 within this many messages.
inline constexpr std::uint32_t kWrapsWithin = 256;
inline constexpr std::string_view kFarFromWrap =
    "the end of the sequence is out of reach: the peer does not begin near it (?msg_id=)";
inline bool wraps_soon(const Probe& probe) {
  return ~probe.first_msg_id() < kWrapsWithin;
}

// Parses a number in a parameter of the IUT: "4096", "0x1000".
std::optional<std::uint64_t> number_of(std::string_view text);

}  // namespace wirelaw::efa
