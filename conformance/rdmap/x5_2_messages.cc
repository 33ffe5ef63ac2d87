// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 5.2: Atomic Requests and Responses, field by field, and how they belong together. An outstanding
// Atomic Request stands among the outstanding Reads, whose queue and whose limits it shares.
#include <algorithm>

#include "conformance/rdmap/extensions.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kRequestSection = "RFC 7306 5.2.1", kResponseSection = "RFC 7306 5.2.2";
constexpr Rule request_rule(std::string_view id, Observable observable, std::string_view summary,
                            std::string_view note = {}, Level level = Level::must) {
  return extension_rule(id, level, kRequestSection, observable, summary, note);
}
constexpr Rule response_rule(std::string_view id, Observable observable, std::string_view summary,
                             std::string_view note = {}) {
  return extension_rule(id, Level::must, kResponseSection, observable, summary, note);
}

constinit const Rule kReserved =
    request_rule("RDMAPX-5.2.1-1", Observable::trace, "The 28 bits before AOpCode are zero.");
constinit const Rule kAtomicOpcode = request_rule("RDMAPX-5.2.1-3", Observable::trace,
                                                  "Figure 5: AOpCode is 0 (FetchAdd) or 2 (CmpSwap).", "A-37, A-61");
constinit const Rule kNoCompareData =
    request_rule("RDMAPX-5.2.1-7", Observable::trace, "Compare Data of a FetchAdd is zero.");
constinit const Rule kNoCompareMask =
    request_rule("RDMAPX-5.2.1-8", Observable::trace, "Compare Mask of a FetchAdd is all ones.");
constinit const Rule kAnswersARequest = response_rule(
    "RDMAPX-5.2.2-1", Observable::trace, "An Atomic Response answers an Atomic Request that went the other way.");
constinit const Rule kIdentifier =
    response_rule("RDMAPX-5.2.2-2", Observable::trace,
                  "Original Request Identifier is the Request Identifier of the request that is answered.");
constinit const Rule kInOrder =
    response_rule("RDMAPX-5.2.2-10", Observable::trace, "Atomic Responses come in the order of their requests.");

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

}  // namespace

RuleList atomic_message_rules() {
  static constinit const Rule kAligned = request_rule(
      "RDMAPX-5.2.1-6", Observable::none, "Remote Tagged Offset represents an address that is a multiple of eight.",
      "RDMAPX-5.1.1-1 and RDMAPX-5.1.2-1 judge the same field, by operation");
  static constinit const Rule kSwap =
      request_rule("RDMAPX-5.2.1-10", Observable::none,
                   "The Add or Swap Mask of an operation that is not masked (Swap) is all ones.",
                   "A-61: the text has no AOpCode for a Swap");
  static constinit const Rule kRequestUntagged = request_rule(
      "RDMAPX-5.2.1-11", Observable::none, "An Atomic Request is untagged.", "RDMAPX-4.1-7 judges the same bit");
  static constinit const Rule kRequestBuffer =
      request_rule("RDMAPX-5.2.1-12", Observable::none, "One Atomic Request takes one untagged buffer.",
                   "On the wire that is one MSN, which DDP's numbering judges");
  static constinit const Rule kProcessedByRdmap = request_rule(
      "RDMAPX-5.2.1-13", Observable::api, "An Atomic Request is processed by RDMAP and not delivered to the ULP.",
      "No completion of a receive at the responder's application may come of it");
  static constinit const Rule kRequestQueue = request_rule(
      "RDMAPX-5.2.1-15", Observable::none, "An Atomic Request is on queue 1.", "RDMAPX-4.1-11 judges the same field");
  static constinit const Rule kSubmitted = request_rule(
      "RDMAPX-5.2.1-16", Observable::api, "Atomic Requests go to DDP in the order in which the ULP submitted them.",
      "The application knows that order");
  static constinit const Rule kResponseUntagged = response_rule(
      "RDMAPX-5.2.2-4", Observable::none, "An Atomic Response is untagged.", "RDMAPX-4.1-8 judges the same bit");
  static constinit const Rule kResponseQueue = response_rule(
      "RDMAPX-5.2.2-5", Observable::none, "An Atomic Response is on queue 3.", "RDMAPX-4.1-12 judges the same field");
  static constinit const Rule kRequestRoom = response_rule(
      "RDMAPX-5.2.2-6", Observable::api,
      "The responder has buffers on queue 1 for all Atomic Requests that were negotiated, besides those for Reads.",
      "How many were negotiated is known to the ULPs, as consumers of verbs");
  static constinit const Rule kResponseRoom =
      response_rule("RDMAPX-5.2.2-7", Observable::api,
                    "The requester has buffers on queue 3 for all Atomic Requests that were negotiated.",
                    "How many were negotiated is known to the ULPs, as consumers of verbs");
  static constinit const Rule kResponseDelivered =
      response_rule("RDMAPX-5.2.2-8", Observable::api, "An Atomic Response is delivered to the ULP.",
                    "The requester's completion shows it");
  static constexpr const Rule* kRules[] = {
      &kReserved,    &kAtomicOpcode,    &kAligned,           &kNoCompareData,    &kNoCompareMask,
      &kSwap,        &kRequestUntagged, &kRequestBuffer,     &kProcessedByRdmap, &kRequestQueue,
      &kSubmitted,   &kAnswersARequest, &kIdentifier,        &kResponseUntagged, &kResponseQueue,
      &kRequestRoom, &kResponseRoom,    &kResponseDelivered, &kInOrder};
  return kRules;
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
    from.reads.push_back({.atomic = true, .identifier = request.request_identifier, .index = seen.index});
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
  const auto first = std::ranges::find(reads, true, &OutstandingRead::atomic);
  if (!judge.require(kAnswersARequest, first != reads.end(), octets(0, seen.fpdu.octets.size()),
                     expected("an Atomic Request without answer"), actual("none"))) {
    seen.blame(error::kUnexpectedOpcode);
    return;
  }
  const OctetRange where = field::rdmap(seen, layout::kOriginalIdentifier, 4);
  const auto want = expected([&] { return fmt::format("identifier {:08x}", first->identifier); });
  const auto got = actual([&] { return fmt::format("identifier {:08x}", response.request_identifier); });
  if (judge.require(kIdentifier, answered != reads.end(), where, want, got, "no request that waits has it"))
    judge.require(kInOrder, answered == first, where, want, got,
                  [&] { return fmt::format("that of message {} was due", first->index); });
  const auto done = answered == reads.end() ? first : answered;
  if (done == first) judge_atomic_after_reads(judge, seen, *done);
  reads.erase(done);
}

}  // namespace wirelaw::rdmap
