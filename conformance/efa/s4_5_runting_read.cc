// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.5: runting read messages. Several RUNTREAD packets bring the beginning of the data, the rest is read.
// runt_length is read in two ways (EFA/A-04): octets in all RUNTREAD packets of the message, or in this one.
#include "conformance/efa/reads.h"
#include "conformance/efa/rules.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 4.5", kRequester};
constexpr Section kTable4_4{"EFA RDM v4 4.5, table 4.4", kRequester};
constexpr Section kSectionStimulusOfResponder = kSection.by(Observable::stimulus).of(kResponder);

}  // namespace

constinit const Rule kRuntCarriesData =
    kSection.must("EFA-4.5-1", "Every RUNTREAD packet carries some application data.");
constinit const Rule kRuntNamesBuffer =
    kTable4_4.must("EFA-4.5-2", "A RUNTREAD packet names at least one buffer of the sender in read_iov.");
constinit const Rule kRuntMessageLength = kTable4_4.must(
    "EFA-4.5-3", "msg_length of a RUNTREAD packet is the sum of the lengths in its read_iov: the whole send buffer.",
    "EFA/A-29");
constinit const Rule kRuntLengthOfMessageKept =
    kTable4_4.resting_on(Evidence::absence)
        .must("EFA-4.5-4", "All RUNTREAD packets of a message have the same msg_length.");
constinit const Rule kRuntSendIdKept =
    kTable4_4.resting_on(Evidence::absence)
        .must("EFA-4.5-5", "All RUNTREAD packets of a message have the same send_id.");
constinit const Rule kRuntBufferKept =
    kSection.resting_on(Evidence::absence)
        .must("EFA-4.5-6", "All RUNTREAD packets of a message describe the same buffers in read_iov.");
constinit const Rule kRuntKindKept =
    kTable4_4.resting_on(Evidence::absence)
        .must("EFA-4.5-7", "All RUNTREAD packets of a message are tagged, with one tag, or none of them is.");
constinit const Rule kRuntWithinMessage =
    kTable4_4.must("EFA-4.5-8", "The data of a RUNTREAD packet, from seg_offset on, ends within msg_length.");
constinit const Rule kRuntsDoNotOverlap =
    kTable4_4.resting_on(Evidence::absence)
        .must_not("EFA-4.5-9", "No RUNTREAD packet brings data, by its seg_offset, that another one has brought.",
                  "The same octets again are passed over: a transport may double packets");
constinit const Rule kRuntLengthKept =
    kTable4_4.resting_on(Evidence::absence)
        .must("EFA-4.5-10", "Where runt_length is that of all RUNTREAD packets together, all of them have the same.",
              "EFA/A-04");
constinit const Rule kRuntLengthWithinMessage =
    kTable4_4.must("EFA-4.5-11", "runt_length is at most msg_length.", "EFA/A-04");
constinit const Rule kRuntWithinRuntLength = kTable4_4.must(
    "EFA-4.5-12", "The data of a RUNTREAD packet, from seg_offset on, ends within runt_length of the message.",
    "EFA/A-04");
constinit const Rule kRuntReadingKept =
    kTable4_4.resting_on(Evidence::absence)
        .must("EFA-4.5-13", "An endpoint keeps to one meaning of runt_length: of the message, or of the packet.",
              "EFA/A-04");
constinit const Rule kRuntLengthOfMessage =
    kTable4_4.should("EFA-4.5-14", "runt_length is that of all RUNTREAD packets together: the reads begin there.",
                     "EFA/A-04: the length of the packet's own data is accepted, and warned of");
constinit const Rule kAllRuntsSent =
    kSection.resting_on(Evidence::absence)
        .must("EFA-4.5-15", "The RUNTREAD packets of a message bring every octet below runt_length.", "EFA/A-85");
constinit const Rule kRuntSendIdIsFree =
    kTable4_4.resting_on(Evidence::absence)
        .must("EFA-4.5-16",
              "send_id of a new RUNTREAD message names no operation of the sender that still waits for its peer.",
              "EFA/A-73");
constinit const Rule kRestIsRead = kSectionStimulusOfResponder.must(
    "EFA-4.5-17", "The receiver reads what the RUNTREAD packets do not bring, from runt_length on.",
    "EFA/A-04; RDMA reads are no packets of this protocol; a device that is not hardware shows the tester who has read "
    "what");

