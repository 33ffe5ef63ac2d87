// SPDX-License-Identifier: Apache-2.0
// A server of SMB2 with one volume in memory (reference/smb2/volume.h), as far as clients need it to mount, list, read
// and write a share. It answers NEGOTIATE and ECHO without a session. Every client gets a session, as a guest or
// anonymous, without signing. Requests may be in compounds; unsupported ones get an error.
//
// Reads and writes use RDMA if a client names its buffers (SMB2_CHANNEL_RDMA_V1 and _INVALIDATE) and the transport
// supports it. A response is then sent once its movements are done.
//
//   auto answer = server.answer(message);           // std::nullopt: the connection ends
//   for (const Movement& one : answer->movements)   // is_fetch: RDMA Read, and server.keep(one, octets)
//     …                                             // else: RDMA Write of server.octets_of(one)
//   send(answer->message, answer->invalidate);
#pragma once

#include <optional>

#include "reference/smb2/compound.h"
#include "reference/smb2/files.h"
#include "reference/smb2/sessions.h"
#include "reference/smb2/window.h"

namespace wirelaw::smb2 {

struct ServerOptions {
  std::uint16_t highest_dialect = dialect::k311;
  std::uint32_t credits = 8192;          // maximum for a client
  std::uint16_t credits_at_first = 1;    // granted by the NEGOTIATE response, as in Linux
  std::uint32_t largest_size = 1 << 20;  // MaxTransactSize, MaxReadSize, MaxWriteSize
  Guid guid = {'w', 'i', 'r', 'e', 'l', 'a', 'w', 0, 0x40, 0, 0x80, 0, 0, 0, 0, 2};
};

struct Answer {
  OctetBuffer message;  // may be empty (CANCEL)
  std::vector<Movement> movements = {};
  std::optional<std::uint32_t> invalidate = {};  // the client's token to invalidate
};

class Server {
 public:
  explicit Server(const ServerOptions& options = {}) : options_(options) {}

  // Sets the limits of the transport: the maximum length of an answer, and of an RDMA Read or Write (0: no RDMA).
  void limit(std::size_t largest_answer, std::uint32_t largest_transfer);

  // Returns std::nullopt if the connection must end (3.3.5.2).
  std::optional<Answer> answer(Octets message);
  // Returns the data for the client, up to the end of the file; keep() stores data fetched from it.
  OctetBuffer octets_of(const Movement& movement);
  void keep(const Movement& movement, Octets octets);

  std::uint16_t dialect() const { return dialect_; }
  Volume& volume() { return files_.volume(); }

 private:
  bool admits(const Header& header);
  void answer(Octets message, const Element& element, bool is_first, Chain& chain, Compound& out);
  Result result_of(Octets message, const Element& element, Chain& chain);
  Result in_tree(const Element& element, Chain& chain);
  Result negotiate(Octets message, const Element& element);
  std::uint32_t status_of(Octets message, const NegotiateRequest& request, std::uint16_t& chosen) const;
  Header response_to(const Header& request, const Chain& chain, std::uint32_t status);

  ServerOptions options_;
  std::size_t largest_answer_ = std::size_t{1} << 20;
  std::uint16_t dialect_ = dialect::kNone;
  Window window_;
  Sessions sessions_;
  Files files_;
};

}  // namespace wirelaw::smb2
