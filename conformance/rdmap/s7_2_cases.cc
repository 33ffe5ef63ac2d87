// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.2: what is validated of each message that comes in, and the Terminates of figure 9 that follow.
#include "conformance/rdmap/section_cases.h"
#include "conformance/rdmap/serving_responder.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5040 7.2";

constexpr Rule validation_rule(std::string_view id, std::string_view summary, std::string_view note = {}) {
  return stimulus_rule(id, Level::must, kSection, summary, note);
}
constexpr Rule elsewhere(std::string_view id, std::string_view summary, std::string_view note) {
  return {id, Level::must, Role::any, kSection, Observable::none, summary, note};
}

constinit const Rule kFields =
    elsewhere("RDMAP-7.2-1", "DDP validates all fields of a segment.", "judged by DDP-7.1 and DDP-6.2.2-3");
constinit const Rule kOpcode = validation_rule(
    "RDMAP-7.2-2", "The opcode of a message is valid, for its queue and buffer model too.", "A-09, A-10, A-21");
constinit const Rule kVersion =
    validation_rule("RDMAP-7.2-3", "The RDMAP version of a message is valid.", "A-11, A-21");
constinit const Rule kInvalidateStagIsValid =
    elsewhere("RDMAP-7.2-4", "The Invalidate STag of a Send with Invalidate is valid.", "judged by RDMAP-5.3-12");
constinit const Rule kInvalidateStagIsAssociated = elsewhere(
    "RDMAP-7.2-5", "The Invalidate STag of a Send with Invalidate belongs to the stream.", "judged by RDMAP-5.3-12");
constinit const Rule kReadFields = elsewhere("RDMAP-7.2-6", "DDP validates all fields of a segment of a Read Request.",
                                             "A-45; judged by DDP-7.1 and DDP-6.2.2-3");
constinit const Rule kReadVersion =
    validation_rule("RDMAP-7.2-7", "The RDMAP version of a Read Request is valid.", "A-07, A-11, A-45");
constinit const Rule kSourceIsValid =
    validation_rule("RDMAP-7.2-8", "The Data Source STag of a Read Request is valid.", "A-45");
constinit const Rule kSourceIsAssociated =
    validation_rule("RDMAP-7.2-9", "The Data Source STag of a Read Request belongs to the stream.");
constinit const Rule kSourceToIsLegal =
    validation_rule("RDMAP-7.2-10", "The Data Source Tagged Offset of a Read Request lies in the buffer of the STag.");
constinit const Rule kSourceEndIsLegal =
    validation_rule("RDMAP-7.2-11", "Data Source Tagged Offset and size of a Read Request together lie in the buffer.");
constinit const Rule kSourceDoesNotWrap = validation_rule(
    "RDMAP-7.2-12", "Data Source Tagged Offset and size of a Read Request together do not wrap.", "A-22");
constinit const Rule kSourceAllows =
    stimulus_rule("RDMAP-7.2-13", Level::must, "RFC 5040 7.2, figure 9",
                  "The buffer of the Data Source STag of a Read Request may be read remotely: else 0/1/02.",
                  "the right is checked with the STag; the text of 7.2 does not list it, figure 9 has its code");

constexpr const Rule* kRules[] = {&kFields,
                                  &kOpcode,
                                  &kVersion,
                                  &kInvalidateStagIsValid,
                                  &kInvalidateStagIsAssociated,
                                  &kReadFields,
                                  &kReadVersion,
                                  &kSourceIsValid,
                                  &kSourceIsAssociated,
                                  &kSourceToIsLegal,
                                  &kSourceEndIsLegal,
                                  &kSourceDoesNotWrap,
                                  &kSourceAllows};

constexpr std::uint8_t opcode(std::uint8_t number) {
  return encode_control({.opcode = number});
}

// --- opcodes

