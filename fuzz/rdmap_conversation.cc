// SPDX-License-Identifier: Apache-2.0
#include "fuzz/rdmap_conversation.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "fuzz/rdmap_side.h"
#include "fuzz/rdmap_tap.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

namespace step = corpora::rdmap_step;
using namespace std::chrono_literals;

constexpr std::size_t kMostSteps = 256;
constexpr std::size_t kMostPerStep = std::size_t{1} << 20;  // maximum number of octets fetched from an endpoint at once

class FuzzedConversation {
 public:
  FuzzedConversation(Role role, Octets settings)
      : role_(role),
        side_(role, settings, 1),
        us_(role == Role::initiator ? Side::a : Side::b),
        tap_({.a = us_ == Side::a, .b = us_ == Side::b}, side_.has_extensions()) {
    side_.endpoint().connected(now_, OctetBuffer{'h', 'i'});
    settle();
  }

  void take(const corpora::Record& record) {
    switch (record.control & step::kKind) {
      case step::kRaw:
        send(OctetBuffer(record.octets.begin(), record.octets.end()));
        break;
      case step::kUlpdu:
        send_ulpdu(record);
        break;
      case step::kStartFrame:
        send_start_frame(record.octets);
        break;
      case step::kApplication:
        side_.act(record.octets);
        break;
      case step::kTime:
        now_ += std::min<std::uint16_t>(number(record.octets), 20'000) * 1ms;
        side_.endpoint().advance(now_);
        break;
      case step::kEnding:
        end((!record.octets.empty() && record.octets[0] % 2 == 1) ? Ending::reset : Ending::closed);
        break;
      case step::kAnswer:
        answer(number(record.octets));
        break;
      default:
        break;
    }
    settle();
  }

  void finish() {
    end(Ending::closed);
    // Runs all timers of the endpoint.
    for (int i = 0; i < 64 && side_.endpoint().deadline(); ++i) {
      now_ = std::max(now_, *side_.endpoint().deadline());
      side_.endpoint().advance(now_);
      settle();
    }
    tap_.finish();
  }

 private:
  static std::uint16_t number(Octets octets) { return Reader(octets).little_endian<std::uint16_t>(); }

  // --- the peer
  void send(OctetBuffer octets) {
    if (peer_ended_ || octets.empty()) return;
    tap_.see(other(us_), octets, now_);
    side_.endpoint().receive(octets, now_);
  }
  void end(Ending ending) {
    if (std::exchange(peer_ended_, true)) return;
    tap_.see_end(other(us_), ending, now_);
    side_.endpoint().peer_ended(ending, now_);
    settle();
  }
  void send_start_frame(Octets octets) {
    Reader reader(octets);
    const Octet flags = reader.octet();
    mpa::StartFrame frame{
        .key = mpa::key_of(role_ == Role::initiator ? mpa::FrameKind::reply : mpa::FrameKind::request),
        .markers = (flags & 0x80) != 0,
        .crc = (flags & 0x40) != 0,
        .rejected = (flags & 0x20) != 0,
        .enhanced = (flags & 0x10) != 0,
        .revision = reader.octet()};
    frame.private_data = reader.rest();
    frame.private_data_length = static_cast<std::uint16_t>(frame.private_data.size());
    if (!peer_frame_) {
      peer_frame_ = frame;
      peer_frame_->private_data = {};
    }
    send(mpa::encode_start_frame(frame));
  }
  mpa::Framer& framer() {
    if (!framer_)
      framer_.emplace(own_frame_ && own_frame_->markers,
                      (own_frame_ && own_frame_->crc) || (peer_frame_ && peer_frame_->crc));
    return *framer_;
  }
  void send_framed(Octets ulpdu, bool bad_crc) {
    OctetBuffer out;
    framer().frame(ulpdu, out, {.crc_xor = bad_crc ? 1u : 0u});
    send(std::move(out));
  }
  void send_ulpdu(const corpora::Record& record) {
    OctetBuffer ulpdu(record.octets.begin(), record.octets.end());
    if (auto segment = ddp::decode(ulpdu)) {
      ddp::Header header = segment->header;
      OctetBuffer payload(segment->payload.begin(), segment->payload.end());
      const rdmap::Stag stag = side_.stag(header.msn + header.to + payload.size());
      if (header.tagged && (record.control & step::kOwnStag) == 0) header.stag = stag;
      if (!header.tagged && (record.control & step::kOwnMsn) == 0) {
        std::uint32_t& next = next_msn_[header.qn % next_msn_.size()];
        header.msn = next;
        if (header.last) ++next;
      }
      // The source STag of a Read Request, and the target STag of an atomic request, happen to have the same offset.
      const bool aims =
          (record.control & step::kOwnStag) == 0 && !header.tagged && header.qn == rdmap::kReadRequestQueue;
      if (aims && payload.size() >= rdmap::layout::kReadRequest)
        store_big_endian(payload.data() + rdmap::layout::kSourceStag, stag);
      ulpdu.clear();
      ddp::encode(header, ulpdu);
      Writer(ulpdu).octets(payload);
    }
    if (ulpdu.size() <= mpa::kMaxUlpdu) send_framed(ulpdu, (record.control & step::kBadCrc) != 0);
  }
  // Sends a response to the oldest read, in one segment; honest if `octets` is zero.
  void answer(std::uint16_t octets) {
    if (reads_.empty()) return;
    const rdmap::ReadRequest read = reads_.front();
    reads_.pop_front();
    OctetBuffer ulpdu;
    ddp::encode({.tagged = true,
                 .last = true,
                 .rsvd_ulp = rdmap::encode_control(rdmap::control_of(rdmap::Opcode::read_response)),
                 .stag = read.sink_stag,
                 .to = read.sink_to},
                ulpdu);
    ulpdu.resize(ulpdu.size() + (octets == 0 ? read.size : octets % 4096u), 0x77);
    if (ulpdu.size() <= mpa::kMaxUlpdu) send_framed(ulpdu, false);
  }

  // --- messages of the endpoint
  void learn(Octets octets) {
    Writer(heard_).octets(octets);
    if (!own_frame_) {
      const auto frame = mpa::decode_start_frame(heard_);
      if (!frame || heard_.size() < mpa::layout::kStartFrame + frame->private_data_length) return;
      own_frame_ = *frame;
      own_frame_->private_data = {};
      heard_.erase(heard_.begin(),
                   heard_.begin() + static_cast<std::ptrdiff_t>(mpa::layout::kStartFrame + frame->private_data_length));
    }
    // The peer's frame decides whether there are markers; no FPDU precedes it.
    if (!peer_frame_) return;
    if (!deframer_) deframer_.emplace(peer_frame_->markers, false);
    deframer_->feed(heard_);
    while (const auto fpdu = deframer_->next()) {
      const auto segment = ddp::decode(fpdu->ulpdu());
      if (!segment) break;  // the steps have started MPA with other octets: only the observer judges the rest
      if (rdmap::decode_control(segment->header.rsvd_ulp).is(rdmap::Opcode::read_request) && reads_.size() < 64)
        if (const auto read = rdmap::decode_read_request(segment->payload)) reads_.push_back(*read);
    }
    heard_.clear();
  }

  void settle() {
    std::size_t sent = 0;
    OctetBuffer out;
    while (side_.endpoint().next_octets(out)) {
      require(!ended_, "nothing is sent after the end");
      tap_.see(us_, out, now_);
      learn(out);
      sent += out.size();
      require(sent <= kMostPerStep, "a step makes a bounded number of octets");
    }
    const Ending ending = side_.endpoint().ending();
    if (ending != Ending::none && !ended_) {
      ended_ = true;
      tap_.see_end(us_, ending, now_);
    }
    side_.settle();
  }

  Role role_;
  RdmapSide side_;
  Side us_;
  RdmapTap tap_;
  Instant now_{};
  bool ended_ = false, peer_ended_ = false;
  std::optional<mpa::StartFrame> own_frame_, peer_frame_;  // as sent by the endpoint and its peer, without private data
  std::optional<mpa::Framer> framer_;
  std::optional<mpa::Deframer> deframer_;
  OctetBuffer heard_;
  std::deque<rdmap::ReadRequest> reads_;  // requests of the endpoint without a response
  std::array<std::uint32_t, 4> next_msn_{1, 1, 1, 1};
};

}  // namespace

void converse(Role role, Octets input) {
  if (input.size() < corpora::kRdmapSettings) return;
  FuzzedConversation conversation(role, input.first(corpora::kRdmapSettings));
  std::size_t steps = 0;
  for (const corpora::Record& record : corpora::read_records(input.subspan(corpora::kRdmapSettings))) {
    if (steps++ == kMostSteps) break;
    conversation.take(record);
  }
  conversation.finish();
}

}  // namespace wirelaw::fuzz
