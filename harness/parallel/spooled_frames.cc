// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/spooled_frames.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>

#include "harness/parallel/write_all.h"

namespace wirelaw {
namespace {

// Only read by processes of the same build: numbers in memory format, and texts after their lengths.
class Packed {
 public:
  template <class Number>
  void put(Number number) {
    char octets[sizeof number];
    std::memcpy(octets, &number, sizeof number);
    text_.append(octets, sizeof number);
  }
  void put_text(std::string_view text) {
    put(std::uint64_t{text.size()});
    text_ += text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Unpacked {
 public:
  explicit Unpacked(std::string_view text) : rest_(text) {}

  template <class Number>
  Number number() {
    Number number{};
    if (!has(sizeof number)) return number;
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_.remove_prefix(sizeof number);
    return number;
  }
  std::string_view text() {
    const auto length = number<std::uint64_t>();
    if (!has(length)) return {};
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }
  bool is_all() const { return is_good_ && rest_.empty(); }
  bool is_good() const { return is_good_; }

 private:
  bool has(std::uint64_t octets) {
    is_good_ = is_good_ && octets <= rest_.size();
    return is_good_;
  }
  std::string_view rest_;
  bool is_good_ = true;
};

std::string packed(const RecordedFrame& frame) {
  Packed out;
  out.put_text(frame.from);
  out.put_text(frame.to);
  out.put_text(frame.dissector);
  out.put_text({reinterpret_cast<const char*>(frame.octets.data()), frame.octets.size()});
  out.put(frame.from_iut);
  out.put(frame.time_ns);
  out.put(frame.tcp.has_value());
  out.put(frame.tcp.value_or(pcap::TcpHeader{}));
  out.put(std::uint64_t{frame.comments.size()});
  for (const std::string& one : frame.comments) out.put_text(one);
  return out.text();
}

std::optional<RecordedFrame> unpacked(std::string_view text) {
  Unpacked in(text);
  RecordedFrame frame;
  frame.from = in.text();
  frame.to = in.text();
  frame.dissector = in.text();
  const std::string_view octets = in.text();
  frame.octets.assign(octets.begin(), octets.end());
  frame.from_iut = in.number<bool>();
  frame.time_ns = in.number<std::int64_t>();
  const bool is_tcp = in.number<bool>();
  const auto header = in.number<pcap::TcpHeader>();
  if (is_tcp) frame.tcp = header;
  for (auto left = in.number<std::uint64_t>(); left > 0 && in.is_good(); --left) frame.comments.emplace_back(in.text());
  if (!in.is_all()) return std::nullopt;
  return frame;
}

// Before each frame.
struct Head {
  std::uint64_t step = 0;
  std::uint64_t octets = 0;
};

bool read_all(int descriptor, std::span<char> to, std::uint64_t at) {
  while (!to.empty()) {
    const ssize_t got = ::pread(descriptor, to.data(), to.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
  return true;
}

}  // namespace

Spool::Spool() : file_(std::tmpfile(), &close) {
  if (file_ != nullptr) ::fcntl(::fileno(file_.get()), F_SETFD, FD_CLOEXEC);
}

bool Spool::write(std::uint64_t step, const RecordedFrame& frame) {
  if (file_ == nullptr) return false;
  const std::string text = packed(frame);
  Packed head;
  head.put(Head{.step = step, .octets = text.size()});
  return write_all(::fileno(file_.get()), head.text() + text);
}

std::vector<Spool::Kept> Spool::take_index() {
  std::vector<Kept> index;
  Head head;
  while (file_ != nullptr &&
         read_all(::fileno(file_.get()), std::span(reinterpret_cast<char*>(&head), sizeof head), indexed_)) {
    index.push_back({.step = head.step, .at = indexed_ + sizeof head, .octets = head.octets});
    indexed_ += sizeof head + head.octets;
  }
  return index;
}

std::optional<RecordedFrame> Spool::read(const Kept& kept) const {
  std::string text(kept.octets, '\0');
  if (!read_all(::fileno(file_.get()), text, kept.at)) return std::nullopt;
  return unpacked(text);
}

}  // namespace wirelaw
