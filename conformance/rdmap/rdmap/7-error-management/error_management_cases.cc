// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7: an error ends the stream, and the connection with it.
#include "conformance/rdmap/rdmap/7-error-management/rules.h"
#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

void fault_then_end(Probe& peer, std::string_view name) {
  const Fault& one = fault(name);
  one.send(peer);
  const Response answer = await_terminate(peer);
  if (!peer.judge(rule<"RDMAP-7-1">, answer, {terminates(), noted(closes())}, one.text)) return;
  if (!answer.ended()) expect_end(peer, rule<"RDMAP-7-1">, "the stream was invalid");
}

// --- Terminates that the IUT receives
struct Received {
  std::string_view name, text;
  void (*send)(Probe& probe);
};
constexpr Received kReceived[] = {
    {"a-local-error", "a Terminate for a local error",
     [](Probe& p) { send_terminate(p, {.error = error::kLocalCatastrophic}); }},
    {"a-crc-error", "a Terminate for a CRC error", [](Probe& p) { send_terminate(p, {.error = error::kMpaCrc}); }},
    {"headers", "a Terminate for the last message",
     [](Probe& p) {
       const OctetBuffer ulpdu = p.last().octets;
       const auto segment = ddp::decode(ulpdu);
       if (!segment) return p.inconclusive("no message came that the Terminate could be for");
       send_terminate(p, {.error = segment->header.tagged ? error::kDdpInvalidStag : error::kDdpNoBuffer,
                          .has_length = true,
                          .has_ddp_header = true,
                          .ddp_segment_length = static_cast<std::uint16_t>(ulpdu.size()),
                          .ddp_header = Octets(ulpdu).first(segment->header.octets())});
     }},
    {"a-foreign-header", "a Terminate for a message that was never sent",
     [](Probe& p) {
       const OctetBuffer header = sample_octets(ddp::layout::kUntagged, 3);
       send_terminate(p, {.error = error::kDdpInvalidMo,
                          .has_length = true,
                          .has_ddp_header = true,
                          .ddp_segment_length = 1000,
                          .ddp_header = Octets(header)});
     }},
    {"an-unknown-layer", "a Terminate of layer 9, type 9, code 99",
     [](Probe& p) {
       send_terminate(p, {.error = {9, 9, 0x99}});
     }},
    {"cut-headers", "a Terminate that sets all three HdrCt bits and ends right after them",
     [](Probe& p) {
       send_terminate(p, Octets(OctetBuffer{0x12, 0x02, 0xe0, 0x00}));
     }},
    {"two-octets", "a Terminate of two octets",
     [](Probe& p) {
       send_terminate(p, Octets(OctetBuffer{0x12, 0x02}));
     }},
    {"no-octets", "a Terminate of no octets", [](Probe& p) { send_terminate(p, Octets()); }},
    {"a-long-tail", "a Terminate with 1,000 octets after its control field",
     [](Probe& p) {
       OctetBuffer octets = sample_octets(1004);
       octets[0] = octets[1] = octets[2] = octets[3] = 0;
       send_terminate(p, Octets(octets));
     }},
    {"two-of-them", "two Terminates",
     [](Probe& p) {
       for (int i = 0; i < 2; ++i) send_terminate(p, {.error = error::kLocalCatastrophic});
     }},
    {"msn-2", "a Terminate with MSN 2",
     [](Probe& p) { send_terminate(p, {.error = error::kLocalCatastrophic}, [](ddp::Header& h) { h.msn = 2; }); }},
    {"an-open-message", "a Terminate in the middle of a Send",
     [](Probe& p) {
       ddp::Header header = p.untagged(Opcode::send);
       header.last = false;
       p.send_segment(header, sample_octets(24));
       send_terminate(p, {.error = error::kLocalCatastrophic});
     }},
    {"two-segments", "a Terminate in two segments",
     [](Probe& p) {
       ddp::Header header = p.untagged(Opcode::terminate);
       header.last = false;
       p.send_segment(header, OctetBuffer{0x00, 0x00});
       header.last = true;
       header.mo = 2;
       p.send_segment(header, OctetBuffer{0x00, 0x00});
     }},
    {"single-octets", "a Terminate whose octets arrive one by one",
     [](Probe& p) { p.send_in_pieces(p.fpdu_of(p.untagged(Opcode::terminate), OctetBuffer(4)), 1); }},
};

void add_received(std::vector<Case>& cases) {
  for (const Received& received : kReceived)
    add_case(cases, {kept(fmt::format("rdmap/{{}}-ends-after-a-terminate-with-{}", received.name)),
                     {&rule<"RDMAP-7-4">},
                     kept(fmt::format("The IUT ends the connection and serves a new one after {}.", received.text)),
                     with_each([&received](auto& peer) {
                       received.send(peer);
                       expect_end(peer, rule<"RDMAP-7-4">, received.text);
                       peer.expect_alive(rule<"RDMAP-7-4">, received.text);
                     })});
}

const CaseRow kRows[] = {
    {"rdmap/{}-ends-after-an-rdmap-error",
     {&rule<"RDMAP-7-1">},
     "The IUT ends the connection after a Send with opcode 12.",
     with_each([](auto& peer) { fault_then_end(peer, "a-reserved-opcode"); })},
    {"rdmap/{}-ends-after-a-ddp-error",
     {&rule<"RDMAP-7-1">},
     "The IUT ends the connection after a Send on queue 9.",
     with_each([](auto& peer) { fault_then_end(peer, "a-queue"); })},
    {"rdmap/{}-ends-after-a-protection-error",
     {&rule<"RDMAP-7-1">},
     "The IUT ends the connection after a Read of an STag that was not advertised.",
     with_each([](auto& peer) { fault_then_end(peer, "a-read"); })},
    {"rdmap/responder-echoes-nothing-after-an-error",
     {&rule<"RDMAP-7-3">},
     "The IUT does not answer three valid Sends after an invalid message.",
     with<ReadyResponder>([](auto& responder) {
       fault("a-queue").send(responder);
       for (unsigned i = 0; i < 3; ++i) responder.send(sample_octets(40, i));
       const Response answer = responder.await(responder.in(responder.run().answer_time()),
                                               [](const Response& one) { return one.is_send(); });
       responder.require(rule<"RDMAP-7-3">, !answer.is_send(), "no echo", to_text(answer),
                         "the Send came after the invalid message");
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> error_cases() {
  std::vector<Case> cases = cases_of(kRows);
  add_received(cases);
  return cases;
}

}  // namespace wirelaw::rdmap
