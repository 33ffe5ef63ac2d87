// SPDX-License-Identifier: Apache-2.0
#include "pcap/input.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

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
    {EACCES, "the file may not be read", "check its permissions"},
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

// How many first octets it takes to understand what is there.
std::size_t wanted(Octets head) {
  constexpr std::size_t kPcapHeader = 24;
  if (head.size() < kPcapHeader) return kPcapHeader;
  return std::clamp(section_header_length(head), kPcapHeader, kHeadOctets);
}

}  // namespace

tl::expected<std::unique_ptr<Input>, Problem> Input::open(const std::string& path) {
  Descriptor descriptor = open_path(path);
  struct stat status {};
  if (!descriptor || fstat(descriptor.get(), &status) != 0) return refuse(path, errno);
  if (S_ISDIR(status.st_mode)) return refuse(path, EISDIR);

  auto input = std::unique_ptr<Input>(new Input);
  const off_t at = lseek(descriptor.get(), 0, SEEK_CUR);  // standard input need not stand at its beginning
  Octet magic[2] = {};
  const bool direct = S_ISREG(status.st_mode) && at >= 0 &&
                      !(pread(descriptor.get(), magic, sizeof magic, at) == sizeof magic && is_gzip(magic));
  const bool opened = direct ? input->open_file(std::move(descriptor), static_cast<std::size_t>(at))
                             : input->open_source(std::move(descriptor));
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
  descriptor.release();
  return tune();
}

bool Input::open_source(Descriptor descriptor) {
  source_ = std::make_unique<OctetSource>(std::move(descriptor));
  for (std::size_t want = wanted(head_); head_.size() < want; want = wanted(head_)) {
    const std::size_t had = head_.size();
    head_.resize(want);
    const std::size_t got = source_->read(std::span(head_).subspan(had));
    head_.resize(had + got);
    if (got == 0) break;
  }
  stream_.reset(
      fopencookie(this, "rb", {.read = cookie_read, .write = nullptr, .seek = cookie_seek, .close = nullptr}));
  return stream_ && tune();
}

// One thread reads the stream, in pieces much smaller than the buffer.
bool Input::tune() {
  buffer_.resize(kStreamBuffer);
  __fsetlocking(stream_.get(), FSETLOCKING_BYCALLER);
  return std::setvbuf(stream_.get(), buffer_.data(), _IOFBF, buffer_.size()) == 0;
}

std::size_t Input::replay(std::span<Octet> out) {
  if (given_ >= head_.size()) return source_->read(out);
  const std::size_t count = std::min(out.size(), head_.size() - given_);
  std::memcpy(out.data(), head_.data() + given_, count);
  return count;
}

ssize_t Input::cookie_read(void* cookie, char* out, std::size_t size) {
  auto& input = *static_cast<Input*>(cookie);
  const std::size_t got = input.replay({reinterpret_cast<Octet*>(out), size});
  input.given_ += got;
  return static_cast<ssize_t>(got);
}

// Only tells the position, so that a problem can name it.
int Input::cookie_seek(void* cookie, off64_t* offset, int whence) {
  if (whence != SEEK_CUR || *offset != 0) return -1;
  *offset = static_cast<off64_t>(static_cast<Input*>(cookie)->given_);
  return 0;
}

}  // namespace wirelaw::pcap
