// SPDX-License-Identifier: Apache-2.0
// Our decoder of iWARP agrees with Wireshark's dissectors (iwarp_mpa, iwarp_ddp_rdmap) in every field of every FPDU.
// The inputs are real captures, and generated connections for what those lack.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <sstream>

#include "corpora/traces/rdmap_builder.h"
#include "corpora/traces/trace.h"
#include "pcap/frame_builder.h"
#include "pcap/packet_reader.h"
#include "pcap/tcp_connection.h"
#include "pcap/temporary_directory.h"
#include "pcap/tshark.h"
#include "reference/ddp/segment.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"
#include "reference/octets/hex.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::corpora {
namespace {

using pcap::testing::attribute;

using Lines = std::vector<std::string>;  // "frame field value", in the order of the capture

// --- our fields, in Wireshark's words and order -------------------------------------------------------------------

class Fields {
 public:
  Fields(std::uint64_t frame, Lines& lines) : frame_(frame), lines_(lines) {}
  template <class Int>
  void number(std::string_view name, Int value) {
    lines_.push_back(fmt::format("{} {} {}", frame_, name, static_cast<std::uint64_t>(value)));
  }
  void octets(std::string_view name, Octets value) {
    if (!value.empty()) lines_.push_back(fmt::format("{} {} {}", frame_, name, to_hex(value)));
  }

