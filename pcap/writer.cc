// SPDX-License-Identifier: Apache-2.0
#include "pcap/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "pcap/comments.h"
#include "pcap/link.h"
#include "pcap/pcapng_block.h"

namespace wirelaw::pcap {
namespace {

constexpr std::string_view kApplication = "wirelaw";
constexpr std::size_t kMaxFrame = std::size_t{128} << 20;  // octets of the longest frame that libpcap accepts

void put_comments(pcapng::Block& block, std::span<const std::string> comments) {
  for_each_comment(comments, [&](std::string_view comment) { block.option(pcapng::kOptionComment, comment); });
}

}  // namespace

tl::expected<Writer, Problem> Writer::create(const std::string& path, std::span<const std::string> comments) {
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  Writer writer(std::move(*file));
  if (auto written = writer.write_section_header(comments); !written) return tl::unexpected(std::move(written.error()));
  return writer;
}

// Section 4.1.
tl::expected<void, Problem> Writer::write_section_header(std::span<const std::string> comments) {
  constexpr std::uint16_t kMajor = 1, kMinor = 0;
  constexpr auto kUnknownLength = std::numeric_limits<std::uint64_t>::max();
  pcapng::Block block(block_, pcapng::kSectionHeader);
  block.put(pcapng::kByteOrderMagic).put(kMajor).put(kMinor).put(kUnknownLength);
  put_comments(block, comments);
  block.option(pcapng::kSectionApplication, kApplication).finish();
  return file_.append(block_);
}

// Section 4.2.
tl::expected<std::uint32_t, Problem> Writer::interface_of(int link_type) {
  const auto known = std::ranges::find(interfaces_, link_type, &Interface::link_type);
  if (known != interfaces_.end()) return static_cast<std::uint32_t>(known - interfaces_.begin());
  return add_interface(link_type, {});
}

tl::expected<std::uint32_t, Problem> Writer::add_interface(int link_type, std::string_view name) {
  const auto index = static_cast<std::uint32_t>(interfaces_.size());
  if (link_type < 0 || link_type > std::numeric_limits<std::uint16_t>::max())
    return tl::unexpected(refuse(fmt::format("link type {} has no number in pcapng", link_type), ""));
  constexpr std::uint32_t kNoSnapLength = 0;
  constexpr Octet kResolution[] = {pcapng::kNanoseconds};
  pcapng::Block block(block_, pcapng::kInterfaceDescription);
  block.put(static_cast<std::uint16_t>(link_type)).put(std::uint16_t{0}).put(kNoSnapLength);
  if (!name.empty()) block.option(pcapng::kInterfaceName, name);
  block.option(pcapng::kInterfaceTimeResolution, Octets(kResolution)).finish();
  if (auto written = file_.append(block_); !written) return tl::unexpected(std::move(written.error()));
  interfaces_.push_back({.link_type = link_type, .frames = 0, .last_ns = 0});
  return index;
}

tl::expected<void, Problem> Writer::write_frame(const Frame& frame, std::span<const std::string> comments) {
  const auto interface = interface_of(frame.link_type);
  if (!interface) return tl::unexpected(interface.error());
  return write_packet(*interface, frame, comments);
}

tl::expected<void, Problem> Writer::write_frame_of(const Frame& frame, std::span<const std::string> comments) {
  if (frame.interface >= interfaces_.size())
    return tl::unexpected(refuse(fmt::format("there is no interface {}", frame.interface), "add it first"));
  return write_packet(frame.interface, frame, comments);
}

// Section 4.3.
tl::expected<void, Problem> Writer::write_packet(std::uint32_t interface, const Frame& frame,
                                                 std::span<const std::string> comments) {
  if (frame.octets.size() > kMaxFrame)
    return tl::unexpected(refuse(fmt::format("a frame of {} octets is too long for a capture", frame.octets.size()),
                                 fmt::format("cut it to {}", kMaxFrame)));
  const auto captured = static_cast<std::uint32_t>(frame.octets.size());
  const auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(frame.time_ns, 0));
  pcapng::Block block(block_, pcapng::kEnhancedPacket);
  block.put(interface).put(static_cast<std::uint32_t>(time >> 32)).put(static_cast<std::uint32_t>(time));
  block.put(captured).put(std::max(captured, frame.wire_length)).put_padded(frame.octets);
  put_comments(block, comments);
  block.finish();
  auto written = file_.append(block_);
  if (!written) return written;
  ++frames_;
  ++interfaces_[interface].frames;
  interfaces_[interface].last_ns = time;
  return written;
}

