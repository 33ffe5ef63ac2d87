// SPDX-License-Identifier: Apache-2.0
// Each check of facts about endpoints, and about how they begin, is given one that keeps its rule, and one that breaks
// it.
#include <gmock/gmock.h>

#include "conformance/efa/1.3-base-header/base_header.h"
#include "conformance/efa/1.4-raw-address/raw_address.h"
#include "conformance/efa/2.1-extra-features/extras.h"
#include "conformance/efa/2.1-handshake/handshake.h"
#include "conformance/efa/2.2-raw-address-header/raw_address_header.h"
#include "conformance/efa/3.2-msg-id/msg_id.h"
#include "conformance/efa/4.4-connid/connid.h"
#include "conformance/efa/test_facts.h"
#include "conformance/efa/tracker/trace_state.h"

namespace wirelaw::efa::facts {
namespace {

constexpr std::uint32_t kConnid = 7;
const RawAddress kAddress{.gid = {0xfe}, .qpn = 21, .connid = kConnid};

Packet with_connid(PacketType type) {
  Packet packet = packet_of(type);
  packet.flags |= flag::kConnid;
  packet.connid = kConnid;
  return packet;
}

Given<RawAddressFact> raw_address() {
  static const OctetBuffer kOctets = [] {
    OctetBuffer octets;
    encode(kAddress, octets);
    return octets;
  }();
  Given<RawAddressFact> given{.packet = packet_of(PacketType::eager_msgrtm), .fact = {.address = kAddress}};
  given.packet.flags |= flag::kRawAddress;
  given.packet.raw_address_size = static_cast<std::uint32_t>(kOctets.size());
  given.packet.raw_address = kOctets;
  given.fact.network =
      wirelaw::Endpoint{.address = {.octets = kAddress.gid, .v6 = true}, .port = std::uint32_t{kAddress.qpn}};
  given.fact.before = kAddress;
  return given;
}

// The facts that a row may modify. Unmodified, they break no rule. The last ones are stated only about a breach.
struct Endpoints {
  BaseHeaderFact base_header{.octets = sizeof kData, .is_low_octet_first = true, .is_readable = true};
  HandshakeFact handshake{.first = kEarlier, .is_asked_for = true}, unasked_handshake{.first = kEarlier};
  EarlyExtraFact early_extra{.mark = kEarlier};
  Given<AddressHeaderFact> address_header{.packet = packet_of(PacketType::eager_msgrtm), .fact = {.mark = kEarlier}};
  FirstRequestsFact first_requests{.mark = kEarlier, .has_handshake = true};
  Given<RawAddressFact> raw_address = facts::raw_address(), first_raw_address = facts::raw_address();
  Given<ConnidFact> cts{.packet = with_connid(PacketType::cts), .fact = {.before = kConnid, .asked_by = 3}};
  Given<ConnidFact> ctsdata{.packet = with_connid(PacketType::ctsdata),
                            .fact = {.before = kConnid, .by_address = true, .asked_by = 3}};
  Given<ConnidFact> request{.packet = with_connid(PacketType::short_rtr), .fact = {.before = kConnid, .asked_by = 3}};
  Given<ConnidFact> greeting{.packet = with_connid(PacketType::handshake), .fact = {.is_own = true}};
  Given<ConnidFact> bare{.packet = packet_of(PacketType::eager_msgrtm), .fact = {.unannounced = {{}}}};
  Given<ConnidFact> padded{.packet = packet_of(PacketType::cts), .fact = {.unannounced = {{.in_padding = true}}}};
  std::optional<StrayConnidFact> stray;
  std::optional<ReplacementFact> replacement;
  std::optional<TraceState::MeetingAgain> meeting;