 private:
  std::uint64_t frame_;
  Lines& lines_;
};

void list(const mpa::StartFrame& frame, Fields& out) {
  const bool request = frame.kind() == mpa::FrameKind::request;
  out.octets(request ? "iwarp_mpa.key.req" : "iwarp_mpa.key.rep", frame.key);
  out.number("iwarp_mpa.marker_flag", frame.markers);
  out.number("iwarp_mpa.crc_flag", frame.crc);
  out.number("iwarp_mpa.rej_flag", frame.rejected);
  // Wireshark knows revision 1, in which S is reserved too, and shows the bits in their places.
  out.number("iwarp_mpa.res", (frame.enhanced ? 0x10 : 0) | frame.reserved);
  out.number("iwarp_mpa.rev", frame.revision);
  out.number("iwarp_mpa.pdlength", frame.private_data_length);
  out.octets("iwarp_mpa.privatedata", frame.private_data);
}

void tell_read_request(Octets payload, Fields& out) {
  const auto request = rdmap::decode_read_request(payload);
  ASSERT_TRUE(request);
  out.number("iwarp_rdma.sinkstag", request->sink_stag);
  out.number("iwarp_rdma.sinkto", request->sink_to);
  out.number("iwarp_rdma.rdmardsz", request->size);
  out.number("iwarp_rdma.srcstag", request->source_stag);
  out.number("iwarp_rdma.srcto", request->source_to);
}

void list_terminate(Octets payload, Fields& out) {
  const auto terminate = rdmap::decode_terminate(payload);
  ASSERT_TRUE(terminate);
  const rdmap::ErrorCode& error = terminate->error;
  out.number("iwarp_rdma.term_layer", error.layer);
  // The names of the fields come from the tables that explain their values.
  static constexpr std::array<std::string_view, 3> kTypes{"iwarp_rdma.term_etype_rdma", "iwarp_rdma.term_etype_ddp",
                                                          "iwarp_rdma.term_etype_llp"};
  out.number(error.layer < kTypes.size() ? kTypes[error.layer] : "iwarp_rdma.term_etype", error.etype);
  std::string_view code = "iwarp_rdma.term_errcode";
  if (error.layer == 0 && error.etype != 0) code = "iwarp_rdma.term_errcode_rdma";
  if (error.layer == 1 && error.etype == 1) code = "iwarp_rdma.term_errcode_ddp_tagged";
  if (error.layer == 1 && error.etype == 2) code = "iwarp_rdma.term_errcode_ddp_untagged";
  if (error.layer == 2 && error.etype == 0) code = "iwarp_rdma.term_errcode_llp";
  out.number(code, error.code);
  out.number("iwarp_rdma.term_hdrct_m", terminate->has_length);
  out.number("iwarp_rdma.hdrct_d", terminate->has_ddp_header);
  out.number("iwarp_rdma.hdrct_r", terminate->has_rdma_header);
  out.number("iwarp_rdma.term_rsvd", terminate->reserved);
  if (terminate->has_length) {
    std::array<Octet, 2> length;
    store_big_endian(length.data(), terminate->ddp_segment_length);
    out.octets("iwarp_rdma.term_ddp_seg_len", length);
  }
  // Wireshark derives the model of a terminated DDP header from the error, not from its T bit. It shows the untagged
  // header of a Read Request as tagged if the error is a protection error.
  const std::size_t headers = terminate->ddp_header.size() + terminate->rdma_header.size();
  const Octets both = payload.subspan(payload.size() - headers - terminate->tail.size());
  const std::size_t ddp_octets =
      std::min(terminate->ddp_header.size(), error.etype == 1 ? ddp::layout::kTagged : ddp::layout::kUntagged);
  out.octets("iwarp_rdma.term_ddp_h", both.first(ddp_octets));
  out.octets("iwarp_rdma.term_rdma_h", both.subspan(ddp_octets, terminate->rdma_header.size()));
}

void tell_atomic_request(Octets payload, Fields& out) {
  const auto request = rdmap::decode_atomic_request(payload);
  ASSERT_TRUE(request);
  const std::uint8_t opcode = rdmap::atomic_opcode(*request);
  out.number("iwarp_rdma.atomic.reserved", request->reserved_and_opcode >> 4);
  out.number("iwarp_rdma.atomic.opcode", opcode);
  out.number("iwarp_rdma.atomic.request_identifier", request->request_identifier);
  out.number("iwarp_rdma.atomic.remote_stag", request->stag);
  out.number("iwarp_rdma.atomic.remote_tagged_offset", request->to);
  const bool swaps = opcode == rdmap::kCmpSwap;
  out.number(swaps ? "iwarp_rdma.atomic.swap_data" : "iwarp_rdma.atomic.add_data", request->data);
  out.number(swaps ? "iwarp_rdma.atomic.swap_mask" : "iwarp_rdma.atomic.add_mask", request->data_mask);
  out.number("iwarp_rdma.atomic.compare_data", request->compare);
  out.number("iwarp_rdma.atomic.compare_mask", request->compare_mask);
}

void tell_atomic_response(Octets payload, Fields& out) {
  const auto response = rdmap::decode_atomic_response(payload);
  ASSERT_TRUE(response);
  out.number("iwarp_rdma.atomic.original_request_identifier", response->request_identifier);
  out.number("iwarp_rdma.atomic.original_remote_data_value", response->original_value);
}

void list_segment(Octets ulpdu, Fields& out) {
  const auto segment = ddp::decode(ulpdu);
  ASSERT_TRUE(segment);
  const ddp::Header& header = segment->header;
  out.number("iwarp_ddp.tagged_flag", header.tagged);
  out.number("iwarp_ddp.last_flag", header.last);
  out.number("iwarp_ddp.rsvd", header.reserved);
  out.number("iwarp_ddp.dv", header.version);
  if (header.tagged) {
    out.number("iwarp_ddp.stag", header.stag);
    out.number("iwarp_ddp.tagged_offset", header.to);
  } else {
    out.octets("iwarp_ddp.rsvdulp", ulpdu.subspan(ddp::layout::kRsvdUlp, 5));
    out.number("iwarp_ddp.qn", header.qn);
    out.number("iwarp_ddp.msn", header.msn);
    out.number("iwarp_ddp.mo", header.mo);
  }
  const rdmap::Control control = rdmap::decode_control(header.rsvd_ulp);
  out.number("iwarp_rdma.version", control.version);
  out.number("iwarp_rdma.rsv", control.reserved);
  out.number("iwarp_rdma.opcode", control.opcode);
  const rdmap::OpcodeRow* const row = rdmap::find_opcode(control.opcode);
  if (row == nullptr || header.tagged) return;
  if (row->invalidate_stag) {
    out.number("iwarp_rdma.inval_stag", header.rsvd_ulp_rest);
  } else if (!row->extension) {
    out.octets("iwarp_rdma.reserved", ulpdu.subspan(ddp::layout::kRsvdUlpRest, 4));
  }
  if (control.is(rdmap::Opcode::read_request)) tell_read_request(segment->payload, out);
  if (control.is(rdmap::Opcode::terminate)) list_terminate(segment->payload, out);
  if (control.is(rdmap::Opcode::atomic_request)) tell_atomic_request(segment->payload, out);
  if (control.is(rdmap::Opcode::atomic_response)) tell_atomic_response(segment->payload, out);
}

void list(const mpa::Fpdu& fpdu, bool crc, Fields& out) {
  out.number("iwarp_mpa.ulpdulength", fpdu.ulpdu_length());
  out.octets("iwarp_mpa.pad", fpdu.pad());
  // Wireshark reads the field as big-endian.
  out.number(crc ? "iwarp_mpa.crc_check" : "iwarp_mpa.crc", reversed(fpdu.crc));
  if (crc) out.number("good", fpdu.crc_holds());
  for (const mpa::Marker& marker : fpdu.markers) {
    out.number("iwarp_mpa.marker_res", marker.reserved);
    out.number("iwarp_mpa.marker_fpduptr", marker.pointer);
  }
  list_segment(fpdu.ulpdu(), out);
}

// One direction of a connection.
struct Direction {
  OctetBuffer start;  // octets up to the end of the start frame
  std::optional<mpa::StartFrame> frame;
  std::optional<mpa::Deframer> deframer;
};

class Connection {
 public:
  explicit Connection(bool tells_a) : lists_a_(tells_a) {}
  void take(const pcap::Segment& segment, bool from_a, Lines& lines) {
    ASSERT_TRUE(tcp_.take(segment, from_a, [&](const StreamPiece& piece) { list_piece(piece, lines); }));
  }

