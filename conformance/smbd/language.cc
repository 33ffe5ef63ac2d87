// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/language.h"

#include <algorithm>

#include "conformance/rdmap/framing.h"
#include "conformance/rdmap/language.h"
#include "conformance/smbd/decode.h"
#include "conformance/smbd/speech.h"
#include "conformance/smbd/tracker/connection.h"
#include "reference/rdmap/message.h"
#include "reference/smbd/message.h"

namespace wirelaw::smbd {
namespace {

using script::Located;

struct NameRow {
  MessageType type;
  script::MessageRow message;
};
constexpr NameRow kNames[] = {
    {MessageType::negotiate_request, {"NegotiateRequest", "the initiator's first message"}},
    {MessageType::negotiate_response, {"NegotiateResponse", "accepts the connection, or says why not"}},
    {MessageType::data_transfer, {"DataTransfer", "a segment of an upper-layer message, or credits alone"}},
};
constexpr script::MessageRow kWishes[] = {
    {"size", "octets of data in the message, which count upwards; of a message of iWARP: of its payload"},
    {"payload", "the octets of the data, or of the payload"},
};
constexpr script::Greeting kGreetings[] = {
    {.sender = Side::a, .message = "MpaRequest", .is_below = true},
    {.sender = Side::b, .message = "MpaReply", .is_below = true},
    {.sender = Side::a, .message = "NegotiateRequest"},
    {.sender = Side::b, .message = "NegotiateResponse"},
};

// Wireshark's, without the dissector's: "credits_requested".
std::string name_of(Field field) {
  std::string name(describe(field).dissector_name.substr(kDissector.size() + 1));
  std::ranges::replace(name, '.', '_');
  return name;
}

script::FieldKind kind_of(Field field) {
  return field == Field::data_length || field == Field::data_offset ? script::FieldKind::derived
                                                                    : script::FieldKind::free;
}

void add_fixed(const Layout& layout, std::size_t at, std::vector<Located>& fields) {
  for (const FieldRow& row : layout.fields) {
    const FieldKind kind = describe(row.field).kind;
    fields.push_back({.name = name_of(row.field),
                      .offset = at + row.offset,
                      .length = row.width,
                      .bits = static_cast<std::uint8_t>(8 * row.width),
                      .kind = kind_of(row.field),
                      .is_hex = kind != FieldKind::count && kind != FieldKind::octets,
                      .is_little_endian = true});
  }
  if (layout.find(Field::flags) == nullptr) return;
  fields.push_back({.name = "flags.response_requested",
                    .offset = at + layout.find(Field::flags)->offset,
                    .length = 2,
                    .bits = 1,
                    .is_little_endian = true});
}

// The fields of the Send, and in place of its payload those of the message.
std::vector<Located> locate(Octets segment) {
  std::vector<Located> fields = rdmap::locate_fields(segment);
  const auto carried = carried_in(segment);
  if (!carried) return fields;
  std::erase_if(fields, [](const Located& field) { return field.name == "payload"; });
  const Octets message = segment.subspan(carried->offset);
  const Layout& layout = describe(carried->type);
  add_fixed(layout, carried->offset, fields);
  std::size_t at = carried->offset + layout.octets;
  const auto add = [&](std::string_view name, std::size_t length) {
    if (length > 0) fields.push_back({.name = std::string(name), .offset = at, .length = length});
    at += length;
  };
  if (carried->type == MessageType::data_transfer) {
    const auto data = decode_data_transfer(message);
    add("padding", data->padding.size());
    add("payload", data->buffer.size());
  }
  add("trailing", segment.size() - at);
  return fields;
}

std::string_view name_of_segment(Octets segment) {
  const auto carried = carried_in(segment);
  if (!carried) return rdmap::name_of_message(segment);
  return std::ranges::find(kNames, carried->type, &NameRow::type)->message.name;
}

std::span<const script::MessageRow> messages() {
  static const std::vector<script::MessageRow> kAll = [] {
    std::vector<script::MessageRow> all;
    for (const NameRow& row : kNames) all.push_back(row.message);
    for (script::MessageRow row : rdmap::script_messages()) {
      row.is_below = true;
      all.push_back(row);
    }
    return all;
  }();
  return kAll;
}

}  // namespace

std::optional<MessageType> type_named(std::string_view message) {
  for (const NameRow& row : kNames)
    if (row.message.name == message) return row.type;
  return std::nullopt;
}

namespace {

// No field gives the type. The first Send of a side is a negotiate message, unless it is a valid Data Transfer.
MessageType type_of(const ddp::Segment& segment) {
  const MessageType type = type_by_content(segment.payload);
  const bool is_first = segment.header.msn == ddp::kFirstMsn;
  if (type != MessageType::data_transfer || !is_first || is_transfer(segment.payload)) return type;
  const bool is_response = segment.payload.size() >= describe(MessageType::negotiate_response).octets;
  return is_response ? MessageType::negotiate_response : MessageType::negotiate_request;
}

}  // namespace

// Only for a message in one segment. A longer message is written as the Sends that carry it.
std::optional<Carried> carried_in(Octets segment) {
  if (rdmap::is_start_frame(segment)) return std::nullopt;
  const auto decoded = ddp::decode(segment);
  if (!decoded || decoded->header.tagged || decoded->header.mo != 0) return std::nullopt;
  const auto* const row = rdmap::find_opcode(rdmap::decode_control(decoded->header.rsvd_ulp).opcode);
  const bool is_send = row != nullptr && !row->tagged && row->queue == rdmap::kSendQueue && !row->extension;
  const MessageType type = type_of(*decoded);
  if (!is_send || decoded->payload.size() < describe(type).octets) return std::nullopt;
  return Carried{.type = type, .offset = segment.size() - decoded->payload.size()};
}

constinit const script::Language kLanguage{.messages = messages,
                                           .wishes = kWishes,
                                           .greetings = kGreetings,
                                           .big_endian = true,
                                           .locate = locate,
                                           .name_of = name_of_segment,
                                           .speech = make_speech,
                                           .framing = rdmap::make_framing,
                                           .layers = rdmap::kLayers,
                                           .over = "iwarp"};

}  // namespace wirelaw::smbd
