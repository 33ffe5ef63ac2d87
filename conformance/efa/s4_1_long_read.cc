// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: requests of which the other side reads the data by RDMA. The reads themselves are no packets.
#include "conformance/efa/reads.h"
#include "conformance/efa/rules.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable4_1{"EFA RDM v4 4.1, table 4.1", kRequester};
constexpr Section kTable4_3{"EFA RDM v4 4.1, table 4.3", kRequester};
constexpr Section kSection{"EFA RDM v4 4.1", kRequester};
constexpr Section kSectionStimulus = kSection.by(Observable::stimulus);
constexpr Section kSectionApi = kSection.by(Observable::api);
constexpr Section kSectionStimulusOfResponder = kSection.by(Observable::stimulus).of(kResponder);
constexpr Section kSectionApiOfEither = kSection.by(Observable::api).of(kEither);
constexpr Section kSectionApiOfResponder = kSection.by(Observable::api).of(kResponder);

}  // namespace

constinit const Rule kLongReadMessageNamesBuffer = kTable4_1.must(
    "EFA-4.1-1", "A LONGREAD_RTM names at least one buffer of the sender in read_iov, unless it has no data.");
constinit const Rule kLongReadMessageLength =
    kTable4_1.must("EFA-4.1-2", "msg_length of a LONGREAD_RTM is the sum of the lengths in its read_iov.", "EFA/A-29");
// EFA-4.1-3 is with its like in s3_3_one_sided.cc.
constinit const Rule kLongReadMessageIdIsFree =
    kTable4_1.resting_on(Evidence::absence)
        .must("EFA-4.1-4", "send_id of a LONGREAD_RTM names no operation of the sender that still waits for its peer.",
              "EFA/A-73");
constinit const Rule kLongReadWriteNamesBuffer = kTable4_3.must(
    "EFA-4.1-5", "A LONGREAD_RTW names at least one buffer of the requester in read_iov, unless it has no data.");
constinit const Rule kLongReadWriteTarget = kTable4_3.must(
    "EFA-4.1-6", "msg_length of a LONGREAD_RTW is the sum of the lengths in its rma_iov, the target.", "EFA/A-29");
constinit const Rule kLongReadWriteSource = kTable4_3.must(
    "EFA-4.1-7", "msg_length of a LONGREAD_RTW is the sum of the lengths in its read_iov, the source.", "EFA/A-29");
constinit const Rule kLongReadWriteIdIsFree =
    kTable4_3.resting_on(Evidence::absence)
        .must("EFA-4.1-8",
              "send_id of a LONGREAD_RTW names no operation of the requester that still waits for its peer.",
              "EFA/A-73");
constinit const Rule kSourceIsRegistered = kSectionStimulus.must(
    "EFA-4.1-9", "The buffers in read_iov are registered with the device, under the keys given there.",
    "RDMA reads are no packets of this protocol; those of the tester fail otherwise");
constinit const Rule kRegistrationMayFail = kSectionApi.must(
    "EFA-4.1-10",
    "A sender that cannot register its buffer sends the data another way, or reports an error to its application.",
    "Whether a registration failed is seen only beside the device");
constinit const Rule kDataIsRead = kSectionStimulusOfResponder.must(
    "EFA-4.1-11", "The receiver fetches the data by RDMA reads of the buffers in read_iov.",
    "RDMA reads are no packets of this protocol; a device that is not hardware shows the tester who has read what");
constinit const Rule kDirectReadHasNoPackets = kSectionApiOfEither.must(
    "EFA-4.1-12", "A direct read is made of RDMA reads alone: no packet, and nothing for the responder to do.",
    "RDMA reads are no packets of this protocol; the device shows them");
constinit const Rule kDirectReadIsAnnounced =
    kSectionApi.must("EFA-4.1-13", "Memory is read directly only of a peer that has announced RDMA read.",
                     "RDMA reads are no packets of this protocol; the device shows them");
constinit const Rule kNoCompletionOfLongWrite = kSectionApiOfResponder.must_not(
    "EFA-4.1-14", "A LONGREAD_RTW without CQ data gives the responder's application no completion.",
    "The completion queue of the responder shows it");

constinit const Rule kLongReadMessageWithoutData = kSection.must_not(
    "EFA-4.1-15", "Nothing follows read_iov in a LONGREAD_RTM: it is all the application data that there is.");
constinit const Rule kLongReadWriteWithoutData = kSection.must_not(
    "EFA-4.1-16", "Nothing follows read_iov in a LONGREAD_RTW: it is all the application data that there is.");

constexpr Breach kBreaches[] = {
    {Deviation::longread_without_iov, kLongReadMessageNamesBuffer},
    {Deviation::longread_length_differs, kLongReadMessageLength},
    {Deviation::longread_without_iov, kLongReadWriteNamesBuffer},
    {Deviation::rtw_length_differs, kLongReadWriteTarget},
    {Deviation::longread_length_differs, kLongReadWriteTarget},
    {Deviation::extras_not_announced, kDirectReadIsAnnounced},
    {Deviation::longread_with_data, kLongReadMessageWithoutData},
    {Deviation::longread_with_data, kLongReadWriteWithoutData},
};