 private:
  void list_piece(const StreamPiece& piece, Lines& lines) {
    ASSERT_NE(piece.event, StreamEvent::gap);
    Direction& mine = directions_[piece.sender == Side::a ? 0 : 1];
    const auto& peers = directions_[piece.sender == Side::a ? 1 : 0].frame;
    Fields out(piece.frame, lines);
    Octets octets = piece.octets;
    if (!mine.frame) {
      mine.start.insert(mine.start.end(), octets.begin(), octets.end());
      const auto frame = mpa::decode_start_frame(mine.start);
      if (!frame) return;
      mine.frame = *frame;
      list(*frame, out);
      ASSERT_EQ(mine.start.size(), mpa::layout::kStartFrame + frame->private_data_length);
      return;
    }
    if (octets.empty()) return;
    ASSERT_TRUE(peers);
    if (!mine.deframer) mine.deframer.emplace(peers->markers, mine.frame->crc || peers->crc);
    mine.deframer->feed(octets);
    while (const auto fpdu = mine.deframer->next())
      if (lists_a_ || piece.sender == Side::b) list(*fpdu, mine.frame->crc || peers->crc, out);
  }

  bool lists_a_;  // whether to list the initiator's FPDUs
  pcap::TcpConnection tcp_;
  std::array<Direction, 2> directions_;
};

Lines ours(const std::string& path, bool tells_a) {
  Lines lines;
  auto reader = pcap::PacketReader::open(path);
  EXPECT_TRUE(reader);
  if (!reader) return lines;
  std::vector<std::pair<pcap::Endpoint, pcap::Endpoint>> names;
  std::vector<Connection> connections;
  pcap::Datagram datagram;
  pcap::Segment segment;
  while (reader->next(datagram, segment) == pcap::Transport::tcp) {
    std::size_t i = 0;
    while (i < names.size() && names[i] != std::pair(segment.source, segment.destination) &&
           names[i] != std::pair(segment.destination, segment.source))
      ++i;
    if (i == names.size()) {
      names.emplace_back(segment.source, segment.destination);
      connections.emplace_back(tells_a);
    }
    connections[i].take(segment, segment.source == names[i].first, lines);
  }
  return lines;
}

// --- Wireshark's fields -------------------------------------------------------------------------------------------

// From `tshark -T pdml`, which prints one element per line. Keeps fields that have a value, not headings.
Lines theirs(const std::string& path) {
  static const std::set<std::string> kOctets{
      "iwarp_mpa.key.req",     "iwarp_mpa.key.rep",   "iwarp_mpa.privatedata",       "iwarp_mpa.pad",
      "iwarp_ddp.rsvdulp",     "iwarp_rdma.reserved", "iwarp_rdma.term_ddp_seg_len", "iwarp_rdma.term_ddp_h",
      "iwarp_rdma.term_rdma_h"};
  Lines lines;
  std::string frame;
  std::istringstream in(pcap::testing::tshark(path, "-T pdml"));
  for (std::string line; std::getline(in, line);) {
    if (line.find("<field ") == std::string::npos) continue;
    const std::string name = attribute(line, "name"), show = attribute(line, "show");
    if (name == "num") frame = show;
    if (!name.starts_with("iwarp_") || show.empty()) continue;
    if (name.starts_with("iwarp_rdma.send.")) continue;  // Wireshark's reassembly of Sends
    const std::string value =
        kOctets.contains(name) ? attribute(line, "value") : std::to_string(std::strtoull(show.c_str(), nullptr, 0));
    lines.push_back(frame + ' ' + name + ' ' + value);
    if (name == "iwarp_mpa.crc_check")
      lines.push_back(frame + " good " + (attribute(line, "showname").find("Good") != std::string::npos ? "1" : "0"));
  }
  return lines;
}

void compare(const std::string& path, bool tells_a = true) {
  const Lines we = ours(path, tells_a), they = theirs(path);
  EXPECT_GT(they.size(), 10u) << "Wireshark finds iWARP in it";
  const auto [mine, other] = std::ranges::mismatch(we, they);
  const auto rest = [](const Lines& lines, auto at) {
    std::string text;
    for (std::size_t i = 0; i < 5 && at != lines.end(); ++i, ++at) text += *at + '\n';
    return text;
  };
  EXPECT_TRUE(mine == we.end() && other == they.end()) << "we say\n"
                                                       << rest(we, mine) << "where Wireshark says\n"
                                                       << rest(they, other);
}

class IwarpCaptures : public ::testing::TestWithParam<const char*> {};

TEST_P(IwarpCaptures, AreDecodedAsWiresharkDecodesThem) {
  if (!pcap::testing::has_tshark()) GTEST_SKIP() << "tshark is not installed";
  compare(std::string(WIRELAW_SOURCE_DIR "/corpora/captures/iwarp/") + GetParam() + ".pcap");
}

INSTANTIATE_TEST_SUITE_P(Real, IwarpCaptures,
                         ::testing::Values("siw_ib_read_lat_n10", "siw_ib_write_lat_n10", "siw_reject_crc_strict",
                                           "siw_rping_C5_S1024", "siw_term_read-oob", "siw_term_send-long",
                                           "siwcrc_rping_C5_S1024"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// --- generated connections ----------------------------------------------------------------------------------------

// Compares the trace of the script, if tshark is installed.
void compare_script(RdmapTraceBuilder& script, bool tells_a = true,
                    const std::function<void(std::vector<TraceMessage>&)>& edit = {}) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("connection.pcapng");
  Trace trace{.name = "connection", .violates = "", .purpose = "", .messages = script.take(), .is_stream = true};
  if (edit) edit(trace.messages);
  ASSERT_TRUE(write_trace(trace, path));
  compare(path, tells_a);
}

// Sends every message from either side.
void all_messages(RdmapTraceBuilder& script) {
  using rdmap::Opcode;
  const OctetBuffer payload = pattern(40);
  for (const Side side : {Side::a, Side::b}) {
    for (const Opcode opcode : {Opcode::send, Opcode::send_se}) script.send(side, payload, opcode);
    for (const Opcode opcode : {Opcode::send_invalidate, Opcode::send_se_invalidate})
      script.send(side, payload, opcode, 0x01020304);
    for (std::size_t length = 0; length < 5; ++length) script.write(side, pattern(length), 7, 0x123456789abcdef0);
    script.write(side, pattern(1400));
    script.read(side);
    OctetBuffer atomic;
    rdmap::encode(rdmap::AtomicRequest{.reserved_and_opcode = rdmap::kFetchAdd,
                                       .request_identifier = 9,
                                       .stag = 0x01020304,
                                       .to = 0x1000,
                                       .data = 5,
                                       .data_mask = 1},
                  atomic);
    script.segment(side, script.untagged(side, Opcode::atomic_request), atomic);
    atomic.clear();
    rdmap::encode(rdmap::AtomicRequest{.reserved_and_opcode = rdmap::kCmpSwap,
                                       .request_identifier = 10,
                                       .stag = 0x01020304,
                                       .to = 0x1000,
                                       .data = 5,
                                       .data_mask = ~std::uint64_t{0},
                                       .compare = 6,
                                       .compare_mask = 7},
                  atomic);
    script.segment(side, script.untagged(side, Opcode::atomic_request), atomic);
    atomic.clear();
    rdmap::encode(rdmap::AtomicResponse{.request_identifier = 9, .original_value = 77}, atomic);
    script.segment(side, script.untagged(side, Opcode::atomic_response), atomic);
  }
}

constexpr struct {
  const char* name;
  bool markers_to_a, markers_to_b, crc;
} kFramings[] = {{"plain", false, false, false},
                 {"crc", false, false, true},
                 {"markers", true, true, false},
                 {"markers-and-crc", true, true, true},
                 {"markers-one-way", true, false, true}};

void start(RdmapTraceBuilder& script, bool markers_to_a, bool markers_to_b, bool crc) {
  script.open();
  script.request([&](mpa::StartFrame& frame) { frame.markers = markers_to_a, frame.crc = crc; });
  script.reply([&](mpa::StartFrame& frame) { frame.markers = markers_to_b, frame.crc = crc; }, pattern(33));
}

class IwarpConnections : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!pcap::testing::has_tshark()) GTEST_SKIP() << "tshark is not installed";
  }
};

