// SPDX-License-Identifier: Apache-2.0
#include "pcap/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace wirelaw::pcap {
namespace {

constexpr std::size_t kBufferOctets = std::size_t{1} << 16;
constexpr int kMaxNameTries = 100;
constexpr int kNewFile = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
constexpr mode_t kMode = 0666;  // less the umask

struct Advice {
  int error;
  const char* hint;
};
constexpr Advice kAdvice[] = {
    {ENOSPC, "the disk is full: make room, or write elsewhere"},
    {EDQUOT, "the quota is used up: make room, or write elsewhere"},
    {ENOENT, "create its directory first"},
    {ENOTDIR, "create its directory first"},
    {EACCES, "check the permissions of its directory"},
    {EROFS, "write to a file system that is not read-only"},
    {EISDIR, "name a file in this directory"},
    {EPIPE, "the program that reads it has exited"},
};

Problem problem_of(const std::string& path, int error) {
  Problem problem{path, 0, 0, fmt::format("cannot be written: {}", std::strerror(error)), ""};
  for (const Advice& advice : kAdvice)
    if (advice.error == error) problem.hint = advice.hint;
  return problem;
}

// Creates the file in the target's directory, so that renaming is atomic, and with a hidden name, so that nobody
// mistakes it for a capture.
Descriptor open_temporary(const std::filesystem::path& target, std::string& name) {
  for (int i = 0; i < kMaxNameTries; ++i) {
    name = target.parent_path() / fmt::format(".{}.{}.{}", target.filename().string(), ::getpid(), i);
    Descriptor descriptor(::open(name.c_str(), kNewFile, kMode));
    if (descriptor || errno != EEXIST) return descriptor;
  }
  return Descriptor();
}

}  // namespace

tl::expected<OutputFile, Problem> OutputFile::create(const std::string& path) {
  OutputFile file;
  file.path_ = path;
  file.target_ = path;
  struct stat status {};
  const bool exists = path != "-" && ::stat(path.c_str(), &status) == 0;
  if (path == "-") {
    file.descriptor_ = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  } else if (exists && !S_ISREG(status.st_mode)) {
    file.descriptor_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  } else {
    std::error_code failed;
    if (exists) file.target_ = std::filesystem::canonical(path, failed).string();
    if (failed) file.target_ = path;
    file.descriptor_ = open_temporary(file.target_, file.temporary_);
    if (!file.descriptor_) file.temporary_.clear();
  }
  if (!file.descriptor_) return tl::unexpected(problem_of(path, errno));
  file.buffer_.reserve(kBufferOctets);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::move(other.descriptor_)),
      buffer_(std::move(other.buffer_)),
      error_(other.error_) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(target_, other.target_);
  std::swap(temporary_, other.temporary_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(buffer_, other.buffer_);
  std::swap(error_, other.error_);
  return *this;
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

tl::expected<void, Problem> OutputFile::fail(int error) {
  error_ = error;
  if (!temporary_.empty()) ::unlink(std::exchange(temporary_, {}).c_str());
  return tl::unexpected(problem_of(path_, error));
}

tl::expected<void, Problem> OutputFile::append(Octets octets) {
  if (error_ != 0) return fail(error_);
  buffer_.insert(buffer_.end(), octets.begin(), octets.end());
  if (buffer_.size() < kBufferOctets) return {};
  return write_through();
}

tl::expected<void, Problem> OutputFile::flush() {
  if (error_ != 0) return fail(error_);
  return write_through();
}

tl::expected<void, Problem> OutputFile::write_through() {
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t wrote = ::write(descriptor_.get(), buffer_.data() + done, buffer_.size() - done);
    if (wrote < 0 && errno != EINTR) return fail(errno);
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  buffer_.clear();
  return {};
}

tl::expected<void, Problem> OutputFile::commit() {
  if (auto flushed = flush(); !flushed) return flushed;
  if (!descriptor_) return {};  // already committed
  // A network file system may report a full disk only here.
  if (!temporary_.empty() && ::fsync(descriptor_.get()) != 0) return fail(errno);
  if (::close(descriptor_.release()) != 0) return fail(errno);
  if (temporary_.empty()) return {};
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return fail(errno);
  temporary_.clear();
  return {};
}

}  // namespace wirelaw::pcap
