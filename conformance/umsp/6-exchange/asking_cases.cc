// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6 to 6.3: requests of a virtual machine to another one, and how it handles the answers. The cases
// move code that the IUT's parameters declare to the IUT and call it. It reads a pointer that the case wrote before,
// and sends a request to our node.
#include <algorithm>

#include "conformance/umsp/6-exchange/rules.h"
#include "conformance/umsp/6.1-memory/rules.h"
#include "conformance/umsp/6.3-control-transfer/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kAskedFor = 8;  // octets that each declared code requests

// A call of such code, and the request that it sends to our node.
struct Asked {
  std::uint32_t call = 0;  // REQ_ID of the CALL
  Received request;
};

// Calls declared code that sends one of these instructions.
std::optional<Asked> ask(VmProbe& peer, std::string_view parameter, std::initializer_list<Opcode> codes) {
  const auto pointer = peer.number("pointer");
  const auto code = peer.ok() && peer.provides(ProfileFlag::control) ? peer.move(parameter) : std::nullopt;
  if (!pointer || !code) return std::nullopt;
  const Address ours = *make_address(peer.format().format, peer.self().ip, 0x40);
  const auto written = peer.ask(write_ext(peer.at(*pointer), ours.octets));
  if (!peer.show(VmProbe::says_done(written), "the pointer could not be written")) return std::nullopt;
  const Draft call = peer.asking(peer.session(), call_to(*code));
  peer.send(call);
  auto request = peer.next_of(codes);
  if (!request) {
    peer.inconclusive("the declared code does not ask the tester");
    return std::nullopt;
  }
  return Asked{*call.req_id, *std::move(request)};
}

std::optional<Received> answer(VmProbe& peer, const Asked& asked, Draft response) {
  response.req_id = asked.request.req_id();
  peer.send(VmProbe::in(peer.session(), std::move(response)));
  return peer.answer_to(peer.session(), asked.call);
}

bool begins_with(const std::optional<OctetBuffer>& there, Octets wanted) {
  return there && there->size() >= wanted.size() && std::ranges::equal(Octets(*there).first(wanted.size()), wanted);
}

// DATA has eight octets in its operands, or all of them in _DATA and no operands.
void data_of_any_length(VmProbe& peer) {
  for (const bool in_header : {false, true}) {
    const auto asked = ask(peer, "ask_read", {Opcode::req_data_2, Opcode::req_data_4});
    if (!asked) return;
    const OctetBuffer octets = peer.fresh(kAskedFor);
    Draft data = draft_of(Opcode::data, in_header ? OctetBuffer{} : octets);
    if (in_header) data.extensions.push_back({HeadCode::data, octets});
    const auto returned = answer(peer, *asked, std::move(data));
    if (!peer.require(rule<"UMSP-6.1.2-2">, begins_with(VmProbe::data_of(returned, Opcode::return_control), octets),
                      "RETURN with the data", to_text(returned),
                      in_header ? "The response is DATA without operands, with its data in _DATA."
                                : "The response is DATA with its data in two words."))
      return;
  }
}

void nothing_means_equal(VmProbe& peer) {
  const auto asked = ask(peer, "ask_compare", {Opcode::cmp_2, Opcode::cmp_4, Opcode::cmp_8, Opcode::cmp_ext});
  if (!asked) return;
  const auto returned = answer(peer, *asked, draft_of(Opcode::rsp));
  const OctetBuffer equal(kAskedFor, 0);
  peer.require(rule<"UMSP-6.2.3-5">, begins_with(VmProbe::data_of(returned, Opcode::return_control), equal),
               "RETURN with zeros: equal", to_text(returned),
               "The response is RSP without operands: the data are equal.");
}

// RETURN has `kWords` words; 0 for none.
template <std::size_t kWords>
void return_is_taken(VmProbe& peer, const Rule& judged) {
  const auto asked = ask(peer, "ask_call", {Opcode::call, Opcode::call_vm});
  if (!asked) return;
  const auto returned = answer(peer, *asked, draft_of(Opcode::return_control, peer.fresh(kWords * 4)));
  peer.require(judged, returned && returned->is(Opcode::return_control),
               "RETURN of the code that has called the tester", to_text(returned));
}

void nothing_is_repeated(VmProbe& peer) {
  const auto asked = ask(peer, "ask_read", {Opcode::req_data_2, Opcode::req_data_4});
  if (!asked) return;
  peer.expect_silence(rule<"UMSP-6-15">, {Opcode::req_data_2, Opcode::req_data_4},
                      "The code asks once, and has no answer yet.");
  const OctetBuffer octets = peer.fresh(kAskedFor);
  if (peer.ok()) answer(peer, *asked, draft_of(Opcode::data, octets));
}

const CaseRow kRows[] = {
    {"asking/nothing-is-repeated",
     {&rule<"UMSP-6-15">},
     "The IUT sends a VM's request once, however long the answer takes.",
     with<nothing_is_repeated>()},
    {"asking/data-of-any-length",
     {&rule<"UMSP-6.1.2-2">},
     "The IUT accepts DATA with and without words of operands.",
     with<data_of_any_length>()},
    {"asking/nothing-means-equal",
     {&rule<"UMSP-6.2.3-5">},
     "The IUT reads an answer without operands to a comparison as equal data.",
     with<nothing_means_equal>()},
    {"asking/return-without-values",
     {&rule<"UMSP-6.3.1-19">},
     "The IUT accepts RETURN without values.",
     with<VmProbe>([](VmProbe& peer) { return_is_taken<0>(peer, rule<"UMSP-6.3.1-19">); })},
    {"asking/return-of-any-length",
     {&rule<"UMSP-6.3.2-2">},
     "The IUT accepts RETURN with more values than there were parameters.",
     with<VmProbe>([](VmProbe& peer) { return_is_taken<300>(peer, rule<"UMSP-6.3.2-2">); })},
};

}  // namespace

std::vector<Case> asking_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
