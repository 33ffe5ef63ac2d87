// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 3.2 and 8.1 to 8.4: extension headers, known and unknown.
#include <array>

#include "conformance/umsp/3.2-extension-headers/rules.h"
#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/8-common-extension-headers/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/write_attempt.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kUnknownShort = 29, kUnknownLong = 0x1234;  // codes that the document does not assign
constexpr std::array<Octet, 4> kAnyData{1, 2, 3, 4};
constexpr std::array<Octet, 4> kText{'t', 'e', 'x', 't'};
constexpr std::array<Octet, 14> kZeros{};

ExtensionHeader header_of(std::uint16_t code, Octets data, bool hob = false) {
  return {.hxt = code > 30,
          .head_length = static_cast<std::uint32_t>(data.size() / 2),
          .hob = hob,
          .head_code = code,
          .data = data};
}
ExtensionHeader header_of(HeadCode code, Octets data, bool hob = false) {
  return header_of(static_cast<std::uint16_t>(code), data, hob);
}
const ExtensionHeader kUnknown = header_of(kUnknownShort, kAnyData);
const ExtensionHeader kObligatory = header_of(kUnknownShort, kAnyData, true);
const ExtensionHeader kMsg = header_of(HeadCode::msg, kText);
const ExtensionHeader kAlignment = header_of(HeadCode::alignment, Octets(kZeros).first(4));

using Headers = std::initializer_list<ExtensionHeader>;

OctetBuffer with_headers(const Draft& draft, Headers headers) {
  return changed(draft, [&](Instruction& instruction) {
    for (const ExtensionHeader& one : headers) add_extension(instruction, one);
  });
}

// Requires that the IUT execute a WRITE with these headers.
bool takes(ServedSession& peer, std::initializer_list<const Rule*> rules, Headers headers,
           std::string_view explanation) {
  if (!offers(peer, peer.session(), ProfileFlag::short_data, kNeedsHeaders)) return false;
  const WriteAttempt attempt(peer);
  peer.send_octets(with_headers(attempt.draft, headers));
  return expect_executed(peer, rules, attempt, explanation);
}

// Requires that the IUT not execute a WRITE with these headers and, if `refused`, that it send a negative response.
void does_not_take(ServedSession& peer, const Rule& judged, Headers headers, bool refused,
                   std::string_view explanation) {
  const std::size_t octets = short_write(peer);
  const auto before = peer.read(peer.session(), peer.address(), static_cast<std::uint32_t>(octets));
  if (!before) return peer.inconclusive("the memory could not be read");
  const WriteAttempt attempt(peer);
  peer.send_octets(with_headers(attempt.draft, headers));
  const auto response = peer.answer_to(peer.session(), *attempt.draft.req_id);
  if (refused && !peer.expect_refused(judged, response, explanation)) return;
  peer.expect_unwritten(judged, peer.session(), peer.address(), *before, explanation);
}

void takes_operands_behind_the_last(ServedSession& peer) {
  takes(peer, {&rule<"UMSP-3.2-12">}, {kMsg}, "The operands come right after one extension header.");
  takes(peer, {&rule<"UMSP-3.2-12">}, {kMsg, kAlignment}, "The operands come right after two extension headers.");
}

void executes_nothing_obligatory(ServedSession& peer) {
  if (!takes(peer, {&rule<"UMSP-3.2-16">}, {kUnknown}, "The unknown extension header has HOB 0.")) return;
  does_not_take(peer, rule<"UMSP-3.2-14">, {kObligatory}, false, "An unknown extension header has HOB 1.");
  does_not_take(peer, rule<"UMSP-3.2-14">, {kMsg, kObligatory}, false,
                "An unknown extension header with HOB 1 follows a _MSG.");
  peer.expect_served(rule<"UMSP-3.2-14">, peer.session(), "the same instruction without such a header was executed");
}

void refuses_obligatory(ServedSession& peer) {
  if (!takes(peer, {&rule<"UMSP-3.2-16">}, {kUnknown}, "The unknown extension header has HOB 0.")) return;
  does_not_take(peer, rule<"UMSP-3.2-15">, {kObligatory}, true, "An unknown extension header has HOB 1, and ASK is 1.");
}

// The protocol layer may not deliver it, and the VM cannot answer what it has not received.
void answers_undeliverable(ServedSession& peer) {
  const WriteAttempt attempt(peer);
  peer.send_octets(with_headers(attempt.draft, {kObligatory}));
  const auto response = peer.answer_to(peer.session(), *attempt.draft.req_id);
  if (ExecutorProbe::says_done(response))
    return peer.inconclusive("an instruction with an unknown header with HOB 1 was delivered to the VM");
  peer.expect_refused(rule<"UMSP-4.1-20">, response,
                      "An unknown extension header with HOB 1 prevents delivery to the VM.");
}

