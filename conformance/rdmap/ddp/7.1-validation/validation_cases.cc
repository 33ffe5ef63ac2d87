// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 7.1: the checks before data is placed, and the consequences of a failed check. The error numbers
// are in 7.2.
#include "conformance/rdmap/ddp/7.1-validation/rules.h"
#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/probes/served_initiator.h"

namespace wirelaw::rdmap {
namespace {

// An FPDU of a Send whose header differs; it counts as sent.
OctetBuffer send_fpdu(Probe& peer, std::size_t octets, const Probe::HeaderEdit& edit = {}) {
  ddp::Header header = peer.untagged(Opcode::send);
  if (edit) edit(header);
  peer.message_sent(kSendQueue);
  return peer.fpdu_of(header, sample_octets(octets));
}

// Sends a message whose second segment has this MO instead of the next one.
void send_with_jump(Probe& peer, std::uint32_t mo) {
  ddp::Header header = peer.untagged(Opcode::send);
  header.last = false;
  peer.send_segment(header, sample_octets(8, 1));
  header.last = true;
  header.mo = mo;
  peer.send_segment(header, sample_octets(8, 2));
}

constexpr std::uint32_t kNoQueue = 5;

// Sends a message `more` octets longer than the buffer size that the user has declared. Returns the Send.
OctetBuffer fill_a_buffer(ReadyResponder& responder, std::size_t more) {
  const auto octets = number_of(responder.run().parameter("receive"));
  constexpr std::size_t kMost = std::size_t{16} << 20, kPart = 1024;
  if (!octets || *octets == 0 || *octets > kMost) {
    responder.skip("the length of its receive buffers is not known; a URI may set ?receive=…");
    return {};
  }
  OctetBuffer data = sample_octets(*octets + more);
  for (std::size_t at = 0; at < data.size(); at += kPart) {
    ddp::Header header = responder.untagged(Opcode::send);
    const Octets part = Octets(data).subspan(at, std::min(kPart, data.size() - at));
    header.mo = static_cast<std::uint32_t>(at);
    header.last = at + part.size() == data.size();
    responder.send_segment(header, part);
  }
  responder.message_sent(kSendQueue);
  return data;
}

void fills_a_buffer(ReadyResponder& responder) {
  const OctetBuffer data = fill_a_buffer(responder, 0);
  responder.await_echo(rule<"DDP-7.1-4">, data, "a Send that fills its buffer exactly");
}

void is_one_octet_too_long(ReadyResponder& responder) {
  fill_a_buffer(responder, 1);
  expect_refusal(responder, rule<"DDP-7.1-4">, {terminates(error::kDdpTooLong), noted(terminates(error::kDdpNoBuffer))},
                 "one octet more than its buffer holds");
}

// Its application accepts messages while it waits for something, here for a Read that is never answered.
OctetBuffer first_send_of(ServedInitiator& initiator) {
  while (initiator.ok()) {
    const Response came = initiator.take(initiator.in(initiator.run().answer_time()));
    const auto segment = came.segment();
    if (!segment) initiator.inconclusive("the initiator sent no Send, so the case could not continue");
    if (segment && came.is_send() && segment->header.last && !segment->payload.empty())
      return {segment->payload.begin(), segment->payload.end()};
  }
  return {};
}

// Sends far more messages than there are buffers, and too many to arrive one at a time. The first is the requested
// echo. An application that ends after the second one proves nothing about its buffers.
void more_echoes_than_buffers(ServedInitiator& initiator) {
  constexpr unsigned kTogether = 1000;
  const OctetBuffer echo = first_send_of(initiator);
  OctetBuffer octets;
  for (unsigned i = 0; i < kTogether; ++i) {
    const ddp::Header header = initiator.untagged(Opcode::send);
    const OctetBuffer one = initiator.fpdu_of(header, echo);
    initiator.message_sent(kSendQueue);
    octets.insert(octets.end(), one.begin(), one.end());
  }
  initiator.send_octets(octets);
  const Response answer = initiator.await(initiator.in(initiator.run().silence_time()),
                                          [](const Response& one) { return one.is(Opcode::terminate); });
  if (answer.ended()) return initiator.inconclusive("the initiator ended before a Send found no buffer");
  initiator.judge(rule<"DDP-7.1-2">, answer,
                  {terminates(error::kDdpNoBuffer), terminates(error::kDdpMsnRange), noted(says_nothing())},
                  "a thousand concurrent Sends");
}

template <class Peer>
std::optional<TargetBuffer> writable(Peer& peer) {
  return need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
}

const CaseRow kUntaggedCases[] = {
    {"ddp/{}-refuses-unknown-queues",
     {&rule<"DDP-7.1-1">},
     "The IUT refuses a Send on queue 5.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send, [](ddp::Header& h) { h.qn = kNoQueue, h.msn = 1; });
       expect_refusal(peer, rule<"DDP-7.1-1">,
                      {terminates(error::kDdpInvalidQn), noted(terminates(error::kUnexpectedOpcode))},
                      "there is no queue 5");
     })},
    {"ddp/{}-refuses-reads-on-unknown-queues",
     {&rule<"DDP-7.1-1">},
     "The IUT refuses a Read Request on queue 5.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag}, [](ddp::Header& h) { h.qn = kNoQueue, h.msn = 1; });
       expect_refusal(peer, rule<"DDP-7.1-1">,
                      {terminates(error::kDdpInvalidQn), noted(terminates(error::kUnexpectedOpcode))},
                      "there is no queue 5");
     })},
    {"ddp/{}-refuses-reads-with-an-msn-ahead",
     {&rule<"DDP-7.1-5">},
     "The IUT refuses a Read Request whose MSN is a million too high.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag}, [](ddp::Header& h) { h.msn += 1'000'000; });
       expect_refusal(peer, rule<"DDP-7.1-5">, {terminates(error::kDdpMsnRange), terminates(error::kDdpNoBuffer)},
                      "a Read Request with an MSN far ahead");
     })},
    {"ddp/{}-refuses-reads-beyond-the-buffer",
     {&rule<"DDP-7.1-3">},
     "The IUT refuses a Read Request whose MO is two gigabytes.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag}, [](ddp::Header& h) { h.mo = 0x7fff0000; });
       expect_refusal(peer, rule<"DDP-7.1-3">,
                      {terminates(error::kDdpInvalidMo), noted(terminates(error::kDdpTooLong)),
                       noted(terminates(error::kDdpNoBuffer))},
                      "the MO is beyond any buffer");
     })},
    {"ddp/responder-and-more-sends-than-buffers",
     {&rule<"DDP-7.1-2">},
     "The IUT delivers a hundred concurrent Sends, or refuses the first that finds no buffer.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       constexpr unsigned kTogether = 100;
       OctetBuffer octets;
       for (unsigned i = 0; i < kTogether; ++i) {
         const OctetBuffer one = send_fpdu(responder, 16);
         octets.insert(octets.end(), one.begin(), one.end());
       }
       responder.send_octets(octets);
       for (unsigned i = 0; i < kTogether && responder.ok(); ++i) {
         if (responder.next_send()) continue;
         responder.judge(rule<"DDP-7.1-2">, responder.last(),
                         {terminates(error::kDdpNoBuffer), terminates(error::kDdpMsnRange), noted(closes())},
                         "a hundred concurrent Sends");
         return;
       }
       responder.require(rule<"DDP-7.1-2">, true, "", "");
     }),
     Service::echo},
    {"ddp/initiator-and-more-sends-than-buffers",
     {&rule<"DDP-7.1-2">},
     "The IUT refuses the first of a thousand concurrent Sends that finds no buffer.",
     {.initiator =
          [](CaseRun& run) {
            ServedInitiator initiator(run, {.octets = 16});
            more_echoes_than_buffers(initiator);
          }}},
    {"ddp/{}-refuses-an-mo-beyond-the-buffer",
     {&rule<"DDP-7.1-3">},
     "The IUT refuses a Send whose second segment has an MO two gigabytes after the first.",
     with_each([](auto& peer) {
       send_with_jump(peer, 0x7fff0000);
       expect_refusal(peer, rule<"DDP-7.1-3">,
                      {terminates(error::kDdpInvalidMo), noted(terminates(error::kDdpTooLong)),
                       noted(terminates(error::kDdpNoBuffer))},
                      "the MO is beyond any buffer");
     })},
    {"ddp/{}-and-an-mo-that-is-not-due",
     {&rule<"DDP-7.1-3">},
     "The IUT refuses a Send whose second segment leaves a gap of eight octets, or places it at its MO.",
     with_each([](auto& peer) {
       send_with_jump(peer, 16);
       const Response answer = peer.await(peer.in(peer.run().silence_time()), [](const Response& one) {
         return one.is(Opcode::terminate) || one.is_send();
       });
       peer.judge(rule<"DDP-7.1-3">, answer, {terminates(error::kDdpInvalidMo), sends(), says_nothing(), closes()},
                  "an MO inside the buffer, eight octets too high");
     })},
    {"ddp/{}-refuses-what-is-too-long",
     {&rule<"DDP-7.1-4">},
     "The IUT refuses a growing Send once it is longer than any buffer.",
     with_each([](auto& peer) {
       constexpr std::size_t kPart = 1024, kMost = std::size_t{4} << 20, kBetweenLooks = 64;
       const OctetBuffer part = sample_octets(kPart);
       ddp::Header header = peer.untagged(Opcode::send);
       header.last = false;
       const auto refused = [](const Response& one) { return one.is(Opcode::terminate); };
       Response answer;
       for (std::size_t at = 0; at < kMost && answer.is(Response::Kind::nothing) && peer.ok(); at += kPart) {
         header.mo = static_cast<std::uint32_t>(at);
         peer.send_segment(header, part);
         const bool look = at / kPart % kBetweenLooks == kBetweenLooks - 1;
         if (look) answer = peer.await(peer.now(), refused);
       }
       if (answer.is(Response::Kind::nothing)) answer = peer.await(peer.in(peer.run().answer_time()), refused);
       if (answer.is(Response::Kind::nothing)) return peer.inconclusive("its buffers take more than four megabytes");
       peer.judge(rule<"DDP-7.1-4">, answer,
                  {terminates(error::kDdpTooLong), noted(terminates(error::kDdpNoBuffer)), noted(closes())},
                  "a Send of up to four megabytes");
     })},
    {"ddp/responder-takes-what-fills-its-buffers",
     {&rule<"DDP-7.1-4">},
     "The IUT accepts a Send that is exactly as long as the buffer (?receive=…).",
     with<fills_a_buffer>(),
     Service::echo},
    {"ddp/responder-refuses-one-octet-too-many",
     {&rule<"DDP-7.1-4">},
     "The IUT refuses a Send that is one octet longer than the buffer (?receive=…).",
     with<is_one_octet_too_long>()},
    {"ddp/initiator-takes-echoes-as-long-as-its-sends",
     {&rule<"DDP-7.1-4">},
     "The initiator accepts the echo of its longest Send and sends the next.",
     {.initiator =
          [](CaseRun& run) {
            constexpr unsigned kCount = 2;
            ServedInitiator initiator(run, {.octets = 65536, .count = kCount});
            const Response end = initiator.serve();
            initiator.require(rule<"DDP-7.1-4">, initiator.echoed() == kCount, "two Sends",
                              fmt::format("{}, then {}", initiator.echoed(), to_text(end)),
                              "each was answered with the same octets");
          }}},
    {"ddp/{}-refuses-an-msn-ahead",
     {&rule<"DDP-7.1-5">},
     "The IUT refuses a Send whose MSN is a million too high.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send, [](ddp::Header& h) { h.msn += 1'000'000; });
       expect_refusal(peer, rule<"DDP-7.1-5">, {terminates(error::kDdpMsnRange), terminates(error::kDdpNoBuffer)},
                      "an MSN far ahead");
     })},
    {"ddp/{}-refuses-an-old-msn",
     {&rule<"DDP-7.1-5">},
     "The IUT refuses a Send whose MSN is one lower than expected.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send, [](ddp::Header& h) { --h.msn; });
       expect_refusal(peer, rule<"DDP-7.1-5">,
                      {terminates(error::kDdpMsnRange), noted(terminates(error::kDdpNoBuffer))},
                      "an MSN that was already used");
     })},
    {"ddp/{}-drops-what-follows",
     {&rule<"DDP-7.1-13">},
     "The IUT does not deliver a valid Send right after one that it refuses.",
     with_each([](auto& peer) {
       OctetBuffer octets = send_fpdu(peer, 8, [](ddp::Header& h) { h.qn = kNoQueue, h.msn = 1; });
       ddp::Header good = peer.untagged(Opcode::send);
       --good.msn;  // the first one was on another queue
       const OctetBuffer second = peer.fpdu_of(good, sample_octets(30));
       octets.insert(octets.end(), second.begin(), second.end());
       peer.send_octets(octets);
       const Response answer =
           peer.await(peer.in(peer.run().silence_time()), [](const Response& one) { return one.is_send(); });
       peer.require(rule<"DDP-7.1-13">, !answer.is_send(), "a Terminate and the end, or silence", to_text(answer),
                    "a valid Send right after one on queue 5");
     })},
};

