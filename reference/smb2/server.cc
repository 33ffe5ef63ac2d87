// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/server.h"

#include <algorithm>

#include "reference/smb2/authentication.h"

namespace wirelaw::smb2 {
namespace {

constexpr std::array<Octet, 32> kSalt{0x53, 0x41, 0x4c, 0x54};  // 2.2.4.1.1: no session depends on it
constexpr std::size_t kFixedOfResponse = 128;                   // more than any response has in addition to its data

// 2.2.3.1.1: checks that exactly one such context exists, and that it names SHA-512.
std::uint32_t status_of_contexts(Octets message, const NegotiateRequest& request) {
  const auto contexts = contexts_of(message, request.context_offset, request.context_count);
  if (!contexts) return status::kInvalidParameter;
  const auto is_preauth = [](const NegotiateContext& one) { return one.type == context::kPreauthIntegrity; };
  if (std::ranges::count_if(*contexts, is_preauth) != 1) return status::kInvalidParameter;
  const auto algorithms = hash_algorithms_of(*std::ranges::find_if(*contexts, is_preauth));
  if (!algorithms || algorithms->empty()) return status::kInvalidParameter;
  return std::ranges::count(*algorithms, context::kSha512) > 0 ? status::kSuccess : status::kNoHashOverlap;
}

// Returns true if a WRITE request contains the data that it announces.
bool is_whole(const Element& element) {
  if (element.header.command != command::kWrite) return true;
  const auto request = decode_write_request(element.body());
  return request && std::size_t{request->data_offset} + request->length <= element.octets.size();
}

Result refuse_ioctl(const Element& element) {
  const auto request = body_of<IoctlRequest>(element.body());
  if (!request) return {status::kInvalidParameter};
  const bool is_referral =
      request->code == IoctlRequest::kDfsReferrals || request->code == IoctlRequest::kDfsReferralsEx;
  return {is_referral ? status::kFsDriverRequired : status::kNotSupported};
}

// An operation on an open file.
struct OfFile {
  std::uint16_t command;
  Result (Files::*run)(const Element& element, Chain& chain);
};
constexpr OfFile kOfFiles[] = {
    {command::kClose, &Files::close},
    {command::kFlush, &Files::flush},
    {command::kRead, &Files::read},
    {command::kWrite, &Files::write},
    {command::kLock, &Files::lock},
    {command::kQueryDirectory, &Files::query_directory},
    {command::kQueryInfo, &Files::query_info},
    {command::kSetInfo, &Files::set_info},
};

Result echo(const Element& element) {
  const auto request = decode_echo(element.body());
  if (!request || request->structure_size != Echo{}.structure_size) return {status::kInvalidParameter};
  return {.body = octets_of(Echo{})};
}

}  // namespace

void Server::limit(std::size_t largest_answer, std::uint32_t largest_transfer) {
  largest_answer_ = largest_answer;
  files_.set_largest_transfer(largest_transfer);
  if (largest_transfer > 0) options_.largest_size = std::min(options_.largest_size, largest_transfer);
}

// 3.3.5.2, 3.3.5.2.3, 3.3.5.4: if false, the connection ends.
bool Server::admits(const Header& header) {
  if (header.is_response() || header.structure_size != kHeaderOctets) return false;
  const bool negotiated = dialect_ != dialect::kNone;
  if ((header.command == command::kNegotiate) == negotiated) return false;
  if (header.command == command::kCancel) return true;  // it uses no new MessageId (3.3.5.16)
  const std::uint16_t charge = negotiated && dialect_ > dialect::k202 ? header.credit_charge : 0;
  return window_.take(header.message_id, std::max<std::uint16_t>(charge, 1));
}

std::optional<Answer> Server::answer(Octets message) {
  const auto elements = elements_of(message);
  if (!elements) return std::nullopt;
  // Checks all elements before it grants any credit: the client has made the message without those.
  for (const Element& element : *elements)
    if (!admits(element.header)) return std::nullopt;
  Compound out;
  Chain chain;
  for (const Element& element : *elements) answer(message, element, &element == &elements->front(), chain, out);
  return Answer{.message = out.finish(), .movements = std::move(chain.movements), .invalidate = chain.invalidate};
}

void Server::answer(Octets message, const Element& element, bool is_first, Chain& chain, Compound& out) {
  const Header& header = element.header;
  if (header.command == command::kCancel) return;
  const bool is_related = (header.flags & flag::kRelated) != 0;
  if (!is_related) {
    chain.session = header.session_id;
    chain.tree = header.tree_id;
    chain.file = kFileOfChain;
    chain.failed = status::kSuccess;
  }
  const std::size_t used = out.octets() + kFixedOfResponse;
  chain.room = largest_answer_ > used ? largest_answer_ - used : 0;
  // 3.3.5.2.7.2: the first request has none to which it could be related.
  const Result result = is_related && is_first ? Result{status::kInvalidParameter} : result_of(message, element, chain);
  if (result.body.empty()) {
    static constexpr Octet kNoData[1] = {};
    return out.add(response_to(header, chain, result.status), ErrorResponse{.data = kNoData});
  }
  out.add(response_to(header, chain, result.status), Body{result.body});
}

Result Server::result_of(Octets message, const Element& element, Chain& chain) {
  const std::uint16_t wanted = element.header.command;
  if (wanted > command::kLast) return {status::kInvalidParameter};
  if (wanted == command::kNegotiate) return negotiate(message, element);
  if (wanted == command::kSessionSetup) return sessions_.set_up(element, chain);
  if (!is_whole(element)) return {status::kInvalidParameter};
  if (wanted == command::kEcho) return echo(element);
  if (!sessions_.has(chain.session)) return {status::kUserSessionDeleted};
  if (wanted == command::kLogoff) {
    files_.close_all(chain.session);
    return sessions_.log_off(chain);
  }
  if (wanted == command::kTreeConnect) return sessions_.connect(element, chain);
  return in_tree(element, chain);
}

Result Server::in_tree(const Element& element, Chain& chain) {
  const std::uint16_t wanted = element.header.command;
  if (!sessions_.has(chain.session, chain.tree)) return {status::kNetworkNameDeleted};
  if (wanted == command::kTreeDisconnect) {
    files_.close_all(chain.session, chain.tree);
    return sessions_.disconnect(chain);
  }
  if (wanted == command::kIoctl) return refuse_ioctl(element);
  if (wanted == command::kCreate) {
    Result created = files_.create(element, chain, sessions_.is_pipe(chain.session, chain.tree));
    chain.failed = created.status;
    return created;
  }
  // 3.3.5.2.7.2: requests fail that depend on a file that could not be opened.
  if (chain.failed != status::kSuccess) return {chain.failed};
  const auto found = std::ranges::find(kOfFiles, wanted, &OfFile::command);
  return found == std::end(kOfFiles) ? Result{status::kNotSupported} : (files_.*found->run)(element, chain);
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

Result Server::negotiate(Octets message, const Element& element) {
  const auto request = decode_negotiate_request(element.body());
  if (!request) return {status::kInvalidParameter};
  std::uint16_t chosen = dialect::kNone;
  // The offsets in a compound's first element are relative to the message.
  const std::uint32_t status = status_of(message, *request, chosen);
  if (status != status::kSuccess) return {status};
  dialect_ = chosen;
  constexpr std::size_t kBufferAt = kHeaderOctets + 64;
  const Octets mechanisms = offered_mechanisms();
  NegotiateResponse response{.security_mode = kSigningEnabled,
                             .dialect_revision = chosen,
                             .server_guid = options_.guid,
                             .capabilities = chosen > dialect::k202 ? request->capabilities & kLargeMtu : 0,
                             .max_transact_size = options_.largest_size,
                             .max_read_size = options_.largest_size,
                             .max_write_size = options_.largest_size,
                             .security_buffer_offset = kBufferAt,
                             .security_buffer_length = static_cast<std::uint16_t>(mechanisms.size())};
  OctetBuffer rest(mechanisms.begin(), mechanisms.end());
  if (chosen == dialect::k311) {
    static_assert(kBufferAt % kAlignment == 0);
    rest.resize(aligned(rest.size()));
    response.context_count = 1;
    response.context_offset = static_cast<std::uint32_t>(kBufferAt + rest.size());
    encode(NegotiateContext{.type = context::kPreauthIntegrity, .data = preauth_data(kSalt)}, rest);
  }
  response.rest = rest;
  OctetBuffer body;
  encode(response, body);
  return {.body = std::move(body)};
}

// 3.3.4.1.2: grants the requested credits up to the client's maximum, and at least one if it has none.
Header Server::response_to(const Header& request, const Chain& chain, std::uint32_t status) {
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
          .flags = flag::kResponse | (request.flags & flag::kRelated),
          .message_id = request.message_id,
          .tree_id = chain.tree,
          .session_id = chain.session};
}

OctetBuffer Server::octets_of(const Movement& movement) {
  OctetBuffer octets(movement.octets);
  if (const Node* const node = volume().find(movement.node))
    std::ranges::copy(volume().read(*node, movement.offset, movement.octets), octets.begin());
  return octets;
}

void Server::keep(const Movement& movement, Octets octets) {
  if (Node* const node = volume().find(movement.node)) volume().write(*node, movement.offset, octets);
}

}  // namespace wirelaw::smb2
