// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/relay_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "pcap/link.h"

namespace wirelaw {

tl::expected<RelayRecording, std::string> RelayRecording::create(const std::string& section_comment,
                                                                 std::span<const std::string> files, Legs legs) {
  RelayRecording recording;
  const std::string comments[] = {section_comment};
  for (const std::string& path : files) {
    auto writer = pcap::Writer::create(path, comments);
    if (!writer) return tl::unexpected(pcap::to_string(writer.error()));
    if (legs == Legs::on_interfaces)
      for (const std::string_view name : kLegInterfaces)
        if (const auto added = writer->add_interface(pcap::kLinkTypeEthernet, name); !added)
          return tl::unexpected(pcap::to_string(added.error()));
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

void RelayRecording::frame(LegInterface interface, Octets octets, std::span<const std::string> comments) {
  const pcap::Frame frame{.time_ns = now_ns(),
                          .interface = static_cast<std::uint32_t>(interface),
                          .link_type = pcap::kLinkTypeEthernet,
                          .octets = octets};
  for (Copy& one : copies_) keep(one.writer.write_frame_of(frame, comments));
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

void StreamLeg::write(bool by_connecting_side, const pcap::TcpHeader& header, Octets octets,
                      std::span<const std::string> comments) {
  const auto& [from, to] = by_connecting_side ? std::tie(connects_, listens_) : std::tie(listens_, connects_);
  recording_.segment(from, to, header, octets, comments);
}

void StreamLeg::record(bool by_connecting_side, const pcap::TcpHeader& header, Octets octets) {
  for (const bool side : {false, true}) say_late(side);
  write(by_connecting_side, header, octets, comments_);
  comments_.clear();
}

void StreamLeg::stops_reading(bool from_connecting_side) {
  Unread& unread = unread_[from_connecting_side];
  if (!unread.since) unread.since = recording_.now();
}

// Octets arrive in order. Once as many have been read as were waiting at `marked`, those that still wait arrived later.
void StreamLeg::reads_on(bool from_connecting_side, std::size_t waiting) {
  Unread& unread = unread_[from_connecting_side];
  if (waiting == 0) {
    unread.since.reset();
    unread.marked.reset();
  } else if (unread.left == 0) {
    if (unread.marked) unread.since = unread.marked;
    unread.marked = recording_.now();
    unread.left = waiting;
  }
  if (!is_late(unread)) say_in_time(from_connecting_side);
}

// Called before each frame. Records once that what this side sends is read late.
void StreamLeg::say_late(bool of_connecting_side) {
  Unread& unread = unread_[of_connecting_side];
  if (over_ || unread.is_said || !is_late(unread)) return;
  unread.is_said = true;
  pcap::TcpHeader header = headers_.acknowledge(!of_connecting_side);
  header.window = 0;
  const std::string comments[] = {fmt::format("the relay reads late what {} sends: the other side does not take it",
                                              pcap::to_string(of_connecting_side ? connects_ : listens_))};
  write(!of_connecting_side, header, {}, comments);
}

void StreamLeg::say_in_time(bool of_connecting_side) {
  if (std::exchange(unread_[of_connecting_side].is_said, false) && !over_)
    write(!of_connecting_side, headers_.acknowledge(!of_connecting_side), {}, {});
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
    std::size_t& left = unread_[by_connecting_side].left;
    left -= std::min(left, part.size());
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
