// SPDX-License-Identifier: Apache-2.0
// What a case says to the application above a listener, and how the answer is known:
//
//   echo, count   any octets; the same octets come back
//   smb2          a few ECHO requests of SMB2 in one message, and a response to each in another, as long as the
//   requests
//                 are; or a WRITE request of just the length that is wanted, and the response that there is no session
//                 to write in. A NEGOTIATE comes before them, once on a connection, and what gets credits (of SMB2)
//                 enough. Where the answer is to be long there are as many ECHO requests as that takes
//
// A peer that speaks SMB2 is so made to take, and to send, messages of nearly any length without being told a name or a
// password. What it says in them is not judged.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/case.h"
#include "reference/smb2/client.h"

namespace wirelaw::smbd {

// How long an answer is wanted: as it comes, or about as long as the request.
enum class AnswerLength : std::uint8_t { any, alike };

class Dialogue {
 public:
  // `most`: octets of the longest message that the application takes, as the user has given it; empty: not given.
  Dialogue(Service application, std::string_view most);

  std::size_t most() const { return most_; }
  // The request that must be answered before one of so many octets can be made; nothing if none is needed.
  std::optional<OctetBuffer> preliminary(std::size_t octets, AnswerLength length);
  // A request of so many octets, or of the nearest size that is possible: with ECHO requests, a multiple of one's
  // size, and not more if there is one.
  OctetBuffer request(std::size_t octets, AnswerLength length);
  // Returns true if this is the answer to a request, which has come now: its SMB2 credits count.
  bool answers(Octets request, Octets answer);
  // Same, for answers that are compared with several requests; credits do not count.
  bool is_answer(Octets request, Octets answer) const;
  // The fault of the latest message that was not an answer.
  const std::string& mismatch() const { return mismatch_; }
  // Returns true if an answer to the request may have so many octets.
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
  std::uint32_t credits_before_ = 0;  // those that there were when the latest preliminary was made
};

}  // namespace wirelaw::smbd
