// SPDX-License-Identifier: Apache-2.0
#include "reports/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr mode_t kMode = 0666;  // permissions before the umask

std::string cannot_write(std::string_view name, int error) {
  const std::string_view hint = error == EPIPE                       ? "its reader has gone"
                                : error == ENOSPC || error == EDQUOT ? "make room, or choose another place"
                                                                     : "choose another place";
  return fmt::format("{}: cannot be written: {}; {}", printable(name), std::strerror(error), hint);
}

// Follows links to the real file; a path that does not exist yet stays as it is.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

}  // namespace

Output Output::to_memory() {
  return {-1, "memory"};
}

Output Output::to_descriptor(int descriptor, std::string name) {
  return {descriptor, std::move(name)};
}

tl::expected<Output, std::string> Output::to_file(const std::string& path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return tl::make_unexpected(fmt::format("{}: is a directory; name a file in it", printable(path)));
  Output output(-1, path);
  output.owns_ = true;
  if (exists && !S_ISREG(status.st_mode)) {
    output.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    output.target_ = resolved(path);
    output.temporary_ = fmt::format("{}.{}.tmp", output.target_, ::getpid());
    output.descriptor_ = ::open(output.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (output.descriptor_ < 0) output.temporary_.clear();
    if (output.descriptor_ >= 0 && exists && ::fchmod(output.descriptor_, status.st_mode & 07777) != 0)
      output.error_ = errno;
  }
  if (output.descriptor_ < 0) return tl::make_unexpected(cannot_write(path, errno));
  return output;
}

Output::Output(Output&& from) noexcept
    : descriptor_(std::exchange(from.descriptor_, -1)),
      owns_(from.owns_),
      error_(from.error_),
      name_(std::move(from.name_)),
      target_(std::move(from.target_)),
      temporary_(std::exchange(from.temporary_, {})),
      buffer_(std::move(from.buffer_)) {}

Output::~Output() {
  close();
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::put(std::string_view text) {
  buffer_ += text;
  if (descriptor_ >= 0 && buffer_.size() >= kBuffer) flush();
}

// A separate function, so that it is not instantiated at each call of print().
void Output::print_args(fmt::string_view format, fmt::format_args args) {
  fmt::vformat_to(std::back_inserter(buffer_), format, args);
  if (descriptor_ >= 0 && buffer_.size() >= kBuffer) flush();
}

void Output::flush() {
  std::string_view rest = buffer_;
  while (error_ == 0 && !rest.empty()) {
    const ssize_t wrote = ::write(descriptor_, rest.data(), rest.size());
    if (wrote >= 0)
      rest.remove_prefix(static_cast<std::size_t>(wrote));
    else if (errno != EINTR)
      error_ = errno;
  }
  buffer_.clear();
}

void Output::close() {
  if (owns_ && descriptor_ >= 0 && ::close(descriptor_) != 0 && error_ == 0) error_ = errno;
  descriptor_ = -1;
}

Output::Outcome Output::sync() {
  if (descriptor_ < 0) return {};  // memory
  flush();
  if (owns_) synchronise();
  return error_ == 0 ? Outcome{} : tl::make_unexpected(cannot_write(name_, error_));
}

// A pipe or a device has nothing to synchronise.
void Output::synchronise() {
  if (error_ == 0 && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) error_ = errno;
}

Output::Outcome Output::commit() {
  if (descriptor_ < 0) return {};  // memory
  flush();
  if (!owns_) return error_ == 0 ? Outcome{} : tl::make_unexpected(cannot_write(name_, error_));
  return finish_file();
}

Output::Outcome Output::finish_file() {
  synchronise();
  close();
  if (error_ == 0 && !temporary_.empty()) {
    if (::rename(temporary_.c_str(), target_.c_str()) == 0)
      temporary_.clear();
    else
      error_ = errno;
  }
  return error_ == 0 ? Outcome{} : tl::make_unexpected(cannot_write(name_, error_));
}

}  // namespace wirelaw
