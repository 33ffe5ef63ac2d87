// SPDX-License-Identifier: Apache-2.0
// RFC 5040, sections 6.2 and 6.2.1: streams that end in the middle of something.
#include "conformance/rdmap/rdmap/6.2-teardown/rules.h"
#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

// --- what the tester leaves undone
void half_an_fpdu(Probe& peer) {
  const OctetBuffer whole = peer.fpdu_of(peer.untagged(Opcode::send), sample_octets(64));
  peer.send_octets(Octets(whole).first(whole.size() / 2));
}
void half_a_message(Probe& peer) {
  ddp::Header header = peer.untagged(Opcode::send);
  header.last = false;
  peer.send_segment(header, sample_octets(64));
}
void one_octet(Probe& peer) {
  peer.send_octets(OctetBuffer{0});
}
void nothing_undone(Probe&) {}
void nothing_left_undone(Probe& peer) {
  peer.write({}, 0, 0);
}

struct Undone {
  std::string_view name, text;
  void (*send)(Probe& probe);
  bool ends_an_fpdu = false;  // so that the stream may go on in the other direction (RFC 5041, 6.2.1)
};
constexpr Undone kUndone[] = {{"half-an-fpdu", "in the middle of an FPDU", half_an_fpdu},
                              {"half-a-message", "in the middle of a Send", half_a_message, true},
                              {"half-a-length", "in the middle of a ULPDU_Length", one_octet},
                              {"nothing-undone", "before the first message", nothing_undone, true},
                              {"an-empty-write", "between messages", nothing_left_undone, true}};

template <class Peer>
void leave_undone(Peer& peer, const Undone& undone, Ending ending) {
  undone.send(peer);
  peer.end(ending);
  if (ending == Ending::closed) {
    const Response answer = peer.await(peer.in(peer.run().answer_time()), [](const Response&) { return false; });
    if (undone.ends_an_fpdu)
      peer.judge(rule<"RDMAP-6.2-4">, answer, {closes(), noted(says_nothing())}, "the other side has closed");
    else
      peer.judge(rule<"RDMAP-6.2-4">, answer, {closes()}, "the other side has closed");
    if (undone.send == nothing_left_undone)
      peer.advise(rule<"RDMAP-6.2-4">, !answer.is(Response::Kind::reset), "an orderly close", to_text(answer),
                  "no operation was in progress: a reset discards what has not arrived");
  }
  peer.expect_alive(rule<"RDMAP-6.2-4">, "another connection ended in the middle");
}

void add_undone(std::vector<Case>& cases, Ending ending) {
  const bool close = ending == Ending::closed;
  for (const Undone& undone : kUndone)
    add_case(cases, {kept(fmt::format("rdmap/{{}}-and-{}-after-{}", close ? "a-close" : "a-reset", undone.name)),
                     {&rule<"RDMAP-6.2-4">},
                     kept(fmt::format("The IUT ends the connection and serves a new one after the tester {} {}.",
                                      close ? "closes" : "resets", undone.text)),
                     with_each([&undone, ending](auto& peer) { leave_undone(peer, undone, ending); })});
}

void terminates_for_a_crc(Probe& peer) {
  const Fault& one = fault("a-crc");
  // A responder may send its Terminate only when a valid FPDU has come (RFC 5044, 7.1.2, rule 4).
  peer.send_fpdu(Probe::ulpdu_of(Probe::tagged(Opcode::write, 0, 0), {}));
  const OctetBuffer ulpdu = one.send(peer);
  const Response answer = await_terminate(peer);
  if (answer.is(Response::Kind::nothing)) {
    peer.advise(rule<"RDMAP-6.2.1-2">, false, "a Terminate", "nothing",
                "MPA may discard the FPDU, and wait for its retransmission");
    return;
  }
  if (!peer.judge(rule<"RDMAP-6.2.1-2">, answer,
                  {terminates(error::kMpaCrc), noted(terminates({2, 3, 2})), noted(closes())}, one.text))
    return;
  judge_carried(peer, rule<"RDMAP-6.2.1-2">, answer, ulpdu, one.carries);
  if (!answer.ended()) expect_end(peer, rule<"RDMAP-6.2.1-4">, "a Terminate was sent");
}

const CaseRow kRows[] = {{"rdmap/{}-terminates-for-a-crc",
                          {&rule<"RDMAP-6.2.1-2">, &rule<"RDMAP-6.2.1-4">},
                          "The IUT answers a Send with a wrong CRC with a Terminate without headers.",
                          with_each([](Probe& peer) { terminates_for_a_crc(peer); })}};

}  // namespace

std::vector<Case> teardown_cases() {
  std::vector<Case> cases = cases_of(kRows);
  for (const Ending ending : {Ending::closed, Ending::reset}) add_undone(cases, ending);
  return cases;
}

}  // namespace wirelaw::rdmap
