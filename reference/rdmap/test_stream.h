// SPDX-License-Identifier: Apache-2.0
// For tests: two endpoints over a pipe that cuts the stream anywhere, and one endpoint whose peer is the test, octet by
// octet.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "reference/octets/hex.h"
#include "reference/rdmap/make_endpoint.h"

namespace wirelaw::rdmap {

inline OctetBuffer pattern(std::size_t octets, unsigned seed = 1) {
  OctetBuffer all(octets);
  for (std::size_t i = 0; i < octets; ++i) all[i] = static_cast<Octet>(i * 31 + (i >> 8) * 7 + seed * 101);
  return all;
}

// ------------------------------------------------------------------------------------------------ one end of a stream

struct End {
  End(Role role, const Options& options, const Deviations& deviations = {})
      : buffers(static_cast<std::uint64_t>(role) * 1000),
        made(make_endpoint(role, options, buffers, deviations)),
        endpoint(*made) {}

  void fetch() {
    for (Event event; endpoint.next_event(event);) events.push_back(std::move(event));
  }
  template <class Kind>
  std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const Event& event : events)
      if (const Kind* one = std::get_if<Kind>(&event)) found.push_back(*one);
    return found;
  }
  template <class Kind>
  std::size_t count() const {
    return all<Kind>().size();
  }
  // Registers memory of this size, which lives as long as the end.
  Stag offer(std::size_t octets, Access access, std::uint64_t base = 0, StreamId stream = 0) {
    memory.push_back(std::make_unique<OctetBuffer>(octets));
    return buffers.add(stream == 0 ? endpoint.stream() : stream, *memory.back(), base, access).value();
  }
  // Same as offer(), with one STag for every stream.
  Stag offer_to_all(std::size_t octets, Access access, std::uint64_t base) {
    memory.push_back(std::make_unique<OctetBuffer>(octets));
    return buffers.add(kEveryStream, *memory.back(), base, access).value();
  }
  OctetBuffer& last_memory() { return *memory.back(); }
  void fill(const OctetBuffer& octets) { std::ranges::copy(octets, last_memory().begin()); }

  Buffers buffers;
  std::vector<std::unique_ptr<OctetBuffer>> memory;
  std::unique_ptr<Endpoint> made;
  Endpoint& endpoint;
  std::vector<Event> events;
};

// ------------------------------------------------------------------------------------------------------ two endpoints

struct PairOptions {
  Options initiator = {};
  Options responder = {};
  unsigned seed = 1;
  std::size_t longest_piece = 4096;  // longest piece of the stream
  OctetBuffer request_data = {};
  OctetBuffer reply_data = {};
  Deviations initiator_deviations = {};
  Deviations responder_deviations = {};
};

class Pair {
 public:
  explicit Pair(const PairOptions& options = {})
      : initiator(Role::initiator, options.initiator, options.initiator_deviations),
        responder(Role::responder, options.responder, options.responder_deviations),
        options_(options),
        random_(options.seed) {
    responder.endpoint.connected(now);
    initiator.endpoint.connected(now, options.request_data);
  }

  // Carries octets until nothing moves any more.
  void run() {
    while (step()) {
    }
  }
  // Carries at most one piece in each direction. Returns false if nothing moved.
  bool step() {
    bool moved = carry(initiator, responder, to_responder_);
    moved = carry(responder, initiator, to_initiator_) || moved;
    initiator.fetch();
    const std::size_t before = responder.events.size();
    responder.fetch();
    for (std::size_t i = before; i < responder.events.size(); ++i)
      if (std::holds_alternative<ConnectionRequest>(responder.events[i])) {
        if (!responder.endpoint.accept(options_.reply_data)) static_cast<void>(responder.endpoint.reject());
        moved = true;
      }
    responder.fetch();
    return moved;
  }
  void pass(Instant time) {
    now += time;
    initiator.endpoint.advance(now);
    responder.endpoint.advance(now);
    run();
  }

  End initiator;
  End responder;
  Instant now{0};
  OctetBuffer from_initiator;  // all octets sent so far
  OctetBuffer from_responder;

 private:
  struct Line {
    OctetBuffer octets;
    Ending ending = Ending::none;  // delivered
  };
  bool carry(End& from, End& to, Line& line) {
    OctetBuffer next;
    bool moved = from.endpoint.next_octets(next);
    OctetBuffer& log = &from == &initiator ? from_initiator : from_responder;
    log.insert(log.end(), next.begin(), next.end());
    line.octets.insert(line.octets.end(), next.begin(), next.end());
    if (!line.octets.empty()) {
      const std::size_t most = std::min(line.octets.size(), options_.longest_piece);
      const std::size_t piece = std::uniform_int_distribution<std::size_t>(1, most)(random_);
      const OctetBuffer octets(line.octets.begin(), line.octets.begin() + static_cast<std::ptrdiff_t>(piece));
      line.octets.erase(line.octets.begin(), line.octets.begin() + static_cast<std::ptrdiff_t>(piece));
      to.endpoint.receive(octets, now);
      moved = true;
    } else if (from.endpoint.ending() != line.ending) {
      line.ending = from.endpoint.ending();
      to.endpoint.peer_ended(line.ending, now);
      moved = true;
    }
    return moved;
  }

