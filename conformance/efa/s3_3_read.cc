// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: the requests of emulated reads. The requester takes the data: it is the one that CTS come from.
#include "conformance/efa/rules.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable3_10{"EFA RDM v4 3.3, table 3.10", kRequester};
constexpr Section kTable3_12{"EFA RDM v4 3.3, table 3.12", kRequester};
constexpr Section kSection{"EFA RDM v4 3.3", kRequester};

}  // namespace

constinit const Rule kShortReadLengthIsThatOfBuffers =
    kTable3_10.must("EFA-3.3-50", "msg_length of a SHORT_RTR is the sum of the lengths in its rma_iov.", "EFA/A-29");
constinit const Rule kLongReadLengthIsThatOfBuffers =
    kTable3_12.must("EFA-3.3-51", "msg_length of a LONGCTS_RTR is the sum of the lengths in its rma_iov.", "EFA/A-29");
constinit const Rule kShortReadFitsOnePacket = kSection.must(
    "EFA-3.3-52", "A SHORT_RTR asks for no more than one READRSP can carry; what is longer is read by LONGCTS_RTR.",
    "EFA/A-70: a trace does not show the MTU");
constinit const Rule kReadGrantsSomething = kTable3_12.must(
    "EFA-3.3-53", "recv_length of a LONGCTS_RTR is more than zero: the request serves as the first CTS.");
constinit const Rule kReadGrantsNoMoreThanThereIs =
    kTable3_12.should("EFA-3.3-54", "recv_length of a LONGCTS_RTR is at most msg_length.", "EFA/A-24b: warned of");
constinit const Rule kShortReadIdIsFree =
    kTable3_10.resting_on(Evidence::absence)
        .must("EFA-3.3-55",
              "recv_id of a SHORT_RTR names no receive operation of the requester that is still under way.",
              "EFA/A-73");
constinit const Rule kLongReadIdIsFree =
    kTable3_12.resting_on(Evidence::absence)
        .must("EFA-3.3-56",
              "recv_id of a LONGCTS_RTR names no receive operation of the requester that is still under way.",
              "EFA/A-73");
constinit const Rule kReadGoesOn =
    kSection.resting_on(Evidence::absence)
        .must("EFA-3.3-57",
              "When all that its LONGCTS_RTR has allowed has come, and the read goes on, the requester sends a CTS.",
              "EFA/A-85");

constexpr Breach kBreaches[] = {
    {Deviation::rtr_length_differs, kShortReadLengthIsThatOfBuffers},
    {Deviation::rtr_length_differs, kLongReadLengthIsThatOfBuffers},
    {Deviation::short_rtr_too_long, kShortReadFitsOnePacket, {.given = "small packets"}},
    {Deviation::rtr_recv_length_zero, kReadGrantsSomething},
};

SectionRules s3_3_read_rules() {
  static constexpr const Rule* kRules[] = {
      &kShortReadLengthIsThatOfBuffers,
      &kLongReadLengthIsThatOfBuffers,
      &kShortReadFitsOnePacket,
      &kReadGrantsSomething,
      &kReadGrantsNoMoreThanThereIs,
      &kShortReadIdIsFree,
      &kLongReadIdIsFree,
      &kReadGoesOn,
  };
  return {kRules, kBreaches};
}

namespace {

constexpr std::uint64_t kLongestDatagram = 65507;  // of UDP over IPv4
constexpr std::uint64_t kLargestMtu = 8928;        // of the devices known

void judge_short_read(Judge& judge, const SeenPacket& seen) {
  const std::uint64_t header = describe(PacketType::readrsp).header_octets;
  const std::uint64_t length = seen.packet.msg_length;
  if (length > kLongestDatagram - header)
    require(judge, kShortReadFitsOnePacket, false, seen, Field::msg_length,
            expected(fmt::format("at most {}", kLongestDatagram - header)), actual(length),
            "no packet can be that long");
  else
    advise(judge, kShortReadFitsOnePacket, length <= kLargestMtu - header, seen, Field::msg_length,
           expected([&] { return fmt::format("at most {}", kLargestMtu - header); }), actual(length),
           "longer than a packet of the devices known");
}

// False where nothing can follow from the request.
bool judge_window(Judge& judge, const SeenPacket& seen) {
  const Packet& packet = seen.packet;
  if (!require(judge, kReadGrantsSomething, packet.recv_length != 0, seen, Field::recv_length, expected("at least 1"),
               actual(packet.recv_length), "the responder may send nothing"))
    return false;
  advise(judge, kReadGrantsNoMoreThanThereIs, packet.recv_length <= packet.msg_length, seen, Field::recv_length,
         expected([&] { return fmt::format("at most {}", packet.msg_length); }), actual(packet.recv_length),
         "more than is read");
  return true;
}

}  // namespace

void judge_read_request(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  const bool is_short = seen.layout.transfer == Transfer::eager;
  Exchange* const before = state.exchanges().by_recv_id(seen.sender(), packet.recv_id);
  const bool in_use = before != nullptr && before->sink_waits();
  const Rule& free = is_short ? kShortReadIdIsFree : kLongReadIdIsFree;
  // What has its ID may be no read at all, but what has taken it from an older one.
  if (before != nullptr && before->request->purpose == Purpose::read && before->comes_again(seen)) {
    advise(judge, free, false, seen, Field::recv_id, expected("an ID that no operation under way has"),
           actual(packet.recv_id), "the same request again: two reads with one ID, or UDP has doubled it");
    return;
  }
  if (state.complete())
    require(judge, free, !in_use, seen, Field::recv_id, expected("an ID that no operation under way has"),
            actual(packet.recv_id), [&] {
              return fmt::format("the {} of packet {} still waits for data, or what ended it was not captured",
                                 before->request->name, before->begun.index + 1);
            });
  Exchange& read = state.begin(seen);
  if (in_use) read.unsettled = true;

  judge_buffers(judge, seen, Array::rma_iov);
  const std::optional<std::uint64_t> there = total_length(packet.rma_iov);
  const Rule& sum = is_short ? kShortReadLengthIsThatOfBuffers : kLongReadLengthIsThatOfBuffers;
  if (!require(judge, sum, there == packet.msg_length, seen, Field::msg_length,
               expected([&] { return there ? fmt::format("{}", *there) : "lengths in rma_iov that can be added up"; }),
               actual(packet.msg_length), "the buffers hold another number of octets")) {
    read.unsettled = true;
    return;
  }
  read.rma_octets = *there;
  if (is_short) {
    judge_short_read(judge, seen);
  } else if (judge_window(judge, seen)) {
    read.granted = std::min(packet.recv_length, packet.msg_length);
  } else {
    read.unsettled = true;
  }
}

void finish_window(Judge& judge, const Exchange& read, const TraceState& state) {
  judge.at(marked(read.latest, read.requester));
  judge_due(judge, state.owes_answer(read.requester, read.latest), kReadGoesOn, read.grants > 0, {}, expected("a CTS"),
            actual("none"), [&] {
              return fmt::format("{} of {} octets have come, and all that was allowed", read.data.octets(),
                                 read.length);
            });
}

}  // namespace wirelaw::efa
