// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: the format of the HANDSHAKE packet (tables 2.2 and 2.3). Where its parts do not fit, what is known
// of its sender shows which part is wrong, so that one fault gives one finding.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable2_2{"EFA RDM v4 2.1, table 2.2"};
constexpr Section kTable2_1{"EFA RDM v4 2.1, table 2.1"};
constexpr Section kTable2_3{"EFA RDM v4 2.1.1, table 2.3"};
constexpr Section kOptionalFields{"EFA RDM v4 2.1.1, table 2.2"};
constexpr Section kSection2_1_1{"EFA RDM v4 2.1.1"};

}  // namespace

constinit const Rule kCountAtLeast = kTable2_2.must(
    "EFA-2.1-10", "nextra_p3 is at least 4: three more than the members of extra_info, of which there is one.",
    "EFA/A-12");
constinit const Rule kMembersThere = kTable2_2.must(
    "EFA-2.1-11", "extra_info has as many members of eight octets as nextra_p3 says, less three.", "EFA/A-12");
constinit const Rule kBitsAssigned = kTable2_1.should_not(
    "EFA-2.1-12", "No bit of extra_info is set that is no ID of an extra feature or request.", "EFA/A-35");
constinit const Rule kHandshakeFlags = kTable2_3.must_not(
    "EFA-2.1-13",
    "A HANDSHAKE has no flags but CONNID_HDR, HANDSHAKE_HOST_ID_HDR and HANDSHAKE_DEVICE_VERSION_HDR; of later "
    "documents, also those of the user receive QP and of HMEM.",
    "EFA/A-35, EFA/A-90");
constinit const Rule kFieldsThere =
    kOptionalFields.must("EFA-2.1-14", "The optional fields that the flags announce are there, each with its padding.");
constinit const Rule kFieldsInOrder =
    kOptionalFields.must("EFA-2.1-15",
                         "The optional fields are in the order connid, host_id, device_version; of later documents, "
                         "user receive QP and HMEM are behind them.");
constinit const Rule kNoSpaceReserved =
    kSection2_1_1.must_not("EFA-2.1-16", "There is no space for an optional field that is missing.");
constinit const Rule kNothingBehindFields =
    kTable2_2.should_not("EFA-2.1-17", "Nothing follows the fields of table 2.2.", "EFA/A-35");

constexpr Breach kBreaches[] = {
    {Deviation::handshake_without_extra_info, kCountAtLeast, {.severity = Severity::warning}},
    {Deviation::handshake_count_low, kMembersThere},
    {Deviation::handshake_count_of_ids, kMembersThere},
    {Deviation::handshake_undefined_bit, kBitsAssigned, {.severity = Severity::warning}},
    {Deviation::undefined_flag, kHandshakeFlags},
    {Deviation::handshake_connid_unpadded, kFieldsThere},
    {Deviation::handshake_truncated, kFieldsThere},
    {Deviation::handshake_blocks_swapped, kFieldsInOrder},
    {Deviation::handshake_space_reserved, kNothingBehindFields, {.who = kResponder, .severity = Severity::warning}},
    {Deviation::connid_unannounced, kNothingBehindFields, {.who = kResponder, .severity = Severity::warning}},
};

SectionRules s2_1_handshake_format_rules() {
  static constexpr const Rule* kRules[] = {&kCountAtLeast, &kMembersThere,  &kBitsAssigned,    &kHandshakeFlags,
                                           &kFieldsThere,  &kFieldsInOrder, &kNoSpaceReserved, &kNothingBehindFields};
  return {kRules, kBreaches};
}

