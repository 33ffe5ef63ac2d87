// SPDX-License-Identifier: Apache-2.0
// Each check of facts about requests and answers is given one that keeps its rule, and one that breaks it. So is each
// claim that the end of a flow decides.
#include <gmock/gmock.h>

#include <array>

#include "conformance/efa/3.2-cts/cts.h"
#include "conformance/efa/3.2-ctsdata/ctsdata.h"
#include "conformance/efa/3.2-eager/eager.h"
#include "conformance/efa/3.2-longcts/longcts.h"
#include "conformance/efa/3.2-medium/medium.h"
#include "conformance/efa/3.2-msg-id/msg_id.h"
#include "conformance/efa/3.3-atomic/atomic.h"
#include "conformance/efa/3.3-atomrsp/atomrsp.h"
#include "conformance/efa/3.3-read/read.h"
#include "conformance/efa/3.3-readrsp/readrsp.h"
#include "conformance/efa/3.3-write/write.h"
#include "conformance/efa/4.1-eor/eor.h"
#include "conformance/efa/4.1-long-read/long_read.h"
#include "conformance/efa/4.10-peer-error/peer_error.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/4.5-runting-read/runting_read.h"
#include "conformance/efa/4.7-read-nack/read_nack.h"
#include "conformance/efa/claim_rows.h"
#include "conformance/efa/test_facts.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::efa::facts {
namespace {

// An array of one buffer, of kLength octets.
constexpr std::array<Octet, layout::kRmaIov> buffer_at(Octet highest_octet_of_address) {
  std::array<Octet, layout::kRmaIov> buffer{};
  std::fill_n(buffer.begin(), 8, highest_octet_of_address);
  buffer[8] = kLength;
  return buffer;
}
constexpr auto kBuffer = buffer_at(1), kWrappingBuffer = buffer_at(0xff);

// A packet of this type with data.
Packet filled(PacketType type) {
  Packet packet = packet_of(type);
  packet.msg_length = 4 * kLength;
  packet.seg_length = kLength;
  packet.recv_length = kLength;
  packet.credit_request = 1;
  packet.payload = data();
  return packet;
}

// A request with one buffer in each array that its type has.
Packet request_of(PacketType type, std::size_t octets) {
  Packet packet = packet_of(type);
  packet.msg_length = packet.recv_length = kLength;
  packet.credit_request = 1;
  packet.rma_iov_count = packet.read_iov_count = 1;
  packet.rma_iov = packet.read_iov = kBuffer;
  packet.payload = data(octets);
  return packet;
}

BegunOperation operation_of(PacketType type) {
  return {.request = layout_of(type), .begun = 3};
}
const IdFact kTaken{.holder = operation_of(PacketType::longcts_rtw)};

RequestFact request_fact() {
  return {.id = IdFact{}, .source = kLength, .target = kLength};
}

Given<MediumFact> medium(PacketType type, std::uint64_t offset) {
  Given<MediumFact> given{.packet = filled(type), .fact = {.send_id = IdFact{}, .is_followed = true, .fresh = kLength}};
  given.packet.seg_offset = offset;
  given.fact.length = MediumFact::Length{
      .possible = kSegmentRead | kTotalRead, .alone = kSegmentRead | kTotalRead, .is_first = offset == 0};
  if (offset == 0) return given;
  given.fact.length->alone = kSegmentRead;
  given.fact.begun = {.request = layout_of(type)};
  if (given.packet.layout()->delivery_complete) given.fact.begun->send_id = 0;
  return given;
}

Given<ResumptionFact> resumption() {
  Given<ResumptionFact> given{.packet = filled(PacketType::longcts_tagrtm)};
  given.packet.flags |= flag::kReadNack;
  given.packet.payload = {};
  given.fact.refused = ResumptionFact::Refused{.length = given.packet.msg_length, .is_tagged = true};
  return given;
}

Given<RuntreadFact> runtread(std::uint64_t offset) {
  Given<RuntreadFact> given{.packet = request_of(PacketType::runtread_msgrtm, kLength / 4)};
  given.packet.seg_offset = offset;
  given.packet.runt_length = kLength / 2;
  given.fact = {.is_followed = true, .meaning = Reading::deployed, .fresh = kLength / 4, .is_last = true};
  if (offset == 0)
    given.fact.request = request_fact();
  else
    given.fact.begun = {.request = layout_of(PacketType::runtread_msgrtm), .length = kLength};
  return given;
}

Given<AtomicFact> atomic(PacketType type, AtomicCall call, AtomicOp op, std::size_t octets) {
  Given<AtomicFact> given{.packet = request_of(type, octets)};
  given.packet.atomic_datatype = static_cast<std::uint32_t>(Datatype::uint64);
  given.packet.atomic_op = static_cast<std::uint32_t>(op);
  given.fact = {.call = call, .fitting_buffers = 1, .request = request_fact()};
  return given;
}

Given<CtsFact> cts(PacketType request, bool is_known) {
  Given<CtsFact> given{.packet = filled(PacketType::cts)};
  given.fact = {.has_operation = true,
                .request = layout_of(request),
                .is_awaited = true,
                .receive = CtsFact::Receive{},
                .moment = CtsFact::Moment::in_time,
                .rest = kLength};
  if (is_known) given.fact.receive->id = 0;
  if (request == PacketType::longcts_rtr) given.packet.flags |= flag::kCtsEmulatedRead;
  return given;
}

Given<ReadrspFact> readrsp(bool is_short) {
  Given<ReadrspFact> given{.packet = filled(PacketType::readrsp)};
  given.fact = {.order = ReadrspFact::Order{.usual = Reading::deployed},
                .answer = AnswerFact{},
                .send_id = IdFact{},
                .wanted = ReadrspFact::Wanted{.is_short = is_short, .length = kLength, .granted = kLength}};
  return given;
}

Given<PeerErrorFact> peer_error(RefKind kind) {
  Given<PeerErrorFact> given{.packet = packet_of(PacketType::peer_error)};
  given.packet.ref_kind = static_cast<std::uint32_t>(kind);
  given.fact = {.announced = PeerErrorFact::Announced::yes, .end = PeerErrorFact::End::first};
  return given;
}

// The packets and facts that a row may modify. Unmodified, they break no rule.
struct All {
  Given<std::optional<bool>> msg_id{.packet = packet_of(PacketType::eager_msgrtm), .fact = true};
  Given<MessageFact> eager{
      .packet = filled(PacketType::dc_eager_msgrtm),
      .fact = {.header = HeaderFact{.length = 24, .before = 24, .was_kept = true}, .send_id = IdFact{}}};
  Given<MessageFact> longcts{.packet = filled(PacketType::longcts_msgrtm),
                             .fact = {.is_followed = true, .send_id = IdFact{}}};
  Given<MediumFact> medium = facts::medium(PacketType::dc_medium_tagrtm, 0);
  Given<MediumFact> later_medium = facts::medium(PacketType::dc_medium_tagrtm, kLength);
  Given<ResumptionFact> resumption = facts::resumption();
  Given<ResumptionFact> unmarked{.packet = filled(PacketType::longcts_msgrtm),
                                 .fact = {.begins_message = true, .is_known_to_follow_no = true}};
  Given<RequestFact> longread{.packet = request_of(PacketType::longread_msgrtm, 0), .fact = request_fact()};
  Given<RequestFact> longread_write{.packet = request_of(PacketType::longread_rtw, 0), .fact = request_fact()};
  Given<RuntreadFact> runtread = facts::runtread(0), later_runtread = later();
  Given<RequestFact> eager_write{.packet = request_of(PacketType::dc_eager_rtw, kLength), .fact = request_fact()};
  Given<RequestFact> write{.packet = request_of(PacketType::longcts_rtw, 1), .fact = request_fact()};
  Given<RequestFact> short_read{.packet = request_of(PacketType::short_rtr, 0), .fact = request_fact()};
  Given<RequestFact> read{.packet = request_of(PacketType::longcts_rtr, 0), .fact = request_fact()};
  Given<AtomicFact> write_atomic = atomic(PacketType::dc_write_rta, AtomicCall::write, AtomicOp::sum, kLength);
  Given<AtomicFact> fetch = atomic(PacketType::fetch_rta, AtomicCall::fetch, AtomicOp::sum, kLength);
  Given<AtomicFact> compare = atomic(PacketType::compare_rta, AtomicCall::compare, AtomicOp::cswap, 2 * kLength);
  Given<CtsFact> cts = facts::cts(PacketType::longcts_msgrtm, false);
  Given<CtsFact> later_cts = facts::cts(PacketType::longcts_msgrtm, true);
  Given<CtsFact> cts_of_read = facts::cts(PacketType::longcts_rtr, true);
  Given<CtsdataFact> ctsdata{.packet = filled(PacketType::ctsdata),
                             .fact = {.of = CtsdataFact::Of::awaited,
                                      .request = layout_of(PacketType::longcts_msgrtm),
                                      .place = CtsdataFact::Place{},
                                      .fresh = kLength,
                                      .shown = FreshDataFact{}}};
  Given<ReceiptFact> receipt{.packet = packet_of(PacketType::receipt),
                             .fact = {.of = ReceiptFact::Of::first,
                                      .request = layout_of(PacketType::dc_eager_msgrtm),
                                      .msg_id = 0,
                                      .has_all_data = true}};
  Given<ReadrspFact> readrsp = facts::readrsp(false), short_readrsp = facts::readrsp(true);
  Given<AtomrspFact> atomrsp{.packet = filled(PacketType::atomrsp),
                             .fact = {.of = AtomrspFact::Of::fetching, .octets = kLength}};
  Given<ReadEndFact> eor{.packet = packet_of(PacketType::eor),
                         .fact = {.read = ReadFact{.is_read = true}, .is_only_end = true, .answer = AnswerFact{}}};
  Given<ReadEndFact> read_nack{.packet = packet_of(PacketType::read_nack),
                               .fact = {.read = ReadFact{.is_read = true},
                                        .is_only_end = true,
                                        .answer = AnswerFact{},
                                        .runts = RuntsFact{.due = kLength, .sent = kLength}}};
  Given<PeerErrorFact> ended_operation = peer_error(RefKind::ope_index);
  Given<PeerErrorFact> ended_message = peer_error(RefKind::msg_id), skipped = peer_error(RefKind::msg_id_skip);
  Given<GivenUpFact> of_given_up{.packet = filled(PacketType::ctsdata)};
  std::array<ClaimFact, static_cast<std::size_t>(Claim::count_)> claims;