void add_opcode_cases(std::vector<Case>& cases) {
  add_both(cases, {"rdmap/responder-refuses-reserved-opcodes", "rdmap/initiator-refuses-reserved-opcodes"}, {&kOpcode},
           "An untagged message of opcode 12 is refused.", Service::none, [](auto& peer) {
             peer.send(data_of(8), Opcode::send, [](ddp::Header& h) { h.rsvd_ulp = opcode(12); });
             expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode)}, "opcode 12");
           });
  add_both(cases,
           {"rdmap/responder-refuses-reserved-tagged-opcodes", "rdmap/initiator-refuses-reserved-tagged-opcodes"},
           {&kOpcode}, "A tagged message of no octets, of opcode 13, is refused.", Service::none, [](auto& peer) {
             peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = opcode(13); });
             expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode)}, "opcode 13, tagged");
           });
  // I-04. RFC 5041, 4.3, lets a receiver take RsvdULP from any of the segments.
  add_both(
      cases,
      {"rdmap/responder-and-a-reserved-opcode-in-the-middle", "rdmap/initiator-and-a-reserved-opcode-in-the-middle"},
      {&kOpcode}, "The second of three segments of a Send has opcode 14.", Service::none, [](auto& peer) {
        ddp::Header header = peer.untagged(Opcode::send);
        for (unsigned i = 0; i < 3; ++i) {
          ddp::Header one = header;
          one.mo = 8 * i;
          one.last = i == 2;
          if (i == 1) one.rsvd_ulp = opcode(14);
          peer.send_segment(one, data_of(8, i));
        }
        expect_refusal_or_note(peer, kOpcode, {terminates(error::kUnexpectedOpcode)},
                               "opcode 14 in the second segment of a Send");
      });
  add_both(cases, {"rdmap/responder-refuses-untagged-writes", "rdmap/initiator-refuses-untagged-writes"}, {&kOpcode},
           "An RDMA Write that is untagged is refused.", Service::none, [](auto& peer) {
             peer.send(data_of(8), Opcode::send, [](ddp::Header& h) { h.rsvd_ulp = opcode(0); });
             expect_refusal(peer, kOpcode,
                            {terminates(error::kUnexpectedOpcode), noted(terminates(error::kDdpInvalidQn))},
                            "an untagged Write");
           });
  add_both(cases, {"rdmap/responder-refuses-tagged-sends", "rdmap/initiator-refuses-tagged-sends"}, {&kOpcode},
           "A Send of no octets that is tagged is refused.", Service::none, [](auto& peer) {
             peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = opcode(3); });
             expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode)}, "a tagged Send");
           });
  add_both(cases,
           {"rdmap/responder-refuses-sends-on-the-read-queue", "rdmap/initiator-refuses-sends-on-the-read-queue"},
           {&kOpcode}, "A Send on queue 1 is refused.", Service::none, [](auto& peer) {
             peer.send(data_of(28), Opcode::send, [&](ddp::Header& h) {
               h.qn = kReadRequestQueue;
               h.msn = peer.untagged(Opcode::read_request).msn;
             });
             expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)},
                            "a Send on queue 1");
           });
  add_both(
      cases,
      {"rdmap/responder-refuses-sends-on-the-terminate-queue", "rdmap/initiator-refuses-sends-on-the-terminate-queue"},
      {&kOpcode}, "A Send on queue 2 is refused.", Service::none, [](auto& peer) {
        peer.send(data_of(8), Opcode::send, [](ddp::Header& h) { h.qn = kTerminateQueue, h.msn = 1; });
        expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)},
                       "a Send on queue 2");
      });
  add_both(cases,
           {"rdmap/responder-refuses-reads-on-the-send-queue", "rdmap/initiator-refuses-reads-on-the-send-queue"},
           {&kOpcode}, "A Read Request on queue 0 is refused.", Service::none, [](auto& peer) {
             peer.read_request({.sink_stag = kOurSinkStag}, [&](ddp::Header& h) {
               h.qn = kSendQueue;
               h.msn = peer.untagged(Opcode::send).msn;
             });
             expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)},
                            "a Read Request on queue 0");
           });
}

// --- versions

