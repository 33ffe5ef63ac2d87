// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: READRSP, the answer to a read request and the first data of it. Table 3.11 and deployed endpoints
// have its two IDs in opposite orders (EFA/A-02): recv_id shows which order a packet has, as it was chosen by the
// request.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable3_11{"EFA RDM v4 3.3, table 3.11", kResponder};
constexpr Section kSection{"EFA RDM v4 3.3", kResponder};
constexpr Section kTable3_12{"EFA RDM v4 3.3, table 3.12", kResponder};

}  // namespace

constinit const Rule kReadrspLengthIsThatOfData =
    kTable3_11.must("EFA-3.3-60", "The length in a READRSP is that of the data behind its header.");
constinit const Rule kReadrspAnswersRead =
    kTable3_11.resting_on(Evidence::absence)
        .must("EFA-3.3-61", "One of the IDs in a READRSP is the recv_id of a read request of the other side.",
              "EFA/A-02");
constinit const Rule kReadrspComesOnce =
    kSection.resting_on(Evidence::absence).must("EFA-3.3-62", "A read request is answered by one READRSP.", "EFA/A-71");
constinit const Rule kShortReadIsAnsweredWhole =
    kSection.resting_on(Evidence::absence)
        .must("EFA-3.3-63", "The READRSP to a SHORT_RTR carries all that was asked for.", "EFA/A-29");
constinit const Rule kReadrspWithinMessage =
    kSection.resting_on(Evidence::absence)
        .must("EFA-3.3-64", "The READRSP to a LONGCTS_RTR carries no more than was asked for.");
constinit const Rule kReadrspWithinWindow =
    kTable3_12.resting_on(Evidence::absence)
        .must("EFA-3.3-65", "The READRSP to a LONGCTS_RTR carries no more than recv_length of the request allows.",
              "EFA/A-25b: its data counts");
constinit const Rule kReadrspKeepsItsOrder =
    kTable3_11.resting_on(Evidence::absence)
        .must("EFA-3.3-66", "send_id and recv_id are in one order in every READRSP of an endpoint.", "EFA/A-02");
constinit const Rule kReadrspInDeployedOrder =
    kTable3_11.should("EFA-3.3-67", "A READRSP has recv_id before send_id, as all deployed endpoints read them.",
                      "EFA/A-02: the order of the table is accepted, and warned of");
constinit const Rule kReadrspSendIdIsFree =
    kTable3_11.resting_on(Evidence::absence)
        .must("EFA-3.3-68",
              "send_id of a READRSP names no other operation of the responder that still waits for its peer.",
              "Of long reads alone: after a short one nothing names it");
constinit const Rule kReadBeginsWithReadrsp =
    kSection.resting_on(Evidence::absence)
        .must("EFA-3.3-69", "A long read begins with a READRSP; CTSDATA follow it.",
              "EFA/A-26; judged at the end, and warned of: packets overtake each other, and a capture may lack some");
constinit const Rule kReadIsAnswered =
    kSection.resting_on(Evidence::absence).must("EFA-3.3-70", "A read request is answered.", "EFA/A-72, EFA/A-85");

constexpr Breach kBreaches[] = {
    {Deviation::readrsp_length_wrong, kReadrspLengthIsThatOfData},
    {Deviation::readrsp_wrong_recv_id, kReadrspAnswersRead},
    {Deviation::readrsp_twice, kReadrspComesOnce, {.severity = Severity::warning}},
    {Deviation::readrsp_wrong_recv_id, kShortReadIsAnsweredWhole},
    {Deviation::readrsp_wrong_recv_id, kReadrspInDeployedOrder, {.severity = Severity::warning}},
};

SectionRules s3_3_readrsp_rules() {
  static constexpr const Rule* kRules[] = {
      &kReadrspLengthIsThatOfData, &kReadrspAnswersRead,    &kReadrspComesOnce,     &kShortReadIsAnsweredWhole,
      &kReadrspWithinMessage,      &kReadrspWithinWindow,   &kReadrspKeepsItsOrder, &kReadrspInDeployedOrder,
      &kReadrspSendIdIsFree,       &kReadBeginsWithReadrsp, &kReadIsAnswered,
  };
  return {kRules, kBreaches};
}

