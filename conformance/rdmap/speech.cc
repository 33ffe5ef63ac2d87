// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/speech.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "conformance/rdmap/framing.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/advertisement.h"
#include "reference/rdmap/terminate_builder.h"

namespace wirelaw::rdmap {
namespace {

using script::Wishes;

constexpr std::uint64_t kMostPayload = 1u << 20;  // octets in one message
constexpr std::size_t kMostReads = 1024;  // requests of the other side that a side keeps; the oldest are dropped
constexpr std::uint64_t kUsualSize = 16;  // octets of a Send or a Write
constexpr std::uint32_t kUsualRead = 64;
constexpr std::size_t kImmediate = layout::kImmediateData;

// Buffers of a side that has advertised none.
constexpr BufferAt kTarget{.stag = 0x11223344, .to = 0};
constexpr BufferAt kSource{.stag = 0x11223344, .to = 0x2000};
constexpr BufferAt kSink{.stag = 0x55667788, .to = 0x1000};
constexpr mpa::EnhancedData kUsualEnhanced{.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4};

// The state of one side.
struct Party {
  std::array<std::uint32_t, 4> msn{1, 1, 1, 1};  // the next message's, by queue
  std::array<std::uint32_t, 4> mo{};             // octets of that message that have passed
  std::optional<BufferAt> write;                 // where its incomplete Write resumes
  std::deque<ReadRequest> reads;      // its unanswered requests; the first one is reduced to the part not yet answered
  std::deque<std::uint32_t> atomics;  // request identifiers of its unanswered atomic operations
  std::uint32_t identifier = 1;       // the next atomic operation's
  OctetBuffer last;                   // its last segment, as far as a Terminate may quote it
  std::size_t last_octets = 0;        // length of that segment
  OctetBuffer start;                  // its start frame
  std::optional<BufferAt> buffer;     // the first that it has advertised
};

class RdmapSpeech : public script::Speech {
 public:
  tl::expected<OctetBuffer, std::string> next(Side sender, std::string_view message,
                                              const Wishes& wishes) const override {
    const auto octets = wishes.octets("payload");
    const auto size = octets ? std::optional<std::uint64_t>(octets->size()) : wishes.number("size");
    if (size.value_or(0) > kMostPayload) return tl::unexpected(std::string("size: too many octets for one message"));
    const auto opcode = opcode_named(message);
    if (!opcode) return start_frame(message == "MpaReply", sender, wishes, size, octets);
    const OpcodeRow& row = *find_opcode(static_cast<std::uint8_t>(*opcode));
    ddp::Header header = row.tagged ? tagged(sender, row, wishes) : untagged(sender, row, wishes);
    if (const auto last = wishes.number("last")) header.last = *last != 0;
    OctetBuffer out;
    ddp::encode(header, out);
    const bool is_first = row.tagged || header.mo == 0;
    if (is_first) add_header(sender, row, wishes, out);
    const std::uint64_t usual = is_first ? usual_size(sender, *opcode) : kUsualSize;
    const OctetBuffer payload =
        octets ? OctetBuffer(octets->begin(), octets->end())
               : script::pattern(static_cast<std::size_t>(size.value_or(std::min(usual, kMostPayload))));
    out.insert(out.end(), payload.begin(), payload.end());
    return out;
  }

  void heard(Side sender, Octets message) override {
    if (is_start_frame(message)) {
      if (std::exchange(is_rejected_, false)) parties_ = {};  // MPA starts again (RDMAP/A-31)
      return take_start_frame(of(sender), message);
    }
    const auto segment = ddp::decode(message);
    if (!segment) return;
    if (segment->header.tagged)
      take_tagged(sender, *segment);
    else
      take_untagged(sender, *segment);
  }

  void passed(Side sender, Octets segment) override {
    if (is_start_frame(segment)) {
      is_rejected_ = is_rejection(segment);
      return;
    }
    Party& party = of(sender);
    party.last.assign(segment.begin(),
                      segment.begin() + static_cast<std::ptrdiff_t>(std::min(segment.size(), kQuoted)));
    party.last_octets = segment.size();
  }

 private:
  // A Terminate quotes the DDP header and that of a Read Request.
  static constexpr std::size_t kQuoted = ddp::layout::kUntagged + layout::kReadRequest;

  static constexpr std::size_t index(Side side) { return side == Side::a ? 0 : 1; }
  Party& of(Side side) { return parties_[index(side)]; }
  const Party& of(Side side) const { return parties_[index(side)]; }

  // --- start frames

