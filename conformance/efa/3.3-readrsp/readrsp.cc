// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: READRSP, the answer to a read request and the first data of it. Table 3.11 and deployed endpoints
// have its two IDs in opposite orders (EFA/A-02): recv_id, which the request chose, shows the order in a packet.
#include "conformance/efa/3.3-readrsp/readrsp.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/3.3-readrsp/rules.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {

namespace {

// The contents of a READRSP in one of the two orders of its IDs.
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
  read.fits = found->answers == 0 && (as_much || found->is_unsettled());
  return read;
}

// Chooses the order, and with it the read.
Read place(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& party = state.party(seen.sender());
  const Read deployed = read_as(Reading::deployed, seen, state);
  if (seen.packet.recv_id == seen.packet.send_id) return deployed;
  const Read document = read_as(Reading::document, seen, state);
  // A deployed requester treats it as the answer to another of its reads.
  const auto by_document = [&] {
    if (deployed.of != nullptr && deployed.of->answers == 0) deployed.of->contradict();
    return document;
  };
  if (party.readrsp != Reading::open) {
    const bool was_deployed = party.readrsp == Reading::deployed;
    const Read& usual = was_deployed ? deployed : document;
    const Read& unusual = was_deployed ? document : deployed;
    const bool not_usual = usual.of == nullptr || (usual.of->answers > usual.of->repeated && !usual.of->is_unsettled());
    const bool turned = not_usual && unusual.fits && !unusual.of->is_unsettled();
    require(judge, rule<"EFA-3.3-66">, !turned, seen, Field::recv_id,
            expected(was_deployed ? "recv_id at octet 8, send_id at 12" : "send_id at octet 8, recv_id at 12"),
            actual("the other order"), "another order than in the READRSP before");
    if (turned) unusual.of->contradict();
    return was_deployed != turned ? deployed : by_document();
  }
  if (deployed.fits && document.fits) {  // may answer either
    deployed.of->contradict();
    document.of->contradict();
    return deployed;
  }
  if (!deployed.fits && !document.fits) return deployed.of != nullptr ? deployed : document;
  if (state.complete() && !(deployed.fits ? deployed : document).of->is_unsettled())
    party.readrsp = deployed.fits ? Reading::deployed : Reading::document;
  return deployed.fits ? deployed : by_document();
}

void judge_length(Judge& judge, const SeenPacket& seen, Exchange& read) {
  constexpr std::uint64_t kMostUdpOctets = 65'507;  // over IPv4: no packet is larger
  const std::uint64_t octets = seen.payload_octets();
  bool good = true;
  // A request that no correct requester sends may have any answer (EFA-3.3-52; by 3.2 a requester must be ready for
  // some data).
  const bool in_order = read.request->transfer == Transfer::eager ? read.length <= kMostUdpOctets : read.granted > 0;
  if (!in_order) {
    read.contradict();
    return;
  }
  if (read.request->transfer == Transfer::eager) {
    good = judge.require(rule<"EFA-3.3-63">, octets == read.length, seen.payload(),
                         expected([&] { return fmt::format("{} octets of data", read.length); }), actual(octets),
                         "a short read is answered by one packet");
    read.finish();
  } else {
    good = judge.require(rule<"EFA-3.3-64">, octets <= read.length, seen.payload(),
                         expected([&] { return fmt::format("at most {} octets of data", read.length); }),
                         actual(octets), "more than was asked for") &&
           judge.require(rule<"EFA-3.3-65">, octets <= read.granted, seen.payload(),
                         expected([&] { return fmt::format("at most {} octets of data", read.granted); }),
                         actual(octets), "more than the requester is ready to receive");
  }
  if (!good) {
    read.contradict();
    return;
  }
  if (read.request->transfer == Transfer::long_cts)
    judge.advise(rule<"EFA-3.3-69">, true, {}, expected(""), actual(""));
  read.data.add(0, octets, TraceState::kMostGaps);
  read.last_data = seen.mark();
  if (read.data.octets() == read.length) read.finish();
}