namespace {

// What a READRSP says in one of the two orders of its IDs.
struct Read {
  Exchange* of = nullptr;     // the read that it answers
  std::uint32_t send_id = 0;  // the other ID
  // The read is waiting for this much data.
  bool fits = false;
};

Read read_as(Reading order, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;  // decoded in the deployed order
  const bool deployed = order == Reading::deployed;
  Read read{.send_id = deployed ? packet.send_id : packet.recv_id};
  Exchange* const found =
      state.exchanges().by_recv_id(other(seen.sender()), deployed ? packet.recv_id : packet.send_id);
  if (found == nullptr || found->request->purpose != Purpose::read) return read;
  read.of = found;
  const bool is_short = found->request->transfer == Transfer::eager;
  const std::uint64_t octets = seen.payload_octets();
  const bool as_much = is_short ? octets == found->length : octets <= found->granted;
  read.fits = found->answers == 0 && (as_much || found->unsettled);
  return read;
}

// Chooses the order, and with it the read.
Read place(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const Read deployed = read_as(Reading::deployed, seen, state);
  if (seen.packet.recv_id == seen.packet.send_id) return deployed;
  const Read document = read_as(Reading::document, seen, state);
  // A deployed requester takes it for the answer to another of its reads.
  const auto by_document = [&] {
    if (deployed.of != nullptr && deployed.of->answers == 0) deployed.of->unsettled = true;
    return document;
  };
  if (party.readrsp != Reading::open) {
    const bool was_deployed = party.readrsp == Reading::deployed;
    const Read& usual = was_deployed ? deployed : document;
    const Read& unusual = was_deployed ? document : deployed;
    const bool not_usual = usual.of == nullptr || (usual.of->answers > usual.of->repeated && !usual.of->unsettled);
    const bool turned = not_usual && unusual.fits && !unusual.of->unsettled;
    require(judge, kReadrspKeepsItsOrder, !turned, seen, Field::recv_id,
            expected(was_deployed ? "recv_id at octet 8, send_id at 12" : "send_id at octet 8, recv_id at 12"),
            actual("the other order"), "another order than in the READRSP before");
    if (turned) unusual.of->unsettled = true;
    return was_deployed != turned ? deployed : by_document();
  }
  if (deployed.fits && document.fits) {  // may answer either
    deployed.of->unsettled = document.of->unsettled = true;
    return deployed;
  }
  if (!deployed.fits && !document.fits) return deployed.of != nullptr ? deployed : document;
  if (state.complete() && !(deployed.fits ? deployed : document).of->unsettled)
    party.readrsp = deployed.fits ? Reading::deployed : Reading::document;
  return deployed.fits ? deployed : by_document();
}

void judge_length(Judge& judge, const SeenPacket& seen, Exchange& read) {
  constexpr std::uint64_t kMostUdpOctets = 65'507;  // over IPv4: no packet is larger
  const std::uint64_t octets = seen.payload_octets();
  bool good = true;
  // A request that no good requester makes (EFA-3.3-52; 3.2: it must be ready for something) may have any answer.
  const bool in_order = read.request->transfer == Transfer::eager ? read.length <= kMostUdpOctets : read.granted > 0;
  if (!in_order) {
    read.unsettled = true;
    return;
  }
  if (read.request->transfer == Transfer::eager) {
    good = judge.require(kShortReadIsAnsweredWhole, octets == read.length, seen.payload(),
                         expected([&] { return fmt::format("{} octets of data", read.length); }), actual(octets),
                         "a short read is answered by one packet");
    read.done = true;
  } else {
    good = judge.require(kReadrspWithinMessage, octets <= read.length, seen.payload(),
                         expected([&] { return fmt::format("at most {} octets of data", read.length); }),
                         actual(octets), "more than was asked for") &&
           judge.require(kReadrspWithinWindow, octets <= read.granted, seen.payload(),
                         expected([&] { return fmt::format("at most {} octets of data", read.granted); }),
                         actual(octets), "more than the requester is ready to receive");
  }
  if (!good) {
    read.unsettled = true;
    return;
  }
  if (read.request->transfer == Transfer::long_cts)
    judge.advise(kReadBeginsWithReadrsp, true, {}, expected(""), actual(""));
  read.data.add(0, octets, TraceState::kMostGaps);
  read.last_data = seen.mark();
  read.done = read.data.octets() == read.length;
}

void take_send_id(Judge& judge, const SeenPacket& seen, TraceState& state, Exchange& read, std::uint32_t send_id) {
  if (read.request->transfer == Transfer::eager) return;
  const Exchange* const before = state.exchanges().by_send_id(seen.sender(), send_id);
  const bool in_use = before != nullptr && before != &read && before->source_waits();
  const bool deployed = send_id == seen.packet.send_id;
  if (state.complete())
    require(judge, kReadrspSendIdIsFree, !in_use, seen, deployed ? Field::send_id : Field::recv_id,
            expected("an ID that no operation under way has"), actual(send_id), [&] {
              return fmt::format(
                  "the operation of packet {} ({}) still waits for its peer, or what ended it was not captured",
                  before->begun.index + 1, before->request->name);
            });
  read.unsettled = read.unsettled || in_use;
  state.exchanges().set_send_id(read, send_id);
}

// The requester may go by this answer, with either of its IDs, where it is not known which read it answers, or how:
// what else has such an ID may be taken for it.
void may_take_send_id(const SeenPacket& seen, TraceState& state, const Exchange* answered = nullptr) {
  for (const std::uint32_t id : {seen.packet.send_id, seen.packet.recv_id}) {
    Exchange* const before = state.exchanges().by_send_id(seen.sender(), id);
    if (before != nullptr && before != answered) before->unsettled = true;
  }
}

}  // namespace

