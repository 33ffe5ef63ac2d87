// SPDX-License-Identifier: Apache-2.0
// Each check of facts about endpoints, and about how they begin, is given one that keeps its rule, and one that breaks
// it.
#include <gmock/gmock.h>

#include "conformance/efa/1.3-base-header/base_header.h"
#include "conformance/efa/1.4-raw-address/raw_address.h"
#include "conformance/efa/2.1-extra-features/extras.h"
#include "conformance/efa/2.1-handshake/handshake.h"
#include "conformance/efa/2.1-handshake/handshake_format.h"
#include "conformance/efa/2.2-raw-address-header/raw_address_header.h"
#include "conformance/efa/3.1-req/req.h"
#include "conformance/efa/3.2-msg-id/msg_id.h"
#include "conformance/efa/4.4-connid/connid.h"
#include "conformance/efa/4.8-user-recv-qp/user_recv_qp.h"
#include "conformance/efa/test_facts.h"

namespace wirelaw::efa::facts {
namespace {

constexpr std::uint32_t kConnid = 7;
constexpr Octet kExtras[8] = {1}, kQueuePairExtras[8] = {0x80};
const RawAddress kAddress{.gid = {0xfe}, .qpn = 21, .connid = kConnid};

Packet with_connid(PacketType type) {
  Packet packet = packet_of(type);
  packet.flags |= flag::kConnid;
  packet.connid = kConnid;
  return packet;
}

Packet with_address(const RawAddress& address, OctetBuffer& octets) {
  encode(address, octets);
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.flags |= flag::kRawAddress;
  packet.raw_address_size = static_cast<std::uint32_t>(octets.size());
  packet.raw_address = octets;
  return packet;
}

Given<RawAddressFact> raw_address() {
  static OctetBuffer octets;
  octets.clear();
  Given<RawAddressFact> given{.packet = with_address(kAddress, octets), .fact = {.address = kAddress}};
  given.fact.network =
      wirelaw::Endpoint{.address = {.octets = kAddress.gid, .v6 = true}, .port = std::uint32_t{kAddress.qpn}};
  given.fact.before = kAddress;
  return given;
}

// A REQ with CQ data and a raw address, whose octets are those of a size and another raw address eight octets later.
Given<SenderFact> request_with_cq_data() {
  static OctetBuffer octets;
  octets.clear();
  RawAddress address = kAddress;
  address.gid[4] = layout::kRawAddress;
  Given<SenderFact> given{.packet = with_address(address, octets)};
  given.packet.flags |= flag::kCqData;
  given.packet.cq_data = kConnid + 1;
  return given;
}

// The HANDSHAKE of an endpoint that follows the document after 2.6.
Given<Revisions> later_handshake(std::uint64_t extras) {
  static std::array<std::array<Octet, 8>, 3> members;
  auto& octets = members[extras == 0 ? 0 : extras == baseline_of(Revision::v2_6) ? 1 : 2];
  store_little_endian(octets.data(), extras);
  Given<Revisions> given{.packet = packet_of(PacketType::handshake), .fact = {.least = Revision::main}};
  given.packet.flags |= flag::kHmem;
  given.packet.nextra_p3 = 4;
  given.packet.extra_info = octets;
  given.packet.p2p_supported = 1;
  return given;
}

Given<ExtraFact> extra(PacketType type) {
  return {.packet = packet_of(type), .fact = {.extra_info = ~std::uint64_t{0}}};
}

// The facts that a row may modify. Unmodified, they break no rule. The last ones are stated only about a breach.
struct Endpoints {
  BaseHeaderFact base_header{.octets = sizeof kData, .is_low_octet_first = true, .is_readable = true};
  HandshakeFact handshake{.first = kEarlier, .is_asked_for = true}, unasked_handshake{.first = kEarlier};
  EarlyExtraFact early_extra{.mark = kEarlier};
  Given<ExtraFact> longread = extra(PacketType::longread_rtw), dc = extra(PacketType::dc_eager_msgrtm),
                   runtread = extra(PacketType::runtread_msgrtm), read_nack = extra(PacketType::read_nack);
  Given<QueuePairFact> queue_pair{.packet = packet_of(PacketType::short_rtr)};
  Given<Revisions> later_handshake = facts::later_handshake(baseline_of(Revision::v2_6));
  Given<Revisions> with_queue_pair{.packet = packet_of(PacketType::handshake), .fact = {.least = Revision::v2_6}};
  Given<SenderFact> request_with_cq_data = facts::request_with_cq_data(),
                    bare_handshake{.packet = packet_of(PacketType::handshake)};
  Given<AddressHeaderFact> address_header{.packet = packet_of(PacketType::eager_msgrtm), .fact = {.mark = kEarlier}};
  FirstRequestsFact first_requests{.mark = kEarlier, .has_handshake = true};
  Given<RawAddressFact> raw_address = facts::raw_address(), first_raw_address = facts::raw_address();
  Given<ConnidFact> cts{.packet = with_connid(PacketType::cts), .fact = {.before = kConnid, .asked_by = 3}};
  Given<ConnidFact> ctsdata{.packet = with_connid(PacketType::ctsdata),
                            .fact = {.before = kConnid, .by_address = true, .asked_by = 3}};
  Given<ConnidFact> request{.packet = with_connid(PacketType::short_rtr), .fact = {.before = kConnid, .asked_by = 3}};
  Given<ConnidFact> greeting{.packet = with_connid(PacketType::handshake), .fact = {.is_own = true}};
  Given<ConnidFact> bare{.packet = packet_of(PacketType::eager_msgrtm),
                         .fact = {.unannounced = ConnidFact::Unannounced{}}};
  Given<ConnidFact> padded{.packet = packet_of(PacketType::cts), .fact = {.unannounced = {{.in_padding = true}}}};
  std::optional<StrayConnidFact> stray;
  std::optional<ReplacementFact> replacement;
  std::optional<MeetingAgainFact> meeting;
  std::optional<MissingHandshakeFact> missing;

