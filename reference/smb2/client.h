// SPDX-License-Identifier: Apache-2.0
// A client of SMB2 that opens no session: it negotiates, and then makes messages of any length. An ECHO request gets a
// response without a session ([MS-SMB2] 3.3.5.17), of as many octets. A WRITE request belongs to no session, and gets a
// short error response (3.3.5.2.9). The client takes and returns octets; sending them is up to the caller.
//
//   Client client;
//   send(client.negotiate());   client.take(receive());
//   send(client.echo(10));      client.take(receive());  // ten requests in one message
//   send(client.write(5000));   client.take(receive());  // a message of 5,000 octets
//
// Credits (3.2.4.1.2): a request uses the next MessageId that was granted. A server may grant few with its NEGOTIATE
// response, so that echoes are needed to get more.
#pragma once

#include <map>
#include <string_view>

#include "reference/smb2/compound.h"

namespace wirelaw::smb2 {

// An ECHO request as an element of a compound: header and body, padded.
inline constexpr std::size_t kEchoOctets = aligned(kHeaderOctets + 4);

// A WRITE request with one octet of data.
inline constexpr std::size_t kLeastWriteOctets = kHeaderOctets + WriteRequest::kFixedOctets + 1;

// Why a received message is not a response to the outstanding requests.
enum class Mismatch : std::uint8_t { undecodable, no_response, not_asked, other_command, failed, other_dialect };
std::string_view text_of(Mismatch mismatch);  // for example "is no message of SMB2"

class Client {
 public:
  static constexpr std::uint16_t kCreditsWanted = 8192;

  // Makes the first message, which offers the dialects up to this one.
  OctetBuffer negotiate(std::uint16_t highest = dialect::k311);
  // Makes this number of requests in one message; each uses a credit. The last one requests the missing credits.
  OctetBuffer echo(std::size_t requests);
  // Makes a message of this length, at least kLeastWriteOctets. A server may grant no credit with its response.
  OctetBuffer write(std::size_t octets);
  // The number of credits for such a message (3.2.4.1.5).
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
  std::uint32_t credits_ = 1;  // 3.2.4.1.2: initial value
  std::uint64_t next_id_ = 0;
  std::map<std::uint64_t, std::uint16_t> asked_;  // command by MessageId
};

// Returns true if `response` has one response, with the expected status, to each request of `request`, in order.
bool answers(Octets request, Octets response);

}  // namespace wirelaw::smb2
