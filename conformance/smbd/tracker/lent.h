// SPDX-License-Identifier: Apache-2.0
// The memory that one side has lent to the other, as far as its payloads show it ([MS-SMBD] 2.2.3.1, 3.1.4.5, 3.1.4.6).
//
// A steering tag is four octets of a payload, anywhere in it, so all payloads are kept up to a limit. What is around
// these octets may describe the buffer (tracker/described.h). Buffers are certain only if the upper layer is
// unencrypted SMB2: from the READ and WRITE requests without a final response. Above either limit, or once anything is
// missing or encrypted, nothing is known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/delivery.h"
#include "conformance/smbd/tracker/described.h"
#include "conformance/smbd/tracker/facts.h"
#include "reference/octets/octets.h"

namespace wirelaw::smb2 {
struct Header;
}  // namespace wirelaw::smb2

namespace wirelaw::smbd {

// How an operation fits the memory lent.
struct LentUse {
  Use use = Use::unknown;
  // If it is known which SMB2 request it serves: the octets that earlier operations moved for this request. Empty, too,
  // once the operations have moved more than its buffers hold.
  std::optional<std::uint64_t> moved_before = {};
};

class Lent {
 public:
  static constexpr std::size_t kMostOctets = 32u << 10;  // limit for all payloads together
  static constexpr std::size_t kMostBuffers = 64;        // lent at a time
  static constexpr std::size_t kMostReturned = 16;       // tokens that are remembered
  static constexpr std::size_t kMostInvalidated = 16;    // likewise

  // Takes a payload of this side. `more`: further segments follow. `response_to`: the memory that the other side has
  // lent.
  void take(Octets payload, bool more, Lent& response_to);
  // The other side's message invalidates the token (3.1.5.1). Returns false if it has done so before and no payload has
  // named the token since.
  bool invalidate(std::uint32_t token);
  // Called when a payload is unknown.
  void forget();
  // Compares an RDMA operation of the other side with the memory lent.
  LentUse use(const RemoteRange& range, bool writes);
  // Separates the payloads so far from those that follow, if all of them can be read.
  void mark();
  // Returns true if a waiting SMB2 request lends the token, and no payload before the mark holds it, in either octet
  // order.
  bool lends_after_mark(std::uint32_t token) const;
  // Returns true if a payload after the mark holds an SMB2 message with this MessageId, and none before it does.
  bool requests_after_mark(std::uint64_t message_id) const;
  std::size_t memory() const;

 private:
  struct Buffer {
    std::uint64_t message_id = 0;  // MessageId of the request
    std::uint64_t offset = 0;
    std::uint32_t token = 0;
    std::uint32_t length = 0;
    bool is_written = false;  // the other side writes the buffer
    std::uint64_t moved = 0;  // octets by all operations of the request; counted in its first buffer
  };

  void keep(Octets payload);
  void forget_payloads();
  bool is_named_now(Octets payload, std::uint32_t token) const;
  void lend_again(Octets payload, bool is_readable);
  void take_smb2(Octets message, Lent& response_to);
  bool take_request(const smb2::Header& header, Octets element);
  void take_response(const smb2::Header& header);
  void forget_buffers();
  bool has_token(std::uint32_t token) const;
  void give_back(std::uint32_t token);
  bool covers(const RemoteRange& range, std::optional<bool> writes) const;
  LentUse count(const RemoteRange& range);
  Use use_of_unlisted(const RemoteRange& range);

  OctetBuffer payloads_;
  bool has_all_payloads_ = true;
  std::optional<std::size_t> mark_ = {};  // in the payloads; while there is one, those that are known are kept
  Described described_;                   // in these payloads
  unsigned unnamed_ = 0;                  // operations
  bool is_inside_ = false;                // a message of several segments
  std::vector<Buffer> buffers_;
  std::vector<std::uint32_t> returned_;  // tokens of SMB2 buffers that are no longer lent
  bool has_all_buffers_ = true;
  bool only_smb2_ = true;                   // all payloads are SMB2, and none lends buffers in an unknown way
  std::vector<std::uint32_t> invalidated_;  // tokens that no payload has named since
  std::array<Octet, 3> tail_{};             // last octets of the previous segment of the same message
  std::size_t tail_octets_ = 0;
};

}  // namespace wirelaw::smbd
