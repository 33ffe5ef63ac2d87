// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/server.h"

#include <algorithm>

namespace wirelaw::smb2 {
namespace {

constexpr std::array<Octet, 32> kSalt{0x53, 0x41, 0x4c, 0x54};  // 2.2.4.1.1: no session depends on it

// 2.2.3.1.1: whether there is one such context, which names SHA-512.
std::uint32_t status_of_contexts(Octets message, const NegotiateRequest& request) {
  const auto contexts = contexts_of(message, request.context_offset, request.context_count);
  if (!contexts) return status::kInvalidParameter;
  const auto is_preauth = [](const NegotiateContext& one) { return one.type == context::kPreauthIntegrity; };
  if (std::ranges::count_if(*contexts, is_preauth) != 1) return status::kInvalidParameter;
  const auto algorithms = hash_algorithms_of(*std::ranges::find_if(*contexts, is_preauth));
  if (!algorithms || algorithms->empty()) return status::kInvalidParameter;
  return std::ranges::count(*algorithms, context::kSha512) > 0 ? status::kSuccess : status::kNoHashOverlap;
}

// Of a WRITE request, whether it holds the data that it announces.
bool is_whole(const Element& element) {
  if (element.header.command != command::kWrite) return true;
  const auto request = decode_write_request(element.body());
  return request && std::size_t{request->data_offset} + request->length <= element.octets.size();
}

}  // namespace

// 3.3.5.2, 3.3.5.2.3, 3.3.5.4: what ends the connection otherwise.
bool Server::admits(const Header& header) {
  if (header.is_response() || header.structure_size != kHeaderOctets) return false;
  const bool negotiated = dialect_ != dialect::kNone;
  if ((header.command == command::kNegotiate) == negotiated) return false;
  if (header.command == command::kCancel) return true;  // it takes no MessageId of its own (3.3.5.16)
  const std::uint16_t charge = negotiated && dialect_ > dialect::k202 ? header.credit_charge : 0;
  return window_.take(header.message_id, std::max<std::uint16_t>(charge, 1));
}

std::optional<OctetBuffer> Server::answer(Octets message) {
  const auto elements = elements_of(message);
  if (!elements) return std::nullopt;
  // All of it before anything is granted: the client has made it without that.
  for (const Element& element : *elements)
    if (!admits(element.header)) return std::nullopt;
  Compound out;
  for (const Element& element : *elements) answer(message, element, &element == &elements->front(), out);
  return out.finish();
}

void Server::answer(Octets message, const Element& element, bool is_first, Compound& out) {
  const Header& header = element.header;
  if (header.command == command::kCancel) return;
  // 3.3.5.2.7.2: there is nothing that it could be related to.
  if (is_first && (header.flags & flag::kRelated) != 0) return fail(header, status::kInvalidParameter, out);
  if (header.command > command::kLast) return fail(header, status::kInvalidParameter, out);
  if (header.command == command::kNegotiate) return negotiate(message, element, out);
  if (header.command == command::kSessionSetup) return fail(header, status::kNotSupported, out);
  if (!is_whole(element)) return fail(header, status::kInvalidParameter, out);
  if (header.command != command::kEcho) return fail(header, status::kUserSessionDeleted, out);
  const auto echo = decode_echo(element.body());
  if (!echo || echo->structure_size != Echo{}.structure_size) return fail(header, status::kInvalidParameter, out);
  out.add(response_to(header), Echo{});
}

// 3.3.5.4
std::uint32_t Server::status_of(Octets message, const NegotiateRequest& request, std::uint16_t& chosen) const {
  const auto offered = dialects_of(request);
  if (request.structure_size != NegotiateRequest{}.structure_size || !offered || offered->empty())
    return status::kInvalidParameter;
  for (const std::uint16_t one : kDialects)
    if (one <= options_.highest_dialect && std::ranges::count(*offered, one) > 0) chosen = one;
  if (chosen == dialect::kNone) return status::kNotSupported;
  return chosen == dialect::k311 ? status_of_contexts(message, request) : status::kSuccess;
}

void Server::negotiate(Octets message, const Element& element, Compound& out) {
  const auto request = decode_negotiate_request(element.body());
  if (!request) return fail(element.header, status::kInvalidParameter, out);
  std::uint16_t chosen = dialect::kNone;
  // Offsets of a compound's first element are those of the message.
  const std::uint32_t status = status_of(message, *request, chosen);
  if (status != status::kSuccess) return fail(element.header, status, out);
  dialect_ = chosen;
  constexpr std::size_t kBufferAt = kHeaderOctets + 64;
  NegotiateResponse response{.security_mode = kSigningEnabled,
                             .dialect_revision = chosen,
                             .server_guid = options_.guid,
                             .capabilities = chosen > dialect::k202 ? request->capabilities & kLargeMtu : 0,
                             .max_transact_size = options_.largest_size,
                             .max_read_size = options_.largest_size,
                             .max_write_size = options_.largest_size,
                             .security_buffer_offset = kBufferAt};
  OctetBuffer rest;
  if (chosen == dialect::k311) {
    static_assert(kBufferAt % kAlignment == 0);
    response.context_count = 1;
    response.context_offset = kBufferAt;
    encode(NegotiateContext{.type = context::kPreauthIntegrity, .data = preauth_data(kSalt)}, rest);
  }
  response.rest = rest;
  out.add(response_to(element.header), response);
}

void Server::fail(const Header& request, std::uint32_t status, Compound& out) {
  static constexpr Octet kNoData[1] = {};
  out.add(response_to(request, status), ErrorResponse{.data = kNoData});
}

// 3.3.4.1.2: as many credits as are asked for, up to what a client may have, and one at least where it has none.
Header Server::response_to(const Header& request, std::uint32_t status) {
  const std::uint64_t held = window_.held();
  const std::uint64_t room = options_.credits > held ? options_.credits - held : 0;
  std::uint64_t granted = std::min<std::uint64_t>(std::max<std::uint16_t>(request.credits, 1), room);
  if (request.command == command::kNegotiate) granted = std::min<std::uint64_t>(granted, options_.credits_at_first);
  if (held == 0) granted = std::max<std::uint64_t>(granted, 1);
  window_.grant(static_cast<std::uint32_t>(granted));
  return {.credit_charge = request.credit_charge,
          .status = status,
          .command = request.command,
          .credits = static_cast<std::uint16_t>(granted),
          .flags = flag::kResponse,
          .message_id = request.message_id,
          .session_id = request.session_id};
}

}  // namespace wirelaw::smb2
