// SPDX-License-Identifier: Apache-2.0
#include "harness/check/bench_captures.h"

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "harness/check/bench_iwarp.h"
#include "harness/check/bench_smbd.h"
#include "harness/check/capture_maker.h"
#include "reference/efa/capability.h"
#include "reference/efa/packet.h"
#include "reference/ramcloud/packet.h"
#include "reference/rdmap/message.h"
#include "reference/umsp/address.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/opcode.h"

namespace wirelaw {
namespace {

// --- RAMCloud RPC

class Rpcs {
 public:
  explicit Rpcs(CaptureMaker& maker) : maker_(maker) {
    packet(ramcloud::PayloadType::session_open, false, {.session_token = 0xcccccccccccccccc}, {});
    packet(ramcloud::PayloadType::session_open, true, {.session_token = kToken}, OctetBuffer{7});
  }
  void data(bool from_server, ramcloud::Header header, std::size_t octets) {
    header.session_token = kToken;
    packet(ramcloud::PayloadType::data, from_server, header,
           OctetBuffer(octets, static_cast<Octet>(header.frag_number)));
  }
  void ack(std::uint32_t rpc_id, std::uint16_t first_missing) {
    packet(ramcloud::PayloadType::ack, true, {.session_token = kToken, .rpc_id = rpc_id},
           ramcloud::encode_ack({.first_missing_frag = first_missing}));
  }

 private:
  static constexpr std::uint64_t kToken = 0x1122334455667788;

  void packet(ramcloud::PayloadType type, bool from_server, ramcloud::Header header, Octets payload) {
    header.payload_type = type;
    header.flags.direction = from_server;
    maker_.datagram(from_server, ramcloud::encode(header, payload));
  }

  CaptureMaker& maker_;
};

void make_small_rpcs(CaptureMaker& maker, std::size_t octets) {
  Rpcs rpcs(maker);
  for (std::uint32_t rpc_id = 0; maker.octets() < octets; ++rpc_id) {
    rpcs.data(false, {.rpc_id = rpc_id, .total_frags = 1}, 64);
    rpcs.data(true, {.rpc_id = rpc_id, .total_frags = 1}, 64);
  }
}

void make_large_rpcs(CaptureMaker& maker, std::size_t octets) {
  constexpr std::uint16_t kWindow = 5;      // fragments for each ACK
  constexpr std::uint16_t kFragments = 75;  // fragments in a request
  constexpr std::size_t kFragmentData = 1374;
  Rpcs rpcs(maker);
  for (std::uint32_t rpc_id = 0; maker.octets() < octets; ++rpc_id) {
    for (std::uint16_t i = 0; i < kFragments; ++i) {
      const bool ask = i % kWindow == kWindow - 1;
      rpcs.data(false, {.rpc_id = rpc_id, .frag_number = i, .total_frags = kFragments, .flags = {.request_ack = ask}},
                kFragmentData);
      if (ask) rpcs.ack(rpc_id, static_cast<std::uint16_t>(i + 1));
    }
    rpcs.data(true, {.rpc_id = rpc_id, .total_frags = 1}, 16);
  }
}

// --- iWARP

constexpr std::size_t kWriteOctets = 64u << 10;

void make_writes(CaptureMaker& maker, std::size_t octets, bool markers) {
  IwarpConnection connection(maker, markers);
  const std::size_t room = mpa::mulpdu(IwarpConnection::kMss, markers) - ddp::layout::kTagged;
  const OctetBuffer data(kWriteOctets, 0x5a);
  for (std::uint32_t written = 0; maker.octets() < octets; ++written) {
    for (std::size_t at = 0; at < data.size(); at += room) {
      const Octets part = Octets(data).subspan(at, std::min(room, data.size() - at));
      connection.fpdu({.tagged = true,
                       .last = at + part.size() == data.size(),
                       .rsvd_ulp = rdmap::encode_control(rdmap::control_of(rdmap::Opcode::write)),
                       .stag = 0x11223344,
                       .to = at},
                      part);
    }
  }
}

void make_plain_writes(CaptureMaker& maker, std::size_t octets) {
  make_writes(maker, octets, false);
}
void make_marked_writes(CaptureMaker& maker, std::size_t octets) {
  make_writes(maker, octets, true);
}

void make_small_sends(CaptureMaker& maker, std::size_t octets) {
  IwarpConnection connection(maker, false);
  const OctetBuffer data(64, 0x5a);
  for (std::uint32_t msn = ddp::kFirstMsn; maker.octets() < octets; ++msn)
    connection.fpdu(
        {.last = true, .rsvd_ulp = rdmap::encode_control(rdmap::control_of(rdmap::Opcode::send)), .msn = msn}, data);
}

constexpr std::size_t kTcpHeaders = 14 + 20 + 20;

// --- EFA RDM

// Two endpoints that know each other: an eager message with its raw address, and both HANDSHAKEs.
class EfaEndpoints {
 public:
  explicit EfaEndpoints(CaptureMaker& maker) : maker_(maker) {
    OctetBuffer address, extras;
    encode(efa::RawAddress{.gid = maker.client().as_ipv6(), .qpn = 31200, .connid = kConnid[0]}, address);
    Writer(extras).little_endian(efa::extra_bits({efa::Extra::delivery_complete}));
    efa::Packet first = efa::packet_of(efa::PacketType::eager_msgrtm);
    first.flags |= efa::flag::kRawAddress;
    first.raw_address_size = static_cast<std::uint32_t>(address.size());
    first.raw_address = address;
    send(false, first);
    for (const bool back : {true, false}) {
      efa::Packet handshake = efa::packet_of(efa::PacketType::handshake);
      handshake.flags |= efa::flag::kConnid;
      handshake.connid = kConnid[back ? 1 : 0];
      handshake.nextra_p3 = 4;
      handshake.extra_info = extras;
      send(back, handshake);
    }
  }
  void send(bool back, const efa::Packet& packet) {
    octets_.clear();
    efa::encode(packet, octets_);
    maker_.datagram(back, octets_);
  }

