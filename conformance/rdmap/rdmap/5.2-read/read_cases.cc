// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.2: RDMA Reads, from both ends.
#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/rdmap/rdmap/5.2-read/rules.h"
#include "conformance/rdmap/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

// Errors with which a receiver may refuse an unsolicited response, or one that exceeds its buffer.
constexpr auto is_refusal_of_response = [](const Response& answer) {
  const auto terminate = answer.terminate();
  if (!terminate) return false;
  const ErrorCode& error = terminate->error;
  const bool tagged = error.layer == 1 && error.etype == 1 && error.code <= 3;
  return tagged || error == error::kUnexpectedOpcode || error == error::kDdpLocalCatastrophic ||
         error == error::kBaseOrBounds || error == error::kInvalidStag || error == error::kCatastrophicStream;
};
Outcome refuses_response() {
  return {"a Terminate (0/2/06, or 1/1/00 to 1/1/03)", is_refusal_of_response};
}

// --- an initiator that reads: its Read Request, if it sends one

class ReadingInitiator : public ServedInitiator {
 public:
  explicit ReadingInitiator(CaseRun& run) : ServedInitiator(run) {
    while (ok() && read_.size == 0) {
      const Response answer = take(in(this->run().answer_time()));
      if (answer.is(Response::Kind::nothing) || answer.ended())
        skip("the initiator read nothing from the buffer that the reply advertises");
      read_ = read_request_in(answer).value_or(ReadRequest{});
    }
  }
  const ReadRequest& read() const { return read_; }
  // The octets that it requests, as it has written them.
  OctetBuffer data() const { return ServedInitiator::data(read_); }
  // A segment of its answer.
  void respond(Octets payload, bool last, const HeaderEdit& edit = {}) {
    ddp::Header header = tagged(Opcode::read_response, read_.sink_stag, read_.sink_to + sent_);
    header.last = last;
    if (edit) edit(header);
    send_segment(header, payload);
    sent_ += payload.size();
  }

 private:
  ReadRequest read_{};
  std::uint64_t sent_ = 0;
};

// Sends this many Reads of zero octets at once, each with its own sink. Repeats this, because Reads sent together may
// arrive separately, and the first may be answered before the last has arrived.
void expect_room(Probe& peer, std::uint16_t count) {
  constexpr unsigned kTimes = 8;
  for (unsigned time = 0; time < kTimes && peer.ok(); ++time) {
    OctetBuffer octets;
    for (std::uint16_t i = 0; i < count; ++i) {
      OctetBuffer payload;
      encode(ReadRequest{.sink_stag = kOurSinkStag, .sink_to = i}, payload);
      const OctetBuffer one = peer.fpdu_of(peer.untagged(Opcode::read_request), payload);
      octets.insert(octets.end(), one.begin(), one.end());
      peer.message_sent(kReadRequestQueue);
    }
    peer.send_octets(octets);
    for (std::uint16_t i = 0; i < count && peer.ok(); ++i) {
      const auto got = next_response(peer);
      peer.require(rule<"RDMAP-5.2.2-2">, got.has_value(), fmt::format("{} Read Responses", count),
                   fmt::format("{}, then {}", i, octets_text(got, peer.last())));
    }
  }
}

constexpr std::uint16_t kMostAtOnce = 64;

void responder_has_room(ResponderProbe& responder) {
  responder.start({.enhanced = mpa::EnhancedData{.ird = 1, .ord = 8}});
  if (!responder.ok()) return;
  const auto depths = responder.reply().enhanced_data();
  if (!depths || depths->ird == mpa::kNoNegotiation)
    return responder.skip("the reply does not state how many Reads may be outstanding (RFC 6581)");
  if (depths->ird == 0) return responder.skip("the reply allows no Reads");
  expect_room(responder, std::min(depths->ird, kMostAtOnce));
}

void initiator_has_room(ReadyInitiator& initiator) {
  if (!initiator.ok()) return;
  const auto depths = initiator.good_reply().enhanced;
  if (!depths || depths->ord == mpa::kNoNegotiation)
    return initiator.skip("the request does not state how many Reads may be outstanding (RFC 6581)");
  if (depths->ord == 0) return initiator.skip("the request allows no Reads");
  expect_room(initiator, depths->ord);
}

