// SPDX-License-Identifier: Apache-2.0
// A server of SMB2 without sessions: it answers NEGOTIATE and ECHO, alone or in compounds, and all else by an error:
// what needs a session, that there is none ([MS-SMB2] 3.3.5, 3.3.5.2.9).
#pragma once

#include <optional>

#include "reference/smb2/compound.h"
#include "reference/smb2/window.h"

namespace wirelaw::smb2 {

struct ServerOptions {
  std::uint16_t highest_dialect = dialect::k311;
  std::uint32_t credits = 8192;          // that a client may have
  std::uint16_t credits_at_first = 1;    // with the NEGOTIATE response, as Linux has it
  std::uint32_t largest_size = 1 << 20;  // MaxTransactSize, MaxReadSize, MaxWriteSize
  Guid guid = {'w', 'i', 'r', 'e', 'l', 'a', 'w', 0, 0x40, 0, 0x80, 0, 0, 0, 0, 2};
};

class Server {
 public:
  explicit Server(const ServerOptions& options = {}) : options_(options) {}

  // What is sent back, which may be nothing (CANCEL). std::nullopt: the connection ends (3.3.5.2).
  std::optional<OctetBuffer> answer(Octets message);

  std::uint16_t dialect() const { return dialect_; }

 private:
  bool admits(const Header& header);
  void answer(Octets message, const Element& element, bool is_first, Compound& out);
  void negotiate(Octets message, const Element& element, Compound& out);
  std::uint32_t status_of(Octets message, const NegotiateRequest& request, std::uint16_t& chosen) const;
  void fail(const Header& request, std::uint32_t status, Compound& out);
  Header response_to(const Header& request, std::uint32_t status = status::kSuccess);

  ServerOptions options_;
  std::uint16_t dialect_ = dialect::kNone;
  Window window_;
};

}  // namespace wirelaw::smb2