  All() {
    for (std::size_t i = 0; i < claims.size(); ++i)
      claims[i] = {.claim = Claim{static_cast<std::uint8_t>(i)}, .holds = true, .is_certain = true, .mark = kEarlier};
    ended_operation.fact.has_operation = ended_operation.fact.is_of_kind = true;
    ended_operation.fact.operation = operation_of(PacketType::longcts_msgrtm);
    ended_message.fact.has_message = true;
    skipped.fact.is_in_use = skipped.fact.is_unsent = true;
    write.fact.resumes_write = true;
  }
  static Given<RuntreadFact> later() {
    Given<RuntreadFact> given = facts::runtread(kLength / 4);
    given.fact.begun->runt_length = kLength / 2;
    return given;
  }
};

void check_requests(Judge& judge, const All& all) {
  all.msg_id.check(judge, [](Judge& to, const SeenPacket& seen, const std::optional<bool>& is_new) {
    check_msg_id(to, seen, is_new);
  });
  all.eager.check(judge, check_eager_message);
  all.longcts.check(judge, check_longcts_message);
  all.medium.check(judge, check_medium_message);
  all.later_medium.check(judge, check_medium_message);
  all.resumption.check(judge, check_resumption);
  all.unmarked.check(judge, check_resumption);
  all.longread.check(judge, check_longread_message);
  all.longread_write.check(judge, check_longread_write);
  all.runtread.check(judge, check_runting_message);
  all.later_runtread.check(judge, check_runting_message);
  all.eager_write.check(judge, check_eager_write);
  all.write.check(judge, check_longcts_write);
  all.short_read.check(judge, check_read_request);
  all.read.check(judge, check_read_request);
  for (const Given<AtomicFact>* const one : {&all.write_atomic, &all.fetch, &all.compare})
    one->check(judge, check_atomic_request);
}

void check_answers(Judge& judge, const All& all) {
  for (const Given<CtsFact>* const one : {&all.cts, &all.later_cts, &all.cts_of_read}) one->check(judge, check_cts);
  all.ctsdata.check(judge, check_ctsdata);
  all.receipt.check(judge, check_receipt);
  all.readrsp.check(judge, check_readrsp);
  all.short_readrsp.check(judge, check_readrsp);
  all.atomrsp.check(judge, check_atomrsp);
  all.eor.check(judge, check_eor);
  all.read_nack.check(judge, check_read_nack);
  for (const Given<PeerErrorFact>* const one : {&all.ended_operation, &all.ended_message, &all.skipped})
    one->check(judge, check_peer_error);
  all.of_given_up.check(judge, check_given_up);
}

void check_all(Judge& judge, const All& all) {
  check_requests(judge, all);
  check_answers(judge, all);
  for (const ClaimFact& fact : all.claims) check_claim(judge, fact);
}

void spoil_datatype(Given<AtomicFact>& atomic, std::uint32_t datatype) {
  atomic.packet.atomic_datatype = datatype;
  atomic.fact.fault = AtomicFact::Fault::datatype;
}
void spoil_operation(Given<AtomicFact>& atomic, std::uint32_t op) {
  atomic.packet.atomic_op = op;
  atomic.fact.fault = AtomicFact::Fault::operation;
}

template <Claim claim>
void deny(All& all) {
  all.claims[static_cast<std::size_t>(claim)].holds = false;
}

const Breach<All> kBreaches[] = {
    {"EFA-3.2-4", kFails, deny<Claim::begins_with_id_0>},
    {"EFA-3.2-3", kFails, deny<Claim::wraps_to_id_0>},
    {"EFA-3.2-2", kFails, deny<Claim::uses_every_id>},
    {"EFA-3.2-2", kFails, deny<Claim::uses_every_old_id>},
    {"EFA-3.2-48", kFails, deny<Claim::sends_whole_medium>},
    {"EFA-3.2-148", kFails, deny<Claim::sends_what_is_allowed>},
    {"EFA-3.2-111", kFails, deny<Claim::allows_the_rest>},
    {"EFA-3.3-25", kFails, deny<Claim::allows_rest_of_write>},
    {"EFA-3.3-57", kFails, deny<Claim::allows_rest_of_read>},
    {"EFA-3.3-69", kFails, deny<Claim::answers_read_before_data>},
    {"EFA-3.3-70", kFails, deny<Claim::answers_read>},
    {"EFA-3.3-125", kFails, deny<Claim::answers_atomic>},
    {"EFA-4.1-23", kFails, deny<Claim::reports_read>},
    {"EFA-4.2-5", kFails, deny<Claim::receives_all_before>},
    {"EFA-4.2-7", kFails, deny<Claim::sends_receipt>},
    {"EFA-4.5-15", kFails, deny<Claim::sends_all_runts>},
    {"EFA-4.7-12", kFails, deny<Claim::resumes_message>},
    {"EFA-4.7-14", kFails, deny<Claim::allows_resumed>},
    {"EFA-4.7-30", kFails, deny<Claim::resumes_write>},
    {"EFA-4.10-5", kFails, deny<Claim::begins_named_message>},
    {"EFA-3.2-1", kFails, [](All& all) { all.msg_id.fact = false; }},
    {"EFA-3.2-1", kWarns,
     [](All& all) {
       all.msg_id.fact = false;
       all.msg_id.doubled = true;
     }},
    {"EFA-4.3-1", kFails, [](All& all) { all.eager.fact.header->length = 28; }},
    {"EFA-4.3-1", kWarns, [](All& all) { all.eager.fact.header = HeaderFact{.length = 28, .before = 24}; }},
    {"EFA-3.2-72", kFails, [](All& all) { all.eager.fact.send_id = kTaken; }},
    {"EFA-3.2-72", kFails, [](All& all) { all.longcts.fact.send_id = kTaken; }},
    {"EFA-3.2-72", kFails, [](All& all) { all.medium.fact.send_id = kTaken; }},
    {"EFA-4.2-8", kFails,
     [](All& all) { all.eager.fact.send_id = IdFact{.holder = kTaken.holder, .is_for_receipt = true}; }},
    {"EFA-3.2-70", kFails, [](All& all) { all.longcts.packet.msg_length = kLength - 1; }},
    {"EFA-3.2-71", kWarns, [](All& all) { all.longcts.packet.msg_length = kLength; }},
    {"EFA-3.2-73", kWarns, [](All& all) { all.longcts.packet.credit_request = 0; }},
    {"EFA-3.2-40", kFails,
     [](All& all) {
       all.medium.packet.seg_length = kLength - 1;
       all.medium.fact.length->alone = 0;
     }},
    {"EFA-3.2-40", kFails,
     [](All& all) { all.later_medium.fact.length = MediumFact::Length{.possible = kTotalRead, .total = 2 * kLength}; }},
    {"EFA-3.2-41", kFails,
     [](All& all) {
       all.medium.fact.length = MediumFact::Length{.possible = kTotalRead, .alone = kSegmentRead, .is_first = true};
     }},
    {"EFA-3.2-42", kFails,
     [](All& all) { all.later_medium.fact.length = MediumFact::Length{.possible = kTotalRead, .total = kLength}; }},
    {"EFA-3.2-43", kFails, [](All& all) { all.medium.fact.fresh = kLength - 1; }},
    {"EFA-3.2-43", kWarns, [](All& all) { all.medium.fact.is_copy = true; }},
    {"EFA-3.2-44", kFails,
     [](All& all) { all.later_medium.fact.begun->request = layout_of(PacketType::dc_medium_msgrtm); }},
    {"EFA-3.2-45", kFails, [](All& all) { all.later_medium.fact.begun->tag = 1; }},
    {"EFA-3.2-46", kWarns, [](All& all) { all.later_medium.fact.begun->cq_data = 1; }},
    {"EFA-3.2-47", kWarns, [](All& all) { all.medium.put(0); }},
    {"EFA-4.2-5", kFails, [](All& all) { all.later_medium.fact.receipt = kEarlier; }},
    {"EFA-4.2-6", kFails, [](All& all) { all.later_medium.fact.begun->send_id = 1; }},
    {"EFA-4.7-6", kWarns,
     [](All& all) { all.resumption.fact.refused->difference = ResumptionFact::Difference::msg_id; }},
    {"EFA-4.7-7", kFails,
     [](All& all) { all.resumption.fact.refused->difference = ResumptionFact::Difference::msg_length; }},
    {"EFA-4.7-8", kFails, [](All& all) { all.resumption.fact.refused->difference = ResumptionFact::Difference::data; }},
    {"EFA-4.7-9", kFails, [](All& all) { all.resumption.fact.refused->difference = ResumptionFact::Difference::kind; }},
    {"EFA-4.7-10", kWarns, [](All& all) { all.resumption.packet.flags ^= flag::kReadNack; }},
    {"EFA-4.7-11", kWarns, [](All& all) { all.unmarked.packet.flags |= flag::kReadNack; }},
    {"EFA-4.1-1", kFails, [](All& all) { all.longread.take_out_source(); }},
    {"EFA-4.1-2", kFails, [](All& all) { all.longread.fact.source = kLength + 1; }},
    {"EFA-4.1-3", kFails, [](All& all) { all.longread.packet.read_iov = kWrappingBuffer; }},
    {"EFA-4.1-4", kFails, [](All& all) { all.longread.fact.id = kTaken; }},
    {"EFA-4.1-15", kFails, [](All& all) { all.longread.put(1); }},
    {"EFA-4.1-5", kFails, [](All& all) { all.longread_write.take_out_source(); }},
    {"EFA-4.1-6", kFails, [](All& all) { all.longread_write.fact.target = kLength + 1; }},
    {"EFA-4.1-7", kFails, [](All& all) { all.longread_write.fact.source.reset(); }},
    {"EFA-4.1-8", kFails, [](All& all) { all.longread_write.fact.id = kTaken; }},
    {"EFA-4.1-16", kFails, [](All& all) { all.longread_write.put(1); }},
    {"EFA-3.3-5", kFails, [](All& all) { all.longread_write.packet.rma_iov = kWrappingBuffer; }},
    {"EFA-4.5-1", kFails, [](All& all) { all.runtread.fact.fault = RuntreadFact::Fault::no_data; }},
    {"EFA-4.5-2", kFails, [](All& all) { all.runtread.take_out_source(); }},
    {"EFA-4.5-3", kFails, [](All& all) { all.runtread.fact.request->source = kLength + 1; }},
    {"EFA-4.5-4", kFails, [](All& all) { all.later_runtread.fact.fault = RuntreadFact::Fault::msg_length; }},
    {"EFA-4.5-5", kFails, [](All& all) { all.later_runtread.fact.fault = RuntreadFact::Fault::send_id; }},
    {"EFA-4.5-6", kFails, [](All& all) { all.later_runtread.fact.fault = RuntreadFact::Fault::read_iov; }},
    {"EFA-4.5-7", kFails, [](All& all) { all.later_runtread.fact.fault = RuntreadFact::Fault::kind; }},
    {"EFA-4.5-8", kFails, [](All& all) { all.runtread.fact.fault = RuntreadFact::Fault::beyond_message; }},
    {"EFA-4.5-9", kFails, [](All& all) { all.runtread.fact.fault = RuntreadFact::Fault::sent_before; }},
    {"EFA-4.5-10", kFails, [](All& all) { all.later_runtread.fact.fault = RuntreadFact::Fault::another_length; }},
    {"EFA-4.5-11", kFails, [](All& all) { all.runtread.fact.fault = RuntreadFact::Fault::longer_than_message; }},
    {"EFA-4.5-12", kFails, [](All& all) { all.runtread.fact.fault = RuntreadFact::Fault::beyond_length; }},
    {"EFA-4.5-13", kFails, [](All& all) { all.later_runtread.fact.fault = RuntreadFact::Fault::not_of_packet; }},
    {"EFA-4.5-13", kFails, [](All& all) { all.runtread.fact.fault = RuntreadFact::Fault::another_meaning; }},
    {"EFA-4.5-14", kWarns, [](All& all) { all.runtread.fact.meaning = Reading::document; }},
    {"EFA-4.5-16", kFails, [](All& all) { all.runtread.fact.request->id = kTaken; }},
    {"EFA-3.3-10", kFails, [](All& all) { all.eager_write.fact.target = kLength + 1; }},
    {"EFA-3.3-10", kFails, [](All& all) { all.eager_write.fact.target.reset(); }},
    {"EFA-3.3-22", kFails, [](All& all) { all.eager_write.fact.id = kTaken; }},
    {"EFA-3.3-20", kFails, [](All& all) { all.write.fact.target = kLength + 1; }},
    {"EFA-3.3-21", kFails, [](All& all) { all.write.put(kLength + 1); }},
    {"EFA-3.3-21", kWarns, [](All& all) { all.write.put(kLength); }},
    {"EFA-3.3-22", kFails, [](All& all) { all.write.fact.id = kTaken; }},
    {"EFA-3.3-23", kWarns, [](All& all) { all.write.packet.credit_request = 0; }},
    {"EFA-3.3-50", kFails, [](All& all) { all.short_read.fact.target = kLength + 1; }},
    {"EFA-3.3-52", kFails,
     [](All& all) {
       all.short_read.packet.msg_length = 65'507;
       all.short_read.fact.target = 65'507;
     }},
    {"EFA-3.3-52", kWarns,
     [](All& all) {
       all.short_read.packet.msg_length = 8'928;
       all.short_read.fact.target = 8'928;
     }},
    {"EFA-3.3-55", kFails, [](All& all) { all.short_read.fact.id = kTaken; }},
    {"EFA-3.3-55", kWarns, [](All& all) { all.short_read.fact.is_repetition = true; }},
    {"EFA-3.3-51", kFails, [](All& all) { all.read.fact.target = kLength + 1; }},
    {"EFA-3.3-53", kFails, [](All& all) { all.read.packet.recv_length = 0; }},
    {"EFA-3.3-54", kWarns, [](All& all) { all.read.packet.recv_length = kLength + 1; }},
    {"EFA-3.3-56", kFails, [](All& all) { all.read.fact.id = kTaken; }},
    {"EFA-3.3-100", kFails, [](All& all) { spoil_datatype(all.fetch, 64); }},
    {"EFA-3.3-100", kWarns, [](All& all) { spoil_datatype(all.fetch, 14); }},
    {"EFA-3.3-101", kFails, [](All& all) { spoil_operation(all.fetch, 20); }},
    {"EFA-3.3-101", kWarns, [](All& all) { spoil_operation(all.fetch, 19); }},
    {"EFA-3.3-102", kFails, [](All& all) { all.write_atomic.fact.fault = AtomicFact::Fault::call; }},
    {"EFA-3.3-103", kFails, [](All& all) { all.fetch.fact.fault = AtomicFact::Fault::call; }},
    {"EFA-3.3-104", kFails, [](All& all) { all.compare.fact.fault = AtomicFact::Fault::call; }},
    {"EFA-3.3-105", kFails, [](All& all) { all.fetch.fact.fault = AtomicFact::Fault::combination; }},
    {"EFA-3.3-106", kFails, [](All& all) { all.write_atomic.fact.fault = AtomicFact::Fault::operands; }},
    {"EFA-3.3-107", kFails, [](All& all) { all.fetch.fact.fault = AtomicFact::Fault::operands; }},
    {"EFA-3.3-108", kFails, [](All& all) { all.compare.fact.fault = AtomicFact::Fault::operands; }},
    {"EFA-3.3-108", kFails,
     [](All& all) {
       all.compare.fact.fault = AtomicFact::Fault::operands;
       all.compare.fact.request.target.reset();
     }},
    {"EFA-3.3-109", kFails,
     [](All& all) {
       all.fetch.fact.fault = AtomicFact::Fault::buffer;
       all.fetch.fact.fitting_buffers = 0;
     }},
    {"EFA-3.3-110", kFails, [](All& all) { all.fetch.fact.request.id = kTaken; }},
    {"EFA-3.3-111", kFails, [](All& all) { all.write_atomic.fact.request.id = kTaken; }},
    {"EFA-3.2-100", kFails, [](All& all) { all.cts.fact.has_operation = false; }},
    {"EFA-3.2-101", kFails, [](All& all) { all.cts.fact.is_awaited = false; }},
    {"EFA-3.2-102", kFails, [](All& all) { all.cts.packet.recv_length = 0; }},
    {"EFA-3.2-103", kWarns, [](All& all) { all.cts.packet.recv_length = kLength + 1; }},
    {"EFA-3.2-104", kWarns, [](All& all) { all.cts.fact.moment = CtsFact::Moment::copy; }},
    {"EFA-3.2-104", kFails,
     [](All& all) { all.ctsdata.fact.shown->grant = FreshDataFact::EarlyGrant{.mark = kEarlier, .end = kLength}; }},
    {"EFA-3.2-105", kFails, [](All& all) { all.later_cts.fact.receive->id = 1; }},
    {"EFA-3.2-106", kFails, [](All& all) { all.cts_of_read.fact.receive->id = 1; }},
    {"EFA-3.2-107", kFails, [](All& all) { all.cts.fact.receive->holder = kTaken.holder; }},
    {"EFA-3.2-108", kFails, [](All& all) { all.cts_of_read.packet.flags = 0; }},
    {"EFA-3.2-109", kFails, [](All& all) { all.cts.packet.flags = flag::kCtsEmulatedRead; }},
    {"EFA-3.2-110", kFails, [](All& all) { all.cts.fact.moment = CtsFact::Moment::after_all; }},
    {"EFA-4.2-5", kFails, [](All& all) { all.cts.fact.receipt = kEarlier; }},
    {"EFA-3.2-140", kFails, [](All& all) { all.ctsdata.fact.of = CtsdataFact::Of::none; }},
    {"EFA-3.2-140", kFails, [](All& all) { all.ctsdata.fact.of = CtsdataFact::Of::other; }},
    {"EFA-3.2-141", kFails, [](All& all) { all.ctsdata.fact.of = CtsdataFact::Of::waiting; }},
    {"EFA-3.2-142", kFails, [](All& all) { all.ctsdata.packet.seg_length = kLength + 1; }},
    {"EFA-3.2-143", kWarns,
     [](All& all) {
       all.ctsdata.packet.seg_length = 0;
       all.ctsdata.put(0);
     }},
    {"EFA-3.2-144", kFails, [](All& all) { all.ctsdata.fact.place->beyond = CtsdataFact::Beyond::message; }},
    {"EFA-3.2-145", kFails, [](All& all) { all.ctsdata.fact.place->beyond = CtsdataFact::Beyond::grant; }},
    {"EFA-3.2-146", kFails, [](All& all) { all.ctsdata.fact.fresh = kLength - 1; }},
    {"EFA-3.2-146", kWarns, [](All& all) { all.ctsdata.fact.is_copy = true; }},
    {"EFA-3.2-147", kFails, [](All& all) { all.ctsdata.fact.place->beyond = CtsdataFact::Beyond::request; }},
    {"EFA-4.2-5", kFails, [](All& all) { all.ctsdata.fact.shown->receipt = kEarlier; }},
    {"EFA-4.2-1", kFails, [](All& all) { all.receipt.fact.of = ReceiptFact::Of::no_such; }},
    {"EFA-4.2-2", kFails, [](All& all) { all.receipt.fact.of = ReceiptFact::Of::none; }},
    {"EFA-4.2-2", kFails, [](All& all) { all.receipt.fact.of = ReceiptFact::Of::unasked; }},
    {"EFA-4.2-2", kFails,
     [](All& all) {
       all.receipt.fact.of = ReceiptFact::Of::another;
       all.receipt.packet.msg_id = 1;
     }},
    {"EFA-4.2-3", kFails, [](All& all) { all.receipt.packet.msg_id = 1; }},
    {"EFA-4.2-4", kFails, [](All& all) { all.receipt.fact.of = ReceiptFact::Of::another; }},
    {"EFA-4.2-4", kWarns,
     [](All& all) {
       all.receipt.fact.of = ReceiptFact::Of::another;
       all.receipt.doubled = true;
     }},
    {"EFA-3.3-60", kFails, [](All& all) { all.readrsp.packet.recv_length = kLength + 1; }},
    {"EFA-3.3-61", kFails, [](All& all) { all.readrsp.fact = {.answers_none = true}; }},
    {"EFA-3.3-62", kFails, [](All& all) { all.readrsp.fact.answer->answered = kTaken.holder; }},
    {"EFA-3.3-62", kWarns,
     [](All& all) {
       all.readrsp.fact.answer->answered = kTaken.holder;
       all.readrsp.doubled = true;
     }},
    {"EFA-3.3-63", kFails, [](All& all) { all.short_readrsp.fact.wanted->length = kLength + 1; }},
    {"EFA-3.3-64", kFails, [](All& all) { all.readrsp.fact.wanted->length = kLength - 1; }},
    {"EFA-3.3-65", kFails, [](All& all) { all.readrsp.fact.wanted->granted = kLength - 1; }},
    {"EFA-3.3-66", kFails, [](All& all) { all.readrsp.fact.order->is_turned = true; }},
    {"EFA-3.3-67", kWarns, [](All& all) { all.readrsp.fact.is_by_document = true; }},
    {"EFA-3.3-68", kFails, [](All& all) { all.readrsp.fact.send_id = kTaken; }},
    {"EFA-3.3-120", kFails, [](All& all) { all.atomrsp.packet.seg_length = kLength + 1; }},
    {"EFA-3.3-121", kFails, [](All& all) { all.atomrsp.fact.of = AtomrspFact::Of::none; }},
    {"EFA-3.3-122", kFails, [](All& all) { all.atomrsp.fact.of = AtomrspFact::Of::silent; }},
    {"EFA-3.3-123", kFails, [](All& all) { all.atomrsp.fact.octets = kLength + 1; }},
    {"EFA-3.3-124", kFails, [](All& all) { all.atomrsp.fact.answer.answered = kTaken.holder; }},
    {"EFA-3.3-124", kWarns,
     [](All& all) {
       all.atomrsp.fact.answer.answered = kTaken.holder;
       all.atomrsp.doubled = true;
     }},
    {"EFA-4.1-20", kWarns, [](All& all) { all.eor.packet.short_header = true; }},
    {"EFA-4.1-21", kFails, [](All& all) { all.eor.fact.read->is_read = false; }},
    {"EFA-4.1-22", kFails, [](All& all) { all.eor.fact.answer->answered = kTaken.holder; }},
    {"EFA-4.1-22", kWarns,
     [](All& all) {
       all.eor.fact.answer->answered = kTaken.holder;
       all.eor.doubled = true;
     }},
    {"EFA-4.7-5", kFails, [](All& all) { all.eor.fact.is_only_end = false; }},
    {"EFA-4.7-5", kFails, [](All& all) { all.read_nack.fact.is_only_end = false; }},
    {"EFA-4.7-2", kFails, [](All& all) { all.read_nack.fact.read->is_read = false; }},
    {"EFA-4.7-3", kFails, [](All& all) { all.read_nack.fact.answer->answered = kTaken.holder; }},
    {"EFA-4.7-3", kWarns,
     [](All& all) {
       all.read_nack.fact.answer->answered = kTaken.holder;
       all.read_nack.doubled = true;
     }},
    {"EFA-4.7-4", kFails, [](All& all) { all.read_nack.fact.runts->sent = kLength - 1; }},
    {"EFA-4.10-1", kFails, [](All& all) { all.ended_operation.fact.announced = PeerErrorFact::Announced::no; }},
    {"EFA-4.10-1", kWarns,
     [](All& all) { all.ended_operation.fact.announced = PeerErrorFact::Announced::no_handshake; }},
    {"EFA-4.10-2", kFails, [](All& all) { all.ended_operation.packet.ref_kind = 3; }},
    {"EFA-4.10-3", kFails, [](All& all) { all.ended_operation.fact.has_operation = false; }},
    {"EFA-4.10-4", kFails, [](All& all) { all.ended_operation.fact.is_of_kind = false; }},
    {"EFA-4.10-6", kWarns, [](All& all) { all.skipped.fact.is_unsent = false; }},
    {"EFA-4.10-7", kFails, [](All& all) { all.of_given_up.fact.by_sender = kEarlier; }},
    {"EFA-4.10-7", kWarns,
     [](All& all) {
       all.of_given_up.fact.by_sender = kEarlier;
       all.of_given_up.doubled = true;
     }},
    {"EFA-4.10-8", kFails, [](All& all) { all.skipped.fact.is_in_use = false; }},
    {"EFA-4.10-8", kWarns,
     [](All& all) {
       all.skipped.fact.is_in_use = false;
       all.skipped.doubled = true;
     }},
    {"EFA-4.10-8", kFails, [](All& all) { all.ended_message.fact.end = PeerErrorFact::End::again; }},
    {"EFA-4.10-8", kFails, [](All& all) { all.ended_operation.fact.end = PeerErrorFact::End::answered; }},
    {"EFA-4.10-8", kWarns,
     [](All& all) {
       all.ended_message.fact.end = PeerErrorFact::End::again;
       all.ended_message.doubled = true;
     }},
};

class EfaFact : public ::testing::TestWithParam<Breach<All>> {};

TEST_P(EfaFact, BreaksItsRule) {
  EXPECT_TRUE(broken_by(GetParam().spoil).contains({GetParam().rule, GetParam().severity}));
}

INSTANTIATE_TEST_SUITE_P(Rows, EfaFact, ::testing::ValuesIn(kBreaches),
                         [](const auto& row) { return std::to_string(row.index); });

TEST(EfaFacts, ThatHoldBreakNothing) {
  EXPECT_THAT(broken_by<All>(nullptr), testing::IsEmpty());
}

TEST(EfaFacts, WarnIfAClaimIsOnlyLikelyAndSayItsValues) {
  for (const ClaimFact& one : All{}.claims) {
    Judge judge(kProtocol.catalogue());
    ClaimFact fact = one;
    fact.holds = fact.is_certain = false;
    fact.got = 77;
    fact.due = 99;
    fact.request = layout_of(PacketType::dc_eager_msgrtm);
    check_claim(judge, fact);
    ASSERT_EQ(judge.findings().size(), 1u);
    const Finding& found = judge.findings().front();
    EXPECT_EQ(found.severity, Severity::warning) << found.rule->id;
    EXPECT_THAT(found.expected + found.actual + found.explanation, testing::Not(testing::HasSubstr("{")));
    EXPECT_EQ(found.unanswered, fact.is_answer()) << found.rule->id;
  }
}

// A claim is certain if later requests for the same memory were served, and the finding says that.
TEST(EfaFacts, SayThatLaterRequestsWereServed) {
  Judge judge(kProtocol.catalogue());
  ClaimFact fact{.claim = Claim::answers_read, .is_certain = true, .is_served = true};
  check_claim(judge, fact);
  ASSERT_EQ(judge.findings().size(), 1u);
  EXPECT_THAT(judge.findings().front().explanation, testing::HasSubstr("it has answered later reads"));
}

// A fact from which nothing follows exercises no rule, so that nothing counts as judged.
TEST(EfaFacts, ThatShowNothingExerciseNothing) {
  Judge judge(kProtocol.catalogue());
  Given<CtsFact>{.packet = filled(PacketType::cts)}.check(judge, check_cts);
  Given<ReceiptFact>{.packet = packet_of(PacketType::receipt)}.check(judge, check_receipt);
  Given<ReadEndFact>{.packet = packet_of(PacketType::read_nack)}.check(judge, check_read_nack);
  Given<MessageFact>{.packet = filled(PacketType::eager_msgrtm)}.check(judge, check_eager_message);
  Given<MediumFact>{.packet = filled(PacketType::medium_msgrtm)}.check(judge, check_medium_message);
  Given<ResumptionFact>{.packet = filled(PacketType::longcts_msgrtm)}.check(judge, check_resumption);
  Given<RuntreadFact>{.packet = request_of(PacketType::runtread_msgrtm, 1)}.check(judge, check_runting_message);
  Given<GivenUpFact>{.packet = filled(PacketType::ctsdata)}.check(judge, check_given_up);
  for (const Rule* const one : kProtocol.catalogue().rules()) EXPECT_EQ(judge.exercised(*one), 0u) << one->id;
}

// The sections that judge facts about packets.
constexpr std::string_view kSections[] = {"EFA-3.2-", "EFA-3.3-", "EFA-4.1-", "EFA-4.2-",
                                          "EFA-4.3-", "EFA-4.5-", "EFA-4.7-", "EFA-4.10-"};
TEST(EfaFacts, BreakEveryRuleOfTheirSections) {
  Rules missing = rules_of(kSections);
  EXPECT_GT(missing.size(), 100u);
  for (const Breach<All>& one : kBreaches) missing.erase(one.rule);
  EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(EfaFacts, ThatHoldExerciseEveryRuleOfTheirSections) {
  EXPECT_THAT(not_kept_by(All{}, rules_of(kSections)), testing::IsEmpty());
}

}  // namespace
}  // namespace wirelaw::efa::facts
