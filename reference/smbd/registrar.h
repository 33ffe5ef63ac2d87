// SPDX-License-Identifier: Apache-2.0
// The RDMA provider's part in registering buffers (3.1.4.3, 3.1.4.4): it chooses tokens and offsets.
#pragma once

#include <optional>
#include <span>

#include "reference/octets/octets.h"
#include "reference/smbd/work.h"

namespace wirelaw::smbd {

// The operations that the peer may perform on a registered buffer.
struct Access {
  bool read = false;
  bool write = false;
};

class Registrar {
 public:
  virtual ~Registrar() = default;

  // Registers memory, which must stay valid until deregister_memory(). Returns nothing if the provider refuses.
  virtual std::optional<RemoteBuffer> register_memory(std::span<Octet> memory, Access access) = 0;
  // Ends all remote access before it returns. Returns false if the provider does not know the token.
  virtual bool deregister_memory(Token token) = 0;
  // Limit for one registration; longer memory takes several.
  virtual std::size_t most_octets() const { return std::size_t{1} << 30; }
};

}  // namespace wirelaw::smbd
