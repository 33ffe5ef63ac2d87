// SPDX-License-Identifier: Apache-2.0
// An answer shows that its sender accepted something that it must refuse. It shows nothing as long as the message that
// it answers could not be decoded.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/rdmap.h"
#include "reference/ddp/segment.h"
#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// Side a reads. Side b may have requested markers in the octets of a.
struct Reader {
  explicit Reader(bool markers = false, std::size_t private_data = 0, std::span<const std::string> features = {})
      : observer(make_observer({.features = features})), framers{mpa::Framer(markers, true), mpa::Framer(false, true)} {
    for (const Side side : {Side::a, Side::b}) observer->observe({.event = StreamEvent::opened, .sender = side}, judge);
    judge.enter_flow("flow", "a", "b");
    const OctetBuffer data(private_data, 7);
    octets(Side::a, mpa::encode_start_frame({.key = mpa::key_of(mpa::FrameKind::request),
                                             .crc = true,
                                             .private_data_length = static_cast<std::uint16_t>(private_data),
                                             .private_data = data}));
    octets(Side::b,
           mpa::encode_start_frame({.key = mpa::key_of(mpa::FrameKind::reply), .markers = markers, .crc = true}));
  }

  // Start frames with any key.
  Reader(std::string_view request, std::string_view reply)
      : framers{mpa::Framer(false, true), mpa::Framer(false, true)} {
    for (const Side side : {Side::a, Side::b}) observer->observe({.event = StreamEvent::opened, .sender = side}, judge);
    judge.enter_flow("flow", "a", "b");
    for (const auto& [side, key] : {std::pair{Side::a, request}, std::pair{Side::b, reply}}) {
      OctetBuffer start = mpa::encode_start_frame({.key = mpa::key_of(mpa::FrameKind::request), .crc = true});
      std::ranges::copy(key, start.begin());
      octets(side, start);
    }
  }

  void octets(Side side, Octets piece) {
    std::uint64_t& offset = at[side == Side::a ? 0 : 1];
    observer->observe(
        {.event = StreamEvent::octets, .sender = side, .octets = piece, .offset = offset, .frame = ++frame}, judge);
    offset += piece.size();
  }
  static OctetBuffer segment(const ddp::Header& header, Octets payload) {
    OctetBuffer octets;
    ddp::encode(header, octets);
    octets.insert(octets.end(), payload.begin(), payload.end());
    return octets;
  }
  void framed(Side side, const OctetBuffer& segment) {
    OctetBuffer fpdu;
    framers[side == Side::a ? 0 : 1].frame(segment, fpdu);
    octets(side, fpdu);
  }
  static OctetBuffer send(std::uint32_t msn, std::size_t count) {
    return segment({.last = true, .rsvd_ulp = encode_control(control_of(Opcode::send)), .qn = 0, .msn = msn},
                   OctetBuffer(count, 0x5a));
  }
  static OctetBuffer read_request(std::uint64_t source, std::uint32_t size) {
    OctetBuffer payload;
    encode(ReadRequest{.sink_stag = 5, .sink_to = 0, .size = size, .source_stag = 6, .source_to = source}, payload);
    return segment({.last = true, .rsvd_ulp = encode_control(control_of(Opcode::read_request)), .qn = 1, .msn = 1},
                   payload);
  }
  // A segment, then a Read Request and its response.
  std::set<std::string> broken_after(const ddp::Header& header) {
    framed(Side::a, segment(header, OctetBuffer(16, 0x5a)));
    framed(Side::a, read_request(0, 16));
    framed(Side::b, read_response(16));
    return broken();
  }
  static OctetBuffer read_response(std::uint32_t size) {
    return segment(
        {.tagged = true, .last = true, .rsvd_ulp = encode_control(control_of(Opcode::read_response)), .stag = 5},
        OctetBuffer(size, 1));
  }
  std::set<std::string> broken() const {
    std::set<std::string> rules;
    for (const Finding& finding : judge.findings()) rules.emplace(finding.rule->id);
    return rules;
  }

  Judge judge{kProtocol.catalogue()};
  std::unique_ptr<Observer> observer = make_observer({});
  std::array<mpa::Framer, 2> framers;
  std::array<std::uint64_t, 2> at{};
  std::uint64_t frame = 0;
};

