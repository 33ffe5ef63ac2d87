// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/capture_facts.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "harness/certify/sha256.h"
#include "pcap/pcapng_format.h"
#include "reference/octets/octets.h"

namespace wirelaw {
namespace {

namespace ng = pcap::pcapng;

constexpr std::size_t kMostOctets = 16u << 20;  // octets in one block
constexpr std::size_t kPacketHead = 20;         // interface, time, captured length, original length; section 4.3

std::string_view text_of(Octets octets) {
  return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

// Calls `each` with every comment among the options of a block.
template <class Each>
void for_each_comment(Octets options, const Each& each) {
  while (options.size() >= 4) {
    const auto code = ng::load<std::uint16_t>(options.data(), false);
    const auto length = ng::load<std::uint16_t>(options.data() + 2, false);
    options = options.subspan(4);
    if (code == ng::kOptionEnd || length > options.size()) return;
    if (code == ng::kOptionComment) each(text_of(options.first(length)));
    options = options.subspan(std::min(options.size(), ng::padded(length)));
  }
}

// Returns the value of "key=value" in a section comment.
std::string value_of(std::string_view comment, std::string_view key) {
  for (std::string_view rest = comment; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=')
      return std::string(word.substr(key.size() + 1));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return {};
}

class FactsReader {
 public:
  void take(std::uint32_t type, Octets body) {
    if (type == ng::kSectionHeader) take_section(body);
    if (type == ng::kEnhancedPacket) take_packet(body);
  }
  CaptureFacts finish() {
    facts_.octets = octets_.finish();
    facts_.intervals = intervals_.finish();
    return std::move(facts_);
  }

 private:
  void take_section(Octets body) {
    constexpr std::size_t kHead = 16;  // byte order, version, section length; section 4.1
    if (sections_++ > 0 || body.size() < kHead) return;
    for_each_comment(body.subspan(kHead), [&](std::string_view comment) {
      if (!comment.starts_with("wirelaw ")) return;
      facts_.run = value_of(comment, "run");
      facts_.certification = value_of(comment, "certification");
      facts_.is_synthetic = value_of(comment, "headers") == "synthetic";
      facts_.is_rendered = value_of(comment, "below") == "synthetic";
    });
  }

  void take_packet(Octets body) {
    if (body.size() < kPacketHead) return;
    const std::uint64_t high = ng::load<std::uint32_t>(body.data() + 4, false);
    const auto time = static_cast<std::int64_t>(high << 32 | ng::load<std::uint32_t>(body.data() + 8, false));
    const std::size_t length = ng::load<std::uint32_t>(body.data() + 12, false);
    const Octets rest = body.subspan(kPacketHead);
    if (length > rest.size()) return;
    if (++facts_.frames == 1) facts_.first_ns = origin_ = time;
    facts_.first_ns = std::min(facts_.first_ns, time);
    facts_.last_ns = std::max(facts_.last_ns, time);
    octets_.add_text(text_of(rest.first(length)));
    intervals_.add_text(std::to_string(time - origin_));
    bool is_first = true;
    for_each_comment(rest.subspan(std::min(rest.size(), ng::padded(length))), [&](std::string_view comment) {
      if (std::exchange(is_first, false)) note_beginning(comment);
    });
  }

  // Runner::announcement(): "case ID: purpose", "control after case …".
  void note_beginning(std::string_view comment) {
    constexpr std::string_view kCase = "case ", kControl = "control ";
    if (comment.starts_with(kCase))
      facts_.begins.emplace(facts_.frames, comment.substr(kCase.size(), comment.find(':') - kCase.size()));
    else if (comment.starts_with(kControl))
      facts_.begins.emplace(facts_.frames, std::string());
  }

  CaptureFacts facts_;
  Sha256 octets_, intervals_;
  std::int64_t origin_ = 0;
  std::size_t sections_ = 0;
};

}  // namespace

CaptureFacts facts_of_capture(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  FactsReader facts;
  OctetBuffer body;
  Octet head[ng::kBlockHead];
  while (file && std::fread(head, 1, sizeof head, file.get()) == sizeof head) {
    const auto length = ng::load<std::uint32_t>(head + 4, false);
    if (length < ng::kLeastBlock || length > kMostOctets) break;
    body.resize(length - ng::kBlockHead);
    if (std::fread(body.data(), 1, body.size(), file.get()) != body.size()) break;
    facts.take(ng::load<std::uint32_t>(head, false), Octets(body).first(body.size() - ng::kBlockEnd));
  }
  return facts.finish();
}

}  // namespace wirelaw
