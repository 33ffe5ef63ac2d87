// SPDX-License-Identifier: Apache-2.0
// For tests that give a check facts that keep its rules, and facts that break them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "conformance/efa/efa.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa::facts {

inline constexpr std::size_t kLength = 8;  // octets of data in a packet, and in a buffer
inline constexpr Octet kData[2 * kLength] = {};
inline constexpr Mark kEarlier{.index = 3, .frame = 4, .time_ns = 5, .octets = 40};

inline Octets data(std::size_t octets = kLength) {
  return Octets(kData).first(octets);
}

// A packet, and the tracker's fact about it.
template <class Fact>
struct Given {
  void put(std::size_t octets) { packet.payload = data(octets); }
  void take_out_source() {
    packet.read_iov_count = 0;
    packet.read_iov = {};
  }
  void check(Judge& judge, void (*check_fact)(Judge&, const SeenPacket&, const Fact&)) const {
    const OctetBuffer octets = encode(packet);
    const auto decoded = decode(octets);
    ASSERT_TRUE(decoded);
    const Message message = message_of(octets, Side::a, 9);
    judge.at(message);
    check_fact(judge,
               {.message = message,
                .packet = *decoded,
                .layout = *decoded->layout(),
                .headers = octets.size() - decoded->payload.size(),
                .doubled = doubled},
               fact);
  }

  Packet packet;
  Fact fact;
  bool doubled = false;
};

inline const Layout* layout_of(PacketType type) {
  return find_layout(static_cast<std::uint8_t>(type));
}

// A rule, and how to change facts that keep it so that they break it.
template <class All>
struct Breach {
  std::string_view rule;
  Severity severity;
  void (*spoil)(All& all);
  friend void PrintTo(const Breach& breach, std::ostream* out) { *out << breach.rule; }
};
inline constexpr Severity kFails = Severity::violation, kWarns = Severity::warning;

// What the check_all() of these facts finds in them.
using Broken = std::set<std::pair<std::string_view, Severity>>;
template <class All>
Broken broken_by(void (*spoil)(All& all)) {
  Judge judge(kProtocol.catalogue());
  All all;
  if (spoil != nullptr) spoil(all);
  check_all(judge, all);
  Broken rules;
  for (const Finding& finding : judge.findings()) rules.emplace(finding.rule->id, finding.severity);
  return rules;
}

// The rules that a trace shows, in the sections whose ids begin so.
using Rules = std::set<std::string_view>;
inline Rules rules_of(std::span<const std::string_view> sections) {
  Rules rules;
  for (const Rule* const one : kProtocol.catalogue().rules()) {
    const bool is_in = std::ranges::any_of(sections, [&](auto section) { return one->id.starts_with(section); });
    if (is_in && one->observable == Observable::trace) rules.insert(one->id);
  }
  return rules;
}
// Those among the rules that facts which keep all rules do not exercise. If a check did not look at its fact, nothing
// would be broken either.
template <class All>
Rules not_kept_by(const All& all, Rules rules) {
  Judge judge(kProtocol.catalogue());
  check_all(judge, all);
  std::erase_if(rules, [&](auto rule) { return judge.exercised(*kProtocol.catalogue().find(rule)) > 0; });
  return rules;
}

}  // namespace wirelaw::efa::facts
