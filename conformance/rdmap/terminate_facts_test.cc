// SPDX-License-Identifier: Apache-2.0
// Each check of Terminates is given a fact that keeps its rule, and one that breaks it.
#include "conformance/rdmap/tracker/terminate_facts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "conformance/judge.h"
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmap.h"

namespace wirelaw::rdmap::terminate_facts {
namespace {

// The objects that a row may modify. Unmodified, a correct Terminate refuses a Read Request whose source is out of
// bounds.
struct Given {
  Given() { report(error::kBaseOrBounds, Opcode::read_request); }

  // The Terminate reports this error of a segment that has the header which its opcode demands.
  void report(const ErrorCode& error, Opcode opcode) {
    const OpcodeRow& row = *find_opcode(static_cast<std::uint8_t>(opcode));
    blamed.header = {.tagged = row.tagged,
                     .last = true,
                     .rsvd_ulp = encode_control({.opcode = static_cast<std::uint8_t>(opcode)}),
                     .qn = row.tagged ? 0 : row.queue,
                     .msn = row.tagged ? 0u : 1u};
    read.terminate.error = error;
    read.terminate.has_rdma_header = opcode == Opcode::read_request && read.is(Layer::rdma);
    length = blamed.header.octets() + layout::kReadRequest;
    read.terminate.ddp_segment_length = static_cast<std::uint16_t>(length);
  }
  // An error without any header.
  void report_bare(const ErrorCode& error) {
    read.terminate = {.error = error};
    is_anything_blamed = false;
  }
  TerminatedStart::Enhanced& enhanced() { return *read.start->enhanced; }

