// SPDX-License-Identifier: Apache-2.0
#include "harness/capture/frame_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/wait.h"
#include "pcap/address.h"
#include "pcap/live_capture.h"

namespace wirelaw {
namespace {

class InterfaceSource final : public FrameSource {
 public:
  InterfaceSource(std::string name, pcap::LiveCapture capture) : name_(std::move(name)), capture_(std::move(capture)) {}

  const std::string& name() const override { return name_; }
  bool next(pcap::Frame& frame) override {
    const bool has_come = capture_.next(frame);
    not_seen_ += capture_.problem() ? 1 : 0;
    return has_come;
  }
  void wait(std::chrono::nanoseconds time) override {
    pollfd readable{.fd = capture_.descriptor(), .events = POLLIN, .revents = 0};
    wait_for({&readable, 1}, std::chrono::steady_clock::now() + time);
  }
  std::uint64_t lost() const override { return capture_.lost() + not_seen_; }

 private:
  std::string name_;
  pcap::LiveCapture capture_;
  std::uint64_t not_seen_ = 0;  // polls while the interface was gone; the number of missed frames is unknown
};

std::optional<pcap::Endpoint> place_of(const std::string& note) {
  return pcap::parse_endpoint(std::string_view(note).substr(note.find('=') + 1));
}

}  // namespace

tl::expected<std::unique_ptr<FrameSource>, std::string> capture_on(const std::string& interface,
                                                                   const std::string& filter) {
  auto capture = pcap::LiveCapture::open(interface, filter);
  if (!capture) return tl::unexpected(pcap::to_string(capture.error()));
  return std::make_unique<InterfaceSource>(interface, std::move(*capture));
}

bool is_unspecified(const std::string& note) {
  const auto at = place_of(note);
  return !at || std::ranges::all_of(at->address.octets, [](Octet one) { return one == 0; });
}

std::string capture_filter(const std::string& note) {
  const auto at = place_of(note);
  return at ? fmt::format("host {} and tcp port {}", pcap::to_string(at->address), at->port) : "tcp";
}

}  // namespace wirelaw
