// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/network_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

#include "conformance/script/language.h"
#include "harness/transports/scheme.h"

namespace wirelaw {
namespace {

struct AllowedWord {
  std::string_view name;
  bool datagrams, reliable_datagrams, stream;
};
constexpr AllowedWord kAllowedWords[] = {
    {"loss", true, false, false},  {"duplication", true, false, false}, {"reordering", true, true, false},
    {"delay", true, true, true},   {"cut", false, false, true},         {"close", false, false, true},
    {"reset", false, false, true},
};

bool allows(const AllowedWord& word, Carried carried) {
  if (carried == Carried::stream) return word.stream;
  return carried == Carried::reliable_datagrams ? word.reliable_datagrams : word.datagrams;
}

std::string words_for(Carried carried) {
  std::string words;
  for (const AllowedWord& one : kAllowedWords)
    if (allows(one, carried)) words += fmt::format("{}{}", words.empty() ? "" : ", ", one.name);
  return words;
}

// "; did you mean 'loss'?", or nothing.
std::string hint_for(std::string_view name, Carried carried) {
  std::vector<std::string_view> words;
  for (const AllowedWord& one : kAllowedWords)
    if (allows(one, carried)) words.push_back(one.name);
  const std::string hint = script::nearest(name, words);
  return hint.empty() ? hint : "; " + hint;
}

bool read_octets(std::string_view text, std::optional<std::uint64_t>& octets) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  octets = value;
  return error == std::errc{} && end == text.data() + text.size() && value > 0;
}

bool read_word(std::string_view name, std::string_view value, NetworkPlan& plan) {
  if (name == "close") return read_octets(value, plan.close_after);
  if (name == "reset") return read_octets(value, plan.reset_after);
  return read_network_fault(name, value, plan.network_faults) == NetworkFaultWord::understood;
}

constexpr std::string_view why_only_these(Carried carried) {
  switch (carried) {
    case Carried::datagrams:
      return "the protocol travels over UDP";
    case Carried::reliable_datagrams:
      return "the protocol travels over SRD, which is reliable";
    case Carried::stream:
      return "the protocol travels over TCP";
    case Carried::packets:
      break;
  }
  return "a transparent relay forwards packets, and ends no connection";
}

}  // namespace

Carried carried_over(std::string_view transports, std::string_view scheme) {
  if (scheme != "udp") return Carried::stream;
  return travels_over(transports, "srd") ? Carried::reliable_datagrams : Carried::datagrams;
}

tl::expected<NetworkPlan, std::string> parse_network_plan(std::string_view text, Carried carried) {
  NetworkPlan plan;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    const auto* const row = std::ranges::find(kAllowedWords, name, &AllowedWord::name);
    if (row == std::end(kAllowedWords))
      return tl::unexpected(
          fmt::format("'{}' is no fault of a network; known: {}{}", name, words_for(carried), hint_for(name, carried)));
    if (!allows(*row, carried))
      return tl::unexpected(fmt::format("{}: {}; possible: {}", name, why_only_these(carried), words_for(carried)));
    if (!read_word(name, value, plan))
      return tl::unexpected(
          fmt::format("'{}' is not understood; the forms are loss=P, duplication=P, reordering=P "
                      "(P from 0 to 1), delay=MS[-MS], cut=OCTETS, close=OCTETS, reset=OCTETS",
                      word));
  }
  if (plan.close_after && plan.reset_after)
    return tl::unexpected(std::string("close and reset: a connection ends in one way; leave one of them out"));
  return plan;
}

}  // namespace wirelaw