  // A reply uses the revision of the request and grants what it asks for.
  tl::expected<OctetBuffer, std::string> start_frame(bool is_reply, Side sender, const Wishes& wishes,
                                                     std::optional<std::uint64_t> size,
                                                     std::optional<Octets> octets) const {
    mpa::StartFrame frame{.key = mpa::key_of(is_reply ? mpa::FrameKind::reply : mpa::FrameKind::request), .crc = true};
    const auto peers = mpa::decode_start_frame(of(other(sender)).start);
    const bool answers = is_reply && peers;
    const std::uint64_t usual = answers && peers->revision == mpa::kRevision2 ? mpa::kRevision2 : mpa::kRevision1;
    frame.revision = static_cast<std::uint8_t>(wishes.number("rev").value_or(usual));
    frame.enhanced = answers ? peers->enhanced && frame.revision == mpa::kRevision2 : frame.revision == mpa::kRevision2;
    if (const auto flag = wishes.number("enhanced_flag")) frame.enhanced = *flag != 0;
    OctetBuffer data;
    if (frame.enhanced && frame.revision == mpa::kRevision2)
      Writer(data).big_endian(enhanced_word(answers ? peers->enhanced_data() : std::nullopt));
    const OctetBuffer own = octets ? OctetBuffer(octets->begin(), octets->end())
                                   : script::pattern(static_cast<std::size_t>(size.value_or(0)));
    data.insert(data.end(), own.begin(), own.end());
    frame.private_data_length = static_cast<std::uint16_t>(data.size());
    frame.private_data = data;
    return mpa::encode_start_frame(frame);
  }
  static std::uint32_t enhanced_word(const std::optional<mpa::EnhancedData>& asked) {
    mpa::EnhancedData data = kUsualEnhanced;
    if (asked) {
      data = *asked;
      data.ird = asked->ord, data.ord = asked->ird;
    }
    return mpa::encode_enhanced(data);
  }
  static void take_start_frame(Party& party, Octets message) {
    const auto frame = mpa::decode_start_frame(message);
    if (!frame || !party.start.empty()) return;
    party.start.assign(message.begin(), message.end());
    const auto buffers = decode_advertisement(frame->ulp_data());
    if (buffers && !buffers->empty()) party.buffer = buffers->front().at;
  }

  // --- segments

  ddp::Header header_of(const OpcodeRow& row) const {
    return {.tagged = row.tagged, .last = true, .rsvd_ulp = encode_control(control_of(row.opcode))};
  }
  ddp::Header tagged(Side sender, const OpcodeRow& row, const Wishes& wishes) const {
    ddp::Header header = header_of(row);
    BufferAt at = of(other(sender)).buffer.value_or(kTarget);
    if (row.opcode == Opcode::write) {
      at = of(sender).write.value_or(at);
    } else {
      const auto& reads = of(other(sender)).reads;
      at = reads.empty() ? kSink : BufferAt{reads.front().sink_stag, reads.front().sink_to};
    }
    header.stag = static_cast<std::uint32_t>(wishes.number("stag").value_or(at.stag));
    header.to = wishes.number("tagged_offset").value_or(at.to);
    return header;
  }
  ddp::Header untagged(Side sender, const OpcodeRow& row, const Wishes& wishes) const {
    ddp::Header header = header_of(row);
    header.qn = row.queue;
    const Party& party = of(sender);
    header.msn = static_cast<std::uint32_t>(wishes.number("msn").value_or(party.msn[row.queue & 3]));
    header.mo = static_cast<std::uint32_t>(wishes.number("mo").value_or(party.mo[row.queue & 3]));
    if (row.invalidate_stag) header.rsvd_ulp_rest = of(other(sender)).buffer.value_or(kTarget).stag;
    return header;
  }

  std::uint64_t usual_size(Side sender, Opcode opcode) const {
    switch (opcode) {
      case Opcode::read_request:
      case Opcode::terminate:
      case Opcode::atomic_request:
      case Opcode::atomic_response:
        return 0;
      case Opcode::immediate_data:
      case Opcode::immediate_data_se:
        return kImmediate;
      case Opcode::read_response: {
        const auto& reads = of(other(sender)).reads;
        return reads.empty() ? kUsualRead : reads.front().size;
      }
      default:
        return kUsualSize;
    }
  }

  void add_header(Side sender, const OpcodeRow& row, const Wishes& wishes, OctetBuffer& out) const {
    const Party &mine = of(sender), &peers = of(other(sender));
    switch (row.opcode) {
      case Opcode::read_request: {
        const BufferAt sink = mine.buffer.value_or(kSink), source = peers.buffer.value_or(kSource);
        ReadRequest request{.sink_stag = sink.stag,
                            .sink_to = sink.to,
                            .size = kUsualRead,
                            .source_stag = source.stag,
                            .source_to = source.to};
        request.size = static_cast<std::uint32_t>(wishes.number("rdmardsz").value_or(kUsualRead));
        request.sink_stag = static_cast<std::uint32_t>(wishes.number("sinkstag").value_or(sink.stag));
        request.sink_to = wishes.number("sinkto").value_or(sink.to);
        return encode(request, out);
      }
      case Opcode::atomic_request:
        return encode(AtomicRequest{.reserved_and_opcode = kFetchAdd,
                                    .request_identifier = static_cast<std::uint32_t>(
                                        wishes.number("atomic.request_identifier").value_or(mine.identifier)),
                                    .stag = peers.buffer.value_or(kTarget).stag,
                                    .to = peers.buffer.value_or(kTarget).to,
                                    .data = 1,
                                    .compare_mask = ~std::uint64_t{0}},
                      out);
      case Opcode::atomic_response:
        return encode(
            AtomicResponse{.request_identifier = peers.atomics.empty() ? peers.identifier : peers.atomics.front()},
            out);
      case Opcode::terminate:
        return add_terminate(sender, wishes, out);
      default:
        return;
    }
  }