TEST(Answers, ToARequestThatWrapsFailTheirSender) {
  Reader reader;
  reader.framed(Side::a, Reader::read_request(0xffff'ffff'ffff'fff0, 17));
  reader.framed(Side::b, Reader::read_response(17));
  EXPECT_THAT(reader.broken(), ElementsAre("RDMAP-7.2-12"));
}

TEST(Answers, ToARequestUpToTheLastOctetAreRight) {
  Reader reader;
  reader.framed(Side::a, Reader::read_request(0xffff'ffff'ffff'fff0, 16));
  reader.framed(Side::b, Reader::read_response(16));
  EXPECT_THAT(reader.broken(), IsEmpty());
}

TEST(Answers, ToTooMuchPrivateDataFailTheirSender) {
  Reader reader(false, mpa::kMaxPrivateData + 1);
  reader.framed(Side::a, Reader::send(1, 10));
  EXPECT_THAT(reader.broken(), ElementsAre("MPA-7.1.1-14", "MPA-7.1.1-15"));
}

// Side a leaves out a marker in its Read Request, so that four octets seem to be missing of it when b answers.
TEST(Answers, ToWhatIsNotReadYetAreNoFault) {
  Reader reader(/*markers=*/true);
  reader.framed(Side::a, Reader::send(1, 440));
  OctetBuffer request;
  mpa::Framer(false, true).frame(Reader::read_request(0, 16), request);
  reader.octets(Side::a, request);
  reader.framed(Side::b, Reader::read_response(16));
  for (const std::uint32_t msn : {2u, 3u}) {
    OctetBuffer fpdu;
    mpa::Framer(false, true).frame(Reader::send(msn, 100), fpdu);
    reader.octets(Side::a, fpdu);
  }
  EXPECT_THAT(reader.broken(), ElementsAre("MPA-4.3-2"));
}

constexpr ddp::Header kSend{.last = true, .rsvd_ulp = encode_control(control_of(Opcode::send)), .msn = 1};
constexpr ddp::Header of(std::uint8_t opcode, std::uint8_t version) {
  ddp::Header header = kSend;
  header.rsvd_ulp = encode_control({.version = version, .opcode = opcode});
  return header;
}

TEST(Answers, ToARequestAfterASegmentThatHasToBeRefusedFailTheirSender) {
  ddp::Header queue = kSend;
  queue.qn = 77;
  EXPECT_THAT(Reader().broken_after(queue), ElementsAre("DDP-7.1-13", "RDMAP-4.1-23"));
  EXPECT_THAT(Reader().broken_after(of(14, 1)), ElementsAre("RDMAP-4.1-7", "RDMAP-7.2-2"));
  EXPECT_THAT(Reader().broken_after(of(3, 3)), ElementsAre("RDMAP-4.1-4", "RDMAP-7.2-3"));
  Reader reader;
  reader.framed(Side::a, Reader::send(1, 16));
  EXPECT_THAT(reader.broken_after(kSend), ElementsAre("DDP-4.3-7", "DDP-7.1-13"));
}

// A Read Request of this version, and its response.
std::set<std::string> broken_by_version(std::uint8_t version) {
  Reader reader;
  OctetBuffer request = Reader::read_request(0, 16);
  request[1] = encode_control({.version = version, .opcode = static_cast<std::uint8_t>(Opcode::read_request)});
  reader.framed(Side::a, request);
  reader.framed(Side::b, Reader::read_response(16));
  return reader.broken();
}

TEST(Answers, ToARequestThatHasToBeRefusedFailTheirSender) {
  EXPECT_THAT(broken_by_version(3), ElementsAre("RDMAP-4.1-4", "RDMAP-7.2-7"));
  EXPECT_THAT(broken_by_version(2), ElementsAre("RDMAP-4.1-4", "RDMAP-7.2-7"));
  EXPECT_THAT(broken_by_version(0), ElementsAre("RDMAP-4.1-4"));
  EXPECT_THAT(broken_by_version(1), IsEmpty());
}

// A segment, then an Atomic Request of this version, and its response.
std::set<std::string> broken_by_atomic(const ddp::Header& header, std::uint8_t version) {
  static const std::string kFeatures[] = {std::string(kExtensions)};
  Reader reader(/*markers=*/false, 0, kFeatures);
  reader.framed(Side::a, Reader::segment(header, OctetBuffer(16, 0x5a)));
  OctetBuffer request, response;
  encode(AtomicRequest{.request_identifier = 7, .compare_mask = ~std::uint64_t{0}}, request);
  encode(AtomicResponse{.request_identifier = 7}, response);
  const auto control = [](Opcode opcode, std::uint8_t its_version) {
    return encode_control({.version = its_version, .opcode = static_cast<std::uint8_t>(opcode)});
  };
  reader.framed(
      Side::a,
      Reader::segment(
          {.last = true, .rsvd_ulp = control(Opcode::atomic_request, version), .qn = kReadRequestQueue, .msn = 1},
          request));
  reader.framed(
      Side::b,
      Reader::segment(
          {.last = true, .rsvd_ulp = control(Opcode::atomic_response, 1), .qn = kAtomicResponseQueue, .msn = 1},
          response));
  return reader.broken();
}

TEST(Answers, ToAnAtomicRequestAfterOrWithAFaultFailTheirSender) {
  EXPECT_THAT(broken_by_atomic(kSend, 1), IsEmpty());
  EXPECT_THAT(broken_by_atomic(of(12, 1), 1), ElementsAre("RDMAP-4.1-7", "RDMAP-7.2-2"));
  EXPECT_THAT(broken_by_atomic(of(3, 3), 1), ElementsAre("RDMAP-4.1-4", "RDMAP-7.2-3"));
  EXPECT_THAT(broken_by_atomic(kSend, 3), ElementsAre("RDMAP-4.1-4", "RDMAP-7.2-3"));
}

// Opcode 15 is for experiments, version 0 is the RDMA Consortium's, and a high MSN may have a buffer.
TEST(Answers, ToARequestAfterWhatAReceiverMayAcceptAreNoFault) {
  EXPECT_THAT(Reader().broken_after(of(15, 1)), Not(Contains("RDMAP-7.2-2")));
  EXPECT_THAT(Reader().broken_after(of(3, 0)), Not(Contains("RDMAP-7.2-3")));
  ddp::Header high = kSend;
  high.msn = 3;
  EXPECT_THAT(Reader().broken_after(high), Not(Contains("DDP-7.1-13")));
}

TEST(Answers, ToARequestBeforeAFaultAreNoFault) {
  Reader reader;
  reader.framed(Side::a, Reader::read_request(0, 16));
  reader.framed(Side::a, Reader::segment(of(14, 1), OctetBuffer(16, 0x5a)));
  reader.framed(Side::b, Reader::read_response(16));
  EXPECT_THAT(reader.broken(), ElementsAre("RDMAP-4.1-7"));
}

TEST(Answers, ToAStartFrameWithAWrongKeyFailTheirSender) {
  EXPECT_THAT(Reader("MPA ID Xeq Frame", "MPA ID Rep Frame").broken(), ElementsAre("MPA-7.1.1-1", "MPA-7.1.1-2"));
  Reader reader("MPA ID Req Frame", "MPA ID Xep Frame");
  EXPECT_THAT(reader.broken(), ElementsAre("MPA-7.1.1-3"));
  reader.framed(Side::a, Reader::send(1, 16));
  EXPECT_THAT(reader.broken(), ElementsAre("MPA-7.1.1-3", "MPA-7.1.1-4"));
}

// RDMAP/A-34
TEST(Answers, ThatReportAWrongKeyAreNoFurtherFault) {
  Reader reader("MPA ID Req Frame", "MPA ID Xep Frame");
  OctetBuffer terminate;
  encode(Terminate{.error = error::kMpaStartFrame}, terminate);
  reader.framed(
      Side::a,
      Reader::segment({.last = true, .rsvd_ulp = encode_control(control_of(Opcode::terminate)), .qn = 2, .msn = 1},
                      terminate));
  EXPECT_THAT(reader.broken(), ElementsAre("MPA-7.1.1-3"));
}

}  // namespace
}  // namespace wirelaw::rdmap