void takes_unknown(ServedSession& peer) {
  takes(peer, {&rule<"UMSP-3.2-16">}, {kUnknown}, "The instruction has one unknown extension header with HOB 0.");
  takes(peer, {&rule<"UMSP-3.2-16">}, {kMsg, kUnknown, kAlignment},
        "An unknown extension header is between two known ones.");
}

void processes_those_behind_unknown(ServedSession& peer) {
  if (!takes(peer, {&rule<"UMSP-3.2-16">}, {kUnknown}, "The unknown extension header has HOB 0.")) return;
  does_not_take(peer, rule<"UMSP-3.2-17">, {kUnknown, kObligatory}, false,
                "An unknown extension header with HOB 0 is followed by one with HOB 1 that cannot be processed.");
}

void ignores_hrz(ServedSession& peer) {
  ExtensionHeader reserved = kMsg;
  reserved.hrz = true;
  takes(peer, {&rule<"UMSP-3.2-18">}, {reserved}, "The instruction has a _MSG with HRZ 1.");
}

bool offers_long_headers(ServedSession& peer) {
  return offers(peer, peer.session(), ProfileFlag::long_data, "needs an IUT that offers long extension headers (S10)");
}

void ignores_reserved(ServedSession& peer) {
  if (!offers_long_headers(peer)) return;
  ExtensionHeader reserved = kMsg;
  reserved.hxt = true;
  if (!takes(peer, {&rule<"UMSP-3.2-33">}, {reserved}, "The instruction has a _MSG in the extended form.")) return;
  reserved.reserved = 0x8001;
  takes(peer, {&rule<"UMSP-3.2-24">}, {reserved},
        "The instruction has a _MSG in the extended form, with a nonzero RESERVED.");
}

void takes_both_forms(ServedSession& peer) {
  if (!offers_long_headers(peer)) return;
  for (ExtensionHeader one : {kMsg, kAlignment, kUnknown}) {
    takes(peer, {&rule<"UMSP-3.2-33">}, {one}, "The extension header has a code up to 30 in the short form.");
    one.hxt = true;
    takes(peer, {&rule<"UMSP-3.2-33">}, {one}, "The extension header has the same code in the extended form.");
  }
  takes(peer, {&rule<"UMSP-3.2-16">}, {header_of(kUnknownLong, kAnyData)},
        "The extension header has an unknown code that only the extended form can hold.");
}

// ---------------------------------------------------------------------------------------------- at most thirty headers

WriteAttempt send_with_msgs(ServedSession& peer, std::size_t count) {
  WriteAttempt attempt(peer);
  for (std::size_t i = 0; i < count; ++i) with_message(attempt.draft);
  peer.send(attempt.draft);
  return attempt;
}

bool takes_thirty(ServedSession& peer, const Rule& judged) {
  if (!offers(peer, peer.session(), ProfileFlag::short_data, kNeedsHeaders)) return false;
  const WriteAttempt most = send_with_msgs(peer, kMostExtensionHeaders);
  return expect_executed(peer, {&judged}, most, "The instruction has thirty extension headers.");
}

void executes_no_more_than_thirty(ServedSession& peer) {
  if (!takes_thirty(peer, rule<"UMSP-3.2-31">)) return;
  const WriteAttempt over = send_with_msgs(peer, kMostExtensionHeaders + 1);
  const auto response = peer.answer_to(peer.session(), *over.draft.req_id);
  if (!peer.require(rule<"UMSP-3.2-31">, !ExecutorProbe::says_done(response), "no positive response", to_text(response),
                    "The instruction has thirty-one extension headers."))
    return;
  // Uses another connection, since this one may be closed, and another session of the job.
  ExecutorProbe again(peer.run());
  const auto session = again.open_session(again.good_open(peer.session().gjid));
  if (!session) return;
  const auto there = again.read(*session, peer.address(), static_cast<std::uint32_t>(over.octets.size()));
  again.require(rule<"UMSP-3.2-31">, there != over.octets, "octets other than those written", "the written octets",
                "The instruction has thirty-one extension headers.");
}

void ends_session_for_more_than_thirty(ServedSession& peer) {
  if (!takes_thirty(peer, rule<"UMSP-3.2-32">)) return;
  send_with_msgs(peer, kMostExtensionHeaders + 1);
  if (peer.next_of({Opcode::session_abend}) || !peer.ok()) return;
  const auto there = peer.request(peer.session(), peer.read_draft(peer.address(), 2));
  peer.require(rule<"UMSP-3.2-32">, !ExecutorProbe::says_done(there), "the end of the session", to_text(there),
               "A request follows thirty-one extension headers in the same session.");
}

// -------------------------------------------------------------------------------------------- the headers of section 8

void takes_alignment(ServedSession& peer) {
  for (std::size_t octets = 2; octets <= kZeros.size() && peer.ok(); octets += 4)
    takes(peer, {&rule<"UMSP-8.1-2">}, {header_of(HeadCode::alignment, Octets(kZeros).first(octets))},
          "One _ALIGNMENT precedes the operands.");
  takes(peer, {&rule<"UMSP-8.1-2">}, {kAlignment, kMsg, kAlignment},
        "An _ALIGNMENT precedes _MSG, and another follows it.");
}