 private:
  static constexpr std::uint32_t kConnid[] = {0xa0a1a2a3, 0xb0b1b2b3};

  CaptureMaker& maker_;
  OctetBuffer octets_;
};

void make_eager_messages(CaptureMaker& maker, std::size_t octets) {
  EfaEndpoints endpoints(maker);
  const OctetBuffer data(64, 0x5a);
  efa::Packet message = efa::packet_of(efa::PacketType::eager_msgrtm);
  message.payload = data;
  for (message.msg_id = 1; maker.octets() < octets; ++message.msg_id) endpoints.send(false, message);
}

void make_medium_messages(CaptureMaker& maker, std::size_t octets) {
  constexpr std::uint64_t kSegment = 8192, kSegments = 8;
  EfaEndpoints endpoints(maker);
  const OctetBuffer data(kSegment, 0x5a);
  efa::Packet message = efa::packet_of(efa::PacketType::medium_msgrtm);
  message.payload = data;
  message.seg_length = kSegment * kSegments;  // the whole message, as deployed (EFA/A-03)
  for (message.msg_id = 1; maker.octets() < octets; ++message.msg_id)
    for (message.seg_offset = 0; message.seg_offset < message.seg_length; message.seg_offset += kSegment)
      endpoints.send(false, message);
}

// --- UMSP: one session on one TCP connection

class UmspSession {
 public:
  explicit UmspSession(CaptureMaker& maker) : maker_(maker) {
    pcap::TcpFlags syn, syn_ack;
    syn.bits = pcap::TcpFlags::kSyn;
    syn_ack.bits = pcap::TcpFlags::kSyn | pcap::TcpFlags::kAck;
    maker_.segment(false, {.seq = next_[0]++, .flags = syn, .mss = kMss}, {});
    maker_.segment(true, {.seq = next_[1]++, .ack = next_[0], .flags = syn_ack, .mss = kMss}, {});
    open();
  }
  void send(bool back, Octets octets, std::uint8_t more_flags = 0) {
    pcap::TcpFlags flags;
    flags.bits = static_cast<std::uint8_t>(pcap::TcpFlags::kAck | more_flags);
    const std::size_t mine = back ? 1 : 0;
    maker_.segment(back, {.seq = next_[mine], .ack = next_[1 - mine], .flags = flags}, octets);
    next_[mine] += static_cast<std::uint32_t>(octets.size());
  }
  // The session in its three steps (RFC 3018, 5.4), and the connection.
  void close() {
    send_of_session(false, umsp::Opcode::session_close, false);
    send_of_session(true, umsp::Opcode::rsp_p, true);
    send_of_session(false, umsp::Opcode::session_abend, false);
    for (const bool back : {false, true}) {
      send(back, {}, pcap::TcpFlags::kFin);
      ++next_[back ? 1 : 0];
    }
    send(false, {});
  }
  // A WRITE of this many octets to an address of four octets. It needs no answer.
  static OctetBuffer write(umsp::Pck pck, std::size_t octets) {
    OctetBuffer operands(4 + octets, 0x5a);
    umsp::Instruction write = umsp::make_instruction(static_cast<std::uint8_t>(umsp::Opcode::write_4), operands);
    write.header.pck = pck;
    write.header.session_id = kIdOfB;
    return umsp::encode(write);
  }

