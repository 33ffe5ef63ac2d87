// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.1: what every REQ packet has.
#include <algorithm>

#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable3_1{"EFA RDM v4 3.1, table 3.1", kRequester};
constexpr Section kTable3_2{"EFA RDM v4 3.1, table 3.2", kRequester};
constexpr Section kSection{"EFA RDM v4 3.1", kRequester};
constexpr Section kSectionApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kRequestFlags =
    kTable3_1.must_not("EFA-3.1-1", "A REQ packet has no flags but those of table 3.1.", "EFA/A-15");
constinit const Rule kRtmIsMsg =
    kTable3_1.must("EFA-3.1-2", "REQ_MSG is set in RTM packets, also in tagged ones.", "EFA/A-10");
constinit const Rule kTagrtmIsTagged = kTable3_1.must("EFA-3.1-3", "REQ_TAGGED is set in TAGRTM packets.", "EFA/A-10");
constinit const Rule kRmaIsRma = kTable3_1.should("EFA-3.1-4", "REQ_RMA is set in RTW and RTR packets.", "EFA/A-09");
constinit const Rule kRtaIsAtomic = kTable3_1.must("EFA-3.1-5", "REQ_ATOMIC is set in RTA packets.");
constinit const Rule kOnlyRtmIsMsg = kTable3_1.must_not("EFA-3.1-6", "REQ_MSG is not set in RTW, RTR and RTA packets.");
constinit const Rule kOnlyTagrtmIsTagged =
    kTable3_1.must_not("EFA-3.1-7", "REQ_TAGGED is set in no REQ packets but TAGRTM.");
constinit const Rule kOnlyRmaIsRma = kTable3_1.must_not("EFA-3.1-8", "REQ_RMA is not set in RTM and RTA packets.");
constinit const Rule kOnlyRtaIsAtomic =
    kTable3_1.must_not("EFA-3.1-9", "REQ_ATOMIC is not set in RTM, RTW and RTR packets.");
constinit const Rule kAddressAsLong =
    kTable3_2.must("EFA-3.1-10", "The raw address header holds as many octets as its size says.", "EFA/A-07");
constinit const Rule kHeadersThere =
    kSection.must("EFA-3.1-11", "The optional headers that the flags announce are there.");
constinit const Rule kAddressFirst =
    kSection.must("EFA-3.1-12", "The raw address header is in front of the CQ data header.");
constinit const Rule kCqDataBeforeConnid =
    kSection.must("EFA-3.1-13", "The CQ data header is in front of the connid header.");
constinit const Rule kConnidOfFour =
    kSection.must("EFA-3.1-14", "The connid header of REQ packets has four octets, no padding.", "EFA/A-51");
constinit const Rule kReadWithoutData = kSection.must_not("EFA-3.1-15", "RTR packets carry no application data.");
constinit const Rule kCqDataOfWrites =
    kSection.should_not("EFA-3.1-16", "RTR and RTA packets have no CQ data header.", "EFA/A-47");
constinit const Rule kTaggedCalls =
    kSectionApi.must("EFA-3.1-17", "Tagged sends are requested by TAGRTM packets, others by MSGRTM packets.",
                     "which call the application made is not in the packets");
constinit const Rule kCqDataAsked =
    kSectionApi.must("EFA-3.1-18",
                     "CQ data that the application gives with a send or write goes in the CQ data header, and is in "
                     "the peer's completion.",
                     "the call of the application, and the completion of the peer's, show it");

constinit const Rule kCqDataGiven =
    kSectionApi.of(kResponder)
        .must("EFA-3.1-19", "The CQ data of a message is in the completion of the receive that takes the message.",
              "the completion of the application that receives shows it");

constexpr Breach kBreaches[] = {
    {Deviation::undefined_flag, kRequestFlags},
    {Deviation::undefined_flag, kRequestFlags, {.who = kResponder}},
    {Deviation::msg_flag_missing, kRtmIsMsg},
    {Deviation::msg_flag_missing, kRtmIsMsg, {.who = kResponder}},
    {Deviation::msg_flag_missing, kRtmIsMsg, {.who = kRequester, .severity = Severity::warning}},
    {Deviation::tagged_flag_missing, kTagrtmIsTagged},
    {Deviation::rma_flag_missing, kRmaIsRma, {.severity = Severity::warning}},
    {Deviation::atomic_flag_missing, kRtaIsAtomic},
    {Deviation::msg_flag_on_write, kOnlyRtmIsMsg},
    {Deviation::tagged_flag_on_untagged, kOnlyTagrtmIsTagged},
    {Deviation::tagged_flag_on_untagged, kOnlyTagrtmIsTagged, {.who = kResponder}},
    {Deviation::raw_address_size_beyond, kAddressAsLong},
    {Deviation::raw_address_size_beyond, kAddressAsLong, {.who = kResponder}},
    {Deviation::raw_address_behind_cq_data, kAddressFirst},
    {Deviation::connid_before_cq_data, kCqDataBeforeConnid},
    {Deviation::connid_padded, kConnidOfFour},
    {Deviation::rtr_with_data, kReadWithoutData},
    {Deviation::rtr_cq_data, kCqDataOfWrites},
};