void add_version_cases(std::vector<Case>& cases) {
  add_both(cases, {"rdmap/responder-refuses-version-2", "rdmap/initiator-refuses-version-2"}, {&kVersion},
           "A Send of RDMAP version 2 is refused.", Service::none, [](auto& peer) {
             peer.send(data_of(8), Opcode::send,
                       [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 3}); });
             expect_refusal(peer, kVersion, {terminates(error::kInvalidVersion)}, "RV is 10b");
           });
  add_both(cases, {"rdmap/responder-refuses-tagged-version-3", "rdmap/initiator-refuses-tagged-version-3"}, {&kVersion},
           "A Write of no octets of RDMAP version 3 is refused.", Service::none, [](auto& peer) {
             peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 3, .opcode = 0}); });
             expect_refusal(peer, kVersion, {terminates(error::kInvalidVersion)}, "RV is 11b, tagged");
           });
  add_both(cases, {"rdmap/responder-and-version-0", "rdmap/initiator-and-version-0"}, {&kVersion},
           "A Send of the RDMA Consortium's version, 0, on a stream of MPA revision 1 or 2 is refused.", Service::none,
           [](auto& peer) {
             peer.send(data_of(8), Opcode::send,
                       [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 0, .opcode = 3}); });
             expect_refusal_or_note(peer, kVersion, {terminates(error::kInvalidVersion)}, "RV is 00b");
           });
  add_both(cases,
           {"rdmap/responder-refuses-read-requests-of-version-2", "rdmap/initiator-refuses-read-requests-of-version-2"},
           {&kReadVersion}, "A Read Request of RDMAP version 2 is refused.", Service::none, [](auto& peer) {
             peer.read_request({.sink_stag = kOurSinkStag},
                               [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 1}); });
             expect_refusal(peer, kReadVersion, {terminates(error::kInvalidVersion)}, "RV of a Read Request is 10b");
           });
}

// --- the source of a read

template <class Peer>
std::optional<TargetBuffer> readable(Peer& peer) {
  return need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read");
}