TEST_F(IwarpConnections, OfEveryMessageAreDecodedAsWiresharkDecodesThem) {
  for (const auto& framing : kFramings) {
    SCOPED_TRACE(framing.name);
    RdmapTraceBuilder script;
    start(script, framing.markers_to_a, framing.markers_to_b, framing.crc);
    all_messages(script);
    // If only one direction has markers, Wireshark understands only the side that sends them.
    compare_script(script, framing.markers_to_a == framing.markers_to_b);
  }
}

TEST_F(IwarpConnections, WhoseFieldsHaveUnusualValuesAreDecodedAsWiresharkDecodesThem) {
  RdmapTraceBuilder script;
  script.enhanced_start([](mpa::EnhancedData& data) { data.ird = mpa::kNoNegotiation; },
                        [](mpa::EnhancedData& data) { data.rtr_read = data.rtr_send = true; });
  const auto odd = [](ddp::Header& header) {
    header.reserved = 0xa;
    header.version = 3;
    header.last = false;
    header.rsvd_ulp |= 0xb0;
    header.msn = 0xfffffffe;
    header.mo = 0x80000001;
  };
  script.send(Side::a, pattern(9), rdmap::Opcode::send, 0xdeadbeef, odd);
  script.write(Side::b, pattern(3), 0xffffffff, ~std::uint64_t{0}, odd);
  script.send(Side::b, pattern(10), rdmap::Opcode::send, 0, {}, {.crc_xor = 0x01020304});
  script.send(Side::b, pattern(11), rdmap::Opcode::send, 0, {}, {.pad_fill = 0x5a});
  script.segment(Side::a, script.untagged(Side::a, static_cast<rdmap::Opcode>(14)), pattern(5));
  compare_script(script);
}

