// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: EOR, by which the receiver says that it has read all the data.
#include "conformance/efa/reads.h"
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable4_2{"EFA RDM v4 4.1, table 4.2", kResponder};
constexpr Section kSection{"EFA RDM v4 4.1", kResponder};
constexpr Section kSectionStimulus = kSection.by(Observable::stimulus);
constexpr Section kSectionApiOfRequester = kSection.by(Observable::api).of(kRequester);

}  // namespace

constinit const Rule kEorIsWhole = kTable4_2.must("EFA-4.1-20", "An EOR has its fourth word, be it connid or padding.",
                                                  "EFA/A-08: early releases leave it out, which is warned of");
constinit const Rule kEorEndsRead =
    kTable4_2.resting_on(Evidence::absence)
        .must("EFA-4.1-21", "send_id of an EOR is that of a request of the other side whose data is to be read.",
              "EFA/A-34b, EFA/A-49");
constinit const Rule kEorComesOnce =
    kSection.resting_on(Evidence::absence)
        .must("EFA-4.1-22", "A request whose data is read is answered by one EOR.", "EFA/A-71");
constinit const Rule kEorIsSent =
    kSection.resting_on(Evidence::absence)
        .must("EFA-4.1-23", "The receiver sends an EOR when it has read the data.",
              "EFA/A-72, EFA/A-85: a warning, as its read may have failed; a message may want a receive as well");
constinit const Rule kEorAfterReads = kSectionStimulus.must(
    "EFA-4.1-24", "The EOR follows when all reads are finished, not before.",
    "RDMA reads are no packets of this protocol; a buffer that is used anew as soon as the EOR is there shows it");

constinit const Rule kCompletionAfterEor = kSectionApiOfRequester.must(
    "EFA-4.1-25", "The sender of a message whose data is read writes its completion after the EOR has come.",
    "Only the application sees its completion queue: it must stay empty while the EOR is held back");

constexpr Breach kBreaches[] = {
    {Deviation::eor_of_twelve_octets, kEorIsWhole, {.severity = Severity::warning}},
    {Deviation::eor_wrong_send_id, kEorEndsRead},
    {Deviation::eor_twice, kEorComesOnce, {.severity = Severity::warning}},
    {Deviation::eor_early, kEorAfterReads},
};

SectionRules s4_1_eor_rules() {
  static constexpr const Rule* kRules[] = {&kEorIsWhole, &kEorEndsRead,   &kEorComesOnce,
                                           &kEorIsSent,  &kEorAfterReads, &kCompletionAfterEor};
  return {kRules, kBreaches};
}

namespace {

bool is_read(const Exchange& one) {
  return one.request->transfer == Transfer::long_read || one.request->transfer == Transfer::runting_read;
}

}  // namespace

void judge_eor(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  judge.advise(kEorIsWhole, !packet.short_header || seen.message.is_cut(), octets(0, seen.message.octets.size()),
               expected("16 octets"), actual(seen.message.wire_length), "as libfabric sent it before 1.14");
  Exchange* const found = state.exchanges().sender_answered(seen, packet.send_id);
  // After a READ_NACK the message is a LONGCTS one.
  const bool known = found != nullptr && (is_read(*found) || found->continued);
  if (!known) {
    const bool unsure = found != nullptr ? found->unsettled : may_end_another(seen, state);
    if (state.complete() && !unsure)
      require(judge, kEorEndsRead, false, seen, Field::send_id, expected("send_id of a request whose data is read"),
              actual(packet.send_id), [&] {
                return found == nullptr
                           ? std::string("no request has this send_id, or the one that has was not captured")
                           : fmt::format("it is that of a {}", found->request->name);
              });
    return;
  }
  require(judge, kEorEndsRead, true, seen, Field::send_id, expected(""), actual(""));
  Exchange& read = *found;
  if (read.unsettled || !judge_eor_or_nack(judge, seen, read, state)) return;
  if (read.eors++ > 0) {
    judge_another_answer(judge, seen, kEorComesOnce, read, state);
    return;
  }
  read.latest = seen.mark();
  for (const Rule* kept : {&kEorComesOnce, &kEorIsSent})
    require(judge, *kept, true, seen, Field::send_id, expected(""), actual(""));
  read.done = read.request->transfer == Transfer::long_read || read.data.octets() >= runt_octets(read);
}

void finish_read_data(Judge& judge, const Exchange& read, const TraceState& state) {
  if (read.length == 0 || (read.request->transfer == Transfer::runting_read && read.data.octets() >= read.length))
    return;  // nothing was left to be read (EFA/A-49)
  const Side receiver = other(read.requester);
  const bool due = state.owes_service(read);
  judge.at(unanswered(read.begun, receiver));
  // Its own read of the memory may have failed, of which no packet speaks.
  judge.advise(kEorIsSent, false, {}, expected("an EOR"), actual("none"),
               due ? "it has taken later writes to the same memory: this one was not refused; or its read has failed"
                   : "long ago, and no EOR for this request; a receive may be wanting, or it was refused");
}

}  // namespace wirelaw::efa
