// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/speech.h"

#include <algorithm>
#include <array>

#include "conformance/rdmap/speech.h"
#include "reference/smbd/message.h"

namespace wirelaw::smbd {
namespace {

using script::Wishes;

constexpr std::uint16_t kCredits = 10;  // credits that each side requests
constexpr std::uint32_t kSize = 1364;   // PreferredSendSize and MaxReceiveSize, as deployed (appendix B)
constexpr std::uint32_t kReadWriteSize = 1u << 20;
constexpr std::uint64_t kUsualData = 16;  // octets of a Data Transfer
constexpr std::uint64_t kMostData = 1u << 20;
constexpr std::size_t kPadding = kUsualDataOffset - describe(MessageType::data_transfer).octets;

// The wishes of a line for the Send that carries its message.
class SendWishes : public Wishes {
 public:
  SendWishes(const Wishes& line, Octets message) : line_(line), message_(message) {}
  std::optional<std::uint64_t> number(std::string_view field) const override {
    return field == "size" ? std::nullopt : line_.number(field);
  }
  std::optional<Octets> octets(std::string_view field) const override {
    return field == "payload" ? std::optional(message_) : line_.octets(field);
  }
  bool names(std::string_view prefix) const override { return line_.names(prefix); }

 private:
  const Wishes& line_;
  Octets message_;
};

class SmbdSpeech : public script::Speech {
 public:
  explicit SmbdSpeech(const script::Addresses& addresses) : below_(rdmap::make_speech(addresses)) {}

  tl::expected<OctetBuffer, std::string> next(Side sender, std::string_view message,
                                              const Wishes& wishes) const override {
    const auto type = type_named(message);
    if (!type) return below_->next(sender, message, wishes);
    if (wishes.number("size").value_or(0) > kMostData)
      return tl::unexpected(std::string("size: too many octets for one message"));
    const OctetBuffer octets = *type == MessageType::negotiate_request    ? request()
                               : *type == MessageType::negotiate_response ? response(wishes)
                                                                          : transfer(sender, wishes);
    return below_->next(sender, "Send", SendWishes(wishes, octets));
  }

  void heard(Side sender, Octets segment) override {
    below_->heard(sender, segment);
    const auto carried = carried_in(segment);
    if (!carried || carried->type != MessageType::data_transfer) return;
    const auto data = decode_data_transfer(segment.subspan(carried->offset));
    Party &mine = of(sender), &peers = of(other(sender));
    mine.to_grant = static_cast<std::uint16_t>(mine.to_grant - std::min(mine.to_grant, data->credits_granted));
    if (peers.to_grant < UINT16_MAX) ++peers.to_grant;
    mine.remaining = data->remaining_data_length;
  }

 private:
  struct Party {
    std::uint16_t to_grant = 0;   // posted receives that have not been granted to the peer
    std::uint32_t remaining = 0;  // octets of its upper-layer message that its last segment announced
  };
  Party& of(Side side) { return parties_[static_cast<std::size_t>(side)]; }
  const Party& of(Side side) const { return parties_[static_cast<std::size_t>(side)]; }

  static OctetBuffer request() {
    return encode(NegotiateRequest{.credits_requested = kCredits,
                                   .preferred_send_size = kSize,
                                   .max_receive_size = kSize,
                                   .max_fragmented_size = kLeastMaxFragmentedSize});
  }
  // If the line sets a status that is an error, it refuses, and the other fields mean nothing.
  static OctetBuffer response(const Wishes& wishes) {
    const auto status = static_cast<std::uint32_t>(wishes.number("status").value_or(0));
    if (is_error(status)) return encode(NegotiateResponse{.status = status});
    return encode(NegotiateResponse{.negotiated_version = kVersion1,
                                    .credits_requested = kCredits,
                                    .credits_granted = kCredits,
                                    .status = status,
                                    .max_read_write_size = kReadWriteSize,
                                    .preferred_send_size = kSize,
                                    .max_receive_size = kSize,
                                    .max_fragmented_size = kLeastMaxFragmentedSize});
  }

  // It grants the receives that became free since the last message. Later segments carry the octets announced by the
  // first.
  OctetBuffer transfer(Side sender, const Wishes& wishes) const {
    constexpr std::array<Octet, kPadding> kZeros{};
    const Party& party = of(sender);
    OctetBuffer buffer;
    if (const auto octets = wishes.octets("payload"))
      buffer.assign(octets->begin(), octets->end());
    else
      buffer = script::pattern(static_cast<std::size_t>(wishes.number("size").value_or(kUsualData)));
    const auto length = static_cast<std::uint32_t>(buffer.size());
    DataTransfer data{.credits_requested = kCredits, .credits_granted = party.to_grant, .data_length = length};
    const std::uint32_t left = party.remaining - std::min(party.remaining, length);
    data.remaining_data_length = static_cast<std::uint32_t>(wishes.number("remaining_length").value_or(left));
    if (const auto granted = wishes.number("credits_granted"))
      data.credits_granted = static_cast<std::uint16_t>(*granted);
    if (!buffer.empty()) {
      data.data_offset = kUsualDataOffset;
      data.padding = kZeros;
      data.buffer = buffer;
    }
    return encode(data);
  }

  std::unique_ptr<script::Speech> below_;
  // The initiator has not granted its receives yet; the responder granted its own with its response.
  std::array<Party, 2> parties_{Party{.to_grant = kCredits}, Party{}};
};

}  // namespace

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses) {
  return std::make_unique<SmbdSpeech>(addresses);
}

}  // namespace wirelaw::smbd
