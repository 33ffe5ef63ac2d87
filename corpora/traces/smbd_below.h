// SPDX-License-Identifier: Apache-2.0
// The layer below SMB Direct in a trace: iWARP, or RoCEv2.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "conformance/delivery.h"
#include "corpora/traces/trace.h"

namespace wirelaw::corpora {

class SmbdBelow {
 public:
  virtual ~SmbdBelow() = default;
  virtual bool is_stream() const = 0;
  virtual void start() = 0;
  virtual void send(Side side, Octets octets, std::optional<std::uint32_t> invalidate) = 0;
  virtual void write(Side side, Octets octets, const RemoteRange& to) = 0;  // the length of `to` is that of `octets`
  virtual void read(Side side, const RemoteRange& from) = 0;
  virtual void close(Side side) = 0;
  virtual TraceMessage& last() = 0;  // the first message of the last operation
  virtual std::vector<TraceMessage> take() = 0;
};

std::unique_ptr<SmbdBelow> smbd_over_iwarp();
std::unique_ptr<SmbdBelow> smbd_over_roce();

}  // namespace wirelaw::corpora
