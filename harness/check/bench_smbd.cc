// SPDX-License-Identifier: Apache-2.0
#include "harness/check/bench_smbd.h"

#include <algorithm>
#include <utility>

#include "corpora/traces/roce_builder.h"
#include "harness/check/bench_iwarp.h"
#include "reference/rdmap/message.h"
#include "reference/smbd/message.h"

namespace wirelaw {
namespace {

class OverIwarp {
 public:
  explicit OverIwarp(CaptureMaker& maker) : maker_(maker), connection_(maker, false) {}
  std::size_t octets() const { return maker_.octets(); }
  void send(bool back, Octets message) {
    connection_.fpdu({.last = true,
                      .rsvd_ulp = rdmap::encode_control(rdmap::control_of(rdmap::Opcode::send)),
                      .msn = msn_[back ? 1 : 0]++},
                     message, back);
  }
  void close() { connection_.close(); }

 private:
  CaptureMaker& maker_;
  IwarpConnection connection_;
  std::uint32_t msn_[2] = {ddp::kFirstMsn, ddp::kFirstMsn};
};

class OverRoce {
 public:
  explicit OverRoce(CaptureMaker& maker) : maker_(maker) {
    script_.start();
    write();
  }
  std::size_t octets() const { return maker_.octets(); }
  void send(bool back, Octets message) {
    script_.send(back ? Side::b : Side::a, message);
    write();
  }

 private:
  void write() {
    for (const corpora::TraceMessage& packet : script_.messages()) maker_.roce(packet.sender == Side::b, packet.octets);
    script_.messages().clear();
  }

  CaptureMaker& maker_;
  corpora::RoceTraceBuilder script_;
};

constexpr std::uint16_t kCredits = 255;
constexpr std::uint16_t kGrant = 64;  // credits in one grant
constexpr std::uint32_t kSendSize = 1364;
constexpr std::size_t kMessage = 64u << 10;

template <class Below>
void negotiate(Below& below) {
  below.send(false, encode(smbd::NegotiateRequest{.credits_requested = kCredits,
                                                  .preferred_send_size = kSendSize,
                                                  .max_receive_size = 8192,
                                                  .max_fragmented_size = 1'048'576}));
  below.send(true, encode(smbd::NegotiateResponse{.negotiated_version = smbd::kVersion1,
                                                  .credits_requested = kCredits,
                                                  .credits_granted = 2 * kGrant,
                                                  .max_read_write_size = 1'048'576,
                                                  .preferred_send_size = kSendSize,
                                                  .max_receive_size = kSendSize,
                                                  .max_fragmented_size = 1'048'576}));
}

// A segment of a message, with the number of octets that follow in later segments.
OctetBuffer segment(Octets part, std::size_t remaining, std::uint16_t granted) {
  static constexpr Octet kPadding[smbd::kUsualDataOffset - 20] = {};
  return encode(smbd::DataTransfer{.credits_requested = kCredits,
                                   .credits_granted = granted,
                                   .remaining_data_length = static_cast<std::uint32_t>(remaining),
                                   .data_offset = smbd::kUsualDataOffset,
                                   .data_length = static_cast<std::uint32_t>(part.size()),
                                   .padding = kPadding,
                                   .buffer = part});
}

template <class Below>
void make_messages(CaptureMaker& maker, std::size_t octets) {
  Below below(maker);
  negotiate(below);
  const OctetBuffer data(kMessage, 0x5a);
  std::uint16_t granted = 2;  // credits granted with the first segment; later, one for each segment after a grant
  std::uint32_t spent = 0;
  while (below.octets() < octets)
    for (std::size_t at = 0; at < data.size();) {
      const Octets part =
          Octets(data).subspan(at, std::min<std::size_t>(kSendSize - smbd::kUsualDataOffset, data.size() - at));
      at += part.size();
      below.send(false, segment(part, data.size() - at, std::exchange(granted, std::uint16_t{0})));
      if (++spent % kGrant != 0) continue;
      below.send(true, encode(smbd::DataTransfer{.credits_requested = kCredits, .credits_granted = kGrant}));
      granted = 1;
    }
}

}  // namespace

void make_smbd_over_iwarp(CaptureMaker& maker, std::size_t octets) {
  make_messages<OverIwarp>(maker, octets);
}
void make_smbd_over_roce(CaptureMaker& maker, std::size_t octets) {
  make_messages<OverRoce>(maker, octets);
}

void make_short_smbd(CaptureMaker& maker, std::size_t octets) {
  constexpr unsigned kMessages = 8;  // per side
  const OctetBuffer data(64, 0x5a);
  for (; maker.octets() < octets; maker.next_conversation()) {
    OverIwarp below(maker);
    negotiate(below);
    std::uint16_t granted = 16;
    for (unsigned i = 0; i < kMessages; ++i) {
      below.send(false, segment(data, 0, granted));
      below.send(true, segment(data, 0, 0));
      granted = 0;
    }
    below.close();
  }
}

}  // namespace wirelaw
