// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.1: what every REQ packet has.
#include <algorithm>

#include "conformance/efa/rules.h"

namespace wirelaw::efa {

constinit const Rule kRequestFlags{"EFA-3.1-1",
                                   Level::must_not,
                                   Role::initiator,
                                   "EFA RDM v4 3.1, table 3.1",
                                   Observable::trace,
                                   "A REQ packet has no flags but those of table 3.1.",
                                   "A-15"};
constinit const Rule kRtmIsMsg{"EFA-3.1-2",
                               Level::must,
                               Role::initiator,
                               "EFA RDM v4 3.1, table 3.1",
                               Observable::trace,
                               "REQ_MSG is set in RTM packets, also in tagged ones.",
                               "A-10"};
constinit const Rule kTagrtmIsTagged{"EFA-3.1-3",
                                     Level::must,
                                     Role::initiator,
                                     "EFA RDM v4 3.1, table 3.1",
                                     Observable::trace,
                                     "REQ_TAGGED is set in TAGRTM packets.",
                                     "A-10"};
constinit const Rule kRmaIsRma{"EFA-3.1-4",
                               Level::should,
                               Role::initiator,
                               "EFA RDM v4 3.1, table 3.1",
                               Observable::trace,
                               "REQ_RMA is set in RTW and RTR packets.",
                               "A-09"};
constinit const Rule kRtaIsAtomic{"EFA-3.1-5",       Level::must,
                                  Role::initiator,   "EFA RDM v4 3.1, table 3.1",
                                  Observable::trace, "REQ_ATOMIC is set in RTA packets."};
constinit const Rule kOnlyRtmIsMsg{"EFA-3.1-6",       Level::must_not,
                                   Role::initiator,   "EFA RDM v4 3.1, table 3.1",
                                   Observable::trace, "REQ_MSG is not set in RTW, RTR and RTA packets."};
constinit const Rule kOnlyTagrtmIsTagged{"EFA-3.1-7",       Level::must_not,
                                         Role::initiator,   "EFA RDM v4 3.1, table 3.1",
                                         Observable::trace, "REQ_TAGGED is set in no REQ packets but TAGRTM."};
constinit const Rule kOnlyRmaIsRma{"EFA-3.1-8",       Level::must_not,
                                   Role::initiator,   "EFA RDM v4 3.1, table 3.1",
                                   Observable::trace, "REQ_RMA is not set in RTM and RTA packets."};
constinit const Rule kOnlyRtaIsAtomic{"EFA-3.1-9",       Level::must_not,
                                      Role::initiator,   "EFA RDM v4 3.1, table 3.1",
                                      Observable::trace, "REQ_ATOMIC is not set in RTM, RTW and RTR packets."};
constinit const Rule kAddressAsLong{"EFA-3.1-10",
                                    Level::must,
                                    Role::initiator,
                                    "EFA RDM v4 3.1, table 3.2",
                                    Observable::trace,
                                    "The raw address header holds as many octets as its size says.",
                                    "A-07"};
constinit const Rule kHeadersThere{"EFA-3.1-11",      Level::must,
                                   Role::initiator,   "EFA RDM v4 3.1",
                                   Observable::trace, "The optional headers that the flags announce are there."};
constinit const Rule kAddressFirst{"EFA-3.1-12",      Level::must,
                                   Role::initiator,   "EFA RDM v4 3.1",
                                   Observable::trace, "The raw address header stands in front of the CQ data header."};
constinit const Rule kCqDataBeforeConnid{"EFA-3.1-13",      Level::must,
                                         Role::initiator,   "EFA RDM v4 3.1",
                                         Observable::trace, "The CQ data header stands in front of the connid header."};
constinit const Rule kConnidOfFour{"EFA-3.1-14",
                                   Level::must,
                                   Role::initiator,
                                   "EFA RDM v4 3.1",
                                   Observable::trace,
                                   "The connid header of REQ packets has four octets, no padding.",
                                   "A-51"};
constinit const Rule kReadWithoutData{"EFA-3.1-15",     Level::must_not,   Role::initiator,
                                      "EFA RDM v4 3.1", Observable::trace, "RTR packets carry no application data."};
constinit const Rule kCqDataOfWrites{"EFA-3.1-16",
                                     Level::should_not,
                                     Role::initiator,
                                     "EFA RDM v4 3.1",
                                     Observable::trace,
                                     "RTR and RTA packets have no CQ data header.",
                                     "A-47"};
constinit const Rule kTaggedCalls{"EFA-3.1-17",
                                  Level::must,
                                  Role::initiator,
                                  "EFA RDM v4 3.1",
                                  Observable::api,
                                  "Tagged sends are requested by TAGRTM packets, others by MSGRTM packets.",
                                  "which call the application made is not in the packets"};
constinit const Rule kCqDataAsked{
    "EFA-3.1-18",
    Level::must,
    Role::initiator,
    "EFA RDM v4 3.1",
    Observable::api,
    "CQ data that the application gives with a send or write goes in the CQ data header, and is in the peer's "
    "completion.",
    "the call of the application, and the completion of the peer's, show it"};

RuleList s3_1_rules() {
  static constexpr const Rule* kRules[] = {
      &kRequestFlags,       &kRtmIsMsg,     &kTagrtmIsTagged,  &kRmaIsRma,       &kRtaIsAtomic,  &kOnlyRtmIsMsg,
      &kOnlyTagrtmIsTagged, &kOnlyRmaIsRma, &kOnlyRtaIsAtomic, &kAddressAsLong,  &kHeadersThere, &kAddressFirst,
      &kCqDataBeforeConnid, &kConnidOfFour, &kReadWithoutData, &kCqDataOfWrites, &kTaggedCalls,  &kCqDataAsked};
  return kRules;
}

// --------------------------------------------------------------------------------------------------------- flags

namespace {

struct MarkRow {
  std::uint16_t flag;
  std::string_view name;
  const Rule* set;    // in the packets whose use implies it
  const Rule* clear;  // in the others
};
constexpr MarkRow kMarks[] = {
    {flag::kMsg, "REQ_MSG", &kRtmIsMsg, &kOnlyRtmIsMsg},
    {flag::kTagged, "REQ_TAGGED", &kTagrtmIsTagged, &kOnlyTagrtmIsTagged},
    {flag::kAtomic, "REQ_ATOMIC", &kRtaIsAtomic, &kOnlyRtaIsAtomic},
    {flag::kRma, "REQ_RMA", &kRmaIsRma, &kOnlyRmaIsRma},
};
constexpr std::uint16_t kEveryMark = flag::kMsg | flag::kTagged | flag::kAtomic | flag::kRma;

void judge_mark(Judge& judge, const SeenPacket& seen, const MarkRow& row) {
  const bool wanted = (seen.layout.marks & row.flag) != 0;
  const bool holds = seen.packet.has(row.flag) == wanted;
  const Rule& rule = wanted ? *row.set : *row.clear;
  const auto want = expected([&] { return fmt::format("{} {}", row.name, wanted ? "set" : "clear"); });
  const auto got = actual(hex(seen.packet.flags));
  const auto why = [&] { return fmt::format("in {}", seen.layout.name); };
  if (row.flag == flag::kRma && wanted)
    advise(judge, rule, holds, seen, Field::flags, want, got, "deployed endpoints never set it (A-09)");
  else
    require(judge, rule, holds, seen, Field::flags, want, got, why);
}

}  // namespace

void judge_request_flags(Judge& judge, const SeenPacket& seen) {
  const auto defined = static_cast<std::uint16_t>(seen.layout.allowed | kEveryMark);
  judge_undefined_flags(judge, kRequestFlags, seen, defined, false);
  for (const MarkRow& row : kMarks) judge_mark(judge, seen, row);
}

// ----------------------------------------------------------------------------------------------- optional headers

namespace {

constexpr std::size_t kSize = 4, kCqDataOctets = 8, kConnidOctets = 4;

std::optional<std::array<Octet, 16>> gid_of(Side side, const Conversation& conversation) {
  const Party& party = conversation.party(side);
  if (party.raw_address) return party.raw_address->gid;
  if (const auto network = conversation.address(side)) return network->address.as_ipv6();
  return std::nullopt;
}

// Where the raw address should begin, eight octets come first, and then a size and the sender's GID.
bool address_behind_cq_data(Octets packet, std::size_t begin, std::uint16_t flags,
                            const std::optional<std::array<Octet, 16>>& gid) {
  constexpr std::uint16_t kBoth = flag::kRawAddress | flag::kCqData;
  if ((flags & kBoth) != kBoth || !gid) return false;
  const std::size_t at = begin + kCqDataOctets;
  if (packet.size() < at + kSize + layout::kRawAddress) return false;
  return load_little_endian<std::uint32_t>(packet.data() + at) >= layout::kRawAddress &&
         std::ranges::equal(packet.subspan(at + kSize, gid->size()), *gid);
}

bool judge_address_first(Judge& judge, const Message& message, std::size_t begin, std::uint16_t flags,
                         const Conversation& conversation) {
  const bool behind = address_behind_cq_data(message.octets, begin, flags, gid_of(message.sender, conversation));
  return judge.require(kAddressFirst, !behind, octets(begin, kCqDataOctets), expected("the raw address header"),
                       actual("eight other octets, and then the sender's raw address"));
}

// The sender's connid, known from elsewhere, stands in front of eight octets instead of behind them.
bool connid_before_cq_data(const SeenPacket& seen, const Conversation& conversation) {
  const auto known = conversation.party(seen.sender()).connid;
  if (!known || seen.packet.connid == *known) return false;
  return static_cast<std::uint32_t>(seen.packet.cq_data) == *known;
}

std::uint64_t sum_of_lengths(Octets iov) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rma_iov_count(iov); ++i) sum += rma_iov_at(iov, i).len;
  return sum;
}

