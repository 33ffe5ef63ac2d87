// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: the format of the HANDSHAKE packet (tables 2.2 and 2.3). If its parts do not fit together, the known
// state of its sender shows which part is wrong, so that one fault gives one finding.
#include "conformance/efa/2.1-handshake/handshake_format.h"

#include "conformance/efa/1.3-base-header/base_header.h"
#include "conformance/efa/2.1-handshake/rules.h"
#include "conformance/efa/4.4-connid/connid.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

constexpr std::uint32_t kBias = 3;   // "plus 3"
constexpr std::size_t kMembers = 8;  // offset of extra_info
constexpr std::size_t kField = 8;    // octets of each optional field with its padding

std::size_t fields_begin(const SeenPacket& seen) {
  return kMembers + seen.packet.extra_info.size();
}

std::uint32_t word_at(const SeenPacket& seen, std::size_t offset) {
  const Octets octets = seen.message.octets;
  return offset + 4 <= octets.size() ? load_little_endian<std::uint32_t>(octets.data() + offset) : 0;
}

// The sender's connid, known from elsewhere, is in the place of another field.
bool connid_out_of_order(const SeenPacket& seen, const SenderFact& sender) {
  if (!sender.connid || !seen.packet.has(flag::kConnid) || seen.packet.connid == *sender.connid) return false;
  for (std::size_t at = fields_begin(seen) + kField; at < seen.headers; at += kField)
    if (word_at(seen, at) == *sender.connid) return true;
  return false;
}

bool judge_count(Judge& judge, const SeenPacket& seen) {
  const std::uint32_t count = seen.packet.nextra_p3;
  const std::uint64_t behind = seen.payload_octets();
  if (!require(judge, rule<"EFA-2.1-10">, count >= kBias, seen, Field::nextra_p3, expected("at least 4"), actual(count),
               "less than no extra_info at all"))
    return false;
  const bool low = count == kBias && behind >= layout::kExtraInfo;
  if (!require(judge, rule<"EFA-2.1-11">, !low, seen, Field::nextra_p3,
               expected([&] { return fmt::format("{}", kBias + behind / layout::kExtraInfo); }), actual(count),
               [&] { return fmt::format("{} octets are left over", behind); }))
    return false;
  if (count == kBias)
    advise(judge, rule<"EFA-2.1-10">, false, seen, Field::nextra_p3, expected("at least 4"), actual(count),
           "no extra_info at all");
  return true;
}

void judge_bits(Judge& judge, const SeenPacket& seen, Revisions document) {
  const Octets members = seen.packet.extra_info;
  std::optional<unsigned> undefined;
  for (std::size_t at = 0; at + 8 <= members.size() && !undefined; at += 8) {
    std::uint64_t bits = load_little_endian<std::uint64_t>(members.data() + at);
    if (at == 0) bits &= ~extras_of(document.least);
    if (bits != 0) undefined = static_cast<unsigned>(at * 8) + static_cast<unsigned>(__builtin_ctzll(bits));
  }
  judge.advise(rule<"EFA-2.1-12">, !undefined, octets(kMembers, members.size()),
               expected([&] { return fmt::format("bits of 0x{:x}", extras_of(document.least)); }),
               actual([&] { return fmt::format("bit {}", *undefined); }), "of a later document, or nobody's");
}

}  // namespace

bool judge_handshake_format(Judge& judge, const SeenPacket& seen, const SenderFact& sender) {
  if (!judge_count(judge, seen)) return false;
  judge_bits(judge, seen, sender.document);
  keeps(judge, rule<"EFA-2.1-14">);
  const std::size_t begin = fields_begin(seen);
  if (!judge.require(rule<"EFA-2.1-15">, !connid_out_of_order(seen, sender), octets(begin, seen.headers - begin),
                     expected("connid first"), actual("connid after another field"),
                     "the sender's connid is where the flags put another field"))
    return false;
  const std::uint64_t behind = seen.payload_octets();
  const bool announces = !seen.packet.has(flag::kConnid) || behind == 0;
  const bool connid_behind_flag = !seen.packet.has(flag::kConnid) && behind == kField && sender.connid &&
                                  *sender.connid != 0 && word_at(seen, begin) == *sender.connid;
  if (connid_behind_flag) {
    judge_connid_unannounced(judge, seen, octets(begin, 4));
    return false;
  }
  const bool space = announces && behind == kField && seen.headers > begin && word_at(seen, begin) == 0 &&
                     word_at(seen, begin + 4) == 0;
  if (!judge.require(rule<"EFA-2.1-16">, !space, octets(begin, kField), expected("the fields that the flags announce"),
                     actual("eight octets of zeros first"), "as if a connid were there"))
    return false;
  judge.advise(rule<"EFA-2.1-17">, behind == 0, seen.payload(), expected("no octets after the fields"), actual(behind));
  return true;
}

void judge_handshake_flags(Judge& judge, const SeenPacket& seen, Revisions document) {
  judge_undefined_flags(judge, rule<"EFA-2.1-13">, seen, seen.layout.allowed_in(document.least));
}

namespace {

// The rule of the part that does not fit. The field of a later document is none in an earlier one.
const Rule& rule_of(const DecodeError& error, Revisions document) {
  if (error.part == describe(Array::extra_info).name) return rule<"EFA-2.1-11">;
  for (const OptionalHeader& header : error.layout->optional)
    if (header.name == error.part && !document.has(header.since) && document.said) return rule<"EFA-2.1-13">;
  return rule<"EFA-2.1-14">;
}

}  // namespace

void judge_handshake_whole(Judge& judge, const DecodeError& error, Revisions document) {
  blame_short(judge, rule_of(error, document), error);
}

}  // namespace wirelaw::efa
