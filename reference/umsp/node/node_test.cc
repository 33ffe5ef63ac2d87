// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/node.h"

#include <gtest/gtest.h>

#include "reference/umsp/exchange.h"

namespace wirelaw::umsp {
namespace {

constexpr NodeAddress kSelf{{192, 0, 2, 2}}, kOther{{192, 0, 2, 1}};

bool answers_search(Node& node, LinkId link) {
  node.receive(link, write(VmReq{}.draft()), {});
  bool answered = false;
  for (Outgoing out; node.next_output(out);) answered = answered || out.to == link;
  return answered;
}

// Datagrams from ever new ports exclude neither later datagrams nor connections.
TEST(Node, HasRoomForWhoComesLast) {
  constexpr std::size_t kRoom = 8;
  Node node({.address = kSelf, .links = {.links = kRoom}});
  for (LinkId link = 0; link < 4 * kRoom; ++link) {
    node.linked(link, kOther, true, {});
    EXPECT_TRUE(answers_search(node, link)) << link;
  }
  node.linked(100, kOther, false, {});
  EXPECT_TRUE(answers_search(node, 100));
}

// The octets that the node sent on the link.
OctetBuffer sent_on(Node& node, LinkId link) {
  OctetBuffer octets;
  for (Outgoing out; node.next_output(out);)
    if (out.to == link) octets.insert(octets.end(), out.octets.begin(), out.octets.end());
  return octets;
}

// Without an answer so far, a session is opened on the connection that was made last, not on the first one.
TEST(Node, OpensItsSessionsOnTheLatestConnection) {
  Node node({.address = kSelf});
  node.linked(0, kOther, false, {});
  node.linked(1, kOther, false, {});
  ASSERT_TRUE(node.begin_job(kSelf, 0, {}, {}));
  std::optional<Identifier> gjid;
  for (NodeEvent event; node.next_event(event);)
    if (const auto* const started = std::get_if<JobStarted>(&event)) gjid = started->gjid;
  ASSERT_TRUE(gjid);
  ASSERT_TRUE(node.open_session(kOther, *gjid, {}, {}));
  const OctetBuffer octets = sent_on(node, 1);
  ASSERT_FALSE(octets.empty());
  EXPECT_EQ(octets[0], static_cast<Octet>(Opcode::session_open));
}

// A SESSION_OPEN for a session that is open changes nothing, whether its headers can be processed or not: it is not
// refused, as the session stays in use.
TEST(Node, TakesNoNoticeOfASessionOpenForAnOpenSession) {
  constexpr std::uint32_t kId = 7;
  Node node({.address = kSelf});
  node.linked(0, kOther, false, {});
  const VmKind vm{node.options().vm.vm_type, node.options().vm.vm_version};
  Draft open = SessionOpen{
      .required_vm = vm,
      .required_profile = with_field(0, kVersionFirst, kVersionBits, kUmspVersion),
      .sender_vm = vm,
      .gjid = identifier_of({}, kOther, 1),
      .ltid = {1,
               4}}.draft();
  open.req_id = kId;
  node.receive(0, write(open), {});
  ASSERT_EQ(sent_on(node, 0).at(0), static_cast<Octet>(Opcode::session_accept));
  open.session_id = node.sessions().all().begin()->first;
  for (const bool is_processed : {true, false}) {
    if (!is_processed) open.extensions = {{HeadCode::inaction_time, OctetBuffer(8, 1)}};
    node.receive(0, write(open), {});
    EXPECT_TRUE(sent_on(node, 0).empty()) << is_processed;
    EXPECT_EQ(node.sessions().all().size(), 1u);
  }
}

// The other node's SESSION_OPEN of a job of its own, which is accepted. Returns the identifier that the node gives.
std::uint32_t open_at(Node& node, std::uint32_t id) {
  const VmKind vm{node.options().vm.vm_type, node.options().vm.vm_version};
  Draft open = SessionOpen{
      .required_vm = vm,
      .required_profile = with_field(kWholeProfile, kVersionFirst, kVersionBits, kUmspVersion),
      .sender_vm = vm,
      .sender_profile = kWholeProfile,
      .window = 16,
      .gjid = identifier_of({}, kOther, 1),
      .ltid = {1,
               4}}.draft();
  open.req_id = id;
  node.receive(0, write(open), {});
  EXPECT_EQ(sent_on(node, 0).at(0), static_cast<Octet>(Opcode::session_accept));
  return node.sessions().all().begin()->first;
}

// Closes the session. Returns the basic return code of the answer, which is the first thing that is sent.
std::optional<std::uint16_t> close_at(Node& node, std::uint32_t session) {
  Draft close = draft_of(Opcode::session_close);
  close.session_id = session;
  node.receive(0, write(close), {});
  const OctetBuffer octets = sent_on(node, 0);
  const auto answer = decode(octets);
  if (!answer || answer->opcode() != static_cast<std::uint8_t>(Opcode::rsp_p)) return std::nullopt;
  return read_codes(*answer).value_or(Codes{}).basic;
}

// After its agreement a node does not use the session (RFC 3018 5.4), so it refuses as long as it has a chain to send.
TEST(Node, AgreesToAClosingWhenItHasSentItsChains) {
  Node node({.address = kSelf});
  node.linked(0, kOther, false, {});
  const std::uint32_t session = open_at(node, 7);
  ASSERT_NE(node.chains(session), nullptr);
  const Draft data = write_data({.value = 0x1000, .octets = 4}, OctetBuffer(4));
  ASSERT_TRUE(node.chains(session)->send_transaction({.after_sending = false}, {data, data}, {}));
  node.moved({});
  const OctetBuffer asked = sent_on(node, 0);
  const auto request = decode(asked);
  ASSERT_TRUE(request);
  ASSERT_EQ(request->opcode(), static_cast<std::uint8_t>(Opcode::req_buf));
  EXPECT_NE(close_at(node, session).value_or(0), 0);

  Draft grant = draft_of(Opcode::rsp_p);
  grant.session_id = session;
  grant.req_id = request->header.req_id;
  node.receive(0, write(grant), {});
  EXPECT_FALSE(sent_on(node, 0).empty());  // the transaction
  EXPECT_EQ(close_at(node, session), 0);
}

// It sends nothing for its application either, which is told so.
TEST(Node, SendsNoRequestInASessionThatItHasAgreedToClose) {
  Node node({.address = kSelf});
  node.linked(0, kOther, false, {});
  const std::uint32_t session = open_at(node, 7);
  ASSERT_EQ(close_at(node, session), 0);
  Draft data = write_data({.value = 0x1000, .octets = 4}, OctetBuffer(4));
  data.req_id = 3;
  node.request(session, data, {});
  EXPECT_TRUE(sent_on(node, 0).empty());
  bool is_told = false;
  for (NodeEvent event; node.next_event(event);) is_told = is_told || std::holds_alternative<Responded>(event);
  EXPECT_TRUE(is_told);

  Draft cancel = draft_of(Opcode::nop);
  cancel.session_id = session;
  node.receive(0, write(cancel), {});
  node.request(session, data, {});
  EXPECT_FALSE(sent_on(node, 0).empty());
}

// --- floods of SESSION_OPENs

constexpr LinkId kFlood = 1, kHonest = 2;
constexpr NodeAddress kFlooder{{192, 0, 2, 66}};

// Opens sessions of as many jobs, each of the flooder's own, and ignores the answers.
void flood(Node& node, std::uint32_t first, std::uint32_t count, Instant now) {
  for (std::uint32_t number = first; number < first + count; ++number) {
    Draft open = SessionOpen{
        .required_profile = with_field(0, kVersionFirst, kVersionBits, kUmspVersion),
        .sender_vm = {50000, 1},
        .gjid = identifier_of({}, kFlooder, number),
        .ltid = {number,
                 4}}.draft();
    open.req_id = number;
    node.receive(kFlood, write(open), now);
  }
  for (Outgoing out; node.next_output(out);) EXPECT_EQ(out.to, kFlood);
}

void carry(Node& from, LinkId on, Node& to, LinkId there, Instant now) {
  for (Outgoing out; from.next_output(out);)
    if (out.to == on) to.receive(there, out.octets, now);
}

// True if a node gets a session of a job that it controls itself.
bool is_served(Node& server, NodeAddress client_address, Instant now) {
  Node client({.address = client_address});
  client.linked(kHonest, kSelf, false, now);
  server.linked(kHonest, client_address, false, now);
  bool opened = false;
  client.begin_job(client_address, 0, {}, now);
  for (int step = 0; step < 8; ++step) {
    for (NodeEvent event; client.next_event(event);) {
      if (const auto* const started = std::get_if<JobStarted>(&event))
        client.open_session(kSelf, started->gjid, {}, now);
      const auto* const session = std::get_if<SessionEvent>(&event);
      opened = opened || (session != nullptr && std::holds_alternative<SessionOpened>(*session));
    }
    carry(client, kHonest, server, kHonest, now);
    carry(server, kHonest, client, kHonest, now);
  }
  server.ended(kHonest, now);
  return opened;
}

// A node that opens sessions and does not continue excludes no other node: neither meanwhile, nor by what remains of
// its sessions and tasks after their time. It does not even exclude itself in the end.
TEST(Node, ServesOthersUnderAFloodOfSessionOpens) {
  Node node({.address = kSelf});
  Instant now{};
  node.linked(kFlood, kFlooder, false, now);
  for (Octet round = 0; round < 8; ++round) {
    flood(node, 1 + round * 2000u, 2000, now);
    EXPECT_TRUE(is_served(node, {{192, 0, 2, static_cast<Octet>(100 + round)}}, now)) << int{round};
    now += std::chrono::seconds(11);
    node.advance(now);
  }
  EXPECT_EQ(node.sessions().all().size(), 8u);  // the honest ones
  EXPECT_TRUE(is_served(node, kFlooder, now));
}

// 68 octets of operands need the extended form of the header, and S8 is not set (RFC 3018 5.3.4).
TEST(Profile, LongOperandsNeedTheExtendedForm) {
  const OctetBuffer data(64, 1);
  const OctetBuffer octets = write(write_data({.value = 0x1000, .octets = 4}, data));
  const auto instruction = decode(octets);
  ASSERT_TRUE(instruction);
  const std::uint32_t all = kWholeProfile;
  EXPECT_TRUE(takes(all, *instruction));
  EXPECT_FALSE(takes(all & ~bit_of(ProfileFlag::extended_headers), *instruction));
  EXPECT_TRUE(takes((all & ~bit_of(ProfileFlag::extended_headers)) | bit_of(ProfileFlag::border), *instruction));
}

}  // namespace
}  // namespace wirelaw::umsp