void takes_several_msgs(ServedSession& peer) {
  takes(peer, {&rule<"UMSP-8.2-6">}, {kMsg}, "The instruction has one _MSG.");
  takes(peer, {&rule<"UMSP-8.2-6">}, {kMsg, kMsg, kMsg}, "The instruction has three _MSG.");
}

// Writes with the data in _DATA.
void takes_any_data(ServedSession& peer) {
  if (!offers(peer, peer.session(), ProfileFlag::short_data, kNeedsHeaders)) return;
  if (peer.address_octets() == 2) return peer.skip("a WRITE to an address of 2 octets has no _DATA");
  constexpr std::size_t kPart = 64;
  if (peer.octets() < kPart) return peer.skip("needs 64 octets of memory");
  for (unsigned first = 0; first < 256 && peer.ok(); first += kPart) {
    OctetBuffer part(kPart);
    for (std::size_t i = 0; i < kPart; ++i) part[i] = static_cast<Octet>(first + i);
    Draft draft = peer.write_draft(peer.address(), {});
    draft.extensions.push_back({HeadCode::data, part});
    const auto response = peer.request(peer.session(), draft);
    peer.expect_done(rule<"UMSP-8.4-8">, response, "The WRITE has _DATA.");
    peer.expect_written(rule<"UMSP-8.4-8">, peer.session(), peer.address(), part,
                        "The _DATA contains every octet value.");
  }
}

const CaseRow kRows[] = {
    {"extension/operands-are-behind-the-last",
     {&rule<"UMSP-3.2-12">},
     "The IUT finds the operands after the extension header with HSL 1.",
     with<takes_operands_behind_the_last>()},
    {"extension/obligatory-and-unknown-is-not-executed",
     {&rule<"UMSP-3.2-14">, &rule<"UMSP-3.2-16">},
     "The IUT does not execute a WRITE with an unknown extension header with HOB 1.",
     with<executes_nothing_obligatory>()},
    {"extension/obligatory-and-unknown-is-refused",
     {&rule<"UMSP-3.2-15">, &rule<"UMSP-3.2-16">},
     "The IUT refuses a WRITE with ASK 1 and an unknown extension header with HOB 1.",
     with<refuses_obligatory>()},
    {"extension/undeliverable-is-refused",
     {&rule<"UMSP-4.1-20">},
     "The IUT's protocol layer refuses an instruction with ASK 1 that it may not deliver to the VM.",
     with<answers_undeliverable>()},
    {"extension/unknown-has-no-influence",
     {&rule<"UMSP-3.2-16">},
     "The IUT ignores an unknown extension header with HOB 0.",
     with<takes_unknown>()},
    {"extension/all-are-processed",
     {&rule<"UMSP-3.2-16">, &rule<"UMSP-3.2-17">},
     "The IUT processes the extension headers after one that it cannot process.",
     with<processes_those_behind_unknown>()},
    {"extension/hrz-is-not-looked-at",
     {&rule<"UMSP-3.2-18">},
     "The IUT accepts any value of HRZ.",
     with<ignores_hrz>()},
    {"extension/reserved-is-not-looked-at",
     {&rule<"UMSP-3.2-24">, &rule<"UMSP-3.2-33">},
     "The IUT accepts any value of RESERVED in the extended form.",
     with<ignores_reserved>()},
    {"extension/short-and-extended-form-are-alike",
     {&rule<"UMSP-3.2-16">, &rule<"UMSP-3.2-33">},
     "The IUT accepts codes up to 30 in either form.",
     with<takes_both_forms>()},
    {"extension/thirty-one-are-not-executed",
     {&rule<"UMSP-3.2-31">},
     "The IUT executes a WRITE with thirty extension headers, and does not execute one with thirty-one.",
     with<executes_no_more_than_thirty>()},
    {"extension/thirty-one-end-the-session",
     {&rule<"UMSP-3.2-32">},
     "The IUT ends a session on which thirty-one extension headers arrived.",
     with<ends_session_for_more_than_thirty>()},
    {"extension/alignment-is-taken-anywhere",
     {&rule<"UMSP-8.1-2">},
     "The IUT accepts _ALIGNMENT anywhere among extension headers.",
     with<takes_alignment>()},
    {"extension/several-messages-are-taken",
     {&rule<"UMSP-8.2-6">},
     "The IUT accepts an instruction with several _MSG.",
     with<takes_several_msgs>()},
    {"extension/data-are-any-octets",
     {&rule<"UMSP-8.4-8">},
     "The IUT accepts octets of every value in _DATA.",
     with<takes_any_data>()},
};

}  // namespace

std::vector<Case> extension_headers_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
