// SPDX-License-Identifier: Apache-2.0
// The requests of a case to the application above a listener, and the answers that match them:
//
//   echo, count   any octets; the same octets come back
//   smb2          a few ECHO requests of SMB2 in one message, and a response to each in another, as long as
//                 the requests; or a WRITE request of exactly the wanted length, and the response that there is no
//                 session for it. First, once on a connection, come a NEGOTIATE and requests that get enough SMB2
//                 credits. If a long answer is wanted, the message has enough ECHO requests for it
//
// So a peer that speaks SMB2 receives, and sends, messages of nearly any length without a name or a password. Their
// contents are not judged.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/case.h"
#include "reference/smb2/client.h"

namespace wirelaw::smbd {

// The required length of an answer: any, or about as long as the request.
enum class AnswerLength : std::uint8_t { any, alike };

class Dialogue {
 public:
  // `most`: octets of the longest message that the application takes, from the user's parameter; empty: not given.
  Dialogue(Service application, std::string_view most);

  std::size_t most() const { return most_; }
  // The request that must be answered before one of this many octets can be made; empty if none is needed.
  std::optional<OctetBuffer> preliminary(std::size_t octets, AnswerLength length);
  // A request of this many octets, or of the nearest possible size. With ECHO requests this is a multiple of one
  // request's size, rounded down but at least one request.
  OctetBuffer request(std::size_t octets, AnswerLength length);
  // Returns true if this is the answer to a request, which has come now: its SMB2 credits count.
  bool answers(Octets request, Octets answer);
  // Same, for answers that are compared with several requests; credits do not count.
  bool is_answer(Octets request, Octets answer) const;
  // The fault of the latest message that was not an answer.
  const std::string& mismatch() const { return mismatch_; }
  // Returns true if an answer to the request may have this many octets.
  bool may_have(Octets request, std::size_t octets) const;

 private:
  bool speaks_smb2() const { return application_ == Service::smb2; }
  bool writes(std::size_t octets, AnswerLength length) const;

  Service application_;
  std::size_t most_;
  std::string mismatch_;
  std::uint64_t requests_ = 0;
  smb2::Client client_;
  bool negotiates_ = false;           // a NEGOTIATE was sent
  std::uint32_t credits_before_ = 0;  // credits that were available when the latest preliminary was made
};

}  // namespace wirelaw::smbd