SectionRules s4_1_rules() {
  static constexpr const Rule* kRules[] = {
      &kLongReadMessageNamesBuffer, &kLongReadMessageLength,
      &kLongReadMessageIdIsFree,    &kLongReadWriteNamesBuffer,
      &kLongReadWriteTarget,        &kLongReadWriteSource,
      &kLongReadWriteIdIsFree,      &kSourceIsRegistered,
      &kRegistrationMayFail,        &kDataIsRead,
      &kDirectReadHasNoPackets,     &kDirectReadIsAnnounced,
      &kNoCompletionOfLongWrite,    &kLongReadMessageWithoutData,
      &kLongReadWriteWithoutData,
  };
  return {kRules, kBreaches};
}

Exchange* begin_read(Judge& judge, const Rule& free, const SeenPacket& seen, TraceState& state) {
  Exchange* const before = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  const bool in_use = before != nullptr && before->source_waits();
  if (before != nullptr && before->comes_again(seen)) return nullptr;
  if (state.complete())
    require(judge, free, !in_use, seen, Field::send_id, expected("an ID that no operation under way has"),
            actual(seen.packet.send_id), [&] {
              return fmt::format("the {} of packet {} still waits for its peer, or what ended it was not captured",
                                 before->request->name, before->begun.index + 1);
            });
  Exchange& read = state.begin(seen);
  if (in_use) read.unsettled = true;
  return &read;
}

bool may_end_another(const SeenPacket& seen, TraceState& state) {
  bool may = false;
  state.exchanges().each_recent([&](const Exchange& one) {
    may |= one.requester != seen.sender() && one.unsettled && !one.done &&
           (one.continued || one.request->behind == Array::read_iov);
  });
  return may;
}

bool judge_source(Judge& judge, const SeenPacket& seen, const Rule& some, const Rule& sum) {
  const Packet& packet = seen.packet;
  judge_buffers(judge, seen, Array::read_iov);
  if (!require(judge, some, packet.read_iov_count > 0 || packet.msg_length == 0, seen, Field::read_iov_count,
               expected("at least 1"), actual(packet.read_iov_count), "there is nothing to read the data from"))
    return false;
  const std::optional<std::uint64_t> there = total_length(packet.read_iov);
  return require(judge, sum, there == packet.msg_length, seen, Field::msg_length, expected([&] {
                   return there ? fmt::format("{}", *there) : "lengths in read_iov that can be added up";
                 }),
                 actual(packet.msg_length), "the buffers in read_iov hold another number of octets");
}

namespace {

void judge_no_data(Judge& judge, const SeenPacket& seen, const Rule& rule) {
  judge.require(rule, seen.payload_octets() == 0, seen.payload(), expected("no data behind read_iov"),
                actual(seen.payload_octets()), "the data is to be read");
}

}  // namespace

void judge_longread_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Exchange* const read = begin_read(judge, kLongReadMessageIdIsFree, seen, state);
  if (read == nullptr) return;
  judge_no_data(judge, seen, kLongReadMessageWithoutData);
  if (!judge_source(judge, seen, kLongReadMessageNamesBuffer, kLongReadMessageLength)) read->unsettled = true;
}

void judge_longread_write(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchange* const read = begin_read(judge, kLongReadWriteIdIsFree, seen, state);
  if (read == nullptr) return;
  judge_no_data(judge, seen, kLongReadWriteWithoutData);
  judge_buffers(judge, seen, Array::rma_iov);
  const std::optional<std::uint64_t> room = total_length(packet.rma_iov);
  read->rma_octets = room.value_or(0);
  read->iov_hash = hash_of(packet.rma_iov);
  const bool fits =
      require(judge, kLongReadWriteTarget, room == packet.msg_length, seen, Field::msg_length,
              expected([&] { return room ? fmt::format("{}", *room) : "lengths in rma_iov that can be added up"; }),
              actual(packet.msg_length), "the buffers in rma_iov hold another number of octets");
  if (!fits || !judge_source(judge, seen, kLongReadWriteNamesBuffer, kLongReadWriteSource)) read->unsettled = true;
}

void finish_reads(Judge& judge, TraceState& state) {
  if (!state.complete()) return;
  for (const Exchange& one : state.exchanges().all()) {
    if (one.unsettled || one.may_be_none()) continue;
    if (one.nacks > 0 && one.request->purpose == Purpose::message) finish_refused(judge, one, state);
    if (one.done || one.request->behind != Array::read_iov) continue;
    if (one.request->transfer == Transfer::runting_read) finish_runting(judge, one, state);
    if (one.eors == 0 && one.nacks == 0 && (state.responder_had_time(one) || state.owes_service(one)))
      finish_read_data(judge, one, state);
  }
}

}  // namespace wirelaw::efa
