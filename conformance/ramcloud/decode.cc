// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/decode.h"

#include <fmt/format.h>

#include <array>

#include "conformance/ramcloud/basic_transport.h"
#include "reference/octets/hex.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::size_t kShownPayload = 32;

std::string flag_words(const Flags& flags) {
  std::string words;
  const auto add = [&](bool set, std::string_view word) {
    if (set) words += (words.empty() ? "" : ", ") + std::string(word);
  };
  add(flags.direction, "direction (server to client)");
  add(flags.request_ack, "requestAck");
  add(flags.please_drop, "pleaseDrop");
  add(flags.reserved1, "reserved1");
  return words.empty() ? "none" : words;
}

std::string shown(Octets payload) {
  if (payload.size() <= kShownPayload) return to_hex(payload);
  return to_hex(payload.first(kShownPayload)) + "…";
}

std::string summary_of(const Packet& packet) {
  const Header& h = packet.header;
  std::string text = fmt::format("{} {} channel {} rpc {}", h.flags.direction ? "S>C" : "C>S",
                                 to_string(h.payload_type), h.channel_id, h.rpc_id);
  if (h.payload_type == PayloadType::data) text += fmt::format(" fragment {}/{}", h.frag_number, h.total_frags);
  if (const auto ack = decode_ack(packet.payload); ack && h.payload_type == PayloadType::ack)
    text += fmt::format(" firstMissingFrag {} stagingVector 0x{:08x}", ack->first_missing_frag, ack->staging_vector);
  if (const auto largest = decode_open_response(packet.payload); largest && h.payload_type == PayloadType::session_open)
    text += fmt::format(" maxChannelId {}", *largest);
  if (h.flags.request_ack) text += " requestAck";
  if (h.flags.please_drop) text += " pleaseDrop";
  return text + fmt::format(" payload {}", packet.payload.size());
}

void add_payload_fields(const Packet& packet, std::vector<Field>& fields) {
  const auto ack = decode_ack(packet.payload);
  if (ack && packet.header.payload_type == PayloadType::ack) {
    fields.push_back({"ramcloud.first_missing_frag", fmt::format("{}", ack->first_missing_frag),
                      layout::kHeader + layout::kFirstMissingFrag, 2});
    fields.push_back({"ramcloud.staging_vector", fmt::format("0x{:08x}", ack->staging_vector),
                      layout::kHeader + layout::kStagingVector, 4});
  } else if (packet.header.payload_type == PayloadType::session_open && !packet.payload.empty()) {
    fields.push_back({"ramcloud.max_channel_id", fmt::format("{}", packet.payload[0]), layout::kHeader, 1});
  } else if (!packet.payload.empty()) {
    fields.push_back({"ramcloud.payload", shown(packet.payload), layout::kHeader, packet.payload.size()});
  }
}

}  // namespace

std::string to_string(PayloadType type) {
  static constexpr std::array<std::string_view, 5> kNames{"DATA", "ACK", "SESSION_OPEN", "reserved 3", "BAD_SESSION"};
  const auto value = static_cast<std::size_t>(type);
  return value < kNames.size() ? std::string(kNames[value]) : fmt::format("reserved {}", value);
}

Decoded decode_for_people(Octets octets) {
  if (is_basic_transport(octets))
    return {.summary = fmt::format("{} octets of BasicTransport, which is not RAMCloud RPC", octets.size()),
            .fields = {},
            .error = "a packet of BasicTransport"};
  const auto packet = decode(octets);
  if (!packet)
    return {.summary = fmt::format("{} octets, too short for a RAMCloud RPC header", octets.size()),
            .fields = {},
            .error = fmt::format("a header takes {} octets", packet.error().needed)};
  const Header& h = packet->header;
  Decoded decoded{
      .summary = summary_of(*packet),
      .fields = {{"ramcloud.session_token", fmt::format("0x{:016x}", h.session_token), layout::kSessionToken, 8},
                 {"ramcloud.rpc_id", fmt::format("{}", h.rpc_id), layout::kRpcId, 4},
                 {"ramcloud.client_session_hint", fmt::format("0x{:08x}", h.client_session_hint),
                  layout::kClientSessionHint, 4},
                 {"ramcloud.server_session_hint", fmt::format("0x{:08x}", h.server_session_hint),
                  layout::kServerSessionHint, 4},
                 {"ramcloud.frag_number", fmt::format("{}", h.frag_number), layout::kFragNumber, 2},
                 {"ramcloud.total_frags", fmt::format("{}", h.total_frags), layout::kTotalFrags, 2},
                 {"ramcloud.channel_id", fmt::format("{}", h.channel_id), layout::kChannelId, 1},
                 {"ramcloud.payload_type",
                  fmt::format("{} ({})", static_cast<unsigned>(h.payload_type), to_string(h.payload_type)),
                  layout::kFlags, 1},
                 {"ramcloud.flags", flag_words(h.flags), layout::kFlags, 1}},
      .error = {}};
  add_payload_fields(*packet, decoded.fields);
  return decoded;
}

}  // namespace wirelaw::ramcloud
