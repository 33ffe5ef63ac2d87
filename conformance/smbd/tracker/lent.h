// SPDX-License-Identifier: Apache-2.0
// The memory that one side has lent to the other, as far as its payloads show it ([MS-SMBD] 2.2.3.1, 3.1.4.5, 3.1.4.6).
//
// A steering tag is four octets of a payload, wherever the upper layer puts them, so that all payloads are kept up to a
// bound. Buffers are known where the upper layer is SMB2 in plain text: from the READ and WRITE requests that have no
// final response yet. Above either bound, and once anything is missing or encrypted, nothing is known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/delivery.h"
#include "conformance/smbd/tracker/facts.h"
#include "reference/octets/octets.h"

namespace wirelaw::smb2 {
struct Header;
}  // namespace wirelaw::smb2

namespace wirelaw::smbd {

class Lent {
 public:
  static constexpr std::size_t kMostOctets = 32u << 10;  // limit for all payloads together
  static constexpr std::size_t kMostBuffers = 64;        // at a time
  static constexpr std::size_t kMostReturned = 16;       // tokens that are remembered
  static constexpr std::size_t kMostInvalidated = 16;    // likewise

  // A payload of this side, of which more segments follow or not. `response_to`: what the other side has lent.
  void take(Octets payload, bool more, Lent& response_to);
  // The other side invalidates the token by a message that it sends (3.1.5.1). False if it has done so before, and no
  // payload has named it since.
  bool invalidate(std::uint32_t token);
  // Some payload is not known.
  void forget();
  // The other side has used it by an RDMA operation.
  Use use(const RemoteRange& range, bool writes);
  std::size_t memory() const;

 private:
  struct Buffer {
    std::uint64_t message_id = 0;  // the request's
    std::uint64_t offset = 0;
    std::uint32_t token = 0;
    std::uint32_t length = 0;
    bool is_written = false;  // the other side writes the buffer
    std::uint64_t moved = 0;  // octets by all operations of the request; counted in its first buffer
  };

  void keep(Octets payload);
  bool names(std::uint32_t token);
  bool is_named_now(Octets payload, std::uint32_t token) const;
  void lend_again(Octets payload, bool is_readable);
  void take_smb2(Octets message, Lent& response_to);
  bool take_request(const smb2::Header& header, Octets element);
  void take_response(const smb2::Header& header);
  void forget_buffers();
  bool has_token(std::uint32_t token) const;
  void give_back(std::uint32_t token);
  bool covers(const RemoteRange& range, std::optional<bool> writes) const;
  bool is_too_much(const RemoteRange& range);

  OctetBuffer payloads_;
  bool has_all_payloads_ = true;
  std::optional<std::uint32_t> named_;  // the token that was found last
  unsigned unnamed_ = 0;                // operations
  bool is_inside_ = false;              // a message of several segments
  std::vector<Buffer> buffers_;
  std::vector<std::uint32_t> returned_;  // tokens of SMB2's buffers that were lent and are not any more
  bool has_all_buffers_ = true;
  bool only_smb2_ = true;                   // and no channel lends buffers in another way
  std::vector<std::uint32_t> invalidated_;  // tokens that no payload has named since
  std::array<Octet, 3> tail_{};             // last octets of the previous segment of the same message
  std::size_t tail_octets_ = 0;
};

}  // namespace wirelaw::smbd
