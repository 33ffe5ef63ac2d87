// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 5.2: Atomic Requests and Responses, field by field, and how they belong together. An outstanding
// Atomic Request is among the outstanding Reads, whose queue and whose limits it shares.
#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmapx/extensions.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kRequest{"RFC 7306 5.2.1"};
constexpr Section kRequestAtVerbs = kRequest.by(Observable::api);
constexpr Section kRequestNotJudged = kRequest.by(Observable::none);
constexpr Section kResponse = Section{"RFC 7306 5.2.2"}.resting_on(Evidence::absence);
constexpr Section kResponseAtVerbs = kResponse.by(Observable::api);
constexpr Section kResponseNotJudged = kResponse.by(Observable::none);

constinit const Rule kReserved = kRequest.must("RDMAPX-5.2.1-1", "The 28 bits before AOpCode are zero.");
constinit const Rule kAtomicOpcode =
    kRequest.must("RDMAPX-5.2.1-3", "Figure 5: AOpCode is 0 (FetchAdd) or 2 (CmpSwap).", "RDMAP/A-37, RDMAP/A-61");
constinit const Rule kAligned =
    kRequestNotJudged.must("RDMAPX-5.2.1-6", "Remote Tagged Offset represents an address that is a multiple of eight.",
                           "RDMAPX-5.1.1-1 and RDMAPX-5.1.2-1 judge the same field, by operation");
constinit const Rule kNoCompareData = kRequest.must("RDMAPX-5.2.1-7", "Compare Data of a FetchAdd is zero.");
constinit const Rule kNoCompareMask = kRequest.must("RDMAPX-5.2.1-8", "Compare Mask of a FetchAdd is all ones.");
constinit const Rule kSwap = kRequestNotJudged.must(
    "RDMAPX-5.2.1-10", "The Add or Swap Mask of an operation that is not masked (Swap) is all ones.",
    "RDMAP/A-61: the text has no AOpCode for a Swap");
constinit const Rule kRequestUntagged =
    kRequestNotJudged.must("RDMAPX-5.2.1-11", "An Atomic Request is untagged.", "RDMAPX-4.1-7 judges the same bit");
constinit const Rule kRequestBuffer =
    kRequestNotJudged.must("RDMAPX-5.2.1-12", "One Atomic Request takes one untagged buffer.",
                           "On the wire that is one MSN, which DDP's numbering judges");
constinit const Rule kProcessedByRdmap =
    kRequestAtVerbs.must("RDMAPX-5.2.1-13", "An Atomic Request is processed by RDMAP and not delivered to the ULP.",
                         "No completion of a receive at the responder's application may come of it");
constinit const Rule kRequestQueue = kRequestNotJudged.must("RDMAPX-5.2.1-15", "An Atomic Request is on queue 1.",
                                                            "RDMAPX-4.1-11 judges the same field");
constinit const Rule kSubmitted =
    kRequestAtVerbs.must("RDMAPX-5.2.1-16", "Atomic Requests go to DDP in the order in which the ULP submitted them.",
                         "The application knows that order");
constinit const Rule kAnswersARequest =
    kResponse.must("RDMAPX-5.2.2-1", "An Atomic Response answers an Atomic Request that went the other way.");
constinit const Rule kIdentifier = kResponse.must(
    "RDMAPX-5.2.2-2", "Original Request Identifier is the Request Identifier of the request that is answered.");
constinit const Rule kResponseUntagged =
    kResponseNotJudged.must("RDMAPX-5.2.2-4", "An Atomic Response is untagged.", "RDMAPX-4.1-8 judges the same bit");
constinit const Rule kResponseQueue = kResponseNotJudged.must("RDMAPX-5.2.2-5", "An Atomic Response is on queue 3.",
                                                              "RDMAPX-4.1-12 judges the same field");
constinit const Rule kRequestRoom = kResponseAtVerbs.must(
    "RDMAPX-5.2.2-6",
    "The responder has buffers on queue 1 for all Atomic Requests that were negotiated, besides those for Reads.",
    "How many were negotiated is known to the ULPs, as consumers of verbs");
constinit const Rule kResponseRoom = kResponseAtVerbs.must(
    "RDMAPX-5.2.2-7", "The requester has buffers on queue 3 for all Atomic Requests that were negotiated.",
    "How many were negotiated is known to the ULPs, as consumers of verbs");
constinit const Rule kResponseDelivered = kResponseAtVerbs.must(
    "RDMAPX-5.2.2-8", "An Atomic Response is delivered to the ULP.", "The requester's completion shows it");
constinit const Rule kInOrder =
    kResponse.must("RDMAPX-5.2.2-10", "Atomic Responses come in the order of their requests.");

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

