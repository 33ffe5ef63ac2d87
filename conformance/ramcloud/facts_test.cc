// SPDX-License-Identifier: Apache-2.0
// Each check of RAMCloud RPC is given a fact that keeps its rule, and one that breaks it.
#include <gmock/gmock.h>

#include <set>

#include "conformance/ramcloud/ack/ack.h"
#include "conformance/ramcloud/badSession/bad_session.h"
#include "conformance/ramcloud/channelId/channel_id.h"
#include "conformance/ramcloud/clientSessionHint/client_session_hint.h"
#include "conformance/ramcloud/direction/direction.h"
#include "conformance/ramcloud/fragNumber/frag_number.h"
#include "conformance/ramcloud/header/header.h"
#include "conformance/ramcloud/header/rules.h"
#include "conformance/ramcloud/openRequest/open_request.h"
#include "conformance/ramcloud/openResponse/open_response.h"
#include "conformance/ramcloud/payloadType/payload_type.h"
#include "conformance/ramcloud/pleaseDrop/please_drop.h"
#include "conformance/ramcloud/ramcloud.h"
#include "conformance/ramcloud/requestAck/request_ack.h"
#include "conformance/ramcloud/reserved1/reserved1.h"
#include "conformance/ramcloud/rpcId/rpc_id.h"
#include "conformance/ramcloud/serverSessionHint/server_session_hint.h"
#include "conformance/ramcloud/session/session.h"
#include "conformance/ramcloud/session/silence.h"
#include "conformance/ramcloud/sessionToken/session_token.h"
#include "conformance/ramcloud/totalFrags/total_frags.h"
#include "conformance/ramcloud/transport/transport.h"