namespace {

constexpr std::uint32_t kBias = 3;   // "plus 3"
constexpr std::size_t kMembers = 8;  // where extra_info begins
constexpr std::size_t kField = 8;    // octets of each optional field with its padding

std::size_t fields_begin(const SeenPacket& seen) {
  return kMembers + seen.packet.extra_info.size();
}

std::uint32_t word_at(const SeenPacket& seen, std::size_t offset) {
  const Octets octets = seen.message.octets;
  return offset + 4 <= octets.size() ? load_little_endian<std::uint32_t>(octets.data() + offset) : 0;
}

// The sender's connid, known from elsewhere, is in the place of another field.
bool connid_out_of_order(const SeenPacket& seen, const Party& party) {
  if (!party.connid || !seen.packet.has(flag::kConnid) || seen.packet.connid == *party.connid) return false;
  for (std::size_t at = fields_begin(seen) + kField; at < seen.headers; at += kField)
    if (word_at(seen, at) == *party.connid) return true;
  return false;
}

bool judge_count(Judge& judge, const SeenPacket& seen) {
  const std::uint32_t count = seen.packet.nextra_p3;
  const std::uint64_t behind = seen.payload_octets();
  const bool low = count <= kBias && behind >= layout::kExtraInfo;
  if (!require(judge, kMembersThere, !low, seen, Field::nextra_p3,
               expected([&] { return fmt::format("{}", kBias + behind / layout::kExtraInfo); }), actual(count),
               [&] { return fmt::format("{} octets are left over", behind); }))
    return false;
  if (count == kBias)
    advise(judge, kCountAtLeast, false, seen, Field::nextra_p3, expected("at least 4"), actual(count),
           "no extra_info at all");
  else
    require(judge, kCountAtLeast, count > kBias, seen, Field::nextra_p3, expected("at least 4"), actual(count),
            "less than no extra_info at all");
  return count >= kBias;
}

void judge_bits(Judge& judge, const SeenPacket& seen, const Document& document) {
  const Octets members = seen.packet.extra_info;
  std::optional<unsigned> undefined;
  for (std::size_t at = 0; at + 8 <= members.size() && !undefined; at += 8) {
    std::uint64_t bits = load_little_endian<std::uint64_t>(members.data() + at);
    if (at == 0) bits &= ~extras_of(document.least);
    if (bits != 0) undefined = static_cast<unsigned>(at * 8) + static_cast<unsigned>(__builtin_ctzll(bits));
  }
  judge.advise(kBitsAssigned, !undefined, octets(kMembers, members.size()),
               expected([&] { return fmt::format("bits of 0x{:x}", extras_of(document.least)); }),
               actual([&] { return fmt::format("bit {}", *undefined); }), "of a later document, or nobody's");
}

}  // namespace

bool judge_handshake_format(Judge& judge, const SeenPacket& seen, const TraceState& state) {
  const Party& party = state.party(seen.sender());
  if (!judge_count(judge, seen)) return false;
  judge_bits(judge, seen, party.document);
  judge.require(kFieldsThere, true, {}, expected(""), actual(""));
  const std::size_t begin = fields_begin(seen);
  if (!judge.require(kFieldsInOrder, !connid_out_of_order(seen, party), octets(begin, seen.headers - begin),
                     expected("connid first"), actual("connid behind another field"),
                     "the sender's connid is where the flags put another field"))
    return false;
  const std::uint64_t behind = seen.payload_octets();
  const bool announces = !seen.packet.has(flag::kConnid) || behind == 0;
  const bool connid_behind_flag = !seen.packet.has(flag::kConnid) && behind == kField && party.connid &&
                                  *party.connid != 0 && word_at(seen, begin) == *party.connid;
  if (connid_behind_flag) {
    judge_connid_unannounced(judge, seen, octets(begin, 4));
    return false;
  }
  const bool space = announces && behind == kField && seen.headers > begin && word_at(seen, begin) == 0 &&
                     word_at(seen, begin + 4) == 0;
  if (!judge.require(kNoSpaceReserved, !space, octets(begin, kField), expected("the fields that the flags announce"),
                     actual("eight octets of zeros first"), "as if a connid were there"))
    return false;
  judge.advise(kNothingBehindFields, behind == 0, seen.payload(), expected("no octets behind the fields"),
               actual(behind));
  return true;
}

void judge_handshake_flags(Judge& judge, const SeenPacket& seen, const Document& document) {
  judge_undefined_flags(judge, kHandshakeFlags, seen, seen.layout.allowed_in(document.least));
}

namespace {

// The rule of the part that does not fit. The field of a later document is none in an earlier one.
const Rule& rule_of(const DecodeError& error, const Document& document) {
  if (error.part == describe(Array::extra_info).name) return kMembersThere;
  for (const OptionalHeader& header : error.layout->optional)
    if (header.name == error.part && !document.has(header.since) && document.said) return kHandshakeFlags;
  return kFieldsThere;
}

}  // namespace

void judge_handshake_whole(Judge& judge, const Message& message, const DecodeError& error, TraceState& state) {
  judge.require(rule_of(error, state.party(message.sender).document), false, octets(error.offset, error.there),
                expected([&] { return fmt::format("{} octets of {}", error.needed, error.part); }), actual(error.there),
                "the packet ends before");
  note_handshake(judge, message, state);
}

}  // namespace wirelaw::efa
