// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 6.1: more RDMA Reads than were negotiated.
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/rdmap/rdmap/6.1-initialization/rules.h"
#include "conformance/rdmap/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

// Enough Reads that they cannot all be served one at a time as they arrive.
constexpr unsigned kTooMany = 512;
constexpr std::uint64_t kMostOfOne = 32768;

// Reads, as large as there is something to read, so that they are outstanding for a while.
void send_reads(Probe& peer, const std::optional<TargetBuffer>& buffer, unsigned count) {
  OctetBuffer octets;
  for (unsigned i = 0; i < count; ++i) {
    OctetBuffer payload;
    const auto size = static_cast<std::uint32_t>(buffer ? std::min(buffer->length, kMostOfOne) : 0);
    encode(buffer ? read_of(*buffer, 0, size) : ReadRequest{.sink_stag = kOurSinkStag}, payload);
    const OctetBuffer one = peer.fpdu_of(peer.untagged(Opcode::read_request), payload);
    octets.insert(octets.end(), one.begin(), one.end());
    peer.message_sent(kReadRequestQueue);
  }
  peer.send_octets(octets);
}

void expect_one_too_many(Probe& peer) {
  expect_refusal_or_note(
      peer, rule<"RDMAP-6.1-7">,
      {terminates(error::kDdpNoBuffer), terminates(error::kCatastrophicStream), terminates(error::kDdpMsnRange)},
      "hundreds of Reads more than were negotiated");
}

void initiator_and_too_many(ReadyInitiator& initiator) {
  if (!initiator.ok()) return;
  const auto depths = initiator.request().enhanced_data();
  if (!depths || depths->ird == mpa::kNoNegotiation)
    return initiator.skip("the request does not state how many Reads may be outstanding (RFC 6581)");
  send_reads(initiator, targets_of(initiator.run(), initiator.advertisement()).read_write, depths->ird + kTooMany);
  expect_one_too_many(initiator);
}

constexpr std::uint16_t kReads = 2;
constexpr TriggerRequest kManyAtOnce{.count = 8, .parallel = true};

// Answers none for a while. An initiator that wants more Reads than the reply allows must wait.
void keeps_to_its_reads(ServedInitiator& initiator) {
  if (!initiator.ok()) return;
  const auto asked = initiator.request().enhanced_data();
  if (!asked || asked->ord == mpa::kNoNegotiation || asked->ord <= kReads)
    return initiator.skip("the request does not ask for more than two concurrent Reads (RFC 6581)");
  std::vector<Response> held;
  for (;;) {
    Response request = initiator.take(initiator.in(initiator.run().silence_time()));
    if (!request.segment()) break;
    if (request.is(Opcode::read_request) || request.is(Opcode::atomic_request)) held.push_back(std::move(request));
  }
  if (initiator.ok() && held.empty()) return initiator.skip("the initiator does not read");
  initiator.require(rule<"RDMAP-6.1-6">, held.size() <= kReads, "two Read Requests", fmt::format("{}", held.size()),
                    "the reply allows two, and neither was answered");
  for (const Response& request : held) initiator.answer(request);
  initiator.serve();
}

const CaseRow kRows[] = {
    {"rdmap/responder-and-too-many-reads",
     {&rule<"RDMAP-6.1-7">},
     "The responder refuses many more concurrent Read Requests than the IRD of its reply allows.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.start({.enhanced = mpa::EnhancedData{.ird = 1, .ord = 2}});
       if (!responder.ok()) return;
       const auto depths = responder.reply().enhanced_data();
       if (!depths || depths->ird == mpa::kNoNegotiation)
         return responder.skip("the reply does not state how many Reads may be outstanding (RFC 6581)");
       send_reads(responder, targets_of(responder.run(), responder.reply().ulp_data()).read_write,
                  depths->ird + kTooMany);
       expect_one_too_many(responder);
     })},
    {"rdmap/initiator-and-too-many-reads",
     {&rule<"RDMAP-6.1-7">},
     "The initiator refuses many more concurrent Read Requests than the IRD of its request allows.",
     with<initiator_and_too_many>()},
    {"rdmap/initiator-keeps-to-the-reads-negotiated",
     {&rule<"RDMAP-6.1-6">},
     "The initiator sends no third Read Request before an answer if it may have two Reads outstanding.",
     {.initiator =
          [](CaseRun& run) {
            ServedInitiator initiator(run, kManyAtOnce, kReads);
            keeps_to_its_reads(initiator);
          }}},
};

}  // namespace

std::vector<Case> initialization_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