void add_source_cases(std::vector<Case>& cases) {
  add_both(cases, {"rdmap/responder-refuses-reads-of-unknown-stags", "rdmap/initiator-refuses-reads-of-unknown-stags"},
           {&kSourceIsValid}, "A Read Request of an STag that nobody has advertised is refused.", Service::none,
           [](auto& peer) {
             peer.read_request({.sink_stag = kOurSinkStag, .size = 8, .source_stag = kNobodysStag});
             expect_refusal(peer, kSourceIsValid,
                            {terminates(error::kInvalidStag), terminates(error::kStagNotAssociated)}, "nobody's STag");
           });
  add_both(cases,
           {"rdmap/responder-refuses-reads-of-stags-of-other-streams",
            "rdmap/initiator-refuses-reads-of-stags-of-other-streams"},
           {&kSourceIsAssociated}, "A Read Request of an STag that was advertised on another connection is refused.",
           Service::none, [](auto& peer) {
             const auto first = readable(peer);
             if (!first) return;
             peer.connect_again();
             const auto second = readable(peer);
             if (!second) return;
             if (first->stag == second->stag)
               return peer.skip("the same STag is advertised on each connection, as one for all of them");
             peer.read_request(read_of(*first, 0, 8));
             expect_refusal(peer, kSourceIsAssociated,
                            {terminates(error::kStagNotAssociated), terminates(error::kInvalidStag)},
                            "an STag of another connection");
           });
  add_both(cases,
           {"rdmap/responder-refuses-reads-behind-the-buffer", "rdmap/initiator-refuses-reads-behind-the-buffer"},
           {&kSourceToIsLegal}, "A Read Request right behind the last octet of a buffer is refused.", Service::none,
           [](auto& peer) {
             const auto buffer = readable(peer);
             if (!buffer) return;
             peer.read_request(read_of(*buffer, buffer->length, 8));
             expect_refusal(peer, kSourceToIsLegal, {terminates(error::kBaseOrBounds)}, "right behind the buffer");
           });
  add_both(cases, {"rdmap/responder-refuses-reads-across-the-end", "rdmap/initiator-refuses-reads-across-the-end"},
           {&kSourceEndIsLegal}, "A Read Request whose last octet lies behind the buffer is refused.", Service::none,
           [](auto& peer) {
             const auto buffer = readable(peer);
             if (!buffer) return;
             peer.read_request(read_of(*buffer, buffer->length - 7, 8));
             expect_refusal(peer, kSourceEndIsLegal, {terminates(error::kBaseOrBounds)}, "one octet too many");
           });
  cases.push_back({.id = "rdmap/responder-answers-reads-up-to-the-end",
                   .iut = Role::responder,
                   .rules = {&kSourceEndIsLegal},
                   .purpose = "A Read Request that ends with the last octet of a buffer is answered.",
                   .run = with<ReadyResponder>([](ReadyResponder& peer) {
                     const auto buffer = readable(peer);
                     if (!buffer) return;
                     const auto got = read_back(peer, read_of(*buffer, buffer->length - 8, 8));
                     peer.require(kSourceEndIsLegal, got && got->size() == 8, "eight octets",
                                  octets_text(got, peer.last()), "the last octets of the buffer");
                   })});
  add_both(cases, {"rdmap/responder-refuses-reads-that-wrap", "rdmap/initiator-refuses-reads-that-wrap"},
           {&kSourceDoesNotWrap}, "A Read Request whose source wraps is refused.", Service::none, [](auto& peer) {
             const auto buffer = readable(peer);
             if (!buffer) return;
             ReadRequest request = read_of(*buffer, 0, 8);
             request.source_to = ~std::uint64_t{0} - 3;
             peer.read_request(request);
             expect_refusal(peer, kSourceDoesNotWrap, {terminates(error::kToWrap), terminates(error::kBaseOrBounds)},
                            "TO and size together pass 2^64");
           });
  cases.push_back({.id = "rdmap/responder-refuses-reads-of-what-is-write-only",
                   .iut = Role::responder,
                   .rules = {&kSourceAllows},
                   .purpose = "A Read Request of a buffer that may only be written is refused.",
                   .run = with<ReadyResponder>([](ReadyResponder& peer) {
                     const auto buffer =
                         need(peer, targets_of(peer.run(), peer.advertisement()).write_only, "may be written alone");
                     if (!buffer) return;
                     peer.read_request(read_of(*buffer, 0, 8));
                     expect_refusal(peer, kSourceAllows,
                                    {terminates(error::kAccessRights), noted(terminates(error::kInvalidStag))},
                                    "a buffer that may only be written");
                   })});
  // Some adapters want a remote right for the sink of a Read, so that a peer may have granted more than it needs.
  cases.push_back({.id = "rdmap/initiator-and-reads-of-its-sink",
                   .iut = Role::initiator,
                   .rules = {&kSourceAllows},
                   .purpose = "A Read Request of the buffer that the initiator itself reads into is refused.",
                   .run = [](CaseRun& run) {
                     ServingResponder peer(run);
                     ReadRequest asked;
                     while (peer.ok() && asked.size == 0) {
                       const Response answer = peer.take(peer.in(run.answer_time()));
                       if (answer.is(Response::Kind::nothing) || answer.ended())
                         return peer.skip("the initiator has read nothing of the buffer that the reply advertised");
                       asked = read_request_in(answer).value_or(ReadRequest{});
                     }
                     peer.read_request({.sink_stag = kOurSinkStag,
                                        .sink_to = kOurSinkTo,
                                        .size = 8,
                                        .source_stag = asked.sink_stag,
                                        .source_to = asked.sink_to});
                     expect_refusal_or_note(peer, kSourceAllows,
                                            {terminates(error::kAccessRights), terminates(error::kInvalidStag)},
                                            "the sink of the initiator's own Read");
                   }});
  // I-15: a buffer of no octets.
  cases.push_back({.id = "rdmap/responder-refuses-reads-of-an-empty-buffer",
                   .iut = Role::responder,
                   .rules = {&kSourceToIsLegal, &kSourceEndIsLegal},
                   .purpose = "Read Requests of an octet of a buffer that has none are refused, whatever the offset.",
                   .run = with<ReadyResponder>([](ReadyResponder& peer) {
                     bool first = true;
                     for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
                       if (!std::exchange(first, false)) peer.connect_again();
                       const auto buffer = need_empty(peer, targets_of(peer.run(), peer.advertisement()).empty);
                       if (!buffer) return;
                       peer.read_request(read_of(*buffer, offset, 1));
                       expect_refusal(peer, offset == 0 ? kSourceEndIsLegal : kSourceToIsLegal,
                                      {terminates(error::kBaseOrBounds)}, "a buffer of no octets");
                     }
                   })});
}

}  // namespace

SectionCases validation_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_opcode_cases(cases);
    add_version_cases(cases);
    add_source_cases(cases);
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
