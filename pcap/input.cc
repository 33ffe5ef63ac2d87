// SPDX-License-Identifier: Apache-2.0
#include "pcap/input.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pcap/pcap_records.h"
#include "pcap/pcapng_records.h"
#include "pcap/section_header.h"

namespace wirelaw::pcap {
namespace {

constexpr std::size_t kStreamBuffer = std::size_t{1} << 18;

struct Reason {
  int error;
  const char* message;
  const char* hint;
};
constexpr Reason kReasons[] = {
    {ENOENT, "there is no such file", "check the name"},
    {ENOTDIR, "there is no such file", "check the name"},
    {EACCES, "the file is not readable", "check its permissions"},
    {EISDIR, "this is a directory", "name the capture files in it"},
};

tl::unexpected<Problem> refuse(const std::string& path, int error) {
  for (const Reason& reason : kReasons)
    if (reason.error == error) return tl::unexpected(Problem{path, 0, 0, reason.message, reason.hint});
  return tl::unexpected(Problem{path, 0, 0, std::strerror(error), "check that the file can be read"});
}

Descriptor open_path(const std::string& path) {
  if (path == "-") return Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

constexpr std::size_t kPcapHeader = 24;

// The number of first octets needed to recognise the file.
std::size_t wanted(Octets head) {
  if (head.size() < kPcapHeader) return kPcapHeader;
  return std::clamp(std::max(section_header_length(head), pcapng_head_length(head)), kPcapHeader, kHeadOctets);
}

// True if records may be read without libpcap after the first octets of `begin`.
bool has_plain_beginning(Octets begin) {
  const std::size_t head = pcapng_head_length(begin);
  return has_plain_records(begin) || (head > 0 && head <= begin.size());
}

OctetBuffer octets_at(int descriptor, off_t at, std::size_t count) {
  OctetBuffer octets(count);
  const ssize_t got = pread(descriptor, octets.data(), count, at);
  octets.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return octets;
}

}  // namespace

tl::expected<std::unique_ptr<Input>, Problem> Input::open(const std::string& path) {
  Descriptor descriptor = open_path(path);
  struct stat status {};
  if (!descriptor || fstat(descriptor.get(), &status) != 0) return refuse(path, errno);
  if (S_ISDIR(status.st_mode)) return refuse(path, EISDIR);

  auto input = std::unique_ptr<Input>(new Input);
  const off_t at = lseek(descriptor.get(), 0, SEEK_CUR);  // standard input need not be at its beginning
  const bool file = S_ISREG(status.st_mode) && at >= 0;
  const std::size_t begin = file ? static_cast<std::size_t>(at) : 0;
  const OctetBuffer first = file ? octets_at(descriptor.get(), at, kHeadOctets) : OctetBuffer();
  const bool as_it_is = file && !is_gzip(first);
  // stdio may read it without help.
  const bool straight = as_it_is && !has_plain_beginning(first);
  const bool opened = straight ? input->open_file(std::move(descriptor), begin)
                               : input->open_source(std::move(descriptor), begin, as_it_is);
  if (!opened) return refuse(path, errno);
  return input;
}

bool Input::open_file(Descriptor descriptor, std::size_t at) {
  head_.resize(kHeadOctets);
  const ssize_t got = pread(descriptor.get(), head_.data(), head_.size(), static_cast<off_t>(at));
  if (got < 0) return false;
  head_.resize(static_cast<std::size_t>(got));
  posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  stream_.reset(fdopen(descriptor.get(), "rb"));
  if (!stream_) return false;
  file_ = descriptor.release();
  return tune();
}

bool Input::open_source(Descriptor descriptor, std::size_t at, bool as_it_is) {
  base_ = at;
  if (as_it_is) file_ = descriptor.get();
  posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_SEQUENTIAL);  // a pipe has no use for it
  source_ = std::make_unique<OctetSource>(std::move(descriptor));
  for (std::size_t want = wanted(head_); head_.size() < want; want = wanted(head_)) {
    const std::size_t had = head_.size();
    head_.resize(want);
    const std::size_t got = source_->read(std::span(head_).subspan(had));
    head_.resize(had + got);
    if (got == 0) break;
  }
  plain_records_ = pcap::has_plain_records(head_) || pcapng_head_length(head_) == head_.size();
  keeps_tail_ = !as_it_is && section_header_length(head_) > 0;
  stream_.reset(
      fopencookie(this, "rb", {.read = cookie_read, .write = nullptr, .seek = cookie_seek, .close = nullptr}));
  return stream_ && tune();
}

// One thread reads the stream, in pieces much smaller than the buffer.
bool Input::tune() {
  buffer_ = std::make_unique_for_overwrite<char[]>(kStreamBuffer);
  __fsetlocking(stream_.get(), FSETLOCKING_BYCALLER);
  return std::setvbuf(stream_.get(), buffer_.get(), _IOFBF, kStreamBuffer) == 0;
}

std::size_t Input::read(std::span<Octet> out) {
  const bool again = !unread_.empty();
  const Octets ready = again ? unread_ : Octets(head_).subspan(std::min(given_, head_.size()));
  std::size_t count = std::min(out.size(), ready.size());
  if (count > 0)
    std::memcpy(out.data(), ready.data(), count);
  else
    count = source_->read(out);
  given_ += count;
  if (again)
    unread_ = unread_.subspan(count);
  else if (keeps_tail_)
    keep_tail(out.first(count));
  return count;
}

void Input::keep_tail(Octets octets) {
  const Octets last = octets.last(std::min(octets.size(), kTailOctets));
  tail_.insert(tail_.end(), last.begin(), last.end());
  if (tail_.size() <= 2 * kTailOctets) return;  // moved now and then, not with each piece
  tail_.erase(tail_.begin(), tail_.end() - static_cast<std::ptrdiff_t>(kTailOctets));
}

OctetBuffer Input::tail() const {
  if (file_ < 0) {
    const Octets last = Octets(tail_).last(std::min(tail_.size(), kTailOctets));
    return OctetBuffer(last.begin(), last.end());
  }
  struct stat status {};
  if (fstat(file_, &status) != 0) return {};
  const std::size_t size = std::min(static_cast<std::size_t>(status.st_size), kTailOctets);
  return octets_at(file_, status.st_size - static_cast<off_t>(size), size);
}

void Input::unread(Octets rest) {
  unread_ = rest;
  given_ -= rest.size();
}

ssize_t Input::cookie_read(void* cookie, char* out, std::size_t size) {
  Input& input = *static_cast<Input*>(cookie);
  return static_cast<ssize_t>(input.read({reinterpret_cast<Octet*>(out), size}));
}

// Only reports the position, so that a problem can name it.
int Input::cookie_seek(void* cookie, off64_t* offset, int whence) {
  if (whence != SEEK_CUR || *offset != 0) return -1;
  const Input& input = *static_cast<Input*>(cookie);
  *offset = static_cast<off64_t>(input.base_ + input.given_);
  return 0;
}

}  // namespace wirelaw::pcap
