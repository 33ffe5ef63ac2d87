// SPDX-License-Identifier: Apache-2.0
// A client of SMB2 that opens no session: it negotiates, and then makes messages of any wanted length: ECHO
// requests, which a server answers to everybody ([MS-SMB2] 3.3.5.17) by as many octets, or of one WRITE request, which
// belongs to no session and is answered by the few octets that say so (3.3.5.2.9). Octets in and out; sending them is
// another's affair.
//
//   Client client;
//   send(client.negotiate());      client.take(receive());
//   send(client.echo(10));         client.take(receive());     // ten requests in one message
//   send(client.write(5000));      client.take(receive());     // a message of 5,000 octets
//
// Credits (3.2.4.1.2): a request takes a MessageId of those that were granted, in their order. A server may grant few
// with its NEGOTIATE response, so that echoes are needed to get more.
#pragma once

#include <map>
#include <string_view>

#include "reference/smb2/compound.h"

namespace wirelaw::smb2 {

// An ECHO request as an element of a compound: header and body, padded.
inline constexpr std::size_t kEchoOctets = aligned(kHeaderOctets + 4);

// A WRITE request with one octet of data.
inline constexpr std::size_t kLeastWriteOctets = kHeaderOctets + WriteRequest::kFixedOctets + 1;

// Why what has come is no answer to what was asked.
enum class Mismatch : std::uint8_t { undecodable, no_response, not_asked, other_command, failed, other_dialect };
std::string_view text_of(Mismatch mismatch);  // "is no message of SMB2"

class Client {
 public:
  static constexpr std::uint16_t kCreditsWanted = 8192;

  // The first message, of this dialect and those before it.
  OctetBuffer negotiate(std::uint16_t highest = dialect::k311);
  // So many requests in one message; each takes a credit. The last one asks for what is lacking in credits.
  OctetBuffer echo(std::size_t requests);
  // A message of so many octets, kLeastWriteOctets or more. A server may grant no credit with its answer.
  OctetBuffer write(std::size_t octets);
  // The credits that such a message takes (3.2.4.1.5).
  std::uint16_t charge_of_write(std::size_t octets) const;
  // Takes a received message: each response in it must belong to an outstanding request, and have the expected status.
  tl::expected<void, Mismatch> take(Octets message);

  bool negotiated() const { return dialect_ != dialect::kNone; }
  std::uint16_t dialect() const { return dialect_; }
  std::uint32_t credits() const { return credits_; }
  std::size_t under_way() const { return asked_.size(); }

 private:
  std::uint64_t next_id(std::uint32_t credits = 1);
  tl::expected<void, Mismatch> take(const Element& element);

  std::uint16_t dialect_ = dialect::kNone;
  std::uint16_t highest_ = dialect::k311;
  std::uint32_t credits_ = 1;  // 3.2.4.1.2: to begin with
  std::uint64_t next_id_ = 0;
  std::map<std::uint64_t, std::uint16_t> asked_;  // the command, by its MessageId
};

// Returns true if `response` has one response, with the expected status, to each request of `request`, in order.
bool answers(Octets request, Octets response);

}  // namespace wirelaw::smb2
