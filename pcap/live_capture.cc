// SPDX-License-Identifier: Apache-2.0
#include "pcap/live_capture.h"

#include <fmt/format.h>

#include <algorithm>

#include "pcap/libpcap_values.h"

namespace wirelaw::pcap {
namespace {

constexpr int kWholeFrames = 66'000;  // octets: the longest IP packet with its headers
// Size of the kernel's buffer in octets, for the case that each frame takes the room of the longest.
constexpr int kRoom = 64 << 20;

tl::unexpected<Problem> failure(const std::string& interface, std::string message, std::string hint) {
  return tl::unexpected(Problem{interface, 0, 0, std::move(message), std::move(hint)});
}

// Returns the error of pcap_activate() as a problem of one line.
tl::unexpected<Problem> refusal(const std::string& interface, int status) {
  if (status == PCAP_ERROR_PERM_DENIED || status == PCAP_ERROR_PROMISC_PERM_DENIED)
    return failure(interface, "this user is not allowed to capture there",
                   "this needs the capability CAP_NET_RAW: run as root, or `setcap cap_net_raw+ep` the program");
  if (status == PCAP_ERROR_NO_SUCH_DEVICE)
    return failure(interface, "there is no such interface", "`ip link` lists the interfaces");
  if (status == PCAP_ERROR_IFACE_NOT_UP)
    return failure(interface, "the interface is down", fmt::format("`ip link set {} up`", interface));
  return failure(interface, fmt::format("cannot capture there: {}", pcap_statustostr(status)), "");
}

}  // namespace

void LiveCapture::Close::operator()(struct ::pcap* capture) const {
  pcap_close(capture);
}

LiveCapture::LiveCapture(std::string interface, std::unique_ptr<struct ::pcap, Close> capture)
    : interface_(std::move(interface)),
      capture_(std::move(capture)),
      link_type_(link_type_of(pcap_datalink(capture_.get()))),
      descriptor_(pcap_get_selectable_fd(capture_.get())) {}

tl::expected<LiveCapture, Problem> LiveCapture::open(const std::string& interface, const std::string& filter) {
  char error[PCAP_ERRBUF_SIZE] = {};
  std::unique_ptr<pcap_t, Close> capture(pcap_create(interface.c_str(), error));
  if (!capture) return failure(interface, error, "");
  pcap_set_snaplen(capture.get(), kWholeFrames);
  pcap_set_immediate_mode(capture.get(), 1);
  pcap_set_buffer_size(capture.get(), kRoom);
  pcap_set_tstamp_precision(capture.get(), PCAP_TSTAMP_PRECISION_NANO);
  const int status = pcap_activate(capture.get());
  if (status < 0) return refusal(interface, status);
  if (pcap_get_tstamp_precision(capture.get()) != PCAP_TSTAMP_PRECISION_NANO)
    return failure(interface, "this libpcap does not support nanoseconds", "use libpcap 1.5 or later");
  bpf_program program = {};
  if (pcap_compile(capture.get(), &program, filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0)
    return failure(interface, fmt::format("'{}': {}", filter, pcap_geterr(capture.get())), "");
  const int set = pcap_setfilter(capture.get(), &program);
  pcap_freecode(&program);
  if (set != 0 || pcap_setnonblock(capture.get(), 1, error) != 0)
    return failure(interface, set != 0 ? pcap_geterr(capture.get()) : error, "");
  return LiveCapture(interface, std::move(capture));
}

bool LiveCapture::next(Frame& frame) {
  pcap_pkthdr* header = nullptr;
  const u_char* octets = nullptr;
  if (problem_) return false;
  const int got = pcap_next_ex(capture_.get(), &header, &octets);
  if (got < 0)
    problem_ = Problem{interface_, 0, 0, fmt::format("the capture has ended: {}", pcap_geterr(capture_.get())), ""};
  if (got != 1) return false;
  frame = {.time_ns = nanoseconds(header->ts),
           .link_type = link_type_,
           .octets = {octets, header->caplen},
           .wire_length = std::max(header->len, header->caplen)};
  return true;
}

std::uint64_t LiveCapture::lost() const {
  pcap_stat counts = {};
  return pcap_stats(capture_.get(), &counts) == 0 ? std::uint64_t{counts.ps_drop} + counts.ps_ifdrop : 0;
}

}  // namespace wirelaw::pcap