  Endpoints() {
    first_raw_address.fact.before.reset();
    first_raw_address.fact.connid_before = kConnid;
    greeting.packet.nextra_p3 = 3;
  }
  void spoil_early_extra(EarlyExtraFact::Case by) {
    early_extra.of = by;
    early_extra.layout = layout_of(PacketType::longread_rtw);
  }
  void replace(bool by_address, bool is_due) {
    replacement = ReplacementFact{.former = kConnid + 1, .connid = kConnid, .mark = kEarlier, .is_due = is_due};
    if (by_address) replacement->former_address = replacement->address = kAddress;
  }
};

void check_all(Judge& judge, const Endpoints& all) {
  const Message message = message_of(kData, Side::a, 9);
  judge.at(message);
  check_base_header(judge, message, all.base_header);
  check_handshake(judge, message, all.handshake);
  check_handshake(judge, message, all.unasked_handshake);
  check_early_extra(judge, Side::a, all.early_extra);
  all.address_header.check(judge, check_address_header);
  check_first_requests(judge, Side::a, all.first_requests);
  all.raw_address.check(judge, check_raw_address);
  all.first_raw_address.check(judge, check_raw_address);
  for (const Given<ConnidFact>* const one :
       {&all.cts, &all.ctsdata, &all.request, &all.greeting, &all.bare, &all.padded})
    one->check(judge, check_connid);
  if (all.stray) check_stray_connid(judge, Side::a, *all.stray);
  if (all.replacement) check_replacement(judge, *all.replacement);
  if (all.meeting) check_meeting_again(judge, *all.meeting);
}

const Breach<Endpoints> kEndpointBreaches[] = {
    {"EFA-1.3-1", kFails, [](Endpoints& all) { all.base_header.octets = 3; }},
    {"EFA-1.3-10", kWarns, [](Endpoints& all) { all.base_header.is_low_octet_first = false; }},
    {"EFA-1.4-1", kFails, [](Endpoints& all) { all.raw_address.fact.address.reset(); }},
    {"EFA-1.4-2", kFails, [](Endpoints& all) { all.raw_address.fact.address->gid[1] = 1; }},
    {"EFA-1.4-2", kWarns,
     [](Endpoints& all) {
       all.raw_address.fact.address->gid[1] = 1;
       all.raw_address.fact.is_udp = true;
     }},
    {"EFA-1.4-3", kFails, [](Endpoints& all) { all.raw_address.fact.network->port = 22; }},
    {"EFA-1.4-3", kWarns,
     [](Endpoints& all) {
       all.raw_address.fact.network->port = 22;
       all.raw_address.fact.is_udp = true;
     }},
    {"EFA-1.4-4", kFails, [](Endpoints& all) { all.raw_address.fact.before->connid = kConnid + 1; }},
    {"EFA-1.4-4", kFails,
     [](Endpoints& all) {
       all.raw_address.fact.before->qpn = 22;
       all.raw_address.fact.network.reset();
     }},
    {"EFA-1.4-4", kFails, [](Endpoints& all) { all.replace(true, true); }},
    {"EFA-1.4-4", kWarns, [](Endpoints& all) { all.replace(true, false); }},
    {"EFA-1.4-4", kFails,
     [](Endpoints& all) {
       all.replace(true, true);
       std::swap(all.replacement, all.raw_address.fact.unproven);
     }},
    {"EFA-2.1-3", kWarns,
     [](Endpoints& all) {
       all.meeting = {.handshakes = {{.mark = kEarlier}}};
       all.meeting->is_known = false;
     }},
    {"EFA-2.1-4", kWarns, [](Endpoints& all) { all.handshake.is_late = true; }},
    {"EFA-2.1-20", kFails, [](Endpoints& all) { all.spoil_early_extra(EarlyExtraFact::Case::lacking); }},
    {"EFA-2.1-20", kFails, [](Endpoints& all) { all.spoil_early_extra(EarlyExtraFact::Case::forbidden); }},
    {"EFA-2.1-20", kWarns, [](Endpoints& all) { all.spoil_early_extra(EarlyExtraFact::Case::no_handshake); }},
    {"EFA-2.1-20", kWarns, [](Endpoints& all) { all.spoil_early_extra(EarlyExtraFact::Case::maybe_homogeneous); }},
    {"EFA-2.2-1", kFails, [](Endpoints& all) { all.first_requests.bare = layout_of(PacketType::short_rtr); }},
    {"EFA-2.2-1", kWarns,
     [](Endpoints& all) { all.first_requests = {.bare = layout_of(PacketType::short_rtr), .has_handshake = false}; }},
    {"EFA-2.2-2", kFails, [](Endpoints& all) { all.address_header.fact.is_there = true; }},
    {"EFA-2.2-2", kFails,
     [](Endpoints& all) {
       all.address_header.fact.is_there = true;
       all.address_header.fact.order = AddressHeaderFact::Order{.without = 4, .with = 5};
     }},
    {"EFA-2.2-2", kWarns,
     [](Endpoints& all) {
       all.address_header.fact.is_there = true;
       all.address_header.fact.may_be_copy = true;
     }},
    {"EFA-3.2-1", kFails, [](Endpoints& all) { all.meeting = {.repeated = kEarlier}; }},
    {"EFA-3.2-1", kWarns, [](Endpoints& all) { all.meeting = {.repeated = kEarlier, .may_be_doubled = true}; }},
    {"EFA-4.4-1", kFails, [](Endpoints& all) { all.cts.fact.before = kConnid + 1; }},
    {"EFA-4.4-1", kFails, [](Endpoints& all) { all.stray = StrayConnidFact{.mark = kEarlier, .is_proven = true}; }},
    {"EFA-4.4-2", kFails, [](Endpoints& all) { all.ctsdata.fact.before = kConnid + 1; }},
    {"EFA-4.4-2", kFails, [](Endpoints& all) { all.first_raw_address.fact.connid_before = kConnid + 1; }},
    {"EFA-4.4-2", kFails,
     [](Endpoints& all) { all.stray = StrayConnidFact{.mark = kEarlier, .by_address = true, .is_proven = true}; }},
    {"EFA-4.4-2", kFails, [](Endpoints& all) { all.replace(false, true); }},
    {"EFA-4.4-2", kWarns, [](Endpoints& all) { all.replace(false, false); }},
    {"EFA-4.4-2", kFails,
     [](Endpoints& all) {
       all.replace(false, true);
       std::swap(all.replacement, all.cts.fact.unproven);
     }},
    {"EFA-4.4-2", kWarns, [](Endpoints& all) { all.greeting.fact.is_own = false; }},
    {"EFA-4.4-3", kFails, [](Endpoints& all) { all.bare.fact.unannounced->is_there = true; }},
    {"EFA-4.4-3", kWarns, [](Endpoints& all) { all.padded.fact.unannounced->is_there = true; }},
    {"EFA-4.4-4", kFails, [](Endpoints& all) { all.request.packet.flags ^= flag::kConnid; }},
    {"EFA-4.4-5", kFails, [](Endpoints& all) { all.ctsdata.packet.flags ^= flag::kConnid; }},
    {"EFA-4.4-6", kFails, [](Endpoints& all) { all.cts.packet.flags ^= flag::kConnid; }},
};

class EfaEndpointFact : public ::testing::TestWithParam<Breach<Endpoints>> {};

TEST_P(EfaEndpointFact, BreaksItsRule) {
  EXPECT_TRUE(broken_by(GetParam().spoil).contains({GetParam().rule, GetParam().severity}));
}

INSTANTIATE_TEST_SUITE_P(Rows, EfaEndpointFact, ::testing::ValuesIn(kEndpointBreaches),
                         [](const auto& row) { return std::to_string(row.index); });

TEST(EfaEndpointFacts, ThatHoldBreakNothing) {
  EXPECT_THAT(broken_by<Endpoints>(nullptr), testing::IsEmpty());
}

// Another endpoint may explain the connid.
TEST(EfaEndpointFacts, AboutAConnidThatProveNothingLeaveItsRuleInconclusive) {
  Endpoints all;
  all.stray = StrayConnidFact{.mark = kEarlier, .connid = kConnid + 1, .before = kConnid};
  Judge judge(kProtocol.catalogue());
  check_all(judge, all);
  EXPECT_THAT(judge.findings(), testing::IsEmpty());
  const auto results = judge.rule_results();
  const auto result = std::ranges::find_if(results, [](const auto& one) { return one.rule->id == "EFA-4.4-1"; });
  ASSERT_NE(result, results.end());
  EXPECT_EQ(result->inconclusive, 1u);
}

constexpr std::string_view kEndpointSections[] = {"EFA-1.4-", "EFA-2.2-", "EFA-4.4-"};

TEST(EfaEndpointFacts, BreakEveryRuleOfTheirSections) {
  Rules missing = rules_of(kEndpointSections);
  EXPECT_EQ(missing.erase("EFA-4.4-7"), 1u);  // broken by a packet that ends before its connid
  EXPECT_GT(missing.size(), 10u);
  for (const Breach<Endpoints>& one : kEndpointBreaches) missing.erase(one.rule);
  EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(EfaEndpointFacts, ThatHoldExerciseEveryRuleOfTheirSections) {
  EXPECT_THAT(not_kept_by(Endpoints{}, rules_of(kEndpointSections)), testing::IsEmpty());
}

}  // namespace
}  // namespace wirelaw::efa::facts