  static constexpr std::uint16_t kMss = 1460;

 private:
  static constexpr std::uint32_t kIdOfA = 0xa1, kIdOfB = 0xb1;

  void open() {
    constexpr Octet kNode[] = {192, 0, 2, 2};
    constexpr std::uint32_t kProfile = 0xfbff'1ffe;  // all but S5, S20, S31; version 1
    constexpr std::uint16_t kVm = 1024, kVersion = 1, kWindow = 16;
    OctetBuffer operands;
    Writer out(operands);
    for (int side = 0; side < 2; ++side) out.big_endian(kVm).big_endian(kVersion).big_endian(kProfile & ~0x0800u);
    out.big_endian(kWindow);
    umsp::encode(*umsp::make_identifier(umsp::kIpv4Memory32, kNode, 1), operands);
    Writer(operands).big_endian<std::uint32_t>(2);
    umsp::Instruction request = umsp::make_instruction(static_cast<std::uint8_t>(umsp::Opcode::session_open), operands);
    request.header.ask = true;
    request.header.req_id = kIdOfA;
    send(false, umsp::encode(request));
    OctetBuffer none;
    umsp::Instruction accept = umsp::make_instruction(static_cast<std::uint8_t>(umsp::Opcode::session_accept), none);
    accept.header.ask = true;
    accept.header.pck = umsp::Pck::own_session;
    accept.header.session_id = kIdOfA;
    accept.header.req_id = kIdOfB;
    send(true, umsp::encode(accept));
  }
  // Sends an instruction without operands. `is_answer`: it answers the instruction with REQ_ID 0.
  void send_of_session(bool back, umsp::Opcode opcode, bool is_answer) {
    OctetBuffer none;
    umsp::Instruction one = umsp::make_instruction(static_cast<std::uint8_t>(opcode), none);
    one.header.ask = is_answer;
    one.header.pck = umsp::Pck::own_session;
    one.header.session_id = back ? kIdOfA : kIdOfB;
    send(back, umsp::encode(one));
  }