namespace wirelaw::ramcloud {
namespace {

// A packet of the server or of the client, as a row requires it.
struct Shown {
  Role sender = Role::responder;
  Header header = {.rpc_id = 7, .total_frags = 3};
  OctetBuffer payload = {};
};

// Has the packet judged by `check`, with facts that hold nothing but the packet and its sender.
template <class Check>
void show(Judge& judge, const Shown& shown, const Check& check) {
  const OctetBuffer octets = encode(shown.header, shown.payload);
  const Message message = message_of(octets, shown.sender == Role::initiator ? Side::a : Side::b, 0);
  judge.at(message);
  check(PacketFacts{.message = message, .packet = *decode(message.octets), .sender = shown.sender});
}

OctetBuffer octets_of(std::size_t count) {
  return OctetBuffer(count, Octet{0});
}

struct Row {
  std::string_view rule;
  void (*check)(Judge& judge, bool holds);
  bool counts_when_kept = true;  // a fact that keeps the rule exercises it
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.rule;
}

template <Role sender>
void ack_with(Judge& judge, const AckFact& fact) {
  show(judge, {.sender = sender}, [&](const PacketFacts& facts) { check_ack(judge, facts, fact); });
}
template <Role sender>
void ack_after(Judge& judge, bool holds) {
  ack_with<sender>(judge, {.ack = Ack{2, 0},
                           .is_requested = true,
                           .total = std::uint16_t{3},
                           .sent_in_order = 3,
                           .is_compared = true,
                           .contradicted = holds ? std::nullopt : std::optional(Ack{1, 2})});
}
template <Role sender>
void hint_of(Judge& judge, bool holds) {
  show(judge, {.sender = sender}, [&](const PacketFacts& facts) {
    check_client_hint(judge, facts, {.client = holds ? 0u : 1u});
    check_server_hint(judge, facts, {.server = holds ? 0u : 1u});
  });
}
template <Role sender>
void direction_of(Judge& judge, bool holds) {
  const bool is_server = sender == Role::responder;
  show(judge, {.sender = sender, .header = {.flags = {.direction = is_server == holds}}},
       [&](const PacketFacts& facts) { check_direction(judge, facts, {}); });
}
void check_nibbles_of(Judge& judge, const Rule& rule, bool holds) {
  show(judge, {}, [&](PacketFacts facts) {
    facts.are_nibbles_swapped = !holds;
    check_nibbles(judge, rule, facts);
  });
}
template <bool is_reopened>
void first_rpc(Judge& judge, bool holds) {
  show(judge, {.sender = Role::initiator, .header = {.rpc_id = holds ? 0u : 1u}},
       [&](const PacketFacts& facts) { check_first_rpc_id(judge, facts, {is_reopened}); });
}
template <bool is_from_client>
void token_of(Judge& judge, bool holds) {
  show(judge, {}, [&](const PacketFacts& facts) {
    check_session_token(judge, facts.header(), {is_from_client, holds ? 0u : 1u});
  });
}
template <void (*check)(Judge&, const PacketFacts&)>
void flag(Judge& judge, bool holds) {
  Shown shown{.header = {.payload_type = PayloadType::ack}};
  if (!holds) shown.header.flags = {.request_ack = true, .please_drop = true, .reserved1 = true};
  show(judge, shown, [&](const PacketFacts& facts) { check(judge, facts); });
}

const Row kRows[] = {
    {"RAMCLOUD-ack-1",
     [](Judge& judge, bool holds) {
       show(judge, {.payload = octets_of(holds ? 6 : 5)},
            [&](const PacketFacts& facts) { check_ack_payload(judge, facts); });
     }},
    {"RAMCLOUD-ack-2",
     [](Judge& judge, bool holds) {
       show(judge, {.payload = octets_of(holds ? 6 : 8)},
            [&](const PacketFacts& facts) { check_ack_payload(judge, facts); });
     }},
    {"RAMCLOUD-ack-3",
     [](Judge& judge, bool holds) {
       ack_with<Role::initiator>(judge, {.ack = Ack{4, 0}, .total = std::uint16_t(holds ? 4 : 3), .sent_in_order = 4});
     }},
    {"RAMCLOUD-ack-3",
     [](Judge& judge, bool holds) {
       const auto first_missing = static_cast<std::uint16_t>(holds ? 0 : 1);
       ack_with<Role::initiator>(judge, {.ack = Ack{first_missing, 0}});
     }},
    {"RAMCLOUD-ack-4",
     [](Judge& judge, bool holds) {
       ack_with<Role::initiator>(judge,
                                 {.ack = Ack{2, 0}, .total = std::uint16_t{3}, .sent_in_order = holds ? 2u : 1u});
     }},
    {"RAMCLOUD-ack-5",
     [](Judge& judge, bool holds) {
       ack_with<Role::initiator>(
           judge, {.ack = Ack{0, 1}, .total = std::uint16_t{3}, .sent_in_order = 2, .not_sent = holds ? 0u : 1u});
     }},
    {"RAMCLOUD-ack-8",
     [](Judge& judge, bool holds) {
       ack_with<Role::initiator>(
           judge, {.ack = Ack{2, 1}, .total = std::uint16_t{3}, .sent_in_order = 3, .not_sent = holds ? 0u : 1u});
     }},
    {"RAMCLOUD-ack-6", ack_after<Role::responder>},
    {"RAMCLOUD-ack-14", ack_after<Role::initiator>},
    {"RAMCLOUD-ack-9",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) { check_ack_subject(judge, facts, {.is_known = holds}); });
     }},
    {"RAMCLOUD-ack-9",
     [](Judge& judge, bool holds) {
       show(judge, {.sender = Role::initiator},
            [&](const PacketFacts& facts) { check_ack_subject(judge, facts, {.is_known = holds}); });
     }},
    {"RAMCLOUD-ack-9",
     [](Judge& judge, bool holds) {
       show(judge, {.sender = Role::initiator, .payload = OctetBuffer{0, 0, Octet(holds ? 0 : 1), 0, 0, 0}},
            [&](const PacketFacts& facts) { check_ack_subject(judge, facts, {.is_asked = true}); });
     },
     false},
    {"RAMCLOUD-ack-13",
     [](Judge& judge, bool holds) {
       ack_with<Role::responder>(judge, {.ack = Ack{}, .is_requested = holds, .total = std::uint16_t{3}});
     }},
    {"RAMCLOUD-ack-7",
     [](Judge& judge, bool holds) {
       ack_with<Role::responder>(
           judge, {.ack = Ack{}, .is_requested = true, .total = std::uint16_t{3}, .sent = 1, .is_reportable = !holds});
     },
     false},
    {"RAMCLOUD-badSession-7",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts&) { check_served_after_refusal(judge, {.is_from_before = holds}); });
     }},
    {"RAMCLOUD-badSession-1",
     [](Judge& judge, bool holds) {
       show(judge, {.payload = octets_of(holds ? 0 : 1)},
            [&](const PacketFacts& facts) { check_bad_session(judge, facts, {.is_hint_used = true}); });
     }},
    {"RAMCLOUD-badSession-2",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) { check_bad_session(judge, facts, {.is_from_client = !holds}); });
     }},
    {"RAMCLOUD-badSession-3",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) { check_bad_session(judge, facts, {.is_hint_used = holds}); });
     }},
    {"RAMCLOUD-badSession-3",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) {
         check_bad_session(judge, facts, {.is_hint_used = true, .is_other_a_client = holds});
       });
     }},
    {"RAMCLOUD-channelId-1",
     [](Judge& judge, bool holds) {
       show(judge, {.header = {.channel_id = 2}},
            [&](const PacketFacts& facts) { check_client_channel(judge, facts, holds ? 2 : 1); });
     }},
    {"RAMCLOUD-channelId-2",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) { check_server_channel(judge, facts, holds); });
     }},
    {"RAMCLOUD-clientSessionHint-1", hint_of<Role::initiator>},
    {"RAMCLOUD-clientSessionHint-3", hint_of<Role::responder>},
    {"RAMCLOUD-serverSessionHint-1", hint_of<Role::responder>},
    {"RAMCLOUD-serverSessionHint-2", hint_of<Role::initiator>},
    {"RAMCLOUD-clientSessionHint-2",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) { check_client_hint_in_open_response(judge, facts, holds); });
     }},
    {"RAMCLOUD-direction-1", direction_of<Role::responder>},
    {"RAMCLOUD-direction-2", direction_of<Role::initiator>},
    {"RAMCLOUD-fragNumber-1",
     [](Judge& judge, bool holds) {
       show(judge, {.header = {.frag_number = std::uint16_t(holds ? 2 : 3), .total_frags = 3}},
            [&](const PacketFacts& facts) { check_frag_number(judge, facts); });
     }},
    {"RAMCLOUD-fragNumber-5",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) { check_fragment_data(judge, facts, holds); });
     }},
    {"RAMCLOUD-header-1",
     [](Judge& judge, bool holds) {
       const OctetBuffer octets = octets_of(holds ? layout::kHeader : layout::kHeader - 1);
       judge.at(message_of(octets, Side::a, 0));
       check_whole_header(judge, message_of(octets, Side::a, 0));
     }},
    {"RAMCLOUD-header-2", [](Judge& judge, bool holds) { check_nibbles_of(judge, rule<"RAMCLOUD-header-2">, holds); }},
    {"RAMCLOUD-header-3", [](Judge& judge, bool holds) { check_nibbles_of(judge, rule<"RAMCLOUD-header-3">, holds); }},
    {"RAMCLOUD-header-4",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) { check_fragment_order(judge, facts, !holds); });
     }},
    {"RAMCLOUD-header-4",
     [](Judge& judge, bool holds) {
       show(judge, {.header = {.rpc_id = holds ? 1u : 0x0100'0000u}},
            [&](const PacketFacts& facts) { check_next_rpc_id(judge, facts, {.next = 1}); });
     }},
    {"RAMCLOUD-old-23", [](Judge& judge, bool holds) { check_request_answered(judge, {.is_asked_again = holds}); }},
    {"RAMCLOUD-session-9",
     [](Judge& judge, bool holds) {
       check_request_answered(
           judge,
           {.is_asked_again = true, .response_total = static_cast<std::uint16_t>(holds ? 1 : 0), .owes_server = true});
     }},
    {"RAMCLOUD-session-9",
     [](Judge& judge, bool holds) { check_open_answered(judge, {.requests = 2, .responses = holds ? 1u : 0u}); }},
    {"RAMCLOUD-openRequest-1",
     [](Judge& judge, bool holds) {
       show(judge, {.payload = octets_of(holds ? 0 : 1)},
            [&](const PacketFacts& facts) { check_open_request(judge, facts); });
     }},
    {"RAMCLOUD-openResponse-1",
     [](Judge& judge, bool holds) {
       show(judge, {.payload = octets_of(holds ? 1 : 0)},
            [&](const PacketFacts& facts) { check_open_response(judge, facts, {}); });
     }},
    {"RAMCLOUD-openResponse-2",
     [](Judge& judge, bool holds) {
       show(judge, {.payload = octets_of(holds ? 1 : 2)},
            [&](const PacketFacts& facts) { check_open_response(judge, facts, {}); });
     }},
    {"RAMCLOUD-openResponse-4",
     [](Judge& judge, bool holds) {
       show(judge, {.payload = octets_of(1)},
            [&](const PacketFacts& facts) { check_open_response(judge, facts, {.is_asked_for = holds}); });
     }},
    {"RAMCLOUD-payloadType-1",
     [](Judge& judge, bool holds) {
       show(judge, {.header = {.payload_type = holds ? PayloadType::ack : PayloadType{3}}},
            [&](const PacketFacts& facts) { check_payload_type(judge, facts); });
     }},
    {"RAMCLOUD-pleaseDrop-3", flag<check_please_drop>},
    {"RAMCLOUD-requestAck-4", flag<check_request_ack>},
    {"RAMCLOUD-reserved1-1", flag<check_reserved1>},
    {"RAMCLOUD-rpcId-1", first_rpc<false>},
    {"RAMCLOUD-rpcId-7", first_rpc<true>},
    {"RAMCLOUD-rpcId-2",
     [](Judge& judge, bool holds) {
       show(judge, {.sender = Role::initiator},
            [&](const PacketFacts& facts) { check_next_rpc_id(judge, facts, {.next = holds ? 7u : 6u}); });
     }},
    {"RAMCLOUD-rpcId-2",
     [](Judge& judge, bool holds) {
       show(judge, {.sender = Role::initiator}, [&](const PacketFacts& facts) {
         check_next_rpc_id(judge, facts, {.next = holds ? 7u : 6u, .is_settled = false});
       });
     }},
    {"RAMCLOUD-rpcId-4",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) {
         check_server_rpc_id(judge, facts, {.is_asked = holds, .latest = 6, .elapsed_ns = 1});
       });
     }},
    {"RAMCLOUD-session-1",
     [](Judge& judge, bool holds) {
       show(judge, {.sender = Role::initiator},
            [&](const PacketFacts& facts) { check_session_before_data(judge, facts.header(), holds); });
     }},
    {"RAMCLOUD-session-6",
     [](Judge& judge, bool holds) {
       show(judge, {.sender = Role::initiator}, [&](const PacketFacts& facts) {
         check_one_rpc_per_channel(judge, facts, {.rpc_id = 6, .is_complete = holds});
       });
     }},
    {"RAMCLOUD-session-6",
     [](Judge& judge, bool holds) {
       show(judge, {.sender = Role::initiator}, [&](const PacketFacts& facts) {
         check_one_rpc_per_channel(judge, facts, {.rpc_id = 6, .is_repeated = true, .is_complete = holds});
       });
     }},
    {"RAMCLOUD-sessionToken-2", token_of<true>},
    {"RAMCLOUD-sessionToken-3", token_of<false>},
    {"RAMCLOUD-sessionToken-4",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) {
         check_new_token(judge, facts, {.holder = holds ? std::nullopt : std::optional(Hints{1, 2})});
       });
     }},
    {"RAMCLOUD-sessionToken-4",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) {
         check_repeated_response(judge, facts, {.announced = 7, .before = static_cast<std::uint8_t>(holds ? 7 : 8)});
       });
     }},
    {"RAMCLOUD-totalFrags-1",
     [](Judge& judge, bool holds) {
       show(judge, {.header = {.total_frags = std::uint16_t(holds ? 1 : 0)}},
            [&](const PacketFacts& facts) { check_total_frags(judge, facts, {}); });
     }},
    {"RAMCLOUD-totalFrags-2",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) {
         check_total_frags(judge, facts, {.total_before = static_cast<std::uint16_t>(holds ? 3 : 4)});
       });
     }},
    {"RAMCLOUD-totalFrags-3",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts&) {
         check_response_after_request(judge, {.total = 3, .sent = holds ? 3u : 2u, .is_complete = holds});
       });
     }},
    {"RAMCLOUD-transport-1",
     [](Judge& judge, bool holds) {
       show(judge, {}, [&](const PacketFacts& facts) {
         Message message = facts.message;
         message.ip_version = 4;
         message.ip_header_octets = holds ? 20 : 24;
         check_transport(judge, message);
       });
     }},
};