  // It blames the latest segment of the other side.
  void add_terminate(Side sender, const Wishes& wishes, OctetBuffer& out) const {
    const auto part = [&](std::string_view field, std::uint8_t usual) {
      return static_cast<std::uint8_t>(wishes.number(field).value_or(usual));
    };
    const ErrorCode error{part("layer", error::kMpaCrc.layer), part("etype", error::kMpaCrc.etype),
                          part("errcode", error::kMpaCrc.code)};
    const OctetBuffer& last = of(other(sender)).last;
    std::optional<Offender> offender;
    if (const auto segment = ddp::decode(last)) {
      offender = offender_of(last, segment->header);
      offender->segment_length = static_cast<std::uint16_t>(of(other(sender)).last_octets);
      if (!segment->header.tagged && decode_control(segment->header.rsvd_ulp).is(Opcode::read_request))
        offender->read = decode_read_request(segment->payload);
    }
    const OctetBuffer message = build_terminate(error, offender ? &*offender : nullptr);
    Terminate terminate = *decode_terminate(message);
    // A part comes with its value.
    if (const auto length = wishes.number("ddp_seg_len"))
      terminate.has_length = true, terminate.ddp_segment_length = static_cast<std::uint16_t>(*length);
    if (const auto header = wishes.octets("ddp_h")) {
      if (!terminate.has_length && !terminate.has_ddp_header && offender)
        terminate.ddp_segment_length = offender->segment_length;
      terminate.has_ddp_header = true, terminate.ddp_header = *header;
    }
    if (const auto header = wishes.octets("rdma_h")) terminate.has_rdma_header = true, terminate.rdma_header = *header;
    // It goes away with its bit.
    if (wishes.number("hdrct_m") == 0) terminate.has_length = false;
    if (wishes.number("hdrct_d") == 0) terminate.has_ddp_header = false, terminate.ddp_header = {};
    if (wishes.number("hdrct_r") == 0) terminate.has_rdma_header = false, terminate.rdma_header = {};
    encode(terminate, out);
  }

  // --- what passed

  void take_tagged(Side sender, const ddp::Segment& segment) {
    const ddp::Header& header = segment.header;
    const Control control = decode_control(header.rsvd_ulp);
    if (control.is(Opcode::write)) {
      of(sender).write =
          header.last ? std::nullopt : std::optional(BufferAt{header.stag, header.to + segment.payload.size()});
    }
    if (!control.is(Opcode::read_response)) return;
    auto& reads = of(other(sender)).reads;
    if (reads.empty()) return;
    if (header.last) return reads.pop_front();
    const auto octets = static_cast<std::uint32_t>(std::min<std::size_t>(segment.payload.size(), reads.front().size));
    reads.front().sink_to += octets;
    reads.front().size -= octets;
  }

  void take_untagged(Side sender, const ddp::Segment& segment) {
    const ddp::Header& header = segment.header;
    Party& party = of(sender);
    const std::size_t queue = header.qn & 3;
    party.msn[queue] = header.last ? header.msn + 1 : header.msn;
    party.mo[queue] = header.last ? 0 : header.mo + static_cast<std::uint32_t>(segment.payload.size());
    const Control control = decode_control(header.rsvd_ulp);
    if (control.is(Opcode::read_request))
      if (const auto request = decode_read_request(segment.payload)) keep(party.reads, *request);
    if (control.is(Opcode::atomic_request)) {
      if (const auto request = decode_atomic_request(segment.payload)) {
        keep(party.atomics, request->request_identifier);
        party.identifier = request->request_identifier + 1;
      }
    }
    auto& atomics = of(other(sender)).atomics;
    if (control.is(Opcode::atomic_response) && !atomics.empty()) atomics.pop_front();
  }

  template <class T>
  static void keep(std::deque<T>& all, const T& one) {
    if (all.size() == kMostReads) all.pop_front();
    all.push_back(one);
  }

  std::array<Party, 2> parties_;
  bool is_rejected_ = false;  // the latest start frame was a Reply that rejects
};

}  // namespace

std::unique_ptr<script::Speech> make_speech(const script::Addresses&) {
  return std::make_unique<RdmapSpeech>();
}

}  // namespace wirelaw::rdmap