TEST_F(IwarpConnections, ThatEndInATerminateOfAnyErrorAreDecodedAsWiresharkDecodesThem) {
  RdmapTraceBuilder script;
  start(script, false, false, true);
  for (const rdmap::ErrorRow& row : rdmap::errors()) {
    if (row.error.etype == 1) {  // tagged buffers, and protection
      script.write(Side::a, pattern(50));
      script.terminate(Side::b, script.blame_last(row.error));
    }
    if (row.error.etype != 1 || row.error.layer == 0) {
      script.read_request(Side::a);
      script.terminate(Side::b, script.blame_last(row.error));
    }
  }
  compare_script(script);
}

// Cuts consecutive octets of one side into segments of another length.
void resegment(std::vector<TraceMessage>& messages, std::size_t from, std::size_t octets) {
  std::vector<TraceMessage> out(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(from));
  for (std::size_t i = from; i < messages.size();) {
    OctetBuffer run;
    const Side sender = messages[i].sender;
    for (; i < messages.size() && messages[i].sender == sender; ++i)
      run.insert(run.end(), messages[i].octets.begin(), messages[i].octets.end());
    for (Octets rest = run; !rest.empty();) {
      const Octets part = rest.first(std::min(octets, rest.size()));
      out.push_back({.sender = sender, .octets = {part.begin(), part.end()}});
      rest = rest.subspan(part.size());
    }
  }
  messages = std::move(out);
}