class RamcloudFact : public ::testing::TestWithParam<Row> {};

TEST_P(RamcloudFact, DecidesItsRule) {
  for (const bool holds : {true, false}) {
    Judge judge(kProtocol.catalogue());
    GetParam().check(judge, holds);
    std::set<std::string_view> broken;
    for (const Finding& finding : judge.findings()) broken.insert(finding.rule->id);
    const auto found = std::ranges::find(judge.catalogue().rules(), GetParam().rule, &Rule::id);
    ASSERT_NE(found, judge.catalogue().rules().end());
    EXPECT_EQ(judge.exercised(**found) > 0, !holds || GetParam().counts_when_kept);
    EXPECT_EQ(broken.contains(GetParam().rule), !holds) << "a fact that " << (holds ? "holds" : "does not");
    if (holds) {
      EXPECT_THAT(broken, testing::IsEmpty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, RamcloudFact, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::to_string(row.index); });

// Rules that a capture shows, and which no row breaks, do not exist.
TEST(RamcloudFacts, BreakEveryRuleThatACaptureShows) {
  std::set<std::string_view> shown, broken;
  for (const Rule* const one : kProtocol.catalogue().rules())
    if (one->observable == Observable::trace) shown.insert(one->id);
  for (const Row& row : kRows) broken.insert(row.rule);
  std::set<std::string_view> missing;
  std::ranges::set_difference(shown, broken, std::inserter(missing, missing.end()));
  EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace wirelaw::ramcloud
