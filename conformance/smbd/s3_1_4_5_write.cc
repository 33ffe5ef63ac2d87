// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.5: RDMA Write to a buffer that the peer has lent.
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.4.5"};
constexpr Section kAnyByAbsence = kSection.resting_on(Evidence::absence);
constexpr Section kApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kWritesWhatWasLent = kAnyByAbsence.must(
    "SMBD-3.1.4.5-1", "An RDMA Write goes to a buffer that the peer has named in an upper-layer message before.",
    "SMBD/A44, SMBD/A45; a Write without octets, as MPA uses it, is none");
constinit const Rule kWriteIndexes =
    kApi.must("SMBD-3.1.4.5-2", "The given offset chooses the first descriptor by the lengths of those before it.",
              "needs an upper layer with several descriptors: S-15");
constinit const Rule kWriteCounts =
    kApi.must("SMBD-3.1.4.5-3", "The length of the data says how many descriptors are used.", "likewise");
constinit const Rule kWriteTrimsFirst =
    kApi.must("SMBD-3.1.4.5-4", "Of the first descriptor the part behind the offset is used.", "likewise");
constinit const Rule kWriteTrimsLast =
    kApi.must("SMBD-3.1.4.5-5", "Of the last descriptor the part up to the end of the data is used.", "likewise");
constinit const Rule kWriteRequested =
    kApi.must("SMBD-3.1.4.5-6",
              "The provider is asked for one RDMA Write or several, on this connection, to exactly those places.",
              "seen in the tagged segments, by whoever has lent the buffer");
constinit const Rule kWriteResultReturned =
    kApi.must("SMBD-3.1.4.5-7", "What the provider said is passed to the upper layer.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kWriteIndexes, {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}),
                 broken_by(kWriteCounts, {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}),
                 broken_by(kWriteTrimsFirst, {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}),
                 broken_by(kWriteTrimsLast, {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}),
                 broken_by(kWriteRequested, {transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}),
                 broken_by(kWriteResultReturned, {transfer_result_lost}),
                 broken_by(kWritesWhatWasLent, {transfer_other_token}, {.severity = Severity::warning}));

}  // namespace

SectionRules write_rules() {
  static constexpr const Rule* kRules[] = {&kWritesWhatWasLent,  &kWriteIndexes,   &kWriteCounts,
                                           &kWriteTrimsFirst,    &kWriteTrimsLast, &kWriteRequested,
                                           &kWriteResultReturned};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_write(Judge& judge, Connection& connection, const Delivery& write) {
  if (!connection.from_start) return;
  Way& lender = connection.of(other(write.sender));
  if (judge.require(kWritesWhatWasLent, lender.has_sent_payload, octets(0, 0),
                    expected("an upper-layer message of the other side before it"), actual("none"),
                    "or the message with the descriptor was not captured"))
    judge_use(judge, kWritesWhatWasLent, lender.lent.use(write.remote, true), write.remote);
}

void judge_use(Judge& judge, const Rule& rule, Use use, const RemoteRange& range) {
  const auto operation = [&] {
    return fmt::format("{} octets at 0x{:x} with token 0x{:08x}", range.length, range.offset, range.stag);
  };
  switch (use) {
    case Use::unknown:
    case Use::fits:
      return;
    case Use::unnamed:
      judge.advise(rule, false, octets(0, 0), expected("a token that the other side has named"),
                   actual(hex(range.stag)), "no payload that it has sent before holds these four octets (SMBD/A44)");
      return;
    case Use::outside:
      judge.require(rule, false, octets(0, 0), expected("a place in the buffers that were lent with its token"),
                    actual(operation), "the SMB2 requests before it describe them (SMBD/A45)");
      return;
    case Use::backwards:
      judge.advise(rule, false, octets(0, 0), expected("RDMA Writes for an SMB2 READ, RDMA Reads for an SMB2 WRITE"),
                   actual(operation), "its buffer was lent for the other direction (SMBD/A45)");
      return;
    case Use::too_much:
      judge.advise(rule, false, octets(0, 0), expected("no more octets than the buffers of the SMB2 request hold"),
                   actual(operation), "with what was moved before for the same request (SMBD/A45)");
      return;
    case Use::over:
      judge.advise(rule, false, octets(0, 0), expected("a token of an SMB2 request that waits for its response"),
                   actual(operation), "its sender has answered the request, or invalidated the token (SMBD/A45)");
      return;
  }
}

}  // namespace wirelaw::smbd
