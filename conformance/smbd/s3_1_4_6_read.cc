// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.6: RDMA Read from a buffer that the peer has lent.
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.4.6"};
constexpr Section kAnyByAbsence = kSection.resting_on(Evidence::absence);
constexpr Section kApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kReadsWhatWasLent = kAnyByAbsence.must(
    "SMBD-3.1.4.6-1", "An RDMA Read is of a buffer that the peer has named in an upper-layer message before.",
    "SMBD/A44, SMBD/A45; a Read without octets, as MPA uses it, is none");
constinit const Rule kReadIndexes =
    kApi.must("SMBD-3.1.4.6-2", "The given offset chooses the first descriptor by the lengths of those before it.",
              "needs an upper layer with several descriptors: S-15");
constinit const Rule kReadCounts =
    kApi.must("SMBD-3.1.4.6-3", "The length of the local buffer says how many descriptors are used.", "likewise");
constinit const Rule kReadTrimsFirst =
    kApi.must("SMBD-3.1.4.6-4", "Of the first descriptor the part behind the offset is used.", "likewise");
constinit const Rule kReadTrimsLast =
    kApi.must("SMBD-3.1.4.6-5", "Of the last descriptor the part up to the end of the data is used.", "likewise");
constinit const Rule kReadRequested =
    kApi.must("SMBD-3.1.4.6-6",
              "The provider is asked for one RDMA Read or several, on this connection, of exactly those places.",
              "seen in the Read Requests, by whoever has lent the buffer");
constinit const Rule kReadResultReturned =
    kApi.must("SMBD-3.1.4.6-7", "What the provider said is passed to the upper layer.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kReadIndexes, {transfer_offset_ignored}), broken_by(kReadCounts, {transfer_offset_ignored}),
    broken_by(kReadTrimsFirst, {transfer_offset_ignored}), broken_by(kReadTrimsLast, {transfer_offset_ignored}),
    broken_by(kReadRequested, {transfer_offset_ignored}),
    broken_by(kReadResultReturned,
              {transfer_ignores_lengths, transfer_other_token, transfer_result_wrong, transfer_result_lost}),
    broken_by(kReadsWhatWasLent, {transfer_other_token}, {.severity = Severity::warning}));

}  // namespace

SectionRules read_rules() {
  static constexpr const Rule* kRules[] = {&kReadsWhatWasLent, &kReadIndexes,   &kReadCounts,        &kReadTrimsFirst,
                                           &kReadTrimsLast,    &kReadRequested, &kReadResultReturned};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_read(Judge& judge, Connection& connection, const Delivery& read) {
  if (!connection.from_start) return;
  Way& lender = connection.of(other(read.sender));
  if (judge.require(kReadsWhatWasLent, lender.has_sent_payload, octets(0, 0),
                    expected("an upper-layer message of the other side before it"), actual("none"),
                    "or the message with the descriptor was not captured"))
    judge_use(judge, kReadsWhatWasLent, lender.lent.use(read.remote, false), read.remote);
}

}  // namespace wirelaw::smbd