void take_send_id(Judge& judge, const SeenPacket& seen, TraceState& state, Exchange& read, std::uint32_t send_id) {
  if (read.request->transfer == Transfer::eager) return;
  const Exchange* const before = state.exchanges().by_send_id(seen.sender(), send_id);
  const bool in_use = before != nullptr && before != &read && before->source_waits();
  const bool deployed = send_id == seen.packet.send_id;
  if (state.complete())
    require(judge, rule<"EFA-3.3-68">, !in_use, seen, deployed ? Field::send_id : Field::recv_id,
            expected("an ID that no operation under way has"), actual(send_id), [&] {
              return fmt::format(
                  "the operation of packet {} ({}) still waits for its peer, or what ended it was not captured",
                  before->begun.index + 1, before->request->name);
            });
  if (in_use) read.contradict();
  state.exchanges().set_send_id(read, send_id);
}

// If it is unknown which read this answer belongs to, or how, the requester may use either of its IDs. Another
// operation with such an ID may be confused with it.
void may_take_send_id(const SeenPacket& seen, TraceState& state, const Exchange* answered = nullptr) {
  for (const std::uint32_t id : {seen.packet.send_id, seen.packet.recv_id}) {
    Exchange* const before = state.exchanges().by_send_id(seen.sender(), id);
    if (before != nullptr && before != answered) before->contradict();
  }
}

}  // namespace

void judge_readrsp(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  const bool whole = require(judge, rule<"EFA-3.3-60">, packet.recv_length == seen.payload_octets(), seen,
                             Field::recv_length, expected([&] { return fmt::format("{}", seen.payload_octets()); }),
                             actual(packet.recv_length), "the packet carries another number of octets");
  const Read found = place(judge, seen, state);
  if (found.of == nullptr) {
    // An unsettled operation may have reused the ID of the read.
    bool may_be_known = false;
    for (const std::uint32_t id : {packet.recv_id, packet.send_id}) {
      const Exchange* const taker = state.exchanges().receiver_answered(seen, id);
      may_be_known = may_be_known || (taker != nullptr && taker->is_unsettled());
    }
    if (state.complete() && !may_be_known)
      require(judge, rule<"EFA-3.3-61">, false, seen, Field::recv_id, expected("recv_id of a read request"),
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
    if (const auto another = another_answer(read, state))
      check_single_answer(judge, seen, rule<"EFA-3.3-62">, *another);
    if (seen.doubled) return;
    read.contradict();  // the requester may have received it first, with its send_id
    return may_take_send_id(seen, state, &read);
  }
  if (read.is_unsettled()) return may_take_send_id(seen, state, &read);
  for (const Rule* kept : {&rule<"EFA-3.3-61">, &rule<"EFA-3.3-62">, &rule<"EFA-3.3-70">})
    require(judge, *kept, true, seen, Field::recv_id, expected(""), actual(""));
  const bool document = packet.recv_id != packet.send_id && found.send_id == packet.recv_id;
  advise(judge, rule<"EFA-3.3-67">, !document, seen, Field::recv_id, expected("recv_id at octet 8, send_id at 12"),
         actual("send_id at octet 8, recv_id at 12"), "the order of table 3.11, which deployed requesters misread");
  if (!whole) {
    read.contradict();
    return may_take_send_id(seen, state, &read);
  }
  take_send_id(judge, seen, state, read, found.send_id);
  judge_length(judge, seen, read);
}

// Called at the end of the flow.
void finish_read(Judge& judge, const Exchange& read, const TraceState& state) {
  const Side responder = other(read.requester);
  const bool due = state.owes_service(read);
  judge.at(unanswered(read.begun, responder));
  if (read.data.octets() > 0)
    judge.advise(rule<"EFA-3.3-69">, false, {}, expected("a READRSP"), actual("only CTSDATA"),
                 "the requester learns no send_id for its CTS");
  else
    judge_due(judge, due, rule<"EFA-3.3-70">, false, {}, expected("a READRSP"), actual("none"),
              due ? "it has answered later reads of the same memory: this one was not refused"
                  : "long ago, and no answer to this request; it may have been refused");
}

}  // namespace wirelaw::efa