constexpr Breach kBreaches[] = {
    {Deviation::connid_padded, kRuntMessageLength},
    {Deviation::runt_offset_zero, kRuntsDoNotOverlap},
    {Deviation::runt_length_changes, kRuntLengthKept},
    {Deviation::runt_length_changes, kRuntLengthWithinMessage},
    {Deviation::runt_missing, kAllRuntsSent, {.given = kStimulus}},
};

SectionRules s4_5_rules() {
  static constexpr const Rule* kRules[] = {
      &kRuntCarriesData,
      &kRuntNamesBuffer,
      &kRuntMessageLength,
      &kRuntLengthOfMessageKept,
      &kRuntSendIdKept,
      &kRuntBufferKept,
      &kRuntKindKept,
      &kRuntWithinMessage,
      &kRuntsDoNotOverlap,
      &kRuntLengthKept,
      &kRuntLengthWithinMessage,
      &kRuntWithinRuntLength,
      &kRuntReadingKept,
      &kRuntLengthOfMessage,
      &kAllRuntsSent,
      &kRuntSendIdIsFree,
      &kRestIsRead,
  };
  return {kRules, kBreaches};
}

namespace {

Exchange* runting_message(const SeenPacket& seen, TraceState& state) {
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  const bool same = found != nullptr && (found->request->transfer == Transfer::runting_read ||
                                         (found->nacks > 0 && found->runt_length > 0));
  return same ? found : nullptr;
}

// What must be the same in all packets of a message.
bool judge_kept(Judge& judge, const SeenPacket& seen, const Exchange& message) {
  const Packet& packet = seen.packet;
  return require(judge, kRuntLengthOfMessageKept, packet.msg_length == message.length, seen, Field::msg_length,
                 expected(message.length), actual(packet.msg_length), "another length than in the packets before") &&
         require(judge, kRuntSendIdKept, packet.send_id == message.send_id, seen, Field::send_id,
                 expected(message.send_id.value_or(0)), actual(packet.send_id),
                 "another operation than in the packets before") &&
         require(judge, kRuntKindKept, &seen.layout == message.request && packet.tag == message.tag, seen,
                 seen.layout.tagged ? Field::tag : Field::type,
                 expected([&] { return fmt::format("{} with tag 0x{:x}", message.request->name, message.tag); }),
                 actual([&] { return fmt::format("{} with tag 0x{:x}", seen.layout.name, packet.tag); }),
                 "another kind of message, or tag, than in the packets before") &&
         require(judge, kRuntBufferKept, hash_of(packet.read_iov) == message.iov_hash, seen, Field::read_iov_count,
                 expected("the read_iov of the packets before"), actual("another one"),
                 "the buffers differ from those of the packets before");
}

// The octets of the message that the packet brings.
bool judge_segment(Judge& judge, const SeenPacket& seen) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  if (!judge.require(kRuntCarriesData, octets > 0, seen.payload(), expected("at least 1 octet of data"), actual(octets),
                     "a RUNTREAD packet for nothing"))
    return false;
  const bool within = packet.seg_offset <= packet.msg_length && octets <= packet.msg_length - packet.seg_offset;
  return require(judge, kRuntWithinMessage, within, seen, Field::seg_offset,
                 expected([&] { return fmt::format("{} octets within {}", octets, packet.msg_length); }),
                 actual(packet.seg_offset), "the data ends beyond the message");
}

// A packet that no reading allows, or that its message has excluded.
void report_length(Judge& judge, const SeenPacket& seen, const Exchange& message, bool first) {
  const Packet& packet = seen.packet;
  const auto got = actual(packet.runt_length);
  if (packet.runt_length > packet.msg_length)
    require(judge, kRuntLengthWithinMessage, false, seen, Field::runt_length,
            expected(fmt::format("at most {}", packet.msg_length)), got, "more than the message has");
  else if ((message.reading & kOfMessage) == 0)
    require(judge, kRuntReadingKept, false, seen, Field::runt_length, expected(seen.payload_octets()), got,
            "in the packets before, it was the length of the packet's own data");
  else if (!first && packet.runt_length != message.runt_length)
    require(judge, kRuntLengthKept, false, seen, Field::runt_length, expected(message.runt_length), got,
            "another length than in the packets before");
  else
    require(judge, kRuntWithinRuntLength, false, seen, Field::runt_length,
            expected(fmt::format("at least {}", packet.seg_offset + seen.payload_octets())), got,
            "the data of this packet ends beyond it",
            packet.runt_length == seen.payload_octets() ? Evidence::absence : Evidence::octets);
}