const CaseRow kTaggedCases[] = {
    {"ddp/{}-refuses-unknown-stags",
     {&rule<"DDP-7.1-6">},
     "The IUT refuses a Write to an STag that was not advertised.",
     with_each([](auto& peer) {
       peer.write(sample_octets(8), kNobodysStag, 0);
       expect_refusal(peer, rule<"DDP-7.1-6">,
                      {terminates(error::kDdpInvalidStag), terminates(error::kDdpStagNotAssociated)},
                      "an STag that was not advertised");
     })},
    {"ddp/{}-refuses-stags-of-other-streams",
     {&rule<"DDP-7.1-6">},
     "The IUT refuses a Write to an STag that was advertised on another connection.",
     with_each([](auto& peer) {
       const auto first = writable(peer);
       if (!first) return;
       peer.connect_again();
       const auto second = writable(peer);
       if (!second) return;
       if (first->stag == second->stag) return peer.skip("the same STag is advertised on every connection");
       peer.write(sample_octets(8), first->stag, first->to);
       expect_refusal_unless_shared(peer, rule<"DDP-7.1-6">,
                                    {terminates(error::kDdpStagNotAssociated), terminates(error::kDdpInvalidStag)},
                                    "an STag of another connection");
     })},
    {"ddp/responder-refuses-writes-to-what-is-read-only",
     {&rule<"DDP-7.1-7">},
     "The IUT refuses a Write to a read-only buffer.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_only, "may only be read");
       if (!buffer) return;
       responder.write(sample_octets(8), buffer->stag, buffer->to);
       expect_refusal(responder, rule<"DDP-7.1-7">,
                      {terminates(error::kDdpInvalidStag), terminates(error::kDdpBaseOrBounds),
                       terminates(error::kDdpStagNotAssociated), noted(terminates(error::kAccessRights))},
                      "a read-only buffer");
     })},
    {"ddp/{}-refuses-a-to-behind-the-buffer",
     {&rule<"DDP-7.1-8">},
     "The IUT refuses a Write right after the last octet of a buffer.",
     with_each([](auto& peer) {
       const auto buffer = writable(peer);
       if (!buffer) return;
       peer.write(sample_octets(8), buffer->stag, buffer->to + buffer->length);
       expect_refusal(peer, rule<"DDP-7.1-8">, {terminates(error::kDdpBaseOrBounds)}, "right after the buffer");
     })},
    {"ddp/{}-refuses-a-to-before-the-buffer",
     {&rule<"DDP-7.1-8">},
     "The IUT refuses a Write right before the first octet of a buffer.",
     with_each([](auto& peer) {
       const auto buffer = writable(peer);
       if (!buffer) return;
       if (buffer->to < 8) return peer.skip("the buffer begins at TO 0");
       peer.write(sample_octets(8), buffer->stag, buffer->to - 8);
       expect_refusal(peer, rule<"DDP-7.1-8">, {terminates(error::kDdpBaseOrBounds)}, "right before the buffer");
     })},
    {"ddp/{}-refuses-writes-across-the-end",
     {&rule<"DDP-7.1-9">},
     "The IUT refuses a Write whose last octet is after the buffer.",
     with_each([](auto& peer) {
       const auto buffer = writable(peer);
       if (!buffer) return;
       peer.write(sample_octets(8), buffer->stag, buffer->to + buffer->length - 7);
       expect_refusal(peer, rule<"DDP-7.1-9">, {terminates(error::kDdpBaseOrBounds)}, "one octet too many");
     })},
    {"ddp/responder-takes-writes-up-to-the-end",
     {&rule<"DDP-7.1-9">},
     "The IUT accepts a Write that ends with the last octet of a buffer.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer = writable(responder);
       if (!buffer) return;
       responder.write(sample_octets(8), buffer->stag, buffer->to + buffer->length - 8);
       responder.expect_goes_on(rule<"DDP-7.1-9">, "after a Write of the last octets of the buffer");
     }),
     Service::echo},
    // I-15: a buffer of no octets.
    {"ddp/responder-refuses-writes-to-an-empty-buffer",
     {&rule<"DDP-7.1-8">, &rule<"DDP-7.1-9">},
     "The IUT refuses Writes of one octet to a buffer of no octets, whatever the offset.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       bool first = true;
       for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
         if (!std::exchange(first, false)) responder.connect_again();
         const auto buffer = need_empty(responder, targets_of(responder.run(), responder.advertisement()).empty);
         if (!buffer) return;
         responder.write(sample_octets(1), buffer->stag, buffer->to + offset);
         expect_refusal(responder, offset == 0 ? rule<"DDP-7.1-9"> : rule<"DDP-7.1-8">,
                        {terminates(error::kDdpBaseOrBounds)}, "a buffer of no octets");
       }
     })},
    {"ddp/{}-refuses-writes-that-wrap",
     {&rule<"DDP-7.1-10">},
     "The IUT refuses a Write whose TO wraps.",
     with_each([](auto& peer) {
       const auto buffer = writable(peer);
       if (!buffer) return;
       peer.write(sample_octets(8), buffer->stag, ~std::uint64_t{0} - 3);
       expect_refusal(peer, rule<"DDP-7.1-10">, {terminates(error::kDdpToWrap), terminates(error::kDdpBaseOrBounds)},
                      "TO and length together exceed 2^64");
     })},
};

}  // namespace

std::vector<Case> ddp_validation_cases() {
  std::vector<Case> cases = cases_of(kUntaggedCases);
  add_cases(cases, kTaggedCases);
  return cases;
}

}  // namespace wirelaw::rdmap
