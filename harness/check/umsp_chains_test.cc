// SPDX-License-Identifier: Apache-2.0
// Honest conversations about chains, buffers and acknowledgements (RFC 3018 7) over one to three TCP connections: each
// instruction goes over any of them, and the tap sees the connections in any order that the waits of the two nodes
// allow. No rule fails.
#include <gmock/gmock.h>

#include <deque>
#include <random>

#include "harness/check/umsp_capture.h"

namespace wirelaw::umsp_chains {
namespace {

using corpora::UmspExtension;
using corpora::UmspOctets;
using umsp::HeadCode;
using umsp::Opcode;
using umsp_capture::Capture;
using umsp_capture::Say;
using umsp_capture::UmspTraceBuilder;

// ------------------------------------------------------------------------------------------ what a node may send
constexpr std::uint32_t kAsked = 0x77;  // REQ_ID of chains

UmspExtension begin_sq() {
  return {.code = HeadCode::begin_sq};
}
UmspExtension begin_tr(bool at_once = true) {  // TRR
  return {.code = HeadCode::begin_tr, .data = UmspOctets().u8(at_once ? 0x40 : 0).u8(0)};
}
UmspExtension set_base() {
  return {.code = HeadCode::set_mbase, .data = UmspOctets().u32(0x100)};
}
UmspExtension end() {
  return {.code = HeadCode::end_chain};
}
void ask(umsp::Instruction& one) {
  one.header.ask = true;
  one.header.req_id = kAsked;
}

using Extensions = std::vector<UmspExtension>;
Say link(std::uint16_t chain, std::uint16_t number, Extensions extensions = {}, const UmspTraceBuilder::Edit& edit = {},
         Side side = Side::a) {
  return [=](UmspTraceBuilder& script) {
    script.chained(side, Opcode::write_4, {chain, number}, UmspOctets().u32(16).u32(7), extensions, edit);
  };
}
Say nop(std::uint16_t chain, std::uint16_t number, Extensions extensions) {
  return [=](UmspTraceBuilder& script) { script.chained(Side::a, Opcode::nop, {chain, number}, {}, extensions); };
}
// A WRITE of the parental chain in one fragment, or in two of 8 octets.
OctetBuffer write_of(std::uint16_t parent, std::uint16_t number, bool ends = false) {
  constexpr std::uint16_t kChained = 0x8672, kExtended = kChained | 0x08, kEndChain = 0x00c6;
  UmspOctets write;
  write.u16(ends ? kExtended : kChained).u16(parent).u16(number);
  if (ends) write.u16(kEndChain);
  write.u32(0x2000).u32(1);
  if (!ends) write.u16(0);  // padding
  return write;
}
Say fragment(std::uint16_t chain, std::uint16_t parent, std::uint16_t number, bool ends = false) {
  return [=](UmspTraceBuilder& script) {
    script.chained(Side::a, Opcode::nop, {chain, 0}, write_of(parent, number, ends),
                   {{HeadCode::begin_frg, UmspOctets().u16(parent).u16(number)}, end()});
  };
}
Say half_fragment(std::uint16_t chain, std::uint16_t parent, std::uint16_t number, bool second) {
  return [=](UmspTraceBuilder& script) {
    const OctetBuffer whole = write_of(parent, number);
    const auto half = whole.begin() + 8;
    if (second)
      script.chained(Side::a, Opcode::nop, {chain, 1}, OctetBuffer(half, whole.end()), {end()});
    else
      script.chained(Side::a, Opcode::nop, {chain, 0}, OctetBuffer(whole.begin(), half),
                     {{HeadCode::begin_frg, UmspOctets().u16(parent).u16(number)}});
  };
}
// A fragmented WRITE of no chain.
Say lone_fragment(std::uint16_t chain, bool second) {
  return [=](UmspTraceBuilder& script) {
    if (second)
      script.chained(Side::a, Opcode::nop, {chain, 1}, UmspOctets().u16(1).u32(2).u16(0), {end()});
    else
      script.chained(Side::a, Opcode::nop, {chain, 0}, UmspOctets().u16(0x8663).u32(0x2000).u16(0),
                     {{HeadCode::begin_frg}});
  };
}
Say control(Opcode opcode, std::uint16_t chain) {
  return [=](UmspTraceBuilder& script) {
    OctetBuffer operands;
    if (opcode == Opcode::snd_cancel) operands = UmspOctets().u16(1).u16(0);
    script.chained(Side::a, opcode, {chain, 0}, operands, {},
                   opcode == Opcode::exec_tr ? UmspTraceBuilder::Edit(ask) : UmspTraceBuilder::Edit());
  };
}
Say write(std::uint32_t req_id = UmspTraceBuilder::kReqId) {
  return [=](UmspTraceBuilder& script) {
    script.request(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7), {}, req_id);
  };
}
Say want_buffer(std::uint32_t octets, std::uint32_t req_id = UmspTraceBuilder::kReqId, Side side = Side::a) {
  return [=](UmspTraceBuilder& script) { script.request(side, Opcode::req_buf, UmspOctets().u32(octets), {}, req_id); };
}
Say answer(Opcode opcode, std::uint32_t req_id = UmspTraceBuilder::kReqId, bool refuses = false, Side side = Side::b) {
  return [=](UmspTraceBuilder& script) {
    OctetBuffer codes;
    if (refuses) codes = UmspOctets().u16(4).u16(0);
    script.respond(side, opcode, codes, req_id);
  };
}
Say notify(Side side, Opcode opcode) {
  return [=](UmspTraceBuilder& script) { script.notify(side, opcode); };
}

// ---------------------------------------------------------------------------------------------- the conversations
// The octets of a transaction with TRR 0: of one instruction, and of two.
constexpr std::uint32_t kOneLink = 24, kTwoLinks = 42;
// Instructions that are sent without waiting; the next part waits until all of them have been received.
using Part = std::vector<Say>;
struct Conversation {
  std::string_view name;
  std::vector<Part> parts;
};

const Conversation kConversations[] = {
    {"a sequence", {{link(4, 0, {begin_sq()}), link(4, 1), link(4, 2), link(4, 3, {end()})}}},
    {"a sequence that NOP ends", {{link(4, 0, {begin_sq()}), link(4, 1), nop(4, 2, {end()})}}},
    {"two sequences at once",
     {{link(4, 0, {begin_sq()}), link(5, 0, {begin_sq()}), link(4, 1), link(5, 1, {end()}), link(4, 2, {end()})}}},
    {"a number used again at once",
     {{link(4, 0, {begin_sq()}), link(4, 1, {end()}), link(4, 0, {begin_sq()}), link(4, 1), link(4, 2, {end()})}}},
    {"a number used again for another kind",
     {{link(4, 0, {begin_sq()}), link(4, 1, {end()}), link(4, 0, {begin_tr()}), link(4, 1, {end()})}}},
    {"a sequence that is answered",
     {{link(4, 0, {begin_sq()}, ask), link(4, 1, {end()})}, {answer(Opcode::rsp, kAsked)}}},
    {"a sequence that is refused before its end",
     {{link(4, 0, {begin_sq()}, ask), link(4, 1)}, {answer(Opcode::rsp, kAsked, true)}, {link(4, 2, {end()})}}},
    {"a transaction in the window",
     {{link(4, 0, {begin_tr()}, ask), link(4, 1, {end()})}, {answer(Opcode::rsp_p, kAsked)}}},
    {"a transaction in the window with the REQ_ID of a VM's request",
     {{link(4, 0, {begin_tr()}, ask), link(4, 1, {end()}), write(kAsked)},
      {answer(Opcode::rsp_p, kAsked), answer(Opcode::rsp, kAsked)}}},
    {"a buffer with the REQ_ID of a VM's request",
     {{want_buffer(kTwoLinks), write()},
      {answer(Opcode::rsp_p), answer(Opcode::rsp)},
      {link(4, 0, {begin_tr(false)}), link(4, 1, {end()})}}},
    {"a transaction that is executed later",
     {{want_buffer(kTwoLinks)},
      {answer(Opcode::rsp_p)},
      {link(4, 0, {begin_tr(false)}), link(4, 1, {end()})},
      {control(Opcode::exec_tr, 4)},
      {answer(Opcode::rsp, kAsked)}}},
    {"EXEC_TR without a wait, and the number again",
     {{want_buffer(40), want_buffer(41, 0x1001)},
      {answer(Opcode::rsp_p), answer(Opcode::rsp_p, 0x1001)},
      {link(4, 0, {begin_tr(false), end()}), control(Opcode::exec_tr, 4)},
      {answer(Opcode::rsp, kAsked)},
      {link(4, 0, {begin_tr(false), end()}), control(Opcode::exec_tr, 4)},
      {answer(Opcode::rsp, kAsked)}}},
    {"a cancelled transaction, and the number again",
     {{want_buffer(40), want_buffer(41, 0x1001)},
      {answer(Opcode::rsp_p), answer(Opcode::rsp_p, 0x1001)},
      {link(4, 0, {begin_tr(false), end()}), control(Opcode::cancel_tr, 4), link(4, 0, {begin_tr(false), end()}),
       control(Opcode::exec_tr, 4)},
      {answer(Opcode::rsp, kAsked)}}},
    {"two buffers and a transaction of the window between",
     {{want_buffer(40), want_buffer(41, 0x1001)},
      {answer(Opcode::rsp_p, 0x1001), answer(Opcode::rsp_p)},
      {link(6, 0, {begin_tr()}), link(6, 1, {end()}), link(4, 0, {begin_tr(false), end()}),
       link(5, 0, {begin_tr(false), end()})}}},
    {"a buffer that is refused, and one that is granted",
     {{want_buffer(kOneLink)},
      {answer(Opcode::rsp_p, UmspTraceBuilder::kReqId, true)},
      {want_buffer(kOneLink, 0x1001)},
      {answer(Opcode::rsp_p, 0x1001)},
      {link(4, 0, {begin_tr(false), end()})}}},
    {"a buffer, and a fragment of a sequence before its transaction",
     {{want_buffer(kOneLink)},
      {answer(Opcode::rsp_p)},
      {link(7, 0, {begin_sq()}), fragment(9, 7, 1), link(7, 2, {end()}), link(4, 0, {begin_tr(false), end()})}}},
    {"a transaction that is cancelled while it is sent, and the number again",
     {{link(4, 0, {begin_tr()}), link(4, 1), control(Opcode::snd_cancel, 4), link(4, 0, {begin_tr()}), link(4, 1),
       link(4, 2, {end()})}}},
    {"a base for each of two transactions with one number",
     {{link(4, 0, {begin_tr(), set_base()}), link(4, 1, {end()}), link(4, 0, {begin_tr()}),
       link(4, 1, {set_base(), end()})}}},
    {"a fragmented instruction, and the number again",
     {{lone_fragment(9, false), lone_fragment(9, true), lone_fragment(9, false), lone_fragment(9, true)}}},
    {"a fragmented instruction, and a sequence with its number",
     {{lone_fragment(9, false), lone_fragment(9, true), link(9, 0, {begin_sq()}), link(9, 1, {end()})}}},
    {"a fragmented first instruction",
     {{fragment(9, 7, 0), link(7, 1), link(7, 2, {end()}), link(7, 0, {begin_sq()}), link(7, 1, {end()})}}},
    {"a fragmented last instruction, and the number again",
     {{link(7, 0, {begin_sq()}), link(7, 1), fragment(9, 7, 2, true), link(7, 0, {begin_sq()}), link(7, 1, {end()})}}},
    {"fragments between the instructions of a sequence",
     {{link(7, 0, {begin_sq()}), half_fragment(9, 7, 1, false), link(7, 2), half_fragment(9, 7, 1, true),
       link(7, 3, {end()})}}},
    {"fragments after the instruction that follows",
     {{link(7, 0, {begin_sq()}), link(7, 2), fragment(9, 7, 1), link(7, 3, {end()})}}},
    {"fragments of the first instruction after the second", {{link(7, 1), fragment(9, 7, 0), link(7, 2, {end()})}}},
    {"a sequence of fragments, twice with one number",
     {{fragment(9, 7, 0), fragment(10, 7, 1), fragment(9, 7, 2, true), fragment(11, 7, 0), link(7, 1),
       fragment(9, 7, 2, true)}}},
    {"fragments in a wrong order",
     {{fragment(9, 7, 1), fragment(10, 7, 0), fragment(11, 7, 3, true), fragment(12, 7, 2)}}},
    {"fragments after the end of their parental chain, and the number again",
     {{link(7, 0, {begin_sq()}), link(7, 2, {end()}), fragment(9, 7, 1), link(7, 0, {begin_sq()}),
       link(7, 1, {end()})}}},
    {"a transaction that ends in a fragment, and EXEC_TR",
     {{want_buffer(80)},
      {answer(Opcode::rsp_p)},
      {link(7, 0, {begin_tr(false)}), fragment(9, 7, 1, true)},
      {control(Opcode::exec_tr, 7)},
      {answer(Opcode::rsp, kAsked)}}},
    {"a transaction that begins in a fragment, and is cancelled",
     {{fragment(9, 7, 0), control(Opcode::snd_cancel, 7), fragment(9, 7, 0), link(7, 1, {end()})}}},
    {"fragments that are cancelled, and a sequence with their number",
     {{lone_fragment(7, false), control(Opcode::snd_cancel, 7), fragment(9, 7, 0), link(7, 1, {end()})}}},
    {"chains of both nodes with one number",
     {{link(4, 0, {begin_sq()}), link(4, 0, {begin_tr()}, {}, Side::b), link(4, 1, {end()}),
       link(4, 1, {end()}, {}, Side::b)}}},
    {"a session that is closed after its chains",
     {{link(4, 0, {begin_sq()}, ask), link(4, 1, {end()})},
      {answer(Opcode::rsp, kAsked)},
      {notify(Side::a, Opcode::session_close)},
      {answer(Opcode::rsp_p, 0)},
      {notify(Side::a, Opcode::session_abend)}}},
};

// ------------------------------------------------------------------------------------------------ how it is sent
struct Way {
  unsigned connections = 1;
  std::uint32_t seed = 0;
  bool complete = false;  // --complete
  bool closes = false;    // all connections at the end
};

std::vector<std::string> failures(const Conversation& conversation, const Way& way) {
  Capture capture({}, way.complete);
  std::minstd_rand random(way.seed + 1);
  std::vector<Capture::Connection> connections;
  for (unsigned i = 0; i < way.connections; ++i) connections.push_back(capture.connect(random() % 2 == 0));
  capture.say(connections[0], [](UmspTraceBuilder& script) {
    script.session_open();
    script.session_accept();
  });
  for (const Part& part : conversation.parts) {
    std::vector<std::deque<const Say*>> sent(connections.size());
    for (const Say& one : part) sent[random() % sent.size()].push_back(&one);
    for (std::size_t left = part.size(); left > 0;) {
      const std::size_t any = random() % sent.size();
      if (sent[any].empty()) continue;
      capture.say(connections[any], *sent[any].front());
      sent[any].pop_front();
      --left;
    }
  }
  if (way.closes)
    for (Capture::Connection& one : connections) capture.close(one);
  std::vector<std::string> failed;
  for (std::string& one : capture.findings())
    if (!one.ends_with("warning")) failed.push_back(std::move(one));
  return failed;
}

class HonestChains : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Over, HonestChains, testing::Values(1u, 2u, 3u));

TEST_P(HonestChains, FailNoRule) {
  for (const Conversation& conversation : kConversations)
    for (std::uint32_t seed = 0; seed < 32; ++seed)
      EXPECT_THAT(
          failures(conversation,
                   {.connections = GetParam(), .seed = seed, .complete = seed % 2 == 1, .closes = seed % 4 >= 2}),
          testing::IsEmpty())
          << conversation.name << ", seed " << seed;
}

}  // namespace
}  // namespace wirelaw::umsp_chains