  PairOptions options_;
  std::mt19937 random_;
  Line to_responder_;
  Line to_initiator_;
};

// --------------------------------------------------------------------------------- one endpoint; the peer is the test

struct SentSegment {
  ddp::Header header;
  Control control;
  OctetBuffer payload;
  OctetBuffer ulpdu;
};

class Rig {
 public:
  explicit Rig(Role role, const Options& options = {}, const Deviations& deviations = {})
      : end(role, options, deviations), role_(role), deviant_(!deviations.empty()) {
    end.endpoint.connected(now);
    drain();
  }

  // Starts up like an honest peer. output() does not return the endpoint's start frames.
  void start(bool markers = false, const std::optional<mpa::EnhancedData>& enhanced = std::nullopt) {
    const bool initiator = role_ == Role::initiator;
    OctetBuffer private_data;
    if (enhanced) Writer(private_data).big_endian(mpa::encode_enhanced(*enhanced));
    const mpa::StartFrame frame{.key = mpa::key_of(initiator ? mpa::FrameKind::reply : mpa::FrameKind::request),
                                .markers = markers,
                                .crc = true,
                                .enhanced = enhanced.has_value(),
                                .revision = enhanced ? mpa::kRevision2 : mpa::kRevision1,
                                .private_data_length = static_cast<std::uint16_t>(private_data.size()),
                                .private_data = private_data};
    feed(mpa::encode_start_frame(frame));
    if (!initiator) {
      EXPECT_TRUE(end.endpoint.accept() || deviant_);
      end.fetch();
      drain();
    }
    begin_full_operation(markers);
  }
  void begin_full_operation(bool markers = false) {
    framer_.emplace(expect_markers, true);
    deframer_.emplace(markers, true);
    output_.erase(output_.begin(), output_.begin() + static_cast<std::ptrdiff_t>(start_octets()));
  }

  void feed(Octets octets) {
    end.endpoint.receive(octets, now);
    drain();
  }
  void send(const ddp::Header& header, Octets payload = {}, const mpa::FramingFaults& faults = {}) {
    OctetBuffer head;
    OctetBuffer out;
    ddp::encode(header, head);
    framer_->frame(std::array<Octets, 2>{head, payload}, out, faults);
    feed(out);
  }
  void send_ulpdu(Octets ulpdu, const mpa::FramingFaults& faults = {}) {
    OctetBuffer out;
    framer_->frame(ulpdu, out, faults);
    feed(out);
  }
  void pass(Instant time) {
    now += time;
    end.endpoint.advance(now);
    drain();
  }
  void drain() {
    for (OctetBuffer next; end.endpoint.next_octets(next);) output_.insert(output_.end(), next.begin(), next.end());
    end.fetch();
  }

  // The octets that the endpoint has sent since the last call.
  OctetBuffer output() { return std::exchange(output_, {}); }
  std::vector<SentSegment> segments() {
    drain();
    const OctetBuffer octets = output();
    std::vector<SentSegment> all;
    deframer_->feed(octets);
    while (const auto fpdu = deframer_->next()) {
      EXPECT_TRUE(fpdu->crc_holds());
      const auto segment = ddp::decode(fpdu->ulpdu());
      if (!segment) continue;
      all.push_back({segment->header, decode_control(segment->header.rsvd_ulp),
                     OctetBuffer(segment->payload.begin(), segment->payload.end()),
                     OctetBuffer(fpdu->ulpdu().begin(), fpdu->ulpdu().end())});
    }
    return all;
  }

  End end;
  Instant now{0};
  bool expect_markers = false;  // the endpoint requests markers

 private:
  std::size_t start_octets() const {
    if (output_.size() < mpa::layout::kStartFrame) return output_.size();
    return std::min(output_.size(), mpa::layout::kStartFrame + load_big_endian<std::uint16_t>(
                                                                   output_.data() + mpa::layout::kPrivateDataLength));
  }

  Role role_;
  bool deviant_;
  OctetBuffer output_;
  std::optional<mpa::Framer> framer_;
  std::optional<mpa::Deframer> deframer_;
};

// Headers of unsegmented messages.
inline ddp::Header untagged(Opcode opcode, std::uint32_t queue, std::uint32_t msn, std::uint32_t mo = 0,
                            bool last = true, Stag invalidate = 0) {
  return {.last = last,
          .rsvd_ulp = encode_control(control_of(opcode)),
          .rsvd_ulp_rest = invalidate,
          .qn = queue,
          .msn = msn,
          .mo = mo};
}
inline ddp::Header tagged(Opcode opcode, Stag stag, std::uint64_t to, bool last = true) {
  return {.tagged = true, .last = last, .rsvd_ulp = encode_control(control_of(opcode)), .stag = stag, .to = to};
}
inline OctetBuffer encoded(const ReadRequest& request) {
  OctetBuffer octets;
  encode(request, octets);
  return octets;
}
inline OctetBuffer encoded(const ddp::Header& header) {
  OctetBuffer octets;
  ddp::encode(header, octets);
  return octets;
}

}  // namespace wirelaw::rdmap
