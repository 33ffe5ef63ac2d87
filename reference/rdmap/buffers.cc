// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/buffers.h"

#include <limits>

namespace wirelaw::rdmap {
namespace {

bool permits(const Access& access, Use use) {
  switch (use) {
    case Use::remote_read:
      return access.read;
    case Use::remote_write:
      return access.write;
    case Use::remote_atomic:
      return access.atomic;
    case Use::sink:
      break;
  }
  return true;
}

}  // namespace

void Buffers::close_stream(StreamId stream) {
  std::erase_if(buffers_, [&](const auto& entry) { return entry.second.stream == stream; });
}

tl::expected<Stag, RegisterError> Buffers::add(StreamId stream, std::span<Octet> memory, std::uint64_t base,
                                               Access access) {
  if (memory.size() > std::numeric_limits<std::uint64_t>::max() - base) return tl::unexpected(RegisterError::wraps);
  if (buffers_.size() >= most_) return tl::unexpected(RegisterError::too_many);
  while (true) {
    const auto stag = static_cast<Stag>(random_());
    // Messages without an STag have 0 in its place, so no buffer should have it.
    if (stag != 0 && buffers_.try_emplace(stag, Buffer{memory, base, access, stream, true}).second) return stag;
  }
}

bool Buffers::adopt(StreamId stream, Stag stag, std::span<Octet> memory, std::uint64_t base, Access access) {
  return buffers_.size() < most_ && buffers_.try_emplace(stag, Buffer{memory, base, access, stream, true}).second;
}

bool Buffers::remove(Stag stag) {
  return buffers_.erase(stag) > 0;
}

bool Buffers::invalidate(Stag stag) {
  const auto found = buffers_.find(stag);
  if (found == buffers_.end() || !found->second.valid) return false;
  found->second.valid = false;
  return true;
}

bool Buffers::invalidate_remotely(Stag stag, StreamId stream) {
  const auto found = buffers_.find(stag);
  return found != buffers_.end() && found->second.stream == stream && invalidate(stag);
}

bool Buffers::valid(Stag stag) const {
  const auto found = buffers_.find(stag);
  return found != buffers_.end() && found->second.valid;
}

Buffers::Range Buffers::look(Stag stag, StreamId stream, std::uint64_t to, std::uint64_t size, Use use) const {
  const auto found = buffers_.find(stag);
  if (found == buffers_.end() || !found->second.valid) return {BufferFault::invalid_stag, {}};
  const Buffer& buffer = found->second;
  if (buffer.stream != stream && buffer.stream != kEveryStream && stream != kEveryStream)
    return {BufferFault::not_associated, {}};
  if (!permits(buffer.access, use)) return {BufferFault::access, {}};
  if (size > std::numeric_limits<std::uint64_t>::max() - to) return {BufferFault::wrap, {}};
  if (to < buffer.base) return {BufferFault::bounds, {}};
  const std::uint64_t offset = to - buffer.base;
  if (offset > buffer.memory.size() || size > buffer.memory.size() - offset) return {BufferFault::bounds, {}};
  return {BufferFault::none, buffer.memory.subspan(offset, size)};
}

}  // namespace wirelaw::rdmap