  CaptureMaker& maker_;
  std::uint32_t next_[2] = {0xfff00000, 0x1000};
};

void make_short_instructions(CaptureMaker& maker, std::size_t octets) {
  constexpr std::size_t kData = 8;
  UmspSession session(maker);
  OctetBuffer segment = UmspSession::write(umsp::Pck::own_session, kData);
  const OctetBuffer next = UmspSession::write(umsp::Pck::same_session, kData);
  while (segment.size() + next.size() <= UmspSession::kMss) segment.insert(segment.end(), next.begin(), next.end());
  for (std::uint64_t sent = 0; maker.octets() < octets; ++sent) {
    session.send(false, segment);
    if (sent % 2 == 1) session.send(true, {});
  }
}

void make_long_instructions(CaptureMaker& maker, std::size_t octets) {
  constexpr std::size_t kHeader = 12;  // with OPR_LENGTH_EXT, SESSION_ID and the address
  UmspSession session(maker);
  const OctetBuffer write = UmspSession::write(umsp::Pck::own_session, UmspSession::kMss - kHeader);
  for (std::uint64_t sent = 0; maker.octets() < octets; ++sent) {
    session.send(false, write);
    if (sent % 2 == 1) session.send(true, {});
  }
}

// --- short conversations: opening and closing a flow shows

constexpr std::uint32_t kShort = 12;  // RPCs, Sends or messages of one

void make_short_rpcs(CaptureMaker& maker, std::size_t octets) {
  for (; maker.octets() < octets; maker.next_conversation()) {
    Rpcs rpcs(maker);
    for (std::uint32_t rpc_id = 0; rpc_id < kShort; ++rpc_id)
      for (const bool back : {false, true}) rpcs.data(back, {.rpc_id = rpc_id, .total_frags = 1}, 64);
  }
}

void make_short_sends(CaptureMaker& maker, std::size_t octets) {
  const OctetBuffer data(64, 0x5a);
  for (; maker.octets() < octets; maker.next_conversation()) {
    IwarpConnection connection(maker, false);
    for (std::uint32_t msn = ddp::kFirstMsn; msn < ddp::kFirstMsn + kShort; ++msn)
      connection.fpdu(
          {.last = true, .rsvd_ulp = rdmap::encode_control(rdmap::control_of(rdmap::Opcode::send)), .msn = msn}, data);
    connection.close();
  }
}

void make_short_eager(CaptureMaker& maker, std::size_t octets) {
  const OctetBuffer data(64, 0x5a);
  for (; maker.octets() < octets; maker.next_conversation()) {
    EfaEndpoints endpoints(maker);
    efa::Packet message = efa::packet_of(efa::PacketType::eager_msgrtm);
    message.payload = data;
    for (message.msg_id = 1; message.msg_id <= 2 * kShort; ++message.msg_id) endpoints.send(false, message);
  }
}

void make_short_umsp(CaptureMaker& maker, std::size_t octets) {
  const OctetBuffer write = UmspSession::write(umsp::Pck::own_session, 64);
  for (; maker.octets() < octets; maker.next_conversation()) {
    UmspSession session(maker);
    for (std::uint32_t sent = 1; sent <= kShort; ++sent) {
      session.send(false, write);
      if (sent % 2 == 0) session.send(true, {});
    }
    session.close();
  }
}

constexpr BenchCapture kCaptures[] = {
    {"RAMCloud RPCs of one fragment, 64 octets", 0, make_small_rpcs},
    {"RAMCloud requests of 75 fragments, 1374 octets", 0, make_large_rpcs},
    {"iWARP Writes of 64 KiB, MSS 1460, CRC", kTcpHeaders, make_plain_writes},
    {"iWARP Writes of 64 KiB, MSS 1460, CRC, markers", kTcpHeaders, make_marked_writes},
    {"iWARP Sends of 64 octets, CRC", kTcpHeaders, make_small_sends},
    {"SMB Direct over iWARP, messages of 64 KiB, CRC", kTcpHeaders, make_smbd_over_iwarp, "smbd"},
    {"SMB Direct over RoCEv2, messages of 64 KiB, MTU 1024", 0, make_smbd_over_roce, "smbd"},
    {"EFA RDM eager messages of 64 octets", 0, make_eager_messages},
    {"EFA RDM medium messages of 64 KiB, segments of 8 KiB", 0, make_medium_messages},
    {"UMSP WRITEs of 8 octets, 104 in a segment", 0, make_short_instructions},
    {"UMSP WRITEs of a segment, 1460 octets", 0, make_long_instructions},
    {"RAMCloud conversations of 26 packets", 0, make_short_rpcs},
    {"iWARP connections of 25 packets, CRC", kTcpHeaders, make_short_sends},
    {"EFA RDM conversations of 27 packets", 0, make_short_eager},
    {"SMB Direct connections of 34 packets over iWARP, CRC", kTcpHeaders, make_short_smbd, "smbd"},
    {"UMSP sessions of 28 packets", 0, make_short_umsp},
};

class Files {
 public:
  Files() : directory_((std::filesystem::temp_directory_path() / "wirelaw-bench.XXXXXX").string()) {
    if (mkdtemp(directory_.data()) == nullptr) std::abort();
    const char* megabytes = std::getenv("WIRELAW_BENCH_MEGABYTES");
    const std::size_t size = std::strtoull(megabytes == nullptr ? "100" : megabytes, nullptr, 10) << 20;
    for (const BenchCapture& capture : kCaptures) {
      paths_.push_back(directory_ + "/" + std::to_string(paths_.size()) + ".pcap");
      CaptureMaker maker(paths_.back());
      capture.make(maker, size);
    }
  }
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  const std::string& path(std::size_t index) const { return paths_[index]; }

 private:
  std::string directory_;
  std::vector<std::string> paths_;
};

}  // namespace

std::span<const BenchCapture> bench_captures() {
  return kCaptures;
}

const std::string& bench_capture_file(std::size_t index) {
  static const Files kFiles;
  return kFiles.path(index);
}

}  // namespace wirelaw
