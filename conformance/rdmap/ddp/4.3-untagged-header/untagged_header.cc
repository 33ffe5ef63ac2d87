// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.3: the header of untagged segments, and the numbers of their messages.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

constexpr Section kSection{"RFC 5041 4.3"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kUntaggedHeaderIsWhole =
    kSection.must("DDP-4.3-1", "An untagged segment has the whole untagged header of 18 octets (figure 5).");
constinit const Rule kRsvdUlpIsTheUlps = kAtVerbs.must("DDP-4.3-2", "DDP sends the RsvdULP that its ULP has given it.",
                                                       "what RDMAP meant by it is known to verbs alone");
constinit const Rule kRsvdUlpHandedUp =
    kAtVerbs.must("DDP-4.3-3", "DDP hands RsvdULP up with the message.",
                  "RDMAP/V-05: the invalidation of the STag that came shows it. It may be that of any segment");
constinit const Rule kSameRsvdUlpUntagged =
    kSection.must("DDP-4.3-4", "RsvdULP is the same in each segment of an untagged message.");
constinit const Rule kSameQn =
    kSection.must("DDP-4.3-5", "The QN is the same in each segment of an untagged message.",
                  "seen where all else in the header goes on with a message of another queue");
constinit const Rule kQnIsTheUlps = kNotJudged.must("DDP-4.3-6", "DDP sends the QN that its ULP has given it.",
                                                    "RDMAP gives one queue for each opcode: judged by RDMAP-4.1");
constinit const Rule kMsnIncreases = kSection.must("DDP-4.3-7", "The MSN grows by one with each message of a queue.");
constinit const Rule kFirstMsnIsOne = kSection.must("DDP-4.3-8", "The first message of a queue has MSN one.");
constinit const Rule kMsnWraps = kSection.must("DDP-4.3-9", "The MSN after 0xffffffff is 0.");
constinit const Rule kSameMsn =
    kSection.must("DDP-4.3-10", "The MSN is the same in each segment of an untagged message.",
                  "seen where the MO goes on with the message that is open on the queue");
constinit const Rule kFirstMoIsZero = kSection.must("DDP-4.3-11", "The MO of a message's first octet is zero.");

constexpr Breach kBreaches[] = {
    {Deviation::ulpdu_too_short, kUntaggedHeaderIsWhole},
    {Deviation::solicited_not_sent, kRsvdUlpIsTheUlps, {.given = "verbs"}},
    {Deviation::invalidated_rkey_wrong, kRsvdUlpHandedUp, {.given = "verbs pair"}},
    {Deviation::rsvdulp_changes, kSameRsvdUlpUntagged},
    {Deviation::msn_skips, kMsnIncreases},
    {Deviation::msn_repeats, kMsnIncreases},
    {Deviation::msn_from_zero, kFirstMsnIsOne},
    {Deviation::msn_shared, kFirstMsnIsOne},
    {Deviation::terminate_msn_two, kFirstMsnIsOne},
    {Deviation::msn_changes, kSameMsn},
    {Deviation::mo_from_one, kFirstMoIsZero},
};

SectionRules ddp_untagged_rules() {
  static constexpr const Rule* kRules[] = {&kUntaggedHeaderIsWhole,
                                           &kRsvdUlpIsTheUlps,
                                           &kRsvdUlpHandedUp,
                                           &kSameRsvdUlpUntagged,
                                           &kSameQn,
                                           &kQnIsTheUlps,
                                           &kMsnIncreases,
                                           &kFirstMsnIsOne,
                                           &kMsnWraps,
                                           &kSameMsn,
                                           &kFirstMoIsZero};
  return {kRules, kBreaches};
}

void judge_msn(Judge& judge, Seen& seen, const Queue& queue) {
  const std::uint32_t msn = seen.header.msn, due = queue.next_msn;
  if (msn != due) {
    seen.blame(error::kDdpMsnRange);
    seen.blame(error::kDdpNoBuffer);
  }
  const Rule& rule = !queue.used ? kFirstMsnIsOne : due == 0 ? kMsnWraps : kMsnIncreases;
  judge.require(rule, msn == due, field::kMsn, expected(due), actual(msn), [&] {
    if (!queue.used) return fmt::format("the first message of queue {}", seen.header.qn);
    return fmt::format("the message before it on queue {} had {}", seen.header.qn, due - 1);
  });
}

}  // namespace wirelaw::rdmap
