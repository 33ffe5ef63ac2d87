// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6: the exchange between virtual machines as a whole. Code that the IUT's parameters declare sends
// the requests to our node (asking_cases.cc has the other cases with such code).
#include <algorithm>

#include "conformance/umsp/6-exchange/rules.h"
#include "conformance/umsp/6.3-control-transfer/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

// Uses REQ_IDs in no order, one of them twice.
void any_req_id_is_served(VmProbe& peer) {
  for (const std::uint32_t req_id : {0x8000'0000u, 0x7fff'ffffu, 5u, 0xffff'ffffu, 5u}) {
    Draft draft = VmProbe::in(peer.session(), peer.read_draft(peer.address(), 4));
    draft.req_id = req_id;
    peer.send(draft);
    const auto answer = peer.answer_to(peer.session(), req_id);
    if (!peer.require(rule<"UMSP-6-7">, answer && answer->is(Opcode::data), "DATA", to_text(answer),
                      "The instruction may have any REQ_ID: it belongs to the VM."))
      return;
  }
}

// Sends unrequested responses of all kinds. The session continues.
void responses_get_none(VmProbe& peer) {
  peer.show_served(peer.session());
  for (const Opcode code : {Opcode::rsp, Opcode::data, Opcode::return_control}) {
    peer.send(peer.asking(peer.session(), draft_of(code, code == Opcode::rsp ? OctetBuffer{} : OctetBuffer(4))));
    if (!peer.expect_silence(rule<"UMSP-6-12">, {Opcode::rsp, Opcode::rsp_p}, "A response gets no response.")) return;
  }
  if (peer.ok()) peer.show_served(peer.session());
}

void initiator_answers_no_response(InitiatorProbe& peer) {
  std::vector<std::uint32_t> answered;
  peer.before_sending([&answered](Draft& draft) {
    if (class_of(draft.opcode) == OpcodeClass::exchange && draft.req_id) answered.push_back(*draft.req_id);
    return true;
  });
  const auto work = peer.serve_until([](const Received& one) {
    return one.is_one_of({Opcode::req_data_2, Opcode::req_data_4});
  });
  if (!work && answered.empty()) return peer.inconclusive("the IUT asks the tester nothing");
  const auto response = peer.serve_for(peer.run().silence_time(), [&answered](const Received& one) {
    return one.is_one_of({Opcode::rsp, Opcode::rsp_p}) && std::ranges::count(answered, one.req_id()) > 0;
  });
  peer.require(rule<"UMSP-6-12">, !response, "no response to a response", to_text(response));
}

void jobs_have_their_own_memory(VmProbe& peer) {
  const OpenSession other = peer.other_session();
  const OctetBuffer first = peer.fresh_word(), second = peer.fresh_word();
  if (!peer.ok() || !peer.show(peer.write(peer.session(), peer.address(), first), "WRITE was not served")) return;
  if (!peer.show(peer.write(other, peer.address(), second), "WRITE was not served")) return;
  peer.expect_written(rule<"UMSP-6-19">, peer.session(), peer.address(), first,
                      "Another job has written at the same address of its own address space.");
}

void session_selects_the_job(VmProbe& peer) {
  const OpenSession other = peer.other_session();
  const OctetBuffer first = peer.fresh_word(), second = peer.fresh_word();
  if (!peer.ok()) return;
  peer.write(other, peer.address(), second);
  peer.write(peer.session(), peer.address(), first);
  if (!peer.show(peer.read(peer.session(), peer.address(), static_cast<std::uint32_t>(first.size())) == first,
                 "WRITE was not served"))
    return;
  peer.expect_written(rule<"UMSP-6-20">, other, peer.address(), second, "The SESSION_ID selects the memory.");
}

void data_are_not_converted(VmProbe& peer) {
  OctetBuffer octets;
  for (unsigned i = 0; i < 32; ++i) octets.push_back(static_cast<Octet>(i * 73 + 0x80));
  const auto written = peer.ask(write_ext(peer.at(peer.address()), octets));
  if (!peer.show(VmProbe::says_done(written), "WRITE_EXT was not served")) return;
  peer.expect_written(rule<"UMSP-6-39">, peer.session(), peer.address(), octets, "Octets keep their order.");
}

// The request is still open after more than a second.
void nothing_times_out(VmProbe& peer) {
  if (!peer.provides(ProfileFlag::synchronizing)) return;
  const OctetBuffer there = peer.fresh(4), changed = peer.fresh(4), all(4, 0xff);
  const auto put_there = [&](Octets octets) {
    return VmProbe::says_done(peer.ask(write_ext(peer.at(peer.address()), octets)));
  };
  if (!peer.show(put_there(there), "WRITE_EXT was not served")) return;
  const Draft watch = peer.asking(peer.session(), synchronize(peer.at(peer.address()), there, all));
  peer.send(watch);
  if (!peer.require(rule<"UMSP-6-16">, peer.is_silent({Opcode::rsp, Opcode::rsp_p}),
                    "no response before the data change", "a refusal"))
    return;
  peer.send(VmProbe::in(peer.session(), write_ext(peer.at(peer.address()), changed)));
  const auto answer = peer.answer_to(peer.session(), *watch.req_id);
  peer.require(rule<"UMSP-6-16">, answer && answer->is(Opcode::data), "DATA", to_text(answer),
               "Only VMs have timeouts, and SYN waits for a change.");
}

// ----------------------------------------------------------------------------------------------- formats of parameters

std::optional<Received> call(VmProbe& peer, const Formatted& one, bool with_sender) {
  const auto sender = with_sender ? std::optional(one.sender) : std::nullopt;
  return peer.ask(call_to(peer.at(one.procedure), one.parameters, sender));
}
bool returns(const std::optional<Received>& answer, const OctetBuffer& returned) {
  const auto data = VmProbe::data_of(answer, Opcode::return_control);
  return data && data->size() >= returned.size() && std::equal(returned.begin(), returned.end(), data->begin());
}

template <bool kWithSender>
void parameters_have_a_format(VmProbe& peer, const Rule& judged) {
  const auto one = peer.formatted(kWithSender);
  if (!one || !peer.provides(ProfileFlag::control)) return;
  const auto answer = call(peer, *one, kWithSender);
  peer.require(judged, returns(answer, one->returned), "RETURN with the declared octets",
               answer && answer->is(Opcode::return_control) ? "RETURN with other octets" : to_text(answer));
}

const CaseRow kRows[] = {
    {"exchange/any-req-id-is-served",
     {&rule<"UMSP-6-7">},
     "The IUT accepts any REQ_ID in instructions of exchange.",
     with<any_req_id_is_served>()},
    {"exchange/response-gets-no-response",
     {&rule<"UMSP-6-12">},
     "The IUT does not answer a response that it does not wait for.",
     with<responses_get_none>()},
    {"exchange/initiator-answers-no-response",
     {&rule<"UMSP-6-12">},
     "The IUT does not answer responses to its own requests.",
     with<initiator_answers_no_response>()},
    {"exchange/nothing-times-out",
     {&rule<"UMSP-6-16">},
     "The IUT does not refuse a waiting instruction because of the time it takes.",
     with<nothing_times_out>()},
    {"exchange/jobs-have-their-own-memory",
     {&rule<"UMSP-6-19">},
     "The IUT keeps the writes of a job out of other jobs.",
     with<jobs_have_their_own_memory>()},
    {"exchange/session-selects-the-job",
     {&rule<"UMSP-6-20">},
     "The IUT executes an instruction in the job of its session.",
     with<session_selects_the_job>()},
    {"exchange/parameters-in-the-senders-format",
     {&rule<"UMSP-6-36">},
     "The IUT reads parameters with a VM in the format of that VM.",
     with<VmProbe>([](VmProbe& peer) { parameters_have_a_format<true>(peer, rule<"UMSP-6-36">); })},
    {"exchange/parameters-in-the-own-format",
     {&rule<"UMSP-6-37">},
     "The IUT reads parameters without a VM in its own format.",
     with<VmProbe>([](VmProbe& peer) { parameters_have_a_format<false>(peer, rule<"UMSP-6-37">); })},
    {"exchange/returned-in-the-senders-format",
     {&rule<"UMSP-6.3.2-5">},
     "The IUT returns values in the format of the parameters.",
     with<VmProbe>([](VmProbe& peer) { parameters_have_a_format<true>(peer, rule<"UMSP-6.3.2-5">); })},
    {"exchange/data-are-not-converted",
     {&rule<"UMSP-6-39">},
     "The IUT returns written octets in the same order.",
     with<data_are_not_converted>()},
};

}  // namespace

std::vector<Case> exchange_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
