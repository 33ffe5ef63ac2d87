// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/kept_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "pcap/reader.h"
#include "reference/octets/hex.h"

namespace wirelaw {
namespace {

constexpr std::size_t kCompared = 20;  // octets
constexpr std::size_t kRecent = 64;    // frames: a message is named by its last one, and its first octets are before

bool hold(const std::deque<OctetBuffer>& frames, const std::string& hexadecimal) {
  const auto octets = from_hex(hexadecimal.substr(0, 2 * kCompared));
  return octets && std::ranges::any_of(frames, [&octets](const OctetBuffer& one) {
           return std::search(one.begin(), one.end(), octets->begin(), octets->end()) != one.end();
         });
}

}  // namespace

std::vector<std::string> frames_that_are_not_there(const std::string& capture, const std::vector<NamedFrame>& named,
                                                   bool has_capture) {
  std::vector<std::string> faults;
  if (!has_capture) {
    for (const NamedFrame& one : named)
      faults.push_back(fmt::format("frame {} is named, and there is no capture", one.frame));
    return faults;
  }
  std::multimap<std::uint64_t, const NamedFrame*> wanted;
  for (const NamedFrame& one : named) wanted.emplace(one.frame, &one);
  auto reader = pcap::Reader::open(capture);
  if (!reader) return {to_string(reader.error())};
  std::deque<OctetBuffer> recent;
  for (pcap::Frame frame; reader->next(frame);) {
    recent.emplace_back(frame.octets.begin(), frame.octets.end());
    if (recent.size() > kRecent) recent.pop_front();
    const auto [begin, end] = wanted.equal_range(frame.number);
    for (auto one = begin; one != end; ++one)
      if (!one->second->octets.empty() && !hold(recent, one->second->octets))
        faults.push_back(fmt::format("frame {} of {} does not hold {}", frame.number, capture, one->second->octets));
    wanted.erase(begin, end);
  }
  if (reader->problem()) faults.push_back(to_string(*reader->problem()));
  for (const auto& [number, one] : wanted)
    faults.push_back(fmt::format("frame {} is named, and {} has {}", number, capture, reader->frames()));
  return faults;
}

}  // namespace wirelaw
