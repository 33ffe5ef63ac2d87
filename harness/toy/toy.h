// SPDX-License-Identifier: Apache-2.0
// A protocol with two messages, which proves that adding a protocol means adding a row: all its parts are in this
// folder.
//
// 1 Messages. A message has six octets: "TY", its type (1 PING, 2 PONG), an octet that is reserved and zero, and a
//   number, big-endian. It is one UDP datagram; over TCP, messages follow each other.
// 2 Exchange. A client numbers its PINGs from 1. A server answers each with a PONG with the same number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "conformance/case_suite.h"
#include "conformance/protocol.h"
#include "reference/deviation_set.h"
#include "reference/octets/octets.h"

namespace wirelaw::toy {

enum class Type : std::uint8_t { ping = 1, pong = 2 };

// 1
namespace layout {
inline constexpr std::size_t kType = 2, kReserved = 3, kNumber = 4, kMessage = 6;
}
struct Packet {
  Type type = Type::ping;
  std::uint8_t reserved = 0;
  std::uint16_t number = 0;
};
std::optional<Packet> decode(Octets octets);  // nothing if these octets are no message
OctetBuffer encode(const Packet& packet);

// --- the reference's faults
enum class Deviation : std::uint8_t { sets_reserved, answers_another_number, answers_once, repeats_a_number };
inline constexpr std::size_t kDeviations = 4;
std::span<const DeviationRow<Deviation>> all_deviations();
using Deviations = DeviationSet<all_deviations, kDeviations>;

// --- rules
extern const Rule kReservedIsZero, kPongAnswersAPing, kEachPingIsAnswered, kPingsCountUp;
std::span<const BreachList> breaches();
RuleList trace_rules();
RuleList stimulus_rules();
const CaseSuite& suite();
std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

extern const Protocol kProtocol;

}  // namespace wirelaw::toy
