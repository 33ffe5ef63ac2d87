// SPDX-License-Identifier: Apache-2.0
// Parses what users and live runs write about the content of a capture.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/check/check.h"

namespace wirelaw {
namespace {

constexpr std::string_view kForm = "write --decode-as udp.port=PORT,PROTOCOL or tcp.port=PORT,PROTOCOL";

struct PortField {
  std::string_view name;  // Wireshark's
  pcap::Transport transport;
  std::string_view scheme;  // as in Protocol::transports
};
constexpr PortField kPortFields[] = {{"udp.port=", pcap::Transport::udp, "udp"},
                                     {"tcp.port=", pcap::Transport::tcp, "tcp"}};

std::string known_protocols() {
  std::string names;
  for (const Protocol* protocol : protocols()) names += (names.empty() ? "" : ", ") + std::string(protocol->name);
  return names;
}

// Returns the word after `key=` in the blank-separated words of a note.
std::string_view value_of(std::string_view note, std::string_view key) {
  while (!note.empty()) {
    const std::string_view word = note.substr(0, note.find_first_of(" \n"));
    if (word.starts_with(key) && word.size() > key.size() && word[key.size()] == '=')
      return word.substr(key.size() + 1);
    note.remove_prefix(std::min(word.size() + 1, note.size()));
  }
  return {};
}

// Returns the comma-separated words of a value. An unknown word has no effect.
std::vector<std::string> list_of(std::string_view value) {
  std::vector<std::string> words;
  while (!value.empty()) {
    const std::string_view word = value.substr(0, value.find(','));
    if (!word.empty()) words.emplace_back(word);
    value.remove_prefix(std::min(word.size() + 1, value.size()));
  }
  return words;
}

// A port between 1 and 65535; empty if the text is none.
std::optional<std::uint16_t> port_of(std::string_view text) {
  const char* const last = text.data() + text.size();
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), last, port);
  return error == std::errc{} && end == last && port != 0 ? std::optional(port) : std::nullopt;
}

}  // namespace

tl::expected<DecodeAs, std::string> parse_decode_as(const std::string& text) {
  const auto field =
      std::ranges::find_if(kPortFields, [&](const PortField& one) { return text.starts_with(one.name); });
  const std::size_t comma = text.find(',');
  if (field == std::end(kPortFields) || comma == std::string::npos)
    return tl::make_unexpected(fmt::format("'{}' is not understood; {}", text, kForm));
  const std::string_view number = std::string_view(text).substr(field->name.size(), comma - field->name.size());
  const auto port = port_of(number);
  if (!port) return tl::make_unexpected(fmt::format("'{}' is no port between 1 and 65535; {}", number, kForm));
  const std::string name = text.substr(comma + 1);
  const Protocol* protocol = find_protocol(name);
  if (!protocol) return tl::make_unexpected(fmt::format("unknown protocol '{}'; known: {}", name, known_protocols()));
  const auto bases = bases_of(*protocol, captured_protocols());
  const auto is_there = [&](const Protocol* base) {
    return field->transport == pcap::Transport::tcp ? base->streams.has_value() : base->datagrams.has_value();
  };
  if (std::ranges::none_of(bases, is_there))
    return tl::make_unexpected(
        fmt::format("{} travels over {}, not over {}", name, protocol->transports, field->scheme));
  return DecodeAs{field->transport, *port, protocol};
}

tl::expected<IutAddress, std::string> parse_iut(const std::string& text) {
  if (const auto endpoint = pcap::parse_endpoint(text)) return IutAddress{endpoint->address, endpoint->port};
  if (const auto address = pcap::parse_address(text)) return IutAddress{*address, std::nullopt};
  return tl::make_unexpected(
      fmt::format("'{}' is no address; write ADDRESS:PORT, [IPV6]:PORT, or ADDRESS alone for any port", text));
}

CaptureNote parse_capture_note(std::string_view comment) {
  constexpr std::string_view kMark = "wirelaw ";
  CaptureNote note;
  if (!comment.starts_with(kMark)) return note;
  if (const auto iut = parse_iut(std::string(value_of(comment, "iut")))) note.iut = *iut;
  if (const auto tester = parse_iut(std::string(value_of(comment, "tester")))) note.tester = *tester;
  note.says_segments = value_of(comment, "headers") == "script";
  note.synthetic_headers = note.says_segments || value_of(comment, "headers") == "synthetic";
  note.synthetic_below = value_of(comment, "below") == "synthetic";
  note.has_legs = value_of(comment, "legs") == "interfaces";
  note.port = port_of(value_of(comment, "port"));
  note.protocol = find_protocol(value_of(comment, "protocol"));
  note.features = list_of(value_of(comment, "features"));
  note.revision = value_of(comment, "revision");
  return note;
}

}  // namespace wirelaw
