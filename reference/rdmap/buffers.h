// SPDX-License-Identifier: Apache-2.0
// Tagged buffers: which memory an STag names, on which stream, and what the remote peer may do with it (RFC 5040,
// 8.1.1; RFC 5041, 8.2 and 8.3). Several streams may share one table, as they share a network interface: each must not
// access the buffers of another.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <tl/expected.hpp>
#include <unordered_map>

#include "reference/octets/octets.h"

namespace wirelaw::rdmap {

using Stag = std::uint32_t;
using StreamId = std::uint32_t;
inline constexpr StreamId kEveryStream = 0;  // for a buffer: the whole protection domain; for an access: any buffer

// A place in a buffer.
struct BufferAt {
  Stag stag = 0;
  std::uint64_t to = 0;
};

// The rights of the remote peer. A buffer without any right can still be the sink of local reads.
struct Access {
  bool read = false;
  bool write = false;
  bool atomic = false;
};

// An access to a range of a buffer.
enum class Use : std::uint8_t { sink, remote_read, remote_write, remote_atomic };

// A transport that accesses memory by itself, as a device does: it registers the memory that the peer may use, and
// returns STag and offset.
class MemoryDevice {
 public:
  virtual ~MemoryDevice() = default;
  // Registers memory until it is withdrawn. Returns nothing if that fails.
  virtual std::optional<BufferAt> expose(std::span<Octet> memory, Access access) = 0;
  virtual void withdraw(Stag stag) = 0;
};

enum class BufferFault : std::uint8_t { none, invalid_stag, not_associated, access, wrap, bounds };

enum class RegisterError : std::uint8_t { too_many, wraps };  // base + size is beyond 2^64 - 1

class Buffers {
 public:
  // STags are drawn from the whole range. They are hard to guess if the seed is (RFC 5040, 8.1.1, item 8).
  explicit Buffers(std::uint64_t seed, std::size_t most = 65'536) : random_(seed), most_(most) {}

  StreamId open_stream() { return ++streams_; }
  // Removes everything that is associated only with this stream.
  void close_stream(StreamId stream);

  // Registers memory of the caller, which must stay until the STag is removed. `base` is the tagged offset of its first
  // octet, and decides the alignment for atomic operations.
  tl::expected<Stag, RegisterError> add(StreamId stream, std::span<Octet> memory, std::uint64_t base, Access access);
  // Same as add(), with an STag that the caller chooses; returns false if the STag is in use.
  bool adopt(StreamId stream, Stag stag, std::span<Octet> memory, std::uint64_t base, Access access);
  bool remove(Stag stag);
  // Ends remote access; the STag itself stays until it is removed. Returns false if there is no valid STag.
  bool invalidate(Stag stag);
  // Same as invalidate(), at the request of the peer on this stream: only a buffer that is associated with this stream
  // alone (8.1.1, item 7).
  bool invalidate_remotely(Stag stag, StreamId stream);
  bool valid(Stag stag) const;

  struct Range {
    BufferFault fault = BufferFault::none;
    std::span<Octet> memory;  // the range, if there is no fault
  };
  Range look(Stag stag, StreamId stream, std::uint64_t to, std::uint64_t size, Use use) const;

  std::size_t size() const { return buffers_.size(); }

 private:
  struct Buffer {
    std::span<Octet> memory;
    std::uint64_t base;
    Access access;
    StreamId stream;
    bool valid;
  };

  std::mt19937_64 random_;
  std::size_t most_;
  StreamId streams_ = 0;
  std::unordered_map<Stag, Buffer> buffers_;
};

}  // namespace wirelaw::rdmap