  TerminateSegmentFact segment{.first_msn = ddp::kFirstMsn, .is_whole = true};
  TerminateFact read{
      .terminate = {.has_length = true, .has_ddp_header = true},
      .is_history_known = true,
      .of_received = Evidence::octets,
      .start = TerminatedStart{.crc = true,
                               .markers = true,
                               .enhanced = {{.request = {.peer_to_peer = true, .rtr_send = true, .ird = 4},
                                             .reply = {.peer_to_peer = true, .rtr_write = true, .ord = 5},
                                             .is_from_initiator = true}}},
      .is_unbroken = true,
      .is_length_known = true};
  bool is_anything_blamed = true;
  BlamedFact blamed{.came = Came::whole};
  std::size_t length = 0;  // length of the segment blamed
  ReadRequest was{.sink_stag = 1, .sink_to = 0x1000, .size = 64, .source_stag = 2, .source_to = 0x2000};
  ReadRequest is = was;  // the Read Request in the Terminate
  OctetBuffer tail = {};
  std::size_t missing = 0;  // octets at its end
};

void check_all(Judge& judge, Given& given) {
  constexpr Octet kOctets[128] = {};
  judge.at(message_of(kOctets, Side::a, 0));
  OctetBuffer header, was, is;
  ddp::encode(given.blamed.header, header);
  encode(given.was, was);
  encode(given.is, is);
  TerminateFact& fact = given.read;
  Terminate& terminate = fact.terminate;
  if (given.is_anything_blamed) {
    BlamedFact blamed = given.blamed;
    blamed.control = decode_control(blamed.header.rsvd_ulp);
    blamed.row = find_opcode(blamed.control.opcode);
    RecentSegment segment{.ulpdu_length = static_cast<std::uint16_t>(given.length),
                          .header_octets = static_cast<std::uint8_t>(header.size() + was.size())};
    std::ranges::copy(was, std::ranges::copy(header, segment.header.begin()).out);
    blamed.segment = segment;
    fact.blamed = blamed;
  }
  if (terminate.has_ddp_header) terminate.ddp_header = header;
  if (terminate.has_rdma_header) terminate.rdma_header = is;
  terminate.tail = given.tail;
  fact.octets = layout::kTerminate + (terminate.has_length || terminate.has_ddp_header ? 2 : 0) +
                terminate.ddp_header.size() + terminate.rdma_header.size() + terminate.tail.size() - given.missing;
  given.segment.octets = fact.octets;
  if (given.segment.is_whole && fact.octets >= layout::kTerminate) given.segment.contents = fact;
  check_terminate(judge, given.segment);
}

struct Row {
  std::string_view rule;
  Severity severity;
  void (*spoil)(Given& given);
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.rule;
}

constexpr Severity kFails = Severity::violation, kWarns = Severity::warning;
const Row kRows[] = {
    {"RDMAP-4.8-1", kWarns, [](Given& given) { given.segment.is_whole = false; }},
    {"RDMAP-4.8-1", kFails, [](Given& given) { given.missing = 51; }},
    {"RDMAP-4.8-2", kFails, [](Given& given) { given.read.is_swapped = true; }},
    {"RDMAP-4.8-3", kFails,
     [](Given& given) {
       given.read.terminate.error = {3, 0, 0};
     }},
    {"RDMAP-4.8-4", kFails,
     [](Given& given) {
       given.read.terminate.error = {0, 3, 0};
     }},
    {"RDMAP-4.8-5", kFails,
     [](Given& given) {
       given.read.terminate.error = {0, 1, 5};
     }},
    {"RDMAP-4.8-6", kFails,
     [](Given& given) {
       given.read.terminate.error = {0, 2, 4};
     }},
    {"RDMAP-4.8-7", kFails, [](Given& given) { given.read.terminate.reserved = 1; }},
    {"RDMAP-4.8-9", kFails, [](Given& given) { given.missing = 47; }},
    {"RDMAP-4.8-10", kFails, [](Given& given) { ++given.read.terminate.ddp_segment_length; }},
    {"RDMAP-4.8-10", kWarns, [](Given& given) { given.read.terminate.ddp_segment_length = layout::kReadRequest; }},
    {"RDMAP-4.8-10", kFails,
     [](Given& given) {
       given.report_bare(error::kBaseOrBounds);
       given.read.terminate.has_length = true;
       given.read.is_length_known = false;
     }},
    {"RDMAP-4.8-11", kFails, [](Given& given) { given.missing = 40; }},
    {"RDMAP-4.8-12", kFails, [](Given& given) { given.blamed.came = Came::no; }},
    {"RDMAP-4.8-13", kFails, [](Given& given) { given.report(error::kLocalCatastrophic, Opcode::read_request); }},
    {"RDMAP-4.8-14", kWarns,
     [](Given& given) {
       given.report(error::kInvalidStag, Opcode::send_invalidate);
       given.read.terminate.has_rdma_header = true;
     }},
    {"RDMAP-4.8-14", kFails,
     [](Given& given) {
       given.report(error::kInvalidVersion, Opcode::send);
       given.read.terminate.has_rdma_header = true;
     }},
    {"RDMAP-4.8-15", kFails, [](Given& given) { given.missing = 1; }},
    {"RDMAP-4.8-16", kFails, [](Given& given) { given.blamed.answered = 32; }},
    {"RDMAP-4.8-17", kFails, [](Given& given) { ++given.is.sink_stag; }},
    {"RDMAP-4.8-18", kFails, [](Given& given) { ++given.is.sink_to; }},
    {"RDMAP-4.8-19", kFails, [](Given& given) { ++given.is.size; }},
    {"RDMAP-4.8-20", kFails, [](Given& given) { ++given.is.source_stag; }},
    {"RDMAP-4.8-21", kFails, [](Given& given) { ++given.is.source_to; }},
    {"RDMAP-4.8-22", kFails,
     [](Given& given) {
       given.report_bare(error::kLocalCatastrophic);
       given.read.terminate.has_length = true;
     }},
    {"RDMAP-4.8-23", kFails,
     [](Given& given) {
       given.report_bare(error::kLocalCatastrophic);
       given.read.terminate.has_rdma_header = true;
     }},
    {"RDMAP-4.8-24", kWarns, [](Given& given) { given.report_bare(error::kBaseOrBounds); }},
    {"RDMAP-4.8-25", kFails, [](Given& given) { given.read.terminate.has_rdma_header = false; }},
    {"RDMAP-4.8-26", kFails, [](Given& given) { given.report(error::kBaseOrBounds, Opcode::send); }},
    {"RDMAP-4.8-26", kFails, [](Given& given) { given.report(error::kBaseOrBounds, Opcode::write); }},
    {"RDMAP-4.8-26", kFails, [](Given& given) { given.report(error::kInvalidStag, Opcode::read_response); }},
    {"RDMAP-4.8-26", kFails, [](Given& given) { given.report(error::kAccessRights, Opcode::send); }},
    {"RDMAP-4.8-26", kWarns, [](Given& given) { given.report(error::kAccessRights, Opcode::write); }},
    {"RDMAP-4.8-26", kWarns, [](Given& given) { given.report(error::kAccessRights, Opcode::read_response); }},
    {"RDMAP-4.8-44", kFails, [](Given& given) { given.report(error::kToWrap, Opcode::send); }},
    {"RDMAP-4.8-45", kFails, [](Given& given) { given.report(error::kProtectionCannotInvalidate, Opcode::send); }},
    {"RDMAP-4.8-45", kFails, [](Given& given) { given.report(error::kProtectionCannotInvalidate, Opcode::write); }},
    {"RDMAP-4.8-27", kWarns, [](Given& given) { given.report_bare(error::kUnexpectedOpcode); }},
    {"RDMAP-4.8-29", kFails, [](Given& given) { given.report_bare(error::kDdpInvalidStag); }},
    {"RDMAP-4.8-30", kWarns,
     [](Given& given) {
       given.report(error::kDdpInvalidMo, Opcode::read_request);
       given.read.terminate.has_rdma_header = true;
     }},
    {"RDMAP-4.8-31", kWarns, [](Given& given) { given.report(error::kMpaCrc, Opcode::send); }},
    {"RDMAP-4.8-32", kWarns,
     [](Given& given) {
       given.report_bare(error::kMpaCrc);
       given.read.terminate.has_rdma_header = true;
     }},
    {"RDMAP-4.8-40", kFails,
     [](Given& given) {
       given.report(error::kInvalidStag, Opcode::read_request);
       given.was.size = 0;
     }},
    {"RDMAP-4.8-41", kFails, [](Given& given) { given.was.size = 0; }},
    {"RDMAP-4.8-42", kWarns, [](Given& given) { given.report(error::kAccessRights, Opcode::send_invalidate); }},
    {"RDMAP-4.8-43", kWarns, [](Given& given) { given.report(error::kStagNotAssociated, Opcode::send_invalidate); }},
    {"RDMAP-4.8-44", kFails, [](Given& given) { given.report(error::kToWrap, Opcode::read_request); }},
    {"RDMAP-4.8-45", kFails,
     [](Given& given) { given.report(error::kProtectionCannotInvalidate, Opcode::read_request); }},
    {"RDMAP-4.8-46", kFails, [](Given& given) { given.report(error::kInvalidVersion, Opcode::send); }},
    {"RDMAP-4.8-47", kFails, [](Given& given) { given.report(error::kUnexpectedOpcode, Opcode::send); }},
    {"RDMAP-4.8-48", kFails, [](Given& given) { given.report(error::kOperationCannotInvalidate, Opcode::send); }},
    {"RDMAP-5.4-4", kFails, [](Given& given) { given.report(error::kDdpNoBuffer, Opcode::terminate); }},
    {"RDMAP-5.4-11", kFails, [](Given& given) { given.segment.first_msn = 2; }},
    {"RDMAP-7.1-2", kFails, [](Given& given) { given.tail = {1}; }},
    {"RDMAP-7.1-2", kWarns, [](Given& given) { given.tail = {0}; }},
    {"DDP-7.2-1", kFails,
     [](Given& given) {
       given.read.terminate.error = {1, 3, 0};
     }},
    {"DDP-7.2-2", kFails,
     [](Given& given) {
       given.read.terminate.error = {1, 0, 1};
     }},
    {"DDP-7.2-3", kFails,
     [](Given& given) {
       given.read.terminate.error = {1, 1, 5};
     }},
    {"DDP-7.2-4", kFails,
     [](Given& given) {
       given.read.terminate.error = {1, 2, 0};
     }},
    {"DDP-7.2-5", kFails, [](Given& given) { given.report(error::kDdpInvalidStag, Opcode::send); }},
    {"DDP-7.2-6", kFails, [](Given& given) { given.report(error::kDdpInvalidQn, Opcode::write); }},
    {"DDP-7.2-10", kFails,
     [](Given& given) {
       given.report(error::kDdpInvalidStag, Opcode::write);
       given.length = given.blamed.header.octets();
     }},
    {"DDP-7.2-11", kFails,
     [](Given& given) {
       given.report(error::kDdpBaseOrBounds, Opcode::write);
       given.length = given.blamed.header.octets();
     }},
    {"DDP-7.2-12", kFails,
     [](Given& given) {
       given.report(error::kDdpStagNotAssociated, Opcode::write);
       given.length = given.blamed.header.octets();
     }},
    {"DDP-7.2-13", kFails, [](Given& given) { given.report(error::kDdpToWrap, Opcode::write); }},
    {"DDP-7.2-14", kFails, [](Given& given) { given.report(error::kDdpTaggedVersion, Opcode::write); }},
    {"DDP-7.2-20", kFails, [](Given& given) { given.report(error::kDdpInvalidQn, Opcode::send); }},
    {"DDP-7.2-22", kWarns, [](Given& given) { given.report(error::kDdpMsnRange, Opcode::send); }},
    {"DDP-7.2-23", kFails, [](Given& given) { given.report(error::kDdpInvalidMo, Opcode::send); }},
    {"DDP-7.2-24", kFails,
     [](Given& given) {
       given.report(error::kDdpTooLong, Opcode::send);
       given.length = given.blamed.header.octets();
     }},
    {"DDP-7.2-25", kFails, [](Given& given) { given.report(error::kDdpUntaggedVersion, Opcode::send); }},
    {"MPA-8-9", kWarns,
     [](Given& given) {
       given.report_bare(error::kMpaMarker);
       given.read.start->markers = false;
     }},
    {"MPA-8-10", kWarns, [](Given& given) { given.report_bare(error::kMpaStartFrame); }},
    {"MPA-8-11", kFails,
     [](Given& given) {
       given.report_bare(error::kMpaCrc);
       given.read.start->crc = false;
     }},
    {"ECE-8-2", kFails,
     [](Given& given) {
       given.report_bare({2, 1, 1});
     }},
    {"ECE-8-2", kWarns,
     [](Given& given) {
       given.report_bare({2, 3, 1});
     }},
    {"ECE-8-3", kFails,
     [](Given& given) {
       given.report_bare({2, 0, 8});
     }},
    {"ECE-8-4", kWarns,
     [](Given& given) {
       given.report_bare(error::kMpaLocalCatastrophic);
       given.read.start->enhanced.reset();
     }},
    {"ECE-8-5", kWarns,
     [](Given& given) {
       given.report_bare(error::kMpaInsufficientIrd);
       given.enhanced().reply.ord = 4;
     }},
    {"ECE-8-6", kFails,
     [](Given& given) {
       given.report_bare(error::kMpaNoMatchingRtr);
       given.read.start->enhanced.reset();
     }},
    {"ECE-8-6", kWarns,
     [](Given& given) {
       given.report_bare(error::kMpaNoMatchingRtr);
       given.enhanced().reply.rtr_send = true;
     }},
};

using Broken = std::set<std::pair<std::string_view, Severity>>;
Broken broken_by(void (*spoil)(Given& given)) {
  Judge judge(kProtocol.catalogue());
  Given given;
  spoil(given);
  check_all(judge, given);
  Broken rules;
  for (const Finding& finding : judge.findings()) rules.emplace(finding.rule->id, finding.severity);
  return rules;
}

class RdmapTerminateFact : public ::testing::TestWithParam<Row> {};

TEST_P(RdmapTerminateFact, BreaksItsRule) {
  EXPECT_TRUE(broken_by(GetParam().spoil).contains({GetParam().rule, GetParam().severity}));
}

INSTANTIATE_TEST_SUITE_P(Rows, RdmapTerminateFact, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::to_string(row.index); });

TEST(RdmapTerminateFacts, ThatHoldBreakNothing) {
  using Spoil = void (*)(Given&);
  for (const Spoil one : std::initializer_list<Spoil>{
           [](Given&) {},
           [](Given& given) { given.report_bare(error::kLocalCatastrophic); },
           [](Given& given) { given.report(error::kDdpInvalidStag, Opcode::write); },
           [](Given& given) { given.report_bare(error::kMpaCrc); },
           [](Given& given) { given.report_bare(error::kMpaMarker); },
           [](Given& given) { given.report_bare(error::kMpaInsufficientIrd); },
           [](Given& given) { given.report_bare(error::kMpaNoMatchingRtr); },
       })
    EXPECT_THAT(broken_by(one), testing::IsEmpty());
}

// A header proves nothing if nobody knows whether it was sent.
TEST(RdmapTerminateFacts, ThatAreNotKnownAreInconclusive) {
  Judge judge(kProtocol.catalogue());
  Given given;
  given.read.is_history_known = false;
  given.blamed.came = Came::no;
  check_all(judge, given);
  EXPECT_THAT(judge.findings(), testing::IsEmpty());
  EXPECT_THAT(judge.reasons(), testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace wirelaw::rdmap::terminate_facts
