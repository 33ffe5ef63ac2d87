// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/message.h"

#include <algorithm>

namespace wirelaw::smb2 {
namespace {

constexpr std::array<Octet, 4> kProtocolId{0xfe, 'S', 'M', 'B'};

using Reason = DecodeError::Reason;

tl::unexpected<DecodeError> refused(Reason reason, std::size_t offset) {
  return tl::unexpected(DecodeError{reason, offset});
}

template <std::size_t N>
void read(Reader& reader, std::array<Octet, N>& out) {
  const Octets octets = reader.octets(N);
  std::copy(octets.begin(), octets.end(), out.begin());
}

// Calls the visitor for the fields of a structure, in order.
template <class Message, class Visit>
void visit_header(Message& header, Visit visit) {
  visit(header.structure_size);
  visit(header.credit_charge);
  visit(header.status);
  visit(header.command);
  visit(header.credits);
  visit(header.flags);
  visit(header.next_command);
  visit(header.message_id);
  visit(header.reserved);
  visit(header.tree_id);
  visit(header.session_id);
  visit(header.signature);
}
template <class Message, class Visit>
void visit_echo(Message& body, Visit visit) {
  visit(body.structure_size);
  visit(body.reserved);
}
template <class Message, class Visit>
void visit_write(Message& body, Visit visit) {
  visit(body.structure_size);
  visit(body.data_offset);
  visit(body.length);
  visit(body.offset);
  visit(body.file_id);
  visit(body.channel);
  visit(body.remaining_octets);
  visit(body.channel_info_offset);
  visit(body.channel_info_length);
  visit(body.flags);
}
template <class Message, class Visit>
void visit_request(Message& body, Visit visit) {
  visit(body.structure_size);
  visit(body.dialect_count);
  visit(body.security_mode);
  visit(body.reserved);
  visit(body.capabilities);
  visit(body.client_guid);
  visit(body.context_offset);
  visit(body.context_count);
  visit(body.reserved2);
}
template <class Message, class Visit>
void visit_response(Message& body, Visit visit) {
  visit(body.structure_size);
  visit(body.security_mode);
  visit(body.dialect_revision);
  visit(body.context_count);
  visit(body.server_guid);
  visit(body.capabilities);
  visit(body.max_transact_size);
  visit(body.max_read_size);
  visit(body.max_write_size);
  visit(body.system_time);
  visit(body.server_start_time);
  visit(body.security_buffer_offset);
  visit(body.security_buffer_length);
  visit(body.context_offset);
}
template <class Message, class Visit>
void visit_error(Message& body, Visit visit) {
  visit(body.structure_size);
  visit(body.context_count);
  visit(body.reserved);
  visit(body.byte_count);
}

struct FieldReader {
  Reader& from;
  template <class Int>
  void operator()(Int& field) const {
    field = from.little_endian<Int>();
  }
  template <std::size_t N>
  void operator()(std::array<Octet, N>& field) const {
    read(from, field);
  }
};

struct FieldWriter {
  OctetBuffer& to;
  template <class Int>
  void operator()(const Int& field) const {
    Writer(to).little_endian(field);
  }
  template <std::size_t N>
  void operator()(const std::array<Octet, N>& field) const {
    Writer(to).octets(field);
  }
};

}  // namespace

Decoded<Header> decode_header(Octets octets) {
  if (octets.size() < kHeaderOctets) return refused(Reason::too_short, octets.size());
  if (!std::equal(kProtocolId.begin(), kProtocolId.end(), octets.begin())) return refused(Reason::other_protocol, 0);
  Reader reader(octets.subspan(kProtocolId.size()));
  Header header;
  visit_header(header, FieldReader{reader});
  return header;
}

Decoded<Echo> decode_echo(Octets body) {
  Reader reader(body);
  Echo echo;
  visit_echo(echo, FieldReader{reader});
  if (!reader.ok()) return refused(Reason::too_short, body.size());
  echo.trailing = reader.rest();
  return echo;
}

Decoded<WriteRequest> decode_write_request(Octets body) {
  Reader reader(body);
  WriteRequest request;
  visit_write(request, FieldReader{reader});
  if (!reader.ok()) return refused(Reason::too_short, body.size());
  request.rest = reader.rest();
  return request;
}

Decoded<NegotiateRequest> decode_negotiate_request(Octets body) {
  Reader reader(body);
  NegotiateRequest request;
  visit_request(request, FieldReader{reader});
  if (!reader.ok()) return refused(Reason::too_short, body.size());
  request.rest = reader.rest();
  return request;
}

Decoded<NegotiateResponse> decode_negotiate_response(Octets body) {
  Reader reader(body);
  NegotiateResponse response;
  visit_response(response, FieldReader{reader});
  if (!reader.ok()) return refused(Reason::too_short, body.size());
  response.rest = reader.rest();
  return response;
}

Decoded<ErrorResponse> decode_error(Octets body) {
  Reader reader(body);
  ErrorResponse error;
  visit_error(error, FieldReader{reader});
  if (!reader.ok()) return refused(Reason::too_short, body.size());
  error.data = reader.rest();
  return error;
}

void encode(const Header& header, OctetBuffer& out) {
  Writer(out).octets(kProtocolId);
  visit_header(header, FieldWriter{out});
}
void encode(const Echo& body, OctetBuffer& out) {
  visit_echo(body, FieldWriter{out});
  Writer(out).octets(body.trailing);
}
void encode(const WriteRequest& body, OctetBuffer& out) {
  visit_write(body, FieldWriter{out});
  Writer(out).octets(body.rest);
}
void encode(const NegotiateRequest& body, OctetBuffer& out) {
  visit_request(body, FieldWriter{out});
  Writer(out).octets(body.rest);
}
void encode(const NegotiateResponse& body, OctetBuffer& out) {
  visit_response(body, FieldWriter{out});
  Writer(out).octets(body.rest);
}
void encode(const ErrorResponse& body, OctetBuffer& out) {
  visit_error(body, FieldWriter{out});
  Writer(out).octets(body.data);
}

Decoded<std::vector<std::uint16_t>> dialects_of(const NegotiateRequest& request) {
  Reader reader(request.rest);
  if (reader.remaining() < std::size_t{request.dialect_count} * sizeof(std::uint16_t))
    return refused(Reason::outside, request.rest.size());
  std::vector<std::uint16_t> dialects;
  for (std::uint16_t i = 0; i < request.dialect_count; ++i) dialects.push_back(reader.little_endian<std::uint16_t>());
  return dialects;
}

Decoded<std::vector<NegotiateContext>> contexts_of(Octets message, std::uint32_t offset, std::uint16_t count) {
  std::vector<NegotiateContext> contexts;
  std::size_t at = offset;
  for (std::uint16_t i = 0; i < count; ++i) {
    if (at % kAlignment != 0) return refused(Reason::unaligned, at);
    if (at > message.size()) return refused(Reason::outside, message.size());
    Reader reader(message.subspan(at));
    NegotiateContext context{.type = reader.little_endian<std::uint16_t>()};
    const auto length = reader.little_endian<std::uint16_t>();
    context.reserved = reader.little_endian<std::uint32_t>();
    context.data = reader.octets(length);
    if (!reader.ok()) return refused(Reason::outside, at);
    contexts.push_back(context);
    at += aligned(reader.offset());
  }
  return contexts;
}

Decoded<std::vector<std::uint16_t>> hash_algorithms_of(const NegotiateContext& preauth) {
  Reader reader(preauth.data);
  const auto count = reader.little_endian<std::uint16_t>();
  const auto salt = reader.little_endian<std::uint16_t>();
  if (reader.remaining() < std::size_t{count} * sizeof(std::uint16_t) + salt)
    return refused(Reason::outside, preauth.data.size());
  std::vector<std::uint16_t> algorithms;
  for (std::uint16_t i = 0; i < count; ++i) algorithms.push_back(reader.little_endian<std::uint16_t>());
  if (!reader.ok()) return refused(Reason::too_short, preauth.data.size());
  return algorithms;
}

void encode(const NegotiateContext& context, OctetBuffer& out) {
  Writer(out)
      .little_endian(context.type)
      .little_endian(static_cast<std::uint16_t>(context.data.size()))
      .little_endian(context.reserved)
      .octets(context.data);
}

OctetBuffer preauth_data(Octets salt) {
  OctetBuffer data;
  Writer(data)
      .little_endian(std::uint16_t{1})
      .little_endian(static_cast<std::uint16_t>(salt.size()))
      .little_endian(context::kSha512)
      .octets(salt);
  return data;
}

}  // namespace wirelaw::smb2