const CaseRow kResponderCases[] = {
    {"rdmap/responder-answers-reads",
     {&rule<"RDMAP-5.2.1-3">, &rule<"RDMAP-5.2.1-10">, &rule<"RDMAP-5.2.1-4">},
     "The IUT answers Reads of one octet and of many, and delivers nothing of them to its application.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "may be read");
       if (!buffer) return;
       for (const std::uint32_t size : {1u, 64u, 4096u}) {
         const auto got = read_back(responder, read_of(*buffer, 0, size));
         responder.require(rule<"RDMAP-5.2.1-3">, got.has_value(), "a Read Response",
                           octets_text(got, responder.last()));
         responder.require(rule<"RDMAP-5.2.1-10">, got && got->size() == size, fmt::format("{} octets", size),
                           octets_text(got, responder.last()));
       }
       responder.expect_goes_on(rule<"RDMAP-5.2.1-4">, "Reads followed by a Send");
       const Response answer = responder.await(responder.in(responder.run().silence_time()),
                                               [](const Response& one) { return one.is_send(); });
       responder.require(rule<"RDMAP-5.2.1-4">, !answer.is_send(), "one Send, the echo", to_text(answer));
     }),
     Service::echo},
    {"rdmap/{}-answers-empty-reads",
     {&rule<"RDMAP-5.2.1-12">, &rule<"RDMAP-5.2.1-10">},
     "The IUT answers a Read Request for no octets of an STag that was not advertised.",
     with_each([](auto& peer) {
       const auto got = read_back(peer, {.sink_stag = kOurSinkStag,
                                         .sink_to = kOurSinkTo,
                                         .source_stag = kNobodysStag,
                                         .source_to = ~std::uint64_t{0}});
       peer.require(rule<"RDMAP-5.2.1-12">, got.has_value() || !peer.last().is(Opcode::terminate),
                    "a Read Response of no octets", octets_text(got, peer.last()));
       peer.require(rule<"RDMAP-5.2.1-10">, got && got->empty(), "a Read Response of no octets",
                    octets_text(got, peer.last()));
     })},
    {"rdmap/responder-has-room-for-the-reads-negotiated",
     {&rule<"RDMAP-5.2.2-2">},
     "The responder answers as many concurrent Read Requests as the IRD of its reply allows.",
     with<responder_has_room>()},
    {"rdmap/initiator-has-room-for-the-reads-negotiated",
     {&rule<"RDMAP-5.2.2-2">},
     "The initiator answers as many concurrent Read Requests as the IRD of its request allows.",
     with<initiator_has_room>()},
    // I-21: the data begins and ends within a page and has the maximum length.
    {"rdmap/{}-answers-reads-from-odd-places",
     {&rule<"RDMAP-5.2.1-10">},
     "The IUT answers Reads that begin and end anywhere in a buffer, up to the whole of it.",
     with_each([](auto& peer) {
       const auto buffer =
           need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read and written");
       if (!buffer) return;
       const auto length = static_cast<std::uint32_t>(std::min<std::uint64_t>(buffer->length, 65536));
       const OctetBuffer data = sample_octets(length);
       constexpr std::uint32_t kPart = 1024;
       for (std::uint32_t at = 0; at < length; at += kPart)
         peer.write(Octets(data).subspan(at, std::min(kPart, length - at)), buffer->stag, buffer->to + at);
       struct Place {
         std::uint32_t at, size;
       };
       for (const auto& [at, size] :
            {Place{0, length}, Place{1, length - 1}, Place{0, length - 1}, Place{3, length - 6}, Place{4093, 3}}) {
         const auto got = read_back(peer, read_of(*buffer, at, size));
         peer.require(rule<"RDMAP-5.2.1-10">, got && std::ranges::equal(*got, Octets(data).subspan(at, size)),
                      octets_text(Octets(data).subspan(at, size)), octets_text(got, peer.last()),
                      fmt::format("{} octets from octet {}", size, at));
       }
     })},
};

// A Read Request for zero octets, with this many octets after its DDP header.
template <class Peer>
void refuses_request(Peer& peer, std::size_t octets) {
  OctetBuffer payload;
  encode(ReadRequest{.sink_stag = kOurSinkStag}, payload);
  payload.resize(octets);
  peer.send_segment(peer.untagged(Opcode::read_request), payload);
  peer.message_sent(kReadRequestQueue);
  const Response answer = peer.await(peer.in(peer.run().answer_time()), [](const Response& one) {
    return one.is(Opcode::terminate) || one.is(Opcode::read_response);
  });
  peer.judge(rule<"RDMAP-5.2.1-5">, answer, {terminates(), noted(closes())},
             fmt::format("{} octets after the DDP header, where a Read Request has {}", octets, layout::kReadRequest));
}

// I-10: the later of two Reads is answered first. A fenced Send would have to wait for both.
void answers_out_of_order(ServedInitiator& initiator) {
  std::vector<ReadRequest> reads;
  while (initiator.ok() && reads.size() < 2) {
    const Response answer = initiator.take(initiator.in(initiator.run().silence_time()));
    if (answer.is(Response::Kind::nothing) || answer.ended())
      return initiator.skip("the initiator does not have two Reads outstanding");
    const auto read = read_request_in(answer);
    if (read && read->size > 0) reads.push_back(*read);
  }
  if (!initiator.ok()) return;
  if (reads[0].sink_stag == reads[1].sink_stag && reads[0].sink_to == reads[1].sink_to)
    return initiator.skip("both Reads have the same sink");
  initiator.answer(reads[1]);
  initiator.answer(reads[0]);
  expect_refusal_or_note(initiator, rule<"RDMAP-5.2.2-5">, {refuses_response()},
                         "the later of two Reads was answered first");
}

