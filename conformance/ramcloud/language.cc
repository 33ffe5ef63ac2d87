// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/language.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {
namespace {

using script::FieldKind;
using script::FieldRow;
using script::IdUse;
using script::Located;
using script::Wishes;

// The header ("RAMCloud RPC Header format").
constexpr FieldRow kHeader[] = {
    {"session_token", layout::kSessionToken, 8, 0, 64, FieldKind::bound, true, IdUse::both},
    {"rpc_id", layout::kRpcId, 4, 0, 32, FieldKind::bound},
    {"client_session_hint", layout::kClientSessionHint, 4, 0, 32, FieldKind::bound, true},
    {"server_session_hint", layout::kServerSessionHint, 4, 0, 32, FieldKind::bound, true, IdUse::none, "session_token"},
    {"frag_number", layout::kFragNumber, 2, 0, 16, FieldKind::free},
    {"total_frags", layout::kTotalFrags, 2, 0, 16, FieldKind::free},
    {"channel_id", layout::kChannelId, 1, 0, 8, FieldKind::free},
    {"payload_type", layout::kFlags, 1, 4, 4, FieldKind::free},
    {"reserved1", layout::kFlags, 1, 3, 1, FieldKind::free},
    {"please_drop", layout::kFlags, 1, 2, 1, FieldKind::free},
    {"request_ack", layout::kFlags, 1, 1, 1, FieldKind::free},
    {"direction", layout::kFlags, 1, 0, 1, FieldKind::free},
};
// "Acknowledgement Response Payload Format".
constexpr FieldRow kAckPayload[] = {
    {"first_missing_frag", layout::kHeader + layout::kFirstMissingFrag, 2, 0, 16, FieldKind::free},
    {"staging_vector", layout::kHeader + layout::kStagingVector, 4, 0, 32, FieldKind::free, true},
};
constexpr FieldRow kOpenPayload[] = {
    {"max_channel_id", layout::kHeader + layout::kMaxChannelId, 1, 0, 8, FieldKind::free},
};

constexpr script::MessageRow kMessages[] = {
    {"SESSION_OPEN", "opens a session (client), or answers that it is open (server)"},
    {"DATA", "a fragment of a request (client) or of a response (server)"},
    {"ACK", "says which fragments have arrived"},
    {"BAD_SESSION", "says that a packet names no session of the server"},
};
constexpr script::MessageRow kWishes[] = {
    {"size", "octets of payload, which count upwards"},
    {"payload", "the octets of the payload"},
    {"spare", "spare=1: on the highest channel that the server has announced"},
};
// The time after which deployed clients repeat an unanswered packet (RAMCLOUD/R16).
constexpr script::TimerRow kTimers[] = {
    {"retry_time", 10'000'000, "after which a sender repeats what was not acknowledged"},
};
constexpr script::Greeting kControl[] = {{Side::a, "DATA", "spare"}, {Side::b, "DATA"}};
constexpr std::string_view kOwed[] = {"ACK"};
constexpr script::Greeting kGreetings[] = {{Side::a, "SESSION_OPEN"}, {Side::b, "SESSION_OPEN"}};

// The fragments of one message that have passed.
struct Fragments {
  std::uint16_t total = 1;
  std::vector<bool> passed = {};

