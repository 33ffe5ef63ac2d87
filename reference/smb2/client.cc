// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/client.h"

#include <algorithm>
#include <utility>

namespace wirelaw::smb2 {
namespace {

// Identifies this client to a server that distinguishes clients (2.2.3, ClientGuid).
constexpr Guid kGuid{'w', 'i', 'r', 'e', 'l', 'a', 'w', 0, 0x40, 0, 0x80, 0, 0, 0, 0, 1};
// Salt for the preauthentication hash (2.2.3.1.1). It need not be secret, because no session is opened.
constexpr std::array<Octet, 32> kSalt{0x57, 0x49, 0x52, 0x45, 0x4c, 0x41, 0x57};

// The expected status: a WRITE request without a session gets an error (3.3.5.2.9).
std::uint32_t due_status(std::uint16_t command) {
  return command == command::kWrite ? status::kUserSessionDeleted : status::kSuccess;
}

}  // namespace

std::string_view text_of(Mismatch mismatch) {
  switch (mismatch) {
    case Mismatch::undecodable:
      return "is no message of SMB2";
    case Mismatch::no_response:
      return "is no response";
    case Mismatch::not_asked:
      return "answers a request that was not made";
    case Mismatch::other_command:
      return "answers another command than was asked for";
    case Mismatch::failed:
      return "has not the status that is due";
    case Mismatch::other_dialect:
      break;
  }
  return "has a dialect that was not offered";
}

std::uint64_t Client::next_id(std::uint32_t credits) {
  credits_ -= std::min(credits_, credits);
  return std::exchange(next_id_, next_id_ + credits);
}

// 3.2.4.2.2.2
OctetBuffer Client::negotiate(std::uint16_t highest) {
  highest_ = highest;
  NegotiateRequest request{.security_mode = kSigningEnabled, .client_guid = kGuid};
  if (highest > dialect::k202) request.capabilities = kLargeMtu;
  OctetBuffer rest;
  for (const std::uint16_t one : kDialects) {
    if (one > highest) continue;
    Writer(rest).little_endian(one);
    ++request.dialect_count;
  }
  if (highest >= dialect::k311) {
    constexpr std::size_t kDialectsAt = kHeaderOctets + 36;
    request.context_offset = static_cast<std::uint32_t>(aligned(kDialectsAt + rest.size()));
    request.context_count = 1;
    rest.resize(request.context_offset - kDialectsAt);
    encode(NegotiateContext{.type = context::kPreauthIntegrity, .data = preauth_data(kSalt)}, rest);
  }
  request.rest = rest;
  Compound message;
  const std::uint64_t id = next_id();
  asked_[id] = command::kNegotiate;
  message.add({.command = command::kNegotiate, .credits = kCreditsWanted, .message_id = id}, request);
  return message.finish();
}

// 3.2.4.20
OctetBuffer Client::echo(std::size_t requests) {
  Compound message;
  const std::uint32_t left = credits_ > requests ? credits_ - static_cast<std::uint32_t>(requests) : 0;
  const std::size_t had = std::min<std::size_t>(left + requests, kCreditsWanted);
  for (std::size_t i = 0; i < requests; ++i) {
    const std::uint64_t id = next_id();
    asked_[id] = command::kEcho;
    // Each requests the credit that it uses, and the last one also the missing ones.
    const std::size_t lacking = i + 1 == requests ? kCreditsWanted - had : 0;
    message.add({.credit_charge = static_cast<std::uint16_t>(dialect_ > dialect::k202 ? 1 : 0),
                 .command = command::kEcho,
                 .credits = static_cast<std::uint16_t>(1 + lacking),
                 .message_id = id},
                Echo{});
  }
  OctetBuffer octets = message.finish();
  octets.resize(requests * kEchoOctets);
  return octets;
}

std::uint16_t Client::charge_of_write(std::size_t octets) const {
  constexpr std::size_t kOctetsOfCredit = 65'536;
  if (dialect_ <= dialect::k202 || dialect_ == dialect::kNone) return 0;
  const std::size_t data = octets - std::min(octets, kLeastWriteOctets - 1);
  return static_cast<std::uint16_t>(data == 0 ? 1 : (data - 1) / kOctetsOfCredit + 1);
}

// 3.2.4.7
OctetBuffer Client::write(std::size_t octets) {
  constexpr std::size_t kDataAt = kLeastWriteOctets - 1;
  OctetBuffer data(std::max(octets, kLeastWriteOctets) - kDataAt);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<Octet>(next_id_ * 37 + i + i / 256 * 5);
  const std::uint16_t charge = charge_of_write(octets);
  const std::uint64_t id = next_id(std::max<std::uint16_t>(charge, 1));
  asked_[id] = command::kWrite;
  Compound message;
  message.add(
      {.credit_charge = charge,
       .command = command::kWrite,
       .credits = static_cast<std::uint16_t>(kCreditsWanted - std::min<std::uint32_t>(credits_, kCreditsWanted)),
       .message_id = id},
      WriteRequest{.data_offset = kDataAt, .length = static_cast<std::uint32_t>(data.size()), .rest = data});
  return message.finish();
}

tl::expected<void, Mismatch> Client::take(const Element& element) {
  const Header& header = element.header;
  if (!header.is_response()) return tl::unexpected(Mismatch::no_response);
  const auto asked = asked_.find(header.message_id);
  if (asked == asked_.end()) return tl::unexpected(Mismatch::not_asked);
  const std::uint16_t command = asked->second;
  asked_.erase(asked);
  credits_ += header.credits;
  if (header.command != command) return tl::unexpected(Mismatch::other_command);
  if (header.status != due_status(command)) return tl::unexpected(Mismatch::failed);
  if (command == command::kWrite) {
    if (!decode_error(element.body())) return tl::unexpected(Mismatch::undecodable);
    return {};
  }
  if (command == command::kEcho) {
    if (!decode_echo(element.body())) return tl::unexpected(Mismatch::undecodable);
    return {};
  }
  const auto response = decode_negotiate_response(element.body());
  if (!response) return tl::unexpected(Mismatch::undecodable);
  const std::uint16_t chosen = response->dialect_revision;
  if (chosen > highest_ || std::ranges::find(kDialects, chosen) == std::end(kDialects))
    return tl::unexpected(Mismatch::other_dialect);
  dialect_ = chosen;
  return {};
}

tl::expected<void, Mismatch> Client::take(Octets message) {
  const auto elements = elements_of(message);
  if (!elements) return tl::unexpected(Mismatch::undecodable);
  for (const Element& element : *elements)
    if (auto taken = take(element); !taken) return taken;
  return {};
}

bool answers(Octets request, Octets response) {
  const auto asked = elements_of(request), answered = elements_of(response);
  const auto fits = [](const Element& one, const Element& answer) {
    return !one.header.is_response() && answer.header.is_response() && one.header.command == answer.header.command &&
           one.header.message_id == answer.header.message_id && answer.header.status == due_status(one.header.command);
  };
  return asked && answered && std::ranges::equal(*asked, *answered, fits);
}

}  // namespace wirelaw::smb2
