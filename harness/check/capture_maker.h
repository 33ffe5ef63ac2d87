// SPDX-License-Identifier: Apache-2.0
// Writes the frames of a benchmark's captures.
#pragma once

#include <pcap/pcap.h>

#include <array>
#include <cstdlib>
#include <string>

#include "pcap/roce_synthesis.h"
#include "pcap/synthesis.h"

namespace wirelaw {

// Writes frames as a classic pcap file, a microsecond apart.
class CaptureMaker {
 public:
  explicit CaptureMaker(const std::string& path) : format_(pcap_open_dead(DLT_EN10MB, 262144)) {
    out_ = pcap_dump_open(format_, path.c_str());
    if (out_ == nullptr) std::abort();
  }
  ~CaptureMaker() {
    pcap_dump_close(out_);
    pcap_close(format_);
  }
  CaptureMaker(const CaptureMaker&) = delete;
  CaptureMaker& operator=(const CaptureMaker&) = delete;

  std::size_t octets() const { return octets_; }
  const pcap::Address& client() const { return ends_[0].address; }
  // The following packets are from another client.
  void next_conversation() {
    ++conversations_;
    pcap::Endpoint& client = ends_[0];
    client.address.octets = {10, static_cast<Octet>(conversations_ >> 16), static_cast<Octet>(conversations_ >> 8),
                             static_cast<Octet>(conversations_)};
  }

  void datagram(bool back, Octets payload) {
    if (!pcap::synthesise_datagram(from(back), from(!back), payload, frame_)) std::abort();
    write();
  }
  // The packet ends with room for its invariant CRC.
  void roce(bool back, Octets packet) {
    constexpr std::size_t kIcrc = 4;
    const pcap::Endpoint source = from(back);
    pcap::Endpoint destination = from(!back);
    destination.port = 4791;
    if (!pcap::synthesise_roce(source, destination, packet.first(packet.size() - kIcrc), frame_)) std::abort();
    write();
  }
  void segment(bool back, const pcap::TcpHeader& header, Octets payload) {
    if (!pcap::synthesise_segment(from(back), from(!back), header, payload, frame_)) std::abort();
    write();
  }

 private:
  const pcap::Endpoint& from(bool back) const { return ends_[back ? 1 : 0]; }
  void write() {
    pcap_pkthdr record{};
    record.caplen = record.len = static_cast<bpf_u_int32>(frame_.size());
    record.ts = {static_cast<time_t>(packets_ / 1'000'000), static_cast<suseconds_t>(packets_ % 1'000'000)};
    pcap_dump(reinterpret_cast<u_char*>(out_), &record, frame_.data());
    ++packets_;
    octets_ += frame_.size() + 16;
  }

  pcap_t* format_;
  pcap_dumper_t* out_ = nullptr;
  OctetBuffer frame_;
  std::size_t octets_ = 0;
  std::size_t packets_ = 0;
  std::array<pcap::Endpoint, 2> ends_{*pcap::parse_endpoint("192.0.2.1:31200"),
                                      *pcap::parse_endpoint("192.0.2.2:21200")};
  std::uint32_t conversations_ = 0;
};

}  // namespace wirelaw