// runt_length in the light of both readings. False where it contradicts the message.
bool judge_runt_length(Judge& judge, const SeenPacket& seen, Exchange& message, bool first, Party& sender) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  const bool of_message = (first || packet.runt_length == message.runt_length) &&
                          packet.runt_length <= packet.msg_length && packet.seg_offset + octets <= packet.runt_length;
  const std::uint64_t fits = (of_message ? kOfMessage : 0) | (packet.runt_length == octets ? kOfPacket : 0);
  if ((message.reading & fits) == 0) {
    report_length(judge, seen, message, first);
    return false;
  }
  message.reading &= fits;
  for (const Rule* kept : {&kRuntLengthWithinMessage, &kRuntLengthKept, &kRuntWithinRuntLength})
    require(judge, *kept, true, seen, Field::runt_length, expected(""), actual(""));
  if (message.reading == (kOfMessage | kOfPacket)) return true;
  const Reading now = message.reading == kOfMessage ? Reading::deployed : Reading::document;
  const bool same = sender.runt_length == Reading::open || sender.runt_length == now;
  if (!require(judge, kRuntReadingKept, same, seen, Field::runt_length,
               expected(sender.runt_length == Reading::deployed ? "the length of all RUNTREAD packets together"
                                                                : "the length of this packet's data"),
               actual(packet.runt_length), "another meaning than in the messages before"))
    return false;
  sender.runt_length = now;
  advise(judge, kRuntLengthOfMessage, now == Reading::deployed, seen, Field::runt_length,
         expected("the length of all RUNTREAD packets together"), actual(packet.runt_length),
         "the length of this packet's data: the receiver cannot know where the reads begin");
  return true;
}

}  // namespace

void judge_runting_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchange* message = runting_message(seen, state);
  const bool first = message == nullptr;
  if (first) {
    message = begin_read(judge, kRuntSendIdIsFree, seen, state);
    if (message == nullptr || message->unsettled) return;
    message->runt_length = packet.runt_length;
    message->iov_hash = hash_of(packet.read_iov);
    message->reading = kOfMessage | kOfPacket;
  } else if (message->unsettled || message->continued || seen.doubled) {
    return;
  }
  // What is wrong with a packet is reported once; nothing follows from it.
  const bool good =
      (first ? judge_source(judge, seen, kRuntNamesBuffer, kRuntMessageLength) : judge_kept(judge, seen, *message)) &&
      judge_segment(judge, seen) && judge_runt_length(judge, seen, *message, first, state.party(seen.sender()));
  if (!good) {
    message->unsettled = true;
    return;
  }
  const std::uint64_t octets = seen.payload_octets();
  message->latest = seen.mark();
  message->last_data = message->latest;
  const auto fresh = message->data.add(packet.seg_offset, packet.seg_offset + octets, TraceState::kMostGaps);
  if (!fresh || !require(judge, kRuntsDoNotOverlap, *fresh == octets, seen, Field::seg_offset,
                         expected("data that has not been sent"), actual(packet.seg_offset), [&] {
                           return fmt::format("{} of {} octets have been sent before", octets - *fresh, octets);
                         })) {
    message->unsettled = true;
    return;
  }
  const bool all_runts = message->data.octets() >= runt_octets(*message);
  if (all_runts) advise(judge, kAllRuntsSent, true, seen, Field::runt_length, expected(""), actual(""));
  // Where nothing is left to be read there is no EOR (EFA/A-49).
  message->done = all_runts && (message->eors > 0 || message->data.octets() == message->length);
}

void finish_runting(Judge& judge, const Exchange& message, const TraceState& state) {
  if (message.data.octets() >= runt_octets(message) || !state.is_stale(message.latest)) return;
  judge.at(marked(message.begun, message.requester));
  judge_due(judge, state.is_in_view(message.begun) && state.owes_data(message.requester, message.latest), kAllRuntsSent,
            false, {}, expected(fmt::format("{} octets", message.runt_length)), actual(message.data.octets()),
            "long ago, and not all RUNTREAD packets of this message have come");
}

}  // namespace wirelaw::efa
