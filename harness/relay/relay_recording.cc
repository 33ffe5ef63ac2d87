// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/relay_recording.h"

#include <algorithm>
#include <tuple>

namespace wirelaw {

tl::expected<RelayRecording, std::string> RelayRecording::create(const std::string& section_comment,
                                                                 std::span<const std::string> files) {
  RelayRecording recording;
  const std::string comments[] = {section_comment};
  for (const std::string& path : files) {
    auto writer = pcap::Writer::create(path, comments);
    if (!writer) return tl::unexpected(pcap::to_string(writer.error()));
    recording.copies_.push_back({std::move(*writer), path == "-"});
  }
  return recording;
}

void RelayRecording::keep(const tl::expected<void, pcap::Problem>& outcome) {
  if (!outcome && !error_) error_ = pcap::to_string(outcome.error());
}

void RelayRecording::datagram(const pcap::Endpoint& from, const pcap::Endpoint& to, Octets octets,
                              std::span<const std::string> comments) {
  const std::int64_t now = now_ns();
  for (Copy& one : copies_) keep(one.writer.write_datagram(from, to, now, octets, comments));
}

void RelayRecording::segment(const pcap::Endpoint& from, const pcap::Endpoint& to, const pcap::TcpHeader& header,
                             Octets octets, std::span<const std::string> comments) {
  const std::int64_t now = now_ns();
  for (Copy& one : copies_) keep(one.writer.write_segment(from, to, now, header, octets, comments));
}

void RelayRecording::flush() {
  for (Copy& one : copies_)
    if (one.is_read_meanwhile) keep(one.writer.flush());
}

tl::expected<void, std::string> RelayRecording::commit() {
  for (Copy& one : copies_) {
    one.writer.say_dropped(dropped_);
    keep(one.writer.commit());
  }
  if (error_) return tl::unexpected(*error_);
  return {};
}

// ---------------------------------------------------------------------------------------------------------- StreamLeg

void StreamLeg::record(bool by_connecting_side, const pcap::TcpHeader& header, Octets octets) {
  const auto& [from, to] = by_connecting_side ? std::tie(connects_, listens_) : std::tie(listens_, connects_);
  recording_.segment(from, to, header, octets, comments_);
  comments_.clear();
}

void StreamLeg::open() {
  record(true, headers_.syn(true));
  record(false, headers_.syn(false));
  record(true, headers_.acknowledge(true));
}

void StreamLeg::carried(bool by_connecting_side, Octets octets) {
  if (over_ || closed_[by_connecting_side]) return;
  while (!octets.empty()) {
    const Octets part = octets.first(std::min(octets.size(), pcap::TcpSynthesis::kMaxPayload));
    record(by_connecting_side, headers_.data(by_connecting_side, part.size()), part);
    octets = octets.subspan(part.size());
  }
}

void StreamLeg::closed(bool by_connecting_side) {
  if (over_ || std::exchange(closed_[by_connecting_side], true)) return;
  record(by_connecting_side, headers_.fin(by_connecting_side));
}

void StreamLeg::reset(bool by_connecting_side) {
  if (std::exchange(over_, true)) return;
  record(by_connecting_side, headers_.rst(by_connecting_side));
}

}  // namespace wirelaw