// Of packets that end with their headers: four octets are too many, and with four of padding behind the connid the rest
// makes sense.
bool connid_is_padded(const SeenPacket& seen) {
  const Octets behind = seen.packet.payload;
  if (seen.payload_octets() != kConnidOctets || behind.size() != kConnidOctets) return false;
  const Octets iov = seen.packet.read_iov;
  if (iov.empty()) return load_little_endian<std::uint32_t>(behind.data()) == 0;
  const Octets shifted = seen.message.octets.last(iov.size());
  return load_little_endian<std::uint32_t>(iov.data()) == 0 && sum_of_lengths(iov) != seen.packet.msg_length &&
         sum_of_lengths(shifted) == seen.packet.msg_length;
}

bool judge_connid_octets(Judge& judge, const SeenPacket& seen) {
  if (seen.layout.data != Data::none || !seen.packet.has(flag::kConnid)) return true;
  return require(judge, kConnidOfFour, !connid_is_padded(seen), seen, Field::connid, expected("four octets"),
                 actual("eight"), "the packet is four octets too long");
}

}  // namespace

bool judge_request(Judge& judge, const SeenPacket& seen, Conversation& conversation) {
  const Packet& packet = seen.packet;
  if ((packet.flags & flag::kRequestOptional) != 0) judge.require(kHeadersThere, true, {}, expected(""), actual(""));
  if (packet.has(flag::kCqData)) {
    const bool writes = seen.layout.purpose == Purpose::message || seen.layout.purpose == Purpose::write;
    require(judge, kCqDataOfWrites, writes, seen, Field::cq_data, expected("no CQ data header"), actual("one"),
            [&] { return fmt::format("in {}", seen.layout.name); });
  } else if (seen.layout.purpose == Purpose::read || seen.layout.purpose == Purpose::atomic) {
    judge.require(kCqDataOfWrites, true, {}, expected(""), actual(""));
  }
  if (packet.has(flag::kRawAddress)) {
    judge.require(kAddressAsLong, true, {}, expected(""), actual(""));
    const std::size_t begin = seen.at(Field::raw_address_size).offset;
    if (packet.has(flag::kCqData) && !judge_address_first(judge, seen.message, begin, packet.flags, conversation))
      return false;
  }
  if (packet.has(flag::kCqData) && packet.has(flag::kConnid) &&
      !require(judge, kCqDataBeforeConnid, !connid_before_cq_data(seen, conversation), seen, Field::cq_data,
               expected("CQ data, and then connid"), actual("the sender's connid first")))
    return false;
  return judge_connid_octets(judge, seen);
}

void judge_request_payload(Judge& judge, const SeenPacket& seen) {
  if (seen.layout.purpose == Purpose::read)
    judge.require(kReadWithoutData, seen.payload_octets() == 0, seen.payload(),
                  expected("no octets behind the headers"), actual(seen.payload_octets()),
                  [&] { return fmt::format("of {}", seen.layout.name); });
}

void judge_request_whole(Judge& judge, const Message& message, const DecodeError& error,
                         const Conversation& conversation) {
  const auto flags = load_little_endian<std::uint16_t>(message.octets.data() + 2);
  const bool in_address = error.part == describe(Array::raw_address).name;
  const std::size_t begin = in_address ? error.offset - kSize : error.offset;
  if (in_address && !judge_address_first(judge, message, begin, flags, conversation)) return;
  judge.require(in_address ? kAddressAsLong : kHeadersThere, false, octets(error.offset, error.there),
                expected([&] { return fmt::format("{} octets of {}", error.needed, error.part); }), actual(error.there),
                "the packet ends before");
}

}  // namespace wirelaw::efa