const CaseRow kResponseCases[] = {
    {"rdmap/{}-refuses-short-read-requests",
     {&rule<"RDMAP-5.2.1-5">},
     "The IUT refuses a Read Request of 24 octets.",
     with_each([](auto& peer) { refuses_request(peer, 24); })},
    {"rdmap/{}-refuses-long-read-requests",
     {&rule<"RDMAP-5.2.1-5">},
     "The IUT refuses a Read Request of 32 octets.",
     with_each([](auto& peer) { refuses_request(peer, 32); })},
    {"rdmap/{}-refuses-responses-unasked",
     {&rule<"RDMAP-5.2.2-4">},
     "The IUT refuses an unsolicited Read Response to an STag that was not advertised.",
     with_each([](auto& peer) {
       peer.send_segment(Probe::tagged(Opcode::read_response, kNobodysStag, 0), sample_octets(8));
       expect_refusal(peer, rule<"RDMAP-5.2.2-4">, {refuses_response()}, "a response without a request");
     })},
    {"rdmap/initiator-refuses-responses-to-other-stags",
     {&rule<"RDMAP-5.2.2-4">},
     "The initiator refuses a Read Response to an STag that was not advertised.",
     with<ReadingInitiator>([](ReadingInitiator& initiator) {
       initiator.respond(sample_octets(initiator.read().size), true, [](ddp::Header& h) { h.stag = kNobodysStag; });
       expect_refusal(initiator, rule<"RDMAP-5.2.2-4">, {refuses_response()}, "an STag other than the sink's");
     })},
    {"rdmap/initiator-refuses-responses-beyond-the-sink",
     {&rule<"RDMAP-5.2.2-4">},
     "The initiator refuses a Read Response to a TO far beyond the sink.",
     with<ReadingInitiator>([](ReadingInitiator& initiator) {
       initiator.respond(sample_octets(initiator.read().size), true,
                         [](ddp::Header& h) { h.to += std::uint64_t{1} << 40; });
       expect_refusal(initiator, rule<"RDMAP-5.2.2-4">, {refuses_response()}, "a TO far beyond the sink");
     })},
    {"rdmap/initiator-refuses-responses-that-wrap",
     {&rule<"RDMAP-5.2.2-4">},
     "The initiator refuses a Read Response whose TO and length together exceed 2^64.",
     with<ReadingInitiator>([](ReadingInitiator& initiator) {
       initiator.respond(sample_octets(initiator.read().size), true,
                         [](ddp::Header& h) { h.to = ~std::uint64_t{0} - 3; });
       expect_refusal(initiator, rule<"RDMAP-5.2.2-4">, {refuses_response()}, "TO and length together exceed 2^64");
     })},
    {"rdmap/initiator-and-a-response-that-is-too-long",
     {&rule<"RDMAP-5.2.2-5">},
     "The initiator refuses a Read Response that continues after the requested octets.",
     with<ReadingInitiator>([](ReadingInitiator& initiator) {
       initiator.respond(initiator.data(), false);
       initiator.respond(sample_octets(64), true);
       expect_refusal_or_note(initiator, rule<"RDMAP-5.2.2-5">, {refuses_response()}, "64 octets more than requested");
     })},
    {"rdmap/initiator-and-a-response-that-is-too-short",
     {&rule<"RDMAP-5.2.2-5">},
     "The initiator refuses a Read Response that ends before the requested octets do.",
     with<ReadingInitiator>([](ReadingInitiator& initiator) {
       initiator.respond(sample_octets(initiator.read().size - 1), true);
       expect_refusal_or_note(initiator, rule<"RDMAP-5.2.2-5">,
                              {refuses_response(), terminates(error::kOperationUnspecified)},
                              "one octet less than requested");
     })},
    {"rdmap/initiator-refuses-a-second-response",
     {&rule<"RDMAP-5.2.2-4">},
     "The initiator refuses a second Read Response, to an STag that was not advertised, after a valid one.",
     with<ReadingInitiator>([](ReadingInitiator& initiator) {
       initiator.respond(initiator.data(), true);
       initiator.send_segment(Probe::tagged(Opcode::read_response, kNobodysStag, 0), sample_octets(8));
       expect_refusal(initiator, rule<"RDMAP-5.2.2-4">, {refuses_response()}, "a second response to one request");
     })},
    {"rdmap/initiator-and-responses-out-of-order",
     {&rule<"RDMAP-5.2.2-5">},
     "The initiator refuses a response to the later of two outstanding Reads that comes first.",
     {.initiator =
          [](CaseRun& run) {
            ServedInitiator initiator(run, {.count = 4, .parallel = true});
            answers_out_of_order(initiator);
          }}},
};

}  // namespace

std::vector<Case> read_cases() {
  return cases_of_tables({kResponderCases, kResponseCases});
}

}  // namespace wirelaw::rdmap
