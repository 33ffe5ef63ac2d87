// SPDX-License-Identifier: Apache-2.0
#include "pcap/reader_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace wirelaw::pcap {
namespace {

using namespace std::string_view_literals;

constexpr const char* kRecapture = "copy or capture it again";

// The first octets of files that users mistake for captures.
struct Mistaken {
  std::string_view magic;
  const char* message;
  const char* hint;
};
constexpr Mistaken kMistaken[] = {
    {"\x28\xb5\x2f\xfd"sv, "this is a zstd file", "decompress it first: zstd -d"},
    {"\xfd\x37zXZ\x00"sv, "this is an xz file", "decompress it first: xz -d"},
    {"BZh"sv, "this is a bzip2 file", "decompress it first: bzip2 -d"},
    {"\x04\x22\x4d\x18"sv, "this is an lz4 file", "decompress it first: lz4 -d"},
    {"PK\x03\x04"sv, "this is a zip archive", "unpack it first"},
    {"snoop\0\0\0"sv, "this is a snoop capture", "convert it first: editcap -F pcapng FILE NEW.pcapng"},
};

// The magic numbers of pcap (microseconds, nanoseconds, Kuznetzov's) and pcapng, in either byte order.
constexpr std::string_view kCaptures[] = {"\xa1\xb2\xc3\xd4"sv, "\xd4\xc3\xb2\xa1"sv, "\xa1\xb2\x3c\x4d"sv,
                                          "\x4d\x3c\xb2\xa1"sv, "\xa1\xb2\xcd\x34"sv, "\x34\xcd\xb2\xa1"sv,
                                          "\x0a\x0d\x0d\x0a"sv};

// A phrase in libpcap's message, and advice for the user.
struct Advice {
  std::string_view words;
  const char* hint;
};
constexpr Advice kAdvice[] = {
    {"different from the type of the first interface"sv,
     "libpcap reads one link type at a time; keep one interface's frames: tshark -r FILE -Y 'frame.interface_id == 0' "
     "-w ONE.pcapng && editcap -T ether -F pcap ONE.pcapng ONE.pcap (editcap -T lists the names of other links)"},
    {"different from the snapshot length of the first"sv,
     "libpcap reads one snap length at a time; rewrite the file: editcap -F pcap FILE NEW.pcap"},
    {"truncated"sv, "the end is missing, copy or capture the file again"},
    {"no Interface Description Block"sv, "the file has no frames, capture again"},
};

const char* advise(std::string_view libpcap) {
  for (const Advice& advice : kAdvice)
    if (libpcap.find(advice.words) != std::string_view::npos) return advice.hint;
  return kRecapture;
}

bool is_text(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    const auto octet = static_cast<unsigned char>(c);
    return octet >= 0x20 || octet == '\n' || octet == '\r' || octet == '\t';
  });
}

// Turns libpcap's message into one line.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

Problem explain_unknown(const std::string& path, std::string_view head) {
  for (const Mistaken& mistaken : kMistaken)
    if (head.starts_with(mistaken.magic)) return {path, 0, 0, mistaken.message, mistaken.hint};
  const char* message = is_text(head) ? "this is text, not a capture" : "this is not a pcap or pcapng capture";
  return {path, 0, 0, message, "give a pcap or pcapng file, such as tcpdump -w and Wireshark write"};
}

}  // namespace

Problem explain_refusal(const std::string& path, Octets head, const std::string& early, const std::string& libpcap) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (!early.empty()) return {path, 0, 0, one_line(early), kRecapture};
  if (head.empty()) return {path, 0, 0, "the file is empty", "capture again"};
  const auto begins = [&](std::string_view magic) { return text.starts_with(magic); };
  if (std::none_of(std::begin(kCaptures), std::end(kCaptures), begins)) return explain_unknown(path, text);
  return {path, 0, 0, one_line(libpcap), advise(libpcap)};
}

Problem explain_break(const std::string& path, std::uint64_t frames, const std::string& early,
                      const std::string& libpcap) {
  const std::string& why = early.empty() ? libpcap : early;
  return {path, 0, 0, fmt::format("nothing can be read after frame {}: {}", frames, one_line(why)),
          early.empty() ? advise(libpcap) : kRecapture};
}

}  // namespace wirelaw::pcap