  void take(const Header& header) {
    total = std::max<std::uint16_t>(header.total_frags, 1);
    passed.resize(total);
    if (header.frag_number < total) passed[header.frag_number] = true;
  }
  std::uint16_t first_missing() const {
    return static_cast<std::uint16_t>(std::ranges::find(passed, false) - passed.begin());
  }
  bool is_whole() const { return !passed.empty() && first_missing() == total; }
  Ack ack() const {
    Ack ack{.first_missing_frag = first_missing()};
    for (unsigned i = 0; i < kStagingBits; ++i) {
      const std::size_t fragment = std::size_t{ack.first_missing_frag} + 1 + i;
      if (fragment < passed.size() && passed[fragment]) ack.staging_vector |= std::uint32_t{1} << i;
    }
    return ack;
  }
};

struct Channel {
  std::optional<std::uint32_t> rpc_id;
  Fragments request, response;
};

class RamcloudSpeech : public script::Speech {
 public:
  tl::expected<OctetBuffer, std::string> next(Side sender, std::string_view message,
                                              const Wishes& wishes) const override {
    auto [header, payload] = honest(sender, message, wishes);
    if (const auto token = wishes.number("session_token")) header.session_token = *token;
    if (const auto hint = wishes.number("client_session_hint"))
      header.client_session_hint = static_cast<std::uint32_t>(*hint);
    if (const auto hint = wishes.number("server_session_hint"))
      header.server_session_hint = static_cast<std::uint32_t>(*hint);
    if (const auto octets = wishes.octets("payload")) return encode(header, *octets);
    if (const auto size = wishes.number("size")) {
      if (*size > kMostPayload)
        return tl::unexpected(std::string("size: a datagram takes at most 65481 octets of payload"));
      return encode(header, script::pattern(static_cast<std::size_t>(*size)));
    }
    return encode(header, payload);
  }

  void heard(Side sender, Octets octets) override {
    const auto packet = decode(octets);
    if (!packet) return;
    const Header& header = packet->header;
    if (header.payload_type == PayloadType::session_open) {
      if (sender == Side::a) client_hint_ = header.client_session_hint;
      if (sender == Side::b) {
        token_ = header.session_token;
        server_hint_ = header.server_session_hint;
        channels_.clear();
        // The largest id or the number of channels (RAMCLOUD/R1): the one below exists in either reading.
        if (const auto announced = decode_open_response(packet->payload); announced && *announced > 0)
          max_channel_ = static_cast<std::uint8_t>(*announced - 1);
      }
    }
    if (header.payload_type == PayloadType::data) (sender == Side::a ? take_request : take_response)(*this, header);
  }

 private:
  static constexpr std::uint64_t kMostPayload = 65507 - layout::kHeader;
  static constexpr std::uint64_t kNoToken = 0xcccccccccccccccc;
  static constexpr std::uint32_t kNoHint = 0xcccccccc;
  static constexpr std::uint8_t kMaxChannelId = 7;

  struct Draft {
    Header header;
    OctetBuffer payload;
  };

  static void take_request(RamcloudSpeech& self, const Header& header) {
    Channel& channel = self.channels_[header.channel_id];
    if (channel.rpc_id != header.rpc_id) channel = {.rpc_id = header.rpc_id, .request = {}, .response = {}};
    channel.request.take(header);
    self.last_ = header.channel_id;
  }
  static void take_response(RamcloudSpeech& self, const Header& header) {
    Channel& channel = self.channels_[header.channel_id];
    if (channel.rpc_id == header.rpc_id) channel.response.take(header);
    self.last_ = header.channel_id;
  }

  Draft honest(Side sender, std::string_view message, const Wishes& wishes) const {
    Header header{.session_token = token_,
                  .client_session_hint = client_hint_,
                  .server_session_hint = server_hint_,
                  .flags = {.direction = sender == Side::b}};
    if (message == "SESSION_OPEN") {
      header.payload_type = PayloadType::session_open;
      if (sender == Side::b) return {header, {kMaxChannelId}};
      header.session_token = kNoToken;
      header.server_session_hint = kNoHint;
      return {header, {}};
    }
    const bool is_request = sender == Side::a && message == "DATA";
    const std::uint8_t usual = wishes.names("spare") ? max_channel_ : is_request ? std::uint8_t{0} : last_.value_or(0);
    header.channel_id = static_cast<std::uint8_t>(wishes.number("channel_id").value_or(usual));
    const auto found = channels_.find(header.channel_id);
    const Channel channel = found == channels_.end() ? Channel() : found->second;
    header.rpc_id = channel.rpc_id.value_or(0);
    if (message == "DATA") return data(sender, channel, wishes, header);
    if (message == "ACK") {
      header.payload_type = PayloadType::ack;
      return {header, encode_ack((sender == Side::a ? channel.response : channel.request).ack())};
    }
    header.payload_type = PayloadType::bad_session;  // it names the packet that is refused (RAMCLOUD/R6)
    return {header, {}};
  }

