// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/faults/packet_faults.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace wirelaw::ramcloud {
namespace {

using enum Deviation;

// A packet before it is encoded.
struct Draft {
  Header header;
  OctetBuffer payload;
  bool resent = false;
};

constexpr std::uint8_t kAlterMask = 1;  // the bit that payload faults flip

// The packets that a fault concerns, as bits.
constexpr unsigned kData = 1, kAck = 2, kOpen = 4, kBadSession = 8, kEvery = 15;

constexpr unsigned kind_of(PayloadType type) {
  switch (type) {
    case PayloadType::data:
      return kData;
    case PayloadType::ack:
      return kAck;
    case PayloadType::session_open:
      return kOpen;
    case PayloadType::bad_session:
      return kBadSession;
  }
  return 0;
}

template <class Int>
void add(Int& value, int step) {
  value = static_cast<Int>(value + static_cast<Int>(step));
}

void flip(Draft& draft, std::size_t at) {
  if (at < draft.payload.size()) draft.payload[at] ^= kAlterMask;
}

struct DraftFault {
  Deviation deviation;
  unsigned kinds;
  void (*commit)(Draft&);
};

constexpr DraftFault kDraftFaults[] = {
    {open_response_empty, kOpen, [](Draft& draft) { draft.payload.clear(); }},
    {open_response_two_octets, kOpen, [](Draft& draft) { draft.payload.push_back(0); }},
    {open_response_direction_clear, kOpen, [](Draft& draft) { draft.header.flags.direction = false; }},
    {open_response_other_client_hint, kOpen, [](Draft& draft) { add(draft.header.client_session_hint, 1); }},
    {token_zero_in_data, kData, [](Draft& draft) { draft.header.session_token = 0; }},
    {token_not_used, kData | kAck, [](Draft& draft) { draft.header.session_token = 0; }},
    {token_changes, kData | kAck, [](Draft& draft) { add(draft.header.session_token, 1); }},
    {server_hint_changes, kData | kAck, [](Draft& draft) { add(draft.header.server_session_hint, 1); }},
    {server_hint_not_echoed, kData | kAck, [](Draft& draft) { add(draft.header.server_session_hint, 1); }},
    {client_hint_not_echoed_in_data, kData, [](Draft& draft) { add(draft.header.client_session_hint, 1); }},
    {client_hint_changes, kData | kAck, [](Draft& draft) { add(draft.header.client_session_hint, 1); }},
    {client_hint_truncated_16, kEvery, [](Draft& draft) { draft.header.client_session_hint &= 0xffff; }},
    {answers_on_other_channel, kData, [](Draft& draft) { draft.header.channel_id ^= 1; }},
    {ack_wrong_channel, kAck, [](Draft& draft) { draft.header.channel_id ^= 1; }},
    {rpc_id_off_by_one, kData, [](Draft& draft) { add(draft.header.rpc_id, 1); }},
    {ack_wrong_rpc, kAck, [](Draft& draft) { add(draft.header.rpc_id, 1); }},
    {total_frags_changes, kData,
     [](Draft& draft) { add(draft.header.total_frags, draft.resent || draft.header.frag_number > 0 ? 1 : 0); }},
    {frag_number_from_one, kData, [](Draft& draft) { add(draft.header.frag_number, 1); }},
    {total_frags_zero, kData, [](Draft& draft) { draft.header.total_frags = 0; }},
    {total_frags_zero_in_response, kData, [](Draft& draft) { draft.header.total_frags = 0; }},
    {direction_clear_in_data, kData, [](Draft& draft) { draft.header.flags.direction = false; }},
    {direction_clear_in_ack, kAck, [](Draft& draft) { draft.header.flags.direction = false; }},
    {direction_set, kEvery, [](Draft& draft) { draft.header.flags.direction = true; }},
    {ack_with_request_ack, kAck, [](Draft& draft) { draft.header.flags.request_ack = true; }},
    {reserved1_sent, kData, [](Draft& draft) { draft.header.flags.reserved1 = true; }},
    {bad_session_with_payload, kBadSession, [](Draft& draft) { draft.payload.push_back(0); }},
    {bad_session_wrong_client_hint, kBadSession, [](Draft& draft) { add(draft.header.client_session_hint, 1); }},
    {payload_altered, kData, [](Draft& draft) { flip(draft, draft.payload.size() - 1); }},
    {retransmit_differs, kData,
     [](Draft& draft) {
       if (draft.resent) flip(draft, 0);
     }},
    {resend_differs, kData,
     [](Draft& draft) {
       if (draft.resent) flip(draft, 0);
     }},
    {open_with_payload, kOpen, [](Draft& draft) { draft.payload.push_back(0); }},
};

// Packets that a fault sends after every DATA packet.
constexpr DraftFault kExtraPackets[] = {
    {please_drop_sent, kData, [](Draft& draft) { draft.header.flags.please_drop = true; }},
    {reserved_type_sent, kData, [](Draft& draft) { draft.header.payload_type = static_cast<PayloadType>(3); }},
    {sends_bad_session, kData,
     [](Draft& draft) {
       draft.header.payload_type = PayloadType::bad_session;
       draft.payload.clear();
     }},
};

void swap_nibbles(OctetBuffer& octets) {
  Octet& flags = octets[layout::kFlags];
  flags = static_cast<Octet>(flags << 4 | flags >> 4);
}

struct OctetFault {
  Deviation deviation;
  unsigned kinds;
  void (*commit)(OctetBuffer&);
};

constexpr OctetFault kOctetFaults[] = {
    {open_response_nibbles_swapped, kOpen, swap_nibbles},
    {open_nibbles_swapped, kOpen, swap_nibbles},
    {big_endian_header, kEvery, reverse_header_fields},
};

struct AckFault {
  Deviation deviation;
  void (*commit)(Ack&, std::uint16_t total);
};

constexpr AckFault kAckFaults[] = {
    {ack_first_missing_beyond_total,
     [](Ack& ack, std::uint16_t total) { ack.first_missing_frag = static_cast<std::uint16_t>(total + 1); }},
    {ack_claims_unreceived,
     [](Ack& ack, std::uint16_t total) {
       if (ack.first_missing_frag + 1 < total)
         ack.staging_vector |= ack.staging_vector + 1;  // its lowest clear bit
       else
         ack.first_missing_frag = total;
     }},
    {ack_staging_off_by_one, [](Ack& ack, std::uint16_t) { ack.staging_vector <<= 1; }},
    {ack_staging_bits_reversed,
     [](Ack& ack, std::uint16_t) {
       std::uint32_t reversed = 0;
       for (unsigned bit = 0; bit < kStagingBits; ++bit) reversed = reversed << 1 | (ack.staging_vector >> bit & 1);
       ack.staging_vector = reversed;
     }},
    {ack_bits_beyond_total,
     [](Ack& ack, std::uint16_t total) {
       const unsigned inside = total > ack.first_missing_frag ? total - ack.first_missing_frag - 1u : 0;
       if (inside < kStagingBits) ack.staging_vector |= ~std::uint32_t{0} << inside;
     }},
    {ack_first_missing_not_lowest,
     [](Ack& ack, std::uint16_t) {
       if (ack.staging_vector == 0) return;
       ack.first_missing_frag =
           static_cast<std::uint16_t>(ack.first_missing_frag + 1 + std::bit_width(ack.staging_vector));
       ack.staging_vector = 0;
     }},
};

}  // namespace

