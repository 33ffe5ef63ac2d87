// SPDX-License-Identifier: Apache-2.0
// The upper layer of an endpoint under test, driven by a case: the calls of [MS-SMBD] 3.1.4, and the endpoint's
// reports. A case that has one judges
//
//   a message of the wire, and what the upper layer is told   or   a call of the upper layer, and what the wire shows
//
// The buffers belong to the upper layer. Errors are values: a refused call returns a short reason.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/offers.h"
#include "reference/smbd/events.h"
#include "reference/smbd/message.h"
#include "reference/smbd/registrar.h"

namespace wirelaw::smbd {

class UpperLayer {
 public:
  struct CallError {
    std::string message;
  };
  template <class Result>
  using Outcome = tl::expected<Result, CallError>;
  using Descriptors = std::vector<BufferDescriptorV1>;

  virtual ~UpperLayer() = default;

  // Must be called first: it takes the connection over from its application. Returns false if there is no connection.
  virtual bool begin() = 0;

  virtual Outcome<Parameters> query() = 0;                                                         // 3.1.4.7
  virtual Outcome<MessageId> send(OctetBuffer message, std::optional<Token> invalidate = {}) = 0;  // 3.1.4.2
  // 3.1.4.3: registers the parts of one buffer with these octets. The upper layer keeps the buffer.
  virtual Outcome<Descriptors> register_buffer(const std::vector<OctetBuffer>& parts, Access access) = 0;
  // From now on, the provider refuses every registration after this many parts.
  virtual bool limit_registrations(std::size_t parts) = 0;
  virtual std::size_t registrations() = 0;                         // number of registrations that the provider has now
  virtual OctetBuffer memory(const BufferDescriptorV1& part) = 0;  // current content of a part
  virtual Outcome<void> deregister_buffer(const Descriptors& descriptors) = 0;  // 3.1.4.4
  virtual Outcome<TransferId> write(OctetBuffer octets, const Descriptors& remote,
                                    std::uint64_t offset) = 0;                                                // 3.1.4.5
  virtual Outcome<TransferId> read(std::size_t octets, const Descriptors& remote, std::uint64_t offset) = 0;  // 3.1.4.6
  virtual OctetBuffer read_octets(TransferId id) = 0;  // octets that a Read has fetched
  virtual void close() = 0;

  // The next reported event, in order; empty if there is none yet.
  virtual std::optional<Event> event() = 0;
};

extern const OfferKind<UpperLayer> kUpperLayer;

}  // namespace wirelaw::smbd
