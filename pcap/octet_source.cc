// SPDX-License-Identifier: Apache-2.0
#include "pcap/octet_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace wirelaw::pcap {
namespace {

constexpr std::size_t kRawOctets = std::size_t{1} << 17;
// Reads of this many octets or more go directly to their destination.
constexpr std::size_t kDirect = std::size_t{1} << 14;
constexpr std::size_t kGzipMagic = 2;
constexpr int kGzipWindow = 15 + 16;  // zlib's largest window, and a gzip wrapper

}  // namespace

bool is_gzip(Octets head) {
  return head.size() >= kGzipMagic && head[0] == 0x1f && head[1] == 0x8b;
}

OctetSource::OctetSource(Descriptor descriptor) : descriptor_(std::move(descriptor)), raw_(kRawOctets) {}

OctetSource::~OctetSource() {
  if (inflater_) inflateEnd(inflater_.get());
}

std::size_t OctetSource::read(std::span<Octet> out) {
  if (!begun_) begin();
  if (finished_ || out.empty()) return 0;
  return inflater_ ? inflate_some(out) : read_plain(out);
}

void OctetSource::begin() {
  begun_ = true;
  while (end_ < kGzipMagic && fill()) {
  }
  if (!is_gzip(Octets(raw_).first(end_))) return;
  inflater_ = std::make_unique<z_stream>();
  if (inflateInit2(inflater_.get(), kGzipWindow) != Z_OK) {
    inflater_.reset();
    finished_ = true;
    error_ = "zlib cannot begin to inflate";
  }
}

// Appends to the raw octets. Returns false at the end.
bool OctetSource::fill() {
  if (begin_ == end_) begin_ = end_ = 0;
  const std::size_t got = read_descriptor(std::span(raw_).subspan(end_));
  end_ += got;
  return got > 0;
}

std::size_t OctetSource::read_descriptor(std::span<Octet> out) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor_.get(), out.data(), out.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) error_ = std::strerror(errno);
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

std::size_t OctetSource::read_plain(std::span<Octet> out) {
  if (begin_ == end_ && out.size() >= kDirect) {
    const std::size_t got = read_descriptor(out);
    finished_ = got == 0;
    return got;
  }
  if (begin_ == end_ && !fill()) {
    finished_ = true;
    return 0;
  }
  const std::size_t count = std::min(out.size(), end_ - begin_);
  std::memcpy(out.data(), raw_.data() + begin_, count);
  begin_ += count;
  return count;
}

std::size_t OctetSource::inflate_some(std::span<Octet> out) {
  z_stream& stream = *inflater_;
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(std::min(out.size(), kRawOctets));
  const auto room = stream.avail_out;
  while (stream.avail_out == room && !finished_) {
    if (begin_ == end_ && !fill()) {
      if (error_.empty()) error_ = "the gzip stream ends before its end mark";
      finished_ = true;
      break;
    }
    stream.next_in = raw_.data() + begin_;
    stream.avail_in = static_cast<uInt>(end_ - begin_);
    const int status = inflate(&stream, Z_NO_FLUSH);
    begin_ = end_ - stream.avail_in;
    if (status == Z_STREAM_END) {
      finished_ = !next_member();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      error_ = std::string("the gzip stream is damaged") + (stream.msg ? std::string(": ") + stream.msg : "");
      finished_ = true;
    }
  }
  return room - stream.avail_out;
}

// Files may be concatenated (RFC 1952, section 2.2). Anything else after a member is padding.
bool OctetSource::next_member() {
  if (begin_ == end_ && !fill()) return false;
  if (raw_[begin_] != 0x1f) return false;
  return inflateReset(inflater_.get()) == Z_OK;
}

}  // namespace wirelaw::pcap
