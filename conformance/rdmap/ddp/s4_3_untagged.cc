// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.3: the header of untagged segments, and the numbers of their messages.
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr Rule untagged_rule(std::string_view id, Level level, Observable observable, std::string_view summary,
                             std::string_view note = {}) {
  return ddp_rule(id, level, "RFC 5041 4.3", observable, summary, note);
}

constinit const Rule kMsnIncreases =
    untagged_rule("DDP-4.3-7", Level::must, Observable::trace, "The MSN grows by one with each message of a queue.");
constinit const Rule kFirstMsnIsOne =
    untagged_rule("DDP-4.3-8", Level::must, Observable::trace, "The first message of a queue has MSN one.");
constinit const Rule kMsnWraps =
    untagged_rule("DDP-4.3-9", Level::must, Observable::trace, "The MSN after 0xffffffff is 0.");

}  // namespace

constinit const Rule kUntaggedHeaderIsWhole =
    untagged_rule("DDP-4.3-1", Level::must, Observable::trace,
                  "An untagged segment has the whole untagged header of 18 octets (figure 5).");
constinit const Rule kSameRsvdUlpUntagged = untagged_rule(
    "DDP-4.3-4", Level::must, Observable::trace, "RsvdULP is the same in each segment of an untagged message.");
constinit const Rule kSameQn = untagged_rule(
    "DDP-4.3-5", Level::must, Observable::trace, "The QN is the same in each segment of an untagged message.",
    "seen where all else in the header goes on with a message of another queue");
constinit const Rule kSameMsn = untagged_rule("DDP-4.3-10", Level::must, Observable::trace,
                                              "The MSN is the same in each segment of an untagged message.",
                                              "seen where the MO goes on with the message that is open on the queue");
constinit const Rule kFirstMoIsZero =
    untagged_rule("DDP-4.3-11", Level::must, Observable::trace, "The MO of a message's first octet is zero.");

RuleList ddp_untagged_rules() {
  static constinit const Rule kRsvdUlpIsTheUlps =
      untagged_rule("DDP-4.3-2", Level::must, Observable::api, "DDP sends the RsvdULP that its ULP has given it.",
                    "what RDMAP meant by it is known to verbs alone");
  static constinit const Rule kRsvdUlpHandedUp =
      untagged_rule("DDP-4.3-3", Level::must, Observable::api, "DDP hands RsvdULP up with the message.",
                    "V-05: the invalidation of the STag that came shows it. It may be that of any segment");
  static constinit const Rule kQnIsTheUlps =
      untagged_rule("DDP-4.3-6", Level::must, Observable::none, "DDP sends the QN that its ULP has given it.",
                    "RDMAP gives one queue for each opcode: judged by RDMAP-4.1");
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
  return kRules;
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