  // The next fragment of the current message. A client begins its next RPC after the whole response, and repeats its
  // request until then.
  static Draft data(Side sender, const Channel& channel, const Wishes& wishes, Header header) {
    Fragments message = sender == Side::a ? channel.request : channel.response;
    if (sender == Side::a && channel.rpc_id) {
      if (channel.response.is_whole()) ++header.rpc_id, message = {};
      if (const auto rpc_id = wishes.number("rpc_id"); rpc_id && *rpc_id != *channel.rpc_id) message = {};
    }
    if (const auto total = wishes.number("total_frags")) message.total = static_cast<std::uint16_t>(*total);
    header.total_frags = message.total;
    const std::uint16_t missing = message.first_missing();
    header.frag_number = missing < message.total ? missing : 0;
    if (const auto number = wishes.number("frag_number")) header.frag_number = static_cast<std::uint16_t>(*number);
    if (const auto rpc_id = wishes.number("rpc_id")) header.rpc_id = static_cast<std::uint32_t>(*rpc_id);
    return {header, data_of(sender, header)};
  }

  // Twelve octets that differ by RPC, fragment and direction.
  static OctetBuffer data_of(Side sender, const Header& header) {
    OctetBuffer data{'t', 'r', 'a', 'c', 'e', static_cast<Octet>(sender == Side::a ? '>' : '<')};
    Writer(data).little_endian(header.rpc_id).little_endian(header.frag_number);
    return data;
  }

  std::uint64_t token_ = 0x1122334455667788;
  std::uint32_t client_hint_ = 0x0a0b0c0d;
  std::uint32_t server_hint_ = 0x01020304;
  std::map<std::uint8_t, Channel> channels_;
  std::uint8_t max_channel_ = 0;      // highest channel that certainly exists
  std::optional<std::uint8_t> last_;  // the channel of the latest DATA
};

std::string_view name_of(Octets octets) {
  const auto packet = decode(octets);
  if (!packet) return {};
  switch (packet->header.payload_type) {
    case PayloadType::session_open:
      return "SESSION_OPEN";
    case PayloadType::data:
      return "DATA";
    case PayloadType::ack:
      return "ACK";
    case PayloadType::bad_session:
      return "BAD_SESSION";
  }
  return {};
}

}  // namespace

std::vector<Located> locate(Octets packet) {
  std::vector<Located> fields;
  add_fields(kHeader, 0, packet, fields);
  const auto decoded = decode(packet);
  const bool is_from_server = decoded && decoded->header.flags.direction;
  for (Located& field : fields)
    if (is_from_server && (field.name == "rpc_id" || field.name == "client_session_hint")) field.id = IdUse::answers;
  if (packet.size() <= layout::kHeader) return fields;
  const auto type = static_cast<PayloadType>(packet[layout::kFlags] >> 4);
  const std::size_t before = fields.size();
  if (type == PayloadType::ack) add_fields(kAckPayload, 0, packet, fields);
  if (type == PayloadType::session_open) add_fields(kOpenPayload, 0, packet, fields);
  if (fields.size() == before)
    fields.push_back({.name = "payload", .offset = layout::kHeader, .length = packet.size() - layout::kHeader});
  return fields;
}

constinit const script::Language kLanguage{
    .messages = []() -> std::span<const script::MessageRow> { return kMessages; },
    .wishes = kWishes,
    .timers = kTimers,
    .greetings = kGreetings,
    .control = kControl,
    .owed = kOwed,
    .locate = locate,
    .name_of = name_of,
    .speech = [](const script::Addresses&) -> std::unique_ptr<script::Speech> {
      return std::make_unique<RamcloudSpeech>();
    }};

}  // namespace wirelaw::ramcloud
