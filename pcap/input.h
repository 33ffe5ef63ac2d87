// SPDX-License-Identifier: Apache-2.0
// A capture file as a stdio stream for libpcap. A plain file is read directly. gzip'd files and pipes are read through
// a cookie, which inflates, and repeats the octets in head(). So are files whose first records are read without libpcap
// (pcap_records.h, pcapng_records.h): the cookie continues after those records.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "pcap/octet_source.h"
#include "pcap/problem.h"
#include "pcap/statistics.h"

namespace wirelaw::pcap {

inline constexpr std::size_t kHeadOctets = 4096;

class Input {
 public:
  // `path` "-" is standard input.
  static tl::expected<std::unique_ptr<Input>, Problem> open(const std::string& path);

  // The first octets, at most kHeadOctets: all of a pcap file's header, all of a section header block that fits, and
  // what follows it up to the first interface, if that fits.
  Octets head() const { return head_; }

  // libpcap closes the stream that it reads: call release() once libpcap has it. The stream must not outlive this
  // object.
  std::FILE* stream() const { return stream_.get(); }
  void release() { static_cast<void>(stream_.release()); }

  // True if read() may read records after libpcap has opened the stream, because libpcap has read exactly head().
  bool has_plain_records() const { return plain_records_ && given_ == head_.size(); }
  // Reads the octets that follow: between 1 and out.size() octets; 0 at the end.
  std::size_t read(std::span<Octet> out);
  // The stream repeats these octets, which come from read() and must outlive it.
  void unread(Octets rest);

  // The last octets of the file, at most kTailOctets. Valid once all has been read.
  OctetBuffer tail() const;

  // The reason why the octets ended early. Empty if they did not, or if stdio reads them itself.
  std::string error() const { return source_ ? source_->error() : std::string(); }

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };

  Input() = default;
  bool open_file(Descriptor descriptor, std::size_t at);
  bool open_source(Descriptor descriptor, std::size_t at, bool as_it_is);
  bool tune();
  void keep_tail(Octets octets);
  static ssize_t cookie_read(void* cookie, char* out, std::size_t size);
  static int cookie_seek(void* cookie, off64_t* offset, int whence);

  OctetBuffer head_;
  std::unique_ptr<OctetSource> source_;
  std::size_t base_ = 0;   // position of head_ in the file
  std::size_t given_ = 0;  // octets read so far
  Octets unread_;          // the part of them to read again
  bool plain_records_ = false;
  bool keeps_tail_ = false;  // keeps the last octets read, for tail()
  OctetBuffer tail_;
  std::unique_ptr<char[]> buffer_;
  std::unique_ptr<std::FILE, Close> stream_;
  int file_ = -1;  // descriptor of a plain file; it may be owned elsewhere
};

}  // namespace wirelaw::pcap
