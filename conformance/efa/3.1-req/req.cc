// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.1: the parts common to all REQ packets.
#include "conformance/efa/3.1-req/req.h"

#include <algorithm>

#include "conformance/efa/1.3-base-header/base_header.h"
#include "conformance/efa/3.1-req/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

// --------------------------------------------------------------------------------------------------------- flags

namespace {

struct MarkRow {
  std::uint16_t flag;
  std::string_view name;
  const Rule* set;    // rule for packets whose use implies the flag
  const Rule* clear;  // rule for packets in which the flag must be clear
};
constexpr MarkRow kMarks[] = {
    {flag::kMsg, "REQ_MSG", &rule<"EFA-3.1-2">, &rule<"EFA-3.1-6">},
    {flag::kTagged, "REQ_TAGGED", &rule<"EFA-3.1-3">, &rule<"EFA-3.1-7">},
    {flag::kAtomic, "REQ_ATOMIC", &rule<"EFA-3.1-5">, &rule<"EFA-3.1-9">},
    {flag::kRma, "REQ_RMA", &rule<"EFA-3.1-4">, &rule<"EFA-3.1-8">},
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
  const Rule& demand = wanted ? *row.set : *row.clear;
  if (seen.packet.has(row.flag) == wanted) [[likely]]  // both ways of reporting are the same then
    keeps(judge, demand);
  else
    blame_mark(judge, demand, seen, row, wanted);
}

}  // namespace

void judge_request_flags(Judge& judge, const SeenPacket& seen) {
  const auto defined = static_cast<std::uint16_t>(seen.layout.allowed | kEveryMark);
  judge_undefined_flags(judge, rule<"EFA-3.1-1">, seen, defined);
  if ((seen.packet.flags & kEveryMark) == seen.layout.marks) [[likely]] {
    for (const Rule* demand : rules_of_marks(seen.layout)) keeps(judge, *demand);
    return;
  }
  for (const MarkRow& row : kMarks) judge_mark(judge, seen, row);
}

// ----------------------------------------------------------------------------------------------- optional headers

namespace {

constexpr std::size_t kSize = 4, kCqDataOctets = 8, kConnidOctets = 4;

// Returns true if the raw address begins eight octets later than it should: a size and the sender's GID are found
// there.
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
                         const SenderFact& sender) {
  const bool behind = address_behind_cq_data(message.octets, begin, flags, sender.gid);
  return judge.require(rule<"EFA-3.1-12">, !behind, octets(begin, kCqDataOctets), expected("the raw address header"),
                       actual("eight other octets, and then the sender's raw address"));
}

// True if the sender's connid, known from other packets, comes before eight octets instead of after them.
bool connid_before_cq_data(const SeenPacket& seen, const SenderFact& sender) {
  return sender.connid && seen.packet.connid != *sender.connid &&
         static_cast<std::uint32_t>(seen.packet.cq_data) == *sender.connid;
}

std::uint64_t sum_of_lengths(Octets iov) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rma_iov_count(iov); ++i) sum += rma_iov_at(iov, i).len;
  return sum;
}

// For packets without data: four octets are left over, and the packet makes sense if they are padding after the connid.
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
  return require(judge, rule<"EFA-3.1-14">, !connid_is_padded(seen), seen, Field::connid, expected("four octets"),
                 actual("eight"), "the packet is four octets too long");
}

}  // namespace

bool judge_request(Judge& judge, const SeenPacket& seen, const SenderFact& sender) {
  const Packet& packet = seen.packet;
  if ((packet.flags & flag::kRequestOptional) != 0) keeps(judge, rule<"EFA-3.1-11">);
  if (packet.has(flag::kCqData)) {
    const bool writes = seen.layout.purpose == Purpose::message || seen.layout.purpose == Purpose::write;
    require(judge, rule<"EFA-3.1-16">, writes, seen, Field::cq_data, expected("no CQ data header"), actual("one"),
            [&] { return fmt::format("in {}", seen.layout.name); });
  } else if (seen.layout.purpose == Purpose::read || seen.layout.purpose == Purpose::atomic) {
    keeps(judge, rule<"EFA-3.1-16">);
  }
  if (packet.has(flag::kRawAddress)) {
    keeps(judge, rule<"EFA-3.1-10">);
    const std::size_t begin = seen.at(Field::raw_address_size).offset;
    if (packet.has(flag::kCqData) && !judge_address_first(judge, seen.message, begin, packet.flags, sender))
      return false;
  }
  if (packet.has(flag::kCqData) && packet.has(flag::kConnid) &&
      !require(judge, rule<"EFA-3.1-13">, !connid_before_cq_data(seen, sender), seen, Field::cq_data,
               expected("CQ data, and then connid"), actual("the sender's connid first")))
    return false;
  return judge_connid_octets(judge, seen);
}

void judge_request_payload(Judge& judge, const SeenPacket& seen) {
  if (seen.layout.purpose == Purpose::read)
    judge.require(rule<"EFA-3.1-15">, seen.payload_octets() == 0, seen.payload(),
                  expected("no octets after the headers"), actual(seen.payload_octets()),
                  [&] { return fmt::format("of {}", seen.layout.name); });
}

void judge_request_whole(Judge& judge, const Message& message, const DecodeError& error, const SenderFact& sender) {
  const auto flags = load_little_endian<std::uint16_t>(message.octets.data() + 2);
  const bool in_address = error.part == describe(Array::raw_address).name;
  const std::size_t begin = in_address ? error.offset - kSize : error.offset;
  if (in_address && !judge_address_first(judge, message, begin, flags, sender)) return;
  blame_short(judge, in_address ? rule<"EFA-3.1-10"> : rule<"EFA-3.1-11">, error);
}

}  // namespace wirelaw::efa