void judge_readrsp(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  const bool whole = require(judge, kReadrspLengthIsThatOfData, packet.recv_length == seen.payload_octets(), seen,
                             Field::recv_length, expected([&] { return fmt::format("{}", seen.payload_octets()); }),
                             actual(packet.recv_length), "the packet carries another number of octets");
  const Read found = place(judge, seen, state);
  if (found.of == nullptr) {
    // The read may be what an unsettled operation has taken the ID from.
    bool may_be_known = false;
    for (const std::uint32_t id : {packet.recv_id, packet.send_id}) {
      const Exchange* const taker = state.exchanges().receiver_answered(seen, id);
      may_be_known = may_be_known || (taker != nullptr && taker->unsettled);
    }
    if (state.complete() && !may_be_known)
      require(judge, kReadrspAnswersRead, false, seen, Field::recv_id, expected("recv_id of a read request"),
              actual([&] { return fmt::format("{} and {}", packet.recv_id, packet.send_id); }),
              "no request has such an ID, or the one that has was not captured");
    return may_take_send_id(seen, state);
  }
  Exchange& read = *found.of;
  const bool in_deployed_order = found.send_id == packet.send_id;
  if (!found.fits || (!in_deployed_order && state.party(seen.sender()).readrsp != Reading::document))
    may_take_send_id(seen, state, &read);
  read.latest = seen.mark();
  if (read.answers++ > 0) {
    judge_another_answer(judge, seen, kReadrspComesOnce, read, state);
    if (seen.doubled) return;
    read.unsettled = true;  // the requester may have had it first, with its send_id
    return may_take_send_id(seen, state, &read);
  }
  if (read.unsettled) return may_take_send_id(seen, state, &read);
  for (const Rule* kept : {&kReadrspAnswersRead, &kReadrspComesOnce, &kReadIsAnswered})
    require(judge, *kept, true, seen, Field::recv_id, expected(""), actual(""));
  const bool document = packet.recv_id != packet.send_id && found.send_id == packet.recv_id;
  advise(judge, kReadrspInDeployedOrder, !document, seen, Field::recv_id, expected("recv_id at octet 8, send_id at 12"),
         actual("send_id at octet 8, recv_id at 12"), "the order of table 3.11, which deployed requesters misread");
  if (!whole) {
    read.unsettled = true;
    return may_take_send_id(seen, state, &read);
  }
  take_send_id(judge, seen, state, read, found.send_id);
  judge_length(judge, seen, read);
}

// At the end of the flow.
void finish_read(Judge& judge, const Exchange& read, const TraceState& state) {
  const Side responder = other(read.requester);
  const bool due = state.owes_service(read);
  judge.at(unanswered(read.begun, responder));
  if (read.data.octets() > 0)
    judge.advise(kReadBeginsWithReadrsp, false, {}, expected("a READRSP"), actual("only CTSDATA"),
                 "the requester learns no send_id for its CTS");
  else
    judge_due(judge, due, kReadIsAnswered, false, {}, expected("a READRSP"), actual("none"),
              due ? "it has answered later reads of the same memory: this one was not refused"
                  : "long ago, and no answer to this request; it may have been refused");
}

}  // namespace wirelaw::efa
