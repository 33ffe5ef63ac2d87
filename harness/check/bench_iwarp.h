// SPDX-License-Identifier: Apache-2.0
// iWARP traffic for the benchmark's captures.
#pragma once

#include "harness/check/capture_maker.h"
#include "reference/ddp/segment.h"
#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"

namespace wirelaw {

// One iWARP connection with CRCs. Each FPDU has its own segment, and the other side acknowledges every second one.
class IwarpConnection {
 public:
  IwarpConnection(CaptureMaker& maker, bool markers) : maker_(maker), framer_(markers, true) {
    pcap::TcpFlags syn, syn_ack;
    syn.bits = pcap::TcpFlags::kSyn;
    syn_ack.bits = pcap::TcpFlags::kSyn | pcap::TcpFlags::kAck;
    maker_.segment(false, {.seq = next_[0]++, .flags = syn, .mss = kMss}, {});
    maker_.segment(true, {.seq = next_[1]++, .ack = next_[0], .flags = syn_ack, .mss = kMss}, {});
    send(false, mpa::encode_start_frame({.key = mpa::key_of(mpa::FrameKind::request), .crc = true}));
    send(true, mpa::encode_start_frame({.key = mpa::key_of(mpa::FrameKind::reply), .markers = markers, .crc = true}));
  }
  void fpdu(const ddp::Header& header, Octets payload, bool back = false) {
    header_.clear();
    ddp::encode(header, header_);
    const Octets parts[] = {header_, payload};
    out_.clear();
    framer_.frame(parts, out_);
    send(back, out_);
    if (++fpdus_ % 2 == 0) send(!back, {});
  }

  // Each side sends its FIN.
  void close() {
    for (const bool back : {false, true}) {
      send(back, {}, pcap::TcpFlags::kFin);
      ++next_[back ? 1 : 0];
    }
    send(false, {});
  }

  static constexpr std::uint16_t kMss = 1460;

 private:
  void send(bool back, Octets octets, std::uint8_t more_flags = 0) {
    pcap::TcpFlags flags;
    flags.bits = static_cast<std::uint8_t>(pcap::TcpFlags::kAck | more_flags);
    const std::size_t mine = back ? 1 : 0;
    maker_.segment(back, {.seq = next_[mine], .ack = next_[1 - mine], .flags = flags}, octets);
    next_[mine] += static_cast<std::uint32_t>(octets.size());
  }

  CaptureMaker& maker_;
  mpa::Framer framer_;
  OctetBuffer header_, out_;
  std::uint32_t next_[2] = {0xfff00000, 0x1000};  // the initiator's sequence number wraps during the connection
  std::uint64_t fpdus_ = 0;
};

}  // namespace wirelaw