constexpr Breach kBreaches[] = {
    {Deviation::atomic_reserved_set, kReserved, {.given = "verbs"}},
    {Deviation::atomic_reserved_set, kReserved, {.who = wirelaw::Role::initiator, .given = "extended"}},
    {Deviation::atomic_consumes_receive, kProcessedByRdmap, {.given = "verbs pair"}},
    {Deviation::work_reordered, kSubmitted, {.given = "verbs pair"}},
    {Deviation::atomic_identifier_wrong, kIdentifier, {.given = "rfc7306"}},
    {Deviation::ird_off_by_one, kRequestRoom, {.given = "verbs"}},
    {Deviation::atomic_responses_short, kResponseRoom, {.given = "verbs"}},
    {Deviation::atomic_result_lost, kResponseDelivered, {.given = "verbs pair"}},
};

}  // namespace

SectionRules atomic_message_rules() {
  static constexpr const Rule* kRules[] = {
      &kReserved,    &kAtomicOpcode,    &kAligned,           &kNoCompareData,    &kNoCompareMask,
      &kSwap,        &kRequestUntagged, &kRequestBuffer,     &kProcessedByRdmap, &kRequestQueue,
      &kSubmitted,   &kAnswersARequest, &kIdentifier,        &kResponseUntagged, &kResponseQueue,
      &kRequestRoom, &kResponseRoom,    &kResponseDelivered, &kInOrder};
  return {kRules, kBreaches};
}

void judge_atomic_request(Judge& judge, Seen& seen, const AtomicRequest& request) {
  const std::uint8_t opcode = atomic_opcode(request);
  const std::uint32_t reserved = request.reserved_and_opcode >> 4;
  const OctetRange word = field::rdmap(seen, layout::kAtomicOpcode, 4);
  judge.require(kReserved, reserved == 0, word, expected(0), actual(hex(reserved)));
  const bool known =
      judge.require(kAtomicOpcode, opcode == kFetchAdd || opcode == kCmpSwap, word, expected("0 or 2"), actual(opcode));
  if (!known)
    for (const ErrorCode& error : {error::kUnexpectedOpcode, error::kCatastrophicStream, error::kOperationUnspecified})
      seen.blame(error);
  if (opcode == kFetchAdd) {
    judge.require(kNoCompareData, request.compare == 0, field::rdmap(seen, layout::kAtomicCompare, 8), expected(0),
                  actual(hex(request.compare)));
    judge.require(kNoCompareMask, request.compare_mask == kAllOnes, field::rdmap(seen, layout::kAtomicCompareMask, 8),
                  expected(hex(kAllOnes)), actual(hex(request.compare_mask)));
  }
  Direction& from = seen.from;
  if (from.reads.size() == kMaxOutstandingReads)
    ++from.reads_forgotten;
  else
    from.reads.push_back({.atomic = true,
                          .identifier = request.request_identifier,
                          .index = seen.index,
                          .frame = seen.frame,
                          .time_ns = judge.message().time_ns});
}

void judge_atomic_response(Judge& judge, Seen& seen, const AtomicResponse& response) {
  auto& reads = seen.to.reads;
  const auto answered = std::ranges::find_if(reads, [&](const OutstandingRead& read) {
    return read.atomic && read.identifier == response.request_identifier;
  });
  if (!all_requests_known(seen)) {
    // It may answer a request that was not seen.
    if (answered != reads.end()) reads.erase(answered);
    return;
  }
  const Evidence evidence = evidence_of_lack(seen.connection, seen.from);
  const std::string_view otherwise = evidence == Evidence::octets ? "" : ", or one that was not captured";
  const auto first = std::ranges::find(reads, true, &OutstandingRead::atomic);
  if (!judge.require(
          kAnswersARequest, first != reads.end(), octets(0, seen.fpdu.octets.size()),
          expected("an Atomic Request without answer"), actual("none"),
          [&] { return fmt::format("nothing waits for it{}", otherwise); }, evidence)) {
    seen.blame(error::kUnexpectedOpcode);
    return;
  }
  const OctetRange where = field::rdmap(seen, layout::kOriginalIdentifier, 4);
  const auto want = expected([&] { return fmt::format("identifier {:08x}", first->identifier); });
  const auto got = actual([&] { return fmt::format("identifier {:08x}", response.request_identifier); });
  if (judge.require(
          kIdentifier, answered != reads.end(), where, want, got,
          [&] { return fmt::format("no request that waits has it{}", otherwise); }, evidence))
    judge.require(
        kInOrder, answered == first, where, want, got,
        [&] { return fmt::format("that of message {} was due{}", first->index + 1, otherwise); }, evidence);
  const auto done = answered == reads.end() ? first : answered;
  if (done == first) judge_atomic_after_reads(judge, seen, *done);
  reads.erase(done);
}

}  // namespace wirelaw::rdmap