  Endpoints() {
    with_queue_pair.packet.flags |= flag::kUserRecvQp;
    with_queue_pair.packet.nextra_p3 = 4;
    with_queue_pair.packet.extra_info = kQueuePairExtras;
    bare_handshake.packet.nextra_p3 = 4;
    bare_handshake.packet.extra_info = kExtras;
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

void check_features(Judge& judge, const Endpoints& all) {
  for (const Given<ExtraFact>* const one : {&all.longread, &all.dc, &all.runtread, &all.read_nack})
    one->check(judge, check_extra);
  all.queue_pair.check(judge, check_queue_pair);
  for (const Given<Revisions>* const one : {&all.later_handshake, &all.with_queue_pair})
    one->check(judge, [](Judge& to, const SeenPacket& seen, const Revisions& document) {
      check_later_handshake(to, seen, document);
    });
  all.request_with_cq_data.check(
      judge, [](Judge& to, const SeenPacket& seen, const SenderFact& sender) { judge_request(to, seen, sender); });
  all.bare_handshake.check(judge, [](Judge& to, const SeenPacket& seen, const SenderFact& sender) {
    judge_handshake_format(to, seen, sender);
  });
}

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
  if (all.missing) check_missing_handshake(judge, Side::a, *all.missing);
  check_features(judge, all);
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
    {"EFA-2.1-20", kWarns, [](Endpoints& all) { all.spoil_early_extra(EarlyExtraFact::Case::baseline); }},
    {"EFA-2.1-20", kFails,
     [](Endpoints& all) {
       all.spoil_early_extra(EarlyExtraFact::Case::baseline);
       all.early_extra.document.most = Revision::v2023_10;
     }},
    {"EFA-2.1-1", kFails,
     [](Endpoints& all) { all.missing = {.since = kEarlier, .is_asked_for = true, .is_over = true, .is_due = true}; }},
    {"EFA-2.1-1", kWarns,
     [](Endpoints& all) { all.missing = {.since = kEarlier, .is_asked_for = true, .is_over = true}; }},
    {"EFA-2.1-2", kWarns,
     [](Endpoints& all) { all.missing = {.since = kEarlier, .is_over = true, .is_silent = true}; }},
    {"EFA-2.1-15", kFails,
     [](Endpoints& all) {
       all.bare_handshake.packet.flags |= flag::kConnid | flag::kHostId;
       all.bare_handshake.packet.host_id = kConnid;
       all.bare_handshake.fact.connid = kConnid;
     }},
    {"EFA-2.1-21", kFails, [](Endpoints& all) { all.longread.fact.extra_info = 0; }},
    {"EFA-2.1-21", kWarns, [](Endpoints& all) { all.runtread.fact.extra_info = extra_bits({Extra::runting_read}); }},
    {"EFA-2.1-22", kWarns, [](Endpoints& all) { all.dc.fact.extra_info = 0; }},
    {"EFA-2.1-22", kFails, [](Endpoints& all) { all.dc.fact = {.document = {.most = Revision::v2023_10}}; }},
    {"EFA-2.1-23", kFails, [](Endpoints& all) { all.runtread.fact = {.document = {.most = Revision::v2023_10}}; }},
    {"EFA-2.1-24", kFails, [](Endpoints& all) { all.read_nack.fact = {.document = {.most = Revision::v2023_10}}; }},
    {"EFA-2.1-30", kWarns, [](Endpoints& all) { all.later_handshake = facts::later_handshake(0); }},
    {"EFA-2.1-31", kFails, [](Endpoints& all) { all.later_handshake.packet.p2p_supported = 2; }},
    {"EFA-3.1-12", kFails,
     [](Endpoints& all) {
       all.request_with_cq_data.fact.gid.emplace();
       std::ranges::copy(all.request_with_cq_data.packet.raw_address.subspan(8, 16),
                         all.request_with_cq_data.fact.gid->begin());
     }},
    {"EFA-3.1-13", kFails,
     [](Endpoints& all) {
       all.request_with_cq_data.packet.flags |= flag::kConnid;
       all.request_with_cq_data.packet.connid = kConnid;
       all.request_with_cq_data.fact.connid = kConnid + 1;
     }},
    {"EFA-4.8-1", kFails,
     [](Endpoints& all) { all.later_handshake = facts::later_handshake(extra_bits({Extra::user_recv_qp})); }},
    {"EFA-4.8-2", kWarns,
     [](Endpoints& all) { all.later_handshake = facts::later_handshake(extra_bits({Extra::user_recv_qp})); }},
    {"EFA-4.8-3", kFails, [](Endpoints& all) { all.queue_pair.packet = packet_of(PacketType::eager_msgrtm); }},
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

TEST(EfaEndpointFacts, AboutAHandshakeThatIsMissingSinceShortlyLeaveItsRuleInconclusive) {
  Endpoints all;
  all.missing = {.since = kEarlier, .is_asked_for = true, .is_due = true};
  Judge judge(kProtocol.catalogue());
  check_all(judge, all);
  EXPECT_THAT(judge.findings(), testing::IsEmpty());
}

// A document that no longer has the rule is not judged by it.
TEST(EfaEndpointFacts, AboutABaselineFeatureBreakNothingOfALaterDocument) {
  EXPECT_THAT(broken_by<Endpoints>([](Endpoints& all) { all.dc.fact = {.document = {.least = Revision::v2_6}}; }),
              testing::IsEmpty());
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

constexpr std::string_view kEndpointSections[] = {"EFA-1.4-", "EFA-2.2-", "EFA-4.4-", "EFA-4.8-"};

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