SectionRules s3_1_rules() {
  static constexpr const Rule* kRules[] = {
      &kRequestFlags,   &kRtmIsMsg,           &kTagrtmIsTagged,     &kRmaIsRma,        &kRtaIsAtomic,
      &kOnlyRtmIsMsg,   &kOnlyTagrtmIsTagged, &kOnlyRmaIsRma,       &kOnlyRtaIsAtomic, &kAddressAsLong,
      &kHeadersThere,   &kAddressFirst,       &kCqDataBeforeConnid, &kConnidOfFour,    &kReadWithoutData,
      &kCqDataOfWrites, &kTaggedCalls,        &kCqDataAsked,        &kCqDataGiven};
  return {kRules, kBreaches};
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

// The rules that the marks of a packet come under, by its type.
using MarkRules = std::array<const Rule*, std::size(kMarks)>;
const MarkRules& rules_of_marks(const Layout& layout) {
  static const std::array<MarkRules, 256> kByType = [] {
    std::array<MarkRules, 256> all{};
    for (const Layout& one : all_layouts())
      for (std::size_t i = 0; i < std::size(kMarks); ++i)
        all[one.id()][i] = (one.marks & kMarks[i].flag) != 0 ? kMarks[i].set : kMarks[i].clear;
    return all;
  }();
  return kByType[layout.id()];
}

[[gnu::cold, gnu::noinline]] void blame_mark(Judge& judge, const Rule& rule, const SeenPacket& seen, const MarkRow& row,
                                             bool wanted) {
  const auto want = expected([&] { return fmt::format("{} {}", row.name, wanted ? "set" : "clear"); });
  const auto got = actual(hex(seen.packet.flags));
  const auto why = [&] { return fmt::format("in {}", seen.layout.name); };
  if (row.flag == flag::kRma && wanted)
    advise(judge, rule, false, seen, Field::flags, want, got, "deployed endpoints never set it (EFA/A-09)");
  else if (row.flag == flag::kMsg && seen.layout.tagged)
    advise(judge, rule, false, seen, Field::flags, want, got, "REQ_TAGGED may be taken to say it (EFA/A-10)");
  else
    require(judge, rule, false, seen, Field::flags, want, got, why);
}

void judge_mark(Judge& judge, const SeenPacket& seen, const MarkRow& row) {
  const bool wanted = (seen.layout.marks & row.flag) != 0;
  const Rule& rule = wanted ? *row.set : *row.clear;
  if (seen.packet.has(row.flag) == wanted) [[likely]]  // which way a breach is reported is then the same
    judge.require(rule, true, {}, expected(""), actual(""));
  else
    blame_mark(judge, rule, seen, row, wanted);
}

}  // namespace

void judge_request_flags(Judge& judge, const SeenPacket& seen) {
  const auto defined = static_cast<std::uint16_t>(seen.layout.allowed | kEveryMark);
  judge_undefined_flags(judge, kRequestFlags, seen, defined);
  if ((seen.packet.flags & kEveryMark) == seen.layout.marks) [[likely]] {
    for (const Rule* rule : rules_of_marks(seen.layout)) judge.require(*rule, true, {}, expected(""), actual(""));
    return;
  }
  for (const MarkRow& row : kMarks) judge_mark(judge, seen, row);
}

// ----------------------------------------------------------------------------------------------- optional headers

namespace {

constexpr std::size_t kSize = 4, kCqDataOctets = 8, kConnidOctets = 4;

std::optional<std::array<Octet, 16>> gid_of(Side side, const TraceState& state) {
  const Party& party = state.party(side);
  if (party.raw_address) return party.raw_address->gid;
  if (const auto network = state.address(side)) return network->address.as_ipv6();
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
                         const TraceState& state) {
  const bool behind = address_behind_cq_data(message.octets, begin, flags, gid_of(message.sender, state));
  return judge.require(kAddressFirst, !behind, octets(begin, kCqDataOctets), expected("the raw address header"),
                       actual("eight other octets, and then the sender's raw address"));
}

// The sender's connid, known from elsewhere, is in front of eight octets instead of behind them.
bool connid_before_cq_data(const SeenPacket& seen, const TraceState& state) {
  const auto known = state.party(seen.sender()).connid;
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

bool judge_request(Judge& judge, const SeenPacket& seen, TraceState& state) {
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
    if (packet.has(flag::kCqData) && !judge_address_first(judge, seen.message, begin, packet.flags, state))
      return false;
  }
  if (packet.has(flag::kCqData) && packet.has(flag::kConnid) &&
      !require(judge, kCqDataBeforeConnid, !connid_before_cq_data(seen, state), seen, Field::cq_data,
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

void judge_request_whole(Judge& judge, const Message& message, const DecodeError& error, const TraceState& state) {
  const auto flags = load_little_endian<std::uint16_t>(message.octets.data() + 2);
  const bool in_address = error.part == describe(Array::raw_address).name;
  const std::size_t begin = in_address ? error.offset - kSize : error.offset;
  if (in_address && !judge_address_first(judge, message, begin, flags, state)) return;
  judge.require(in_address ? kAddressAsLong : kHeadersThere, false, octets(error.offset, error.there),
                expected([&] { return fmt::format("{} octets of {}", error.needed, error.part); }), actual(error.there),
                "the packet ends before");
}

}  // namespace wirelaw::efa
