// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/rdmap/terminate_cases.h"

#include <algorithm>

namespace wirelaw::rdmap {
namespace {

using enum Fault::Carries;

OctetBuffer sent(Probe& probe, const ddp::Header& header, Octets payload, const Probe::Faults& faults = {}) {
  OctetBuffer ulpdu = Probe::ulpdu_of(header, payload);
  probe.send_fpdu(ulpdu, faults);
  return ulpdu;
}

template <class Edit>
OctetBuffer bad_send(Probe& probe, Edit edit, Opcode opcode = Opcode::send) {
  ddp::Header header = probe.untagged(opcode);
  edit(header);
  return sent(probe, header, sample_octets(24));
}

constexpr Fault kFaults[] = {
    {"a-reserved-opcode", "a Send with opcode 12",
     [](Probe& probe) { return bad_send(probe, [](ddp::Header& h) { h.rsvd_ulp = encode_control({.opcode = 12}); }); },
     ddp_header},
    {"an-rdmap-version", "a Send of RDMAP version 2",
     [](Probe& probe) {
       return bad_send(probe, [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 3}); });
     },
     ddp_header},
    {"a-ddp-version", "a Send of DDP version 2",
     [](Probe& probe) { return bad_send(probe, [](ddp::Header& h) { h.version = 2; }); }, ddp_header_if_readable},
    {"a-tagged-ddp-version", "a Write of DDP version 2",
     [](Probe& probe) {
       ddp::Header header = Probe::tagged(Opcode::write, kNobodysStag, 0);
       header.version = 2;
       return sent(probe, header, sample_octets(24));
     },
     ddp_header_if_readable},
    {"a-queue", "a Send on queue 9", [](Probe& probe) { return bad_send(probe, [](ddp::Header& h) { h.qn = 9; }); },
     ddp_header},
    {"an-msn", "a Send whose MSN is three too high",
     [](Probe& probe) { return bad_send(probe, [](ddp::Header& h) { h.msn += 3; }); }, ddp_header},
    {"an-mo", "a Send that begins near the highest MO",
     [](Probe& probe) { return bad_send(probe, [](ddp::Header& h) { h.mo = 0xffffff00; }); }, ddp_header},
    {"a-write", "a Write to an STag that was not advertised",
     [](Probe& probe) { return sent(probe, Probe::tagged(Opcode::write, kNobodysStag, 0x40), sample_octets(24)); },
     ddp_header},
    {"a-read", "a Read of an STag that was not advertised",
     [](Probe& probe) {
       OctetBuffer payload;
       encode(ReadRequest{.sink_stag = kOurSinkStag,
                          .sink_to = kOurSinkTo,
                          .size = 24,
                          .source_stag = kNobodysStag,
                          .source_to = 0x40},
              payload);
       return sent(probe, probe.untagged(Opcode::read_request), payload);
     },
     read_request},
    {"an-invalidation", "a Send with Invalidate of an STag that was not advertised",
     [](Probe& probe) {
       return bad_send(
           probe, [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; }, Opcode::send_invalidate);
     },
     ddp_header},
    {"a-response", "an unsolicited Read Response",
     [](Probe& probe) {
       return sent(probe, Probe::tagged(Opcode::read_response, kNobodysStag, 0x40), sample_octets(24));
     },
     ddp_header},
    {"a-crc", "a Send with a wrong CRC",
     [](Probe& probe) { return sent(probe, probe.untagged(Opcode::send), sample_octets(24), {.crc_xor = 1}); },
     nothing},
};

std::string text_of(const Terminate& terminate) {
  return fmt::format("{}: M {:d}, D {:d}, R {:d}, length {}, {} octets of DDP header, {} of RDMA header",
                     to_string(terminate.error), terminate.has_length, terminate.has_ddp_header,
                     terminate.has_rdma_header, terminate.ddp_segment_length, terminate.ddp_header.size(),
                     terminate.rdma_header.size());
}

}  // namespace

std::span<const Fault> faults() {
  return kFaults;
}

const Fault& fault(std::string_view name) {
  return *std::ranges::find(kFaults, name, &Fault::name);
}

Response await_terminate(Probe& probe) {
  return probe.await(probe.in(probe.run().answer_time()), [](const Response& answer) {
    return answer.is(Opcode::terminate) || answer.is(Response::Kind::unreadable);
  });
}

void judge_carried(Probe& probe, const Rule& rule, const Response& answer, Octets ulpdu, Fault::Carries carries) {
  const auto terminate = answer.terminate();
  if (!probe.ok() || !terminate) return;
  const std::string got = text_of(*terminate);
  const bool bare = !terminate->has_length && !terminate->has_ddp_header && !terminate->has_rdma_header;
  if (carries == nothing) {
    probe.advise(rule, bare, "no headers", got, "such an error concerns no message");
    return;
  }
  const auto segment = ddp::decode(ulpdu);
  const std::size_t header = segment->header.octets();
  const std::string wanted =
      fmt::format("M and D{}, length {}, {} octets of DDP header{}", carries == read_request ? " and R" : "",
                  ulpdu.size(), header, carries == read_request ? ", 28 of RDMA header" : "");
  if (bare && carries != ddp_header_if_readable)
    probe.advise(rule, false, wanted, got, "nothing states which message was invalid");
  if (bare) return;
  const bool whole = terminate->has_length && terminate->has_ddp_header && !terminate->cut;
  if (!probe.require(rule, whole, wanted, got)) return;
  if (!probe.require(rule, std::ranges::equal(terminate->ddp_header, ulpdu.first(header)),
                     "the DDP header of the invalid message: " + octets_text(ulpdu.first(header)),
                     octets_text(terminate->ddp_header)))
    return;
  const bool payload_only = terminate->ddp_segment_length + header == ulpdu.size() ||
                            (carries == read_request && terminate->ddp_segment_length == 0);
  if (payload_only)
    probe.advise(rule, false, wanted, got, "the length of the payload");
  else
    probe.require(rule, terminate->ddp_segment_length == ulpdu.size(), wanted, got);
  if (carries != read_request) {
    probe.require(rule, !terminate->has_rdma_header, wanted, got);
    return;
  }
  probe.require(rule, std::ranges::equal(terminate->rdma_header, ulpdu.subspan(header)),
                "the header of the Read Request: " + octets_text(ulpdu.subspan(header)),
                octets_text(terminate->rdma_header));
}

void expect_end(Probe& probe, const Rule& rule, std::string_view explanation) {
  const auto await_end = [&] {
    return probe.await(probe.in(probe.run().answer_time()), [](const Response&) { return false; });
  };
  Response answer = await_end();
  if (!answer.ended()) {
    probe.end(Ending::closed);
    answer = await_end();
    if (answer.ended())
      probe.advise(rule, false, "the end of the connection", "its end after the other side closed", explanation);
  }
  probe.judge(rule, answer, {closes()}, explanation);
}

void send_terminate(Probe& probe, Octets payload, const Probe::HeaderEdit& edit) {
  ddp::Header header = probe.untagged(Opcode::terminate);
  if (edit) edit(header);
  probe.send_segment(header, payload);
  probe.message_sent(kTerminateQueue);
}

void send_terminate(Probe& probe, const Terminate& terminate, const Probe::HeaderEdit& edit) {
  OctetBuffer payload;
  encode(terminate, payload);
  send_terminate(probe, Octets(payload), edit);
}

}  // namespace wirelaw::rdmap