void reverse_header_fields(OctetBuffer& octets) {
  constexpr std::array<std::size_t, 7> kFieldBounds{
      layout::kSessionToken, layout::kRpcId,      layout::kClientSessionHint, layout::kServerSessionHint,
      layout::kFragNumber,   layout::kTotalFrags, layout::kChannelId};
  for (std::size_t field = 0; field + 1 < kFieldBounds.size(); ++field)
    std::reverse(octets.begin() + static_cast<std::ptrdiff_t>(kFieldBounds[field]),
                 octets.begin() + static_cast<std::ptrdiff_t>(kFieldBounds[field + 1]));
}

std::vector<OctetBuffer> encode_with_faults(const Header& header, OctetBuffer payload, bool resent,
                                            const Deviations& deviations) {
  Draft draft{header, std::move(payload), resent};
  const unsigned kind = kind_of(draft.header.payload_type);
  for (const DraftFault& fault : kDraftFaults)
    if (deviations.has(fault.deviation) && (fault.kinds & kind) != 0) fault.commit(draft);
  std::vector<OctetBuffer> packets{encode(draft.header, draft.payload)};
  for (const DraftFault& fault : kExtraPackets) {
    if (!deviations.has(fault.deviation) || (fault.kinds & kind) == 0) continue;
    Draft extra = draft;
    fault.commit(extra);
    packets.push_back(encode(extra.header, extra.payload));
  }
  for (OctetBuffer& octets : packets)
    for (const OctetFault& fault : kOctetFaults)
      if (deviations.has(fault.deviation) && (fault.kinds & kind) != 0) fault.commit(octets);
  return packets;
}

OctetBuffer encode_ack_with_faults(Ack ack, std::uint16_t total, const Deviations& deviations) {
  for (const AckFault& fault : kAckFaults)
    if (deviations.has(fault.deviation)) fault.commit(ack, total);
  OctetBuffer payload = encode_ack(ack);
  if (deviations.has(ack_five_octets)) payload.pop_back();
  if (deviations.has(ack_seven_octets)) payload.push_back(0);
  if (deviations.has(ack_eight_octets_padded)) payload.insert(payload.begin() + layout::kStagingVector, 2, Octet{0});
  return payload;
}

}  // namespace wirelaw::ramcloud
