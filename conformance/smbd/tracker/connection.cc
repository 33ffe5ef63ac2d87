// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/tracker/connection.h"

#include <algorithm>

namespace wirelaw::smbd {

void Connection::begin(Side initiator, bool nothing_missing) {
  happen(Event::begun);
  from_start = nothing_missing;
  for (Way& way : ways) {
    way = {.side = way.side, .role = way.side == initiator ? Role::initiator : Role::responder};
    way.account_known = true;
  }
}

void Connection::forget_credits() {
  from_start = false;
  for (Way& way : ways) {
    way.account_known = false;
    way.fragments = {};
    way.reassembly = {.known = false};
    way.refused = {};
    way.asking = {};
    way.has_sent_payload = true;
  }
  forget_lent();
}

void Connection::forget_lent() {
  for (Way& way : ways) way.lent.forget();
}

void Connection::forget_negotiation() {
  happen(Event::lost);
  forget_credits();
}

std::optional<std::uint32_t> Connection::max_send_size(const Way& from) const {
  const auto& own = from.negotiated;
  const auto& peers = of(other(from.side)).negotiated;
  if (!own || !peers) return std::nullopt;
  return std::min(own->preferred_send_size, peers->max_receive_size);
}

bool is_request(Octets octets) {
  const auto request = decode_negotiate_request(octets);
  return request && octets.size() <= kNegotiateReceive && request->min_version == kVersion1 &&
         request->max_version == kVersion1 && request->reserved == 0 && request->credits_requested > 0 &&
         request->max_receive_size >= kLeastMaxReceiveSize && request->max_fragmented_size >= kLeastMaxFragmentedSize;
}

bool is_response(Octets octets) {
  const auto response = decode_negotiate_response(octets);
  return response && octets.size() <= kNegotiateReceive && response->min_version == kVersion1 &&
         response->max_version == kVersion1 && response->negotiated_version == kVersion1 && response->reserved == 0 &&
         response->status == status::kSuccess && response->credits_requested > 0 &&
         response->max_receive_size >= kLeastMaxReceiveSize && response->max_fragmented_size >= kLeastMaxFragmentedSize;
}

// As a Data Transfer, its payload would begin at an offset above 3 GiB.
bool is_failure(Octets octets) {
  const auto response = decode_negotiate_response(octets);
  return response && octets.size() <= kNegotiateReceive && is_error(response->status) &&
         std::ranges::equal(octets.first(describe(MessageType::negotiate_response).octets),
                            encode(NegotiateResponse{.status = response->status}));
}

bool has_negotiated_versions(Octets octets) {
  const auto data = decode_data_transfer(octets);
  return data && data->credits_requested == kVersion1 && data->credits_granted == kVersion1;
}

// Credits of 256 twice read as versions of 0x0100, so the other fields decide: those of a negotiate message in order
// are never in order for a Data Transfer (CreditsRequested is in the place of Reserved, and is not 0).
bool is_transfer(Octets octets) {
  const auto data = decode_data_transfer(octets);
  if (!data || (data->flags & ~flag::kResponseRequested) != 0 || data->reserved != 0) return false;
  const std::size_t header = describe(MessageType::data_transfer).octets;
  if (data->data_length == 0)
    return data->data_offset == 0 && data->remaining_data_length == 0 && octets.size() == header;
  return data->data_offset >= header && data->data_offset % kDataAlignment == 0 && data->data_end() <= octets.size();
}

bool is_swapped_transfer(Octets octets) {
  const Layout& layout = describe(MessageType::data_transfer);
  if (octets.size() < layout.octets || is_transfer(octets)) return false;
  OctetBuffer swapped(octets.begin(), octets.end());
  for (const FieldRow& row : layout.fields)
    std::reverse(swapped.begin() + row.offset, swapped.begin() + row.offset + row.width);
  return is_transfer(swapped);
}

bool has_swapped_versions(std::uint16_t min_version, std::uint16_t max_version) {
  constexpr auto kSwapped = static_cast<std::uint16_t>(kVersion1 >> 8);
  return min_version == kSwapped && max_version == kSwapped;
}

bool is_payload_placed(const DataTransfer& data, std::size_t octets) {
  return data.data_offset >= describe(MessageType::data_transfer).octets && data.data_end() <= octets;
}

}  // namespace wirelaw::smbd