TEST_F(IwarpConnections, WhoseSegmentsAreNotAlignedAreDecodedAsWiresharkDecodesThem) {
  constexpr std::size_t kStart = 4;  // both SYNs and both start frames stay unchanged
  for (const std::size_t octets : {100u, 700u, 1460u}) {
    SCOPED_TRACE(octets);
    RdmapTraceBuilder script;
    start(script, false, false, true);
    all_messages(script);
    compare_script(script, true, [&](std::vector<TraceMessage>& messages) { resegment(messages, kStart, octets); });
  }
}

// Traces that Wireshark 4.0 fails to dissect, so that they are not compared.
constexpr std::string_view kWiresharkGivesUp[] = {
    "mpa-after-streaming",             // this test does not find start frames that follow other octets
    "mpa-text-about-mpa",              // likewise
    "mpa-text-ends-with-a-key",        // likewise
    "mpa-rejected-and-started-again",  // likewise, after a rejection
    "mpa-text-begins-with-a-key",      // Wireshark takes the text for a start frame
    "mpa-octet-by-octet",              // a start frame in several segments
    "mpa-markers",
    "atomic-request-in-two-segments",    // Wireshark takes each segment for a whole header
    "atomic-request-in-three-segments",  // likewise
    "atomic-response-in-two-segments",   // likewise
    "terminate-marker",                  // an FPDU that ends right before a marker: it waits for more
    "mpa-markers-one-way",               // the side that sends no markers
};

bool is_whole(const Trace& trace) {
  return trace.from_start &&
         std::ranges::none_of(trace.messages, [](const TraceMessage& one) { return one.event == StreamEvent::gap; });
}

TEST_F(IwarpConnections, OfTheConformingTracesAreDecodedAsWiresharkDecodesThem) {
  const pcap::testing::TemporaryDirectory directory;
  std::size_t compared = 0, passed_over = 0;
  for (const Trace& trace : traces_of("rdmap").traces) {
    if (!trace.violates.empty() || !is_whole(trace)) continue;
    if (std::ranges::find(kWiresharkGivesUp, trace.name) != std::end(kWiresharkGivesUp)) {
      ++passed_over;
      continue;
    }
    SCOPED_TRACE(trace.name);
    const std::string path = directory.path(trace.name);
    ASSERT_TRUE(write_trace(trace, path));
    compare(path);
    ++compared;
  }
  EXPECT_GT(compared, 30u);
  EXPECT_EQ(passed_over, std::size(kWiresharkGivesUp)) << "the list names traces that are not there";
}

}  // namespace
}  // namespace wirelaw::corpora