tl::expected<void, Problem> Writer::write_datagram(const Endpoint& source, const Endpoint& destination,
                                                   std::int64_t time_ns, Octets payload,
                                                   std::span<const std::string> comments) {
  if (auto made = synthesise_datagram(source, destination, payload, synthetic_); !made)
    return tl::unexpected(refuse(std::move(made.error()), "write it as several datagrams, as its sender did"));
  return write_synthetic(kLinkTypeEthernet, time_ns, comments);
}

tl::expected<void, Problem> Writer::write_segment(const Endpoint& source, const Endpoint& destination,
                                                  std::int64_t time_ns, const TcpHeader& header, Octets payload,
                                                  std::span<const std::string> comments) {
  if (auto made = synthesise_segment(source, destination, header, payload, synthetic_); !made)
    return tl::unexpected(refuse(std::move(made.error()), "write it as several segments"));
  return write_synthetic(kLinkTypeEthernet, time_ns, comments);
}

tl::expected<void, Problem> Writer::write_pdu(std::string_view dissector, const Endpoint& source,
                                              const Endpoint& destination, std::int64_t time_ns, Octets payload,
                                              std::span<const std::string> comments) {
  if (auto made = synthesise_pdu(dissector, source, destination, payload, synthetic_); !made)
    return tl::unexpected(refuse(std::move(made.error()), ""));
  return write_synthetic(kLinkTypeExportedPdu, time_ns, comments);
}

tl::expected<void, Problem> Writer::write_synthetic(int link_type, std::int64_t time_ns,
                                                    std::span<const std::string> comments) {
  Frame frame;
  frame.time_ns = time_ns;
  frame.link_type = link_type;
  frame.octets = synthetic_;
  return write_frame(frame, comments);
}

// Section 4.6; one block for each interface.
tl::expected<void, Problem> Writer::write_statistics() {
  const auto count = [](std::uint64_t value, std::array<Octet, sizeof value>& octets) {
    store_little_endian(octets.data(), value);
    return Octets(octets);
  };
  std::array<Octet, sizeof(std::uint64_t)> octets{};
  for (std::size_t i = 0; i < interfaces_.size(); ++i) {
    const Interface& one = interfaces_[i];
    pcapng::Block block(block_, pcapng::kInterfaceStatistics);
    block.put(static_cast<std::uint32_t>(i));
    block.put(static_cast<std::uint32_t>(one.last_ns >> 32)).put(static_cast<std::uint32_t>(one.last_ns));
    block.option(pcapng::kStatisticsReceived, count(one.frames, octets));
    block.option(pcapng::kStatisticsDroppedByInterface, count(i == 0 ? *dropped_ : 0, octets));
    block.option(pcapng::kStatisticsDelivered, count(one.frames, octets)).finish();
    if (auto written = file_.append(block_); !written) return written;
  }
  return {};
}

tl::expected<void, Problem> Writer::flush() {
  return file_.flush();
}

// Readers that use libpcap refuse a file without any interface, even one without frames.
tl::expected<void, Problem> Writer::commit() {
  if (interfaces_.empty()) {
    if (const auto interface = interface_of(kLinkTypeEthernet); !interface) return tl::unexpected(interface.error());
  }
  if (dropped_) {
    if (auto written = write_statistics(); !written) return written;
  }
  if (!closing_.empty()) {
    if (auto written = write_section_header(closing_); !written) return written;
  }
  return file_.commit();
}

Problem Writer::refuse(std::string message, std::string hint) const {
  return {file_.path(), 0, 0, std::move(message), std::move(hint)};
}

}  // namespace wirelaw::pcap
