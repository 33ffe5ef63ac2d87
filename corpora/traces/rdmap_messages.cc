// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of RDMA Messages (RFC 5040, 4.1 to 4.7, 5 and 6.1). For each rule, one connection breaks it and
// no other rule, and one exercises it without a finding.
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {
namespace {

using ddp::Header;
using rdmap::Control;
using rdmap::Opcode;
using rdmap::ReadRequest;
using Builder = RdmapTraceBuilder;

constexpr Side kA = Side::a, kB = Side::b;
constexpr Severity kWarning = Severity::warning;
constexpr ReadRequest kRead = Builder::kRead;

// A read into buffer `number` after that of kRead.
constexpr ReadRequest other_read(std::uint32_t number) {
  ReadRequest read = kRead;
  read.sink_stag += number;
  read.sink_to += 0x10000ull * number;
  return read;
}
constexpr ReadRequest read_of(std::uint32_t size) {
  ReadRequest read = kRead;
  read.size = size;
  return read;
}

// Sends a Send of eight octets with this control field.
void send_controlled(Builder& s, Control control) {
  s.start();
  s.send(kA, pattern(8), Opcode::send, 0, [&](Header& h) { h.rsvd_ulp = rdmap::encode_control(control); });
}
constexpr Control opcode(std::uint8_t number) {
  return {.opcode = number};
}

// A tagged header for an opcode that is untagged by figure 4.
template <Opcode kOpcode>
void tagged(Builder& s) {
  s.start();
  s.segment(kA, Builder::tagged(kOpcode, Builder::kStag, 0), pattern(40));
}
// An untagged header for an opcode that is tagged by figure 4.
template <Opcode kOpcode>
void untagged(Builder& s) {
  s.start();
  Header header = s.untagged(kA, kOpcode);
  header.qn = 0;
  s.segment(kA, header, pattern(40));
}
// A message on queue 2 instead of its opcode's queue.
template <Opcode kOpcode>
void on_queue_2(Builder& s) {
  s.start();
  s.send(kA, pattern(8), kOpcode, 0, [](Header& h) { h.qn = 2; });
  s.send(kA, pattern(8));
}
// A Send whose Invalidate STag field is not zero.
template <Opcode kOpcode>
void invalidates(Builder& s) {
  s.start();
  s.send(kA, pattern(8), kOpcode, Builder::kStag);
}

void read_request_of(Builder& s, std::size_t octets) {
  s.start();
  OctetBuffer payload;
  rdmap::encode(kRead, payload);
  payload.resize(octets);
  s.segment(kA, s.untagged(kA, Opcode::read_request), payload);
}

// Sends a Read Request in two segments, the first with `octets` octets.
void read_request_in_two(Builder& s, std::size_t octets) {
  OctetBuffer payload;
  rdmap::encode(kRead, payload);
  Header header = s.untagged(kA, Opcode::read_request);
  header.last = false;
  s.segment(kA, header, Octets(payload).first(octets));
  header.last = true;
  header.mo = static_cast<std::uint32_t>(octets);
  s.segment(kA, header, Octets(payload).subspan(octets));
  s.numbered(kA, rdmap::kReadRequestQueue);
}

// Sends a Read Response to kRead in two segments, with `first` and `second` octets.
void response_in_two(Builder& s, std::size_t first, std::size_t second) {
  s.read_response(kB, pattern(first), kRead, [](Header& h) { h.last = false; });
  s.read_response(kB, pattern(second), kRead, [&](Header& h) { h.to += first; });
}

void enhanced(Builder& s, std::uint16_t initiator_ord, std::uint16_t responder_ord) {
  const auto set = [&](std::uint16_t ird, std::uint16_t ord) {
    return [=](mpa::EnhancedData& data) { data.ird = ird, data.ord = ord; };
  };
  s.enhanced_start(set(responder_ord, initiator_ord), set(initiator_ord, responder_ord));
}

const RdmapSample kSamples[] = {
    {"RDMAP-4.1-4", "RV is 00b, as the RDMA Consortium's protocol has it, on a stream of MPA revision 1.",
     [](Builder& s) { send_controlled(s, {.version = 0, .opcode = 3}); }},
    {"RDMAP-4.1-4", "RV is 11b.", [](Builder& s) { send_controlled(s, {.version = 3, .opcode = 3}); }, "unknown"},
    {"RDMAP-4.1-5", "A reserved bit of the RDMAP control field is set.",
     [](Builder& s) { send_controlled(s, {.reserved = 2, .opcode = 3}); }},
    {"RDMAP-4.1-7", "A message of reserved opcode 12.", [](Builder& s) { send_controlled(s, opcode(12)); }},
    {"RDMAP-4.1-7", "An Immediate Data message, though RFC 7306 is not declared.",
     [](Builder& s) { send_controlled(s, opcode(8)); }, "undeclared-extension", kWarning},
    {"RDMAP-4.1-7", "A message of the opcode that is kept for experiments.",
     [](Builder& s) { send_controlled(s, opcode(15)); }, "experiment", kWarning},
    {"RDMAP-4.1-10", "A Write in an untagged header.", untagged<Opcode::write>},
    {"RDMAP-4.1-11", "A Read Request in a tagged header.", tagged<Opcode::read_request>},
    {"RDMAP-4.1-12", "A Read Response in an untagged header.",
     [](Builder& s) {
       s.start();
       s.read_request(kA);
       Header header = s.untagged(kB, Opcode::read_response);
       s.segment(kB, header, pattern(64));
       s.read(kA, other_read(1));
     }},
    {"RDMAP-4.1-13", "A Send in a tagged header.",
     [](Builder& s) {
       tagged<Opcode::send>(s);
       s.numbered(kA, rdmap::kSendQueue);
       s.send(kA, pattern(8));
     }},
    {"RDMAP-4.1-14", "A Send with Invalidate in a tagged header.", tagged<Opcode::send_invalidate>},
    {"RDMAP-4.1-15", "A Send with Solicited Event in a tagged header.", tagged<Opcode::send_se>},
    {"RDMAP-4.1-16", "A Send with Solicited Event and Invalidate in a tagged header.",
     tagged<Opcode::send_se_invalidate>},
    {"RDMAP-4.1-17", "A Terminate in a tagged header.", tagged<Opcode::terminate>},
    {"RDMAP-4.1-21", "A Read Request on queue 0.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       s.read_request(kA, kRead, [](Header& h) { h.qn = 0; });
     }},
    {"RDMAP-4.1-23", "A Send on queue 2.", on_queue_2<Opcode::send>},
    {"RDMAP-4.1-23", "A Send on queue 7, which no protocol has.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8), Opcode::send, 0, [](Header& h) { h.qn = 7; });
       s.send(kA, pattern(8));
     },
     "no-such-queue"},
    {"RDMAP-4.1-24", "A Send with Invalidate on queue 2.", on_queue_2<Opcode::send_invalidate>},
    {"RDMAP-4.1-25", "A Send with Solicited Event on queue 2.", on_queue_2<Opcode::send_se>},
    {"RDMAP-4.1-26", "A Send with Solicited Event and Invalidate on queue 2.", on_queue_2<Opcode::send_se_invalidate>},
    {"RDMAP-4.1-27", "A Terminate on queue 0.",
     [](Builder& s) {
       s.start();
       s.terminate(kA, {.error = rdmap::error::kLocalCatastrophic}, [](Header& h) { h.qn = 0; });
     }},
    {"RDMAP-4.1-31", "A Read Request with an Invalidate STag.",
     [](Builder& s) {
       s.start();
       s.read_request(kA, kRead, [](Header& h) { h.rsvd_ulp_rest = Builder::kStag; });
       s.read_response(kB, pattern(64));
     }},
    {"RDMAP-4.1-33", "A Send with an Invalidate STag.", invalidates<Opcode::send>},
    {"RDMAP-4.1-35", "A Send with Solicited Event with an Invalidate STag.", invalidates<Opcode::send_se>},
    {"RDMAP-4.1-37", "A Terminate with an Invalidate STag.",
     [](Builder& s) {
       s.start();
       s.terminate(kA, {.error = rdmap::error::kLocalCatastrophic},
                   [](Header& h) { h.rsvd_ulp_rest = Builder::kStag; });
     }},
    {"RDMAP-4.2-1", "A Read Request of 27 octets behind the DDP header.", [](Builder& s) { read_request_of(s, 27); }},
    {"RDMAP-4.2-1", "A Read Request of no octets behind the DDP header.", [](Builder& s) { read_request_of(s, 0); },
     "empty"},
    {"RDMAP-4.2-2", "A Read Request of 29 octets behind the DDP header.", [](Builder& s) { read_request_of(s, 29); }},
    {"RDMAP-4.4-1",
     "A Read Request in two segments, and its response.",
     [](Builder& s) {
       s.start();
       read_request_in_two(s, 20);
       s.read_response(kB, pattern(64));
     },
     {},
     kWarning},
    {"RDMAP-4.4-3", "A Read Response into another STag.",
     [](Builder& s) {
       s.start();
       s.read_request(kA);
       s.read_response(kB, pattern(64), kRead, [](Header& h) { h.stag ^= 1; });
     }},
    {"RDMAP-4.4-3", "A Read Response of no octets into another STag.",
     [](Builder& s) {
       s.start();
       s.read_request(kA, read_of(0));
       s.read_response(kB, {}, kRead, [](Header& h) { h.stag = 0; });
     },
     "empty", kWarning},
    {"RDMAP-4.4-4", "A Read Response of no octets at another offset.",
     [](Builder& s) {
       s.start();
       s.read_request(kA, read_of(0));
       s.read_response(kB, {}, kRead, [](Header& h) { h.to = 0; });
     },
     "empty", kWarning},
    {"RDMAP-4.4-4", "A Read Response that begins an octet too far.",
     [](Builder& s) {
       s.start();
       s.read_request(kA);
       s.read_response(kB, pattern(64), kRead, [](Header& h) { ++h.to; });
     }},
    {"RDMAP-4.4-5", "A Read Response of an octet more than was asked for.",
     [](Builder& s) {
       s.start();
       s.read_request(kA);
       s.read_response(kB, pattern(65));
       s.read(kA, other_read(1));
     }},
    {"RDMAP-4.4-5", "A Read Response of an octet less than was asked for.",
     [](Builder& s) {
       s.start();
       s.read_request(kA);
       response_in_two(s, 32, 31);
       s.read(kA, other_read(1));
     },
     "short"},
    {"RDMAP-4.4-5", "A Read Response that goes on and on without L.",
     [](Builder& s) {
       s.start();
       s.read_request(kA);
       for (std::uint64_t at = 0; at < 256; at += 32)
         s.read_response(kB, pattern(32), kRead, [&](Header& h) { h.last = false, h.to += at; });
     },
     "without-end"},
    {"RDMAP-5.2-1", "A Read Response that nobody asked for.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       s.read_response(kB, pattern(64));
     }},
    {"RDMAP-5.2-1", "A second Read Response to one request.",
     [](Builder& s) {
       s.start();
       s.read(kA);
       s.read_response(kB, pattern(64));
       s.read(kA, other_read(1));
     },
     "second"},
    {"RDMAP-5.2.1-13", "A request for no octets is answered by eight.",
     [](Builder& s) {
       s.start();
       s.read_request(kA, read_of(0));
       s.read_response(kB, pattern(8));
     }},
    {"RDMAP-5.2.2-6", "The second of three requests is answered first.",
     [](Builder& s) {
       s.start();
       for (std::uint32_t number = 0; number < 3; ++number) s.read_request(kA, other_read(number));
       for (const std::uint32_t number : {1u, 0u, 2u}) s.read_response(kB, pattern(64), other_read(number));
     }},
    {"RDMAP-6.1-6", "The initiator has a third Read outstanding, where two were negotiated.",
     [](Builder& s) {
       enhanced(s, 2, 2);
       for (std::uint32_t number = 0; number < 3; ++number) s.read_request(kA, other_read(number));
       for (std::uint32_t number = 0; number < 3; ++number) s.read_response(kB, pattern(64), other_read(number));
     }},
    {"RDMAP-6.1-6", "The responder has a second Read outstanding, where one was negotiated.",
     [](Builder& s) {
       enhanced(s, 4, 1);
       for (std::uint32_t number = 0; number < 2; ++number) s.read_request(kB, other_read(number));
       for (std::uint32_t number = 0; number < 2; ++number) s.read_response(kA, pattern(64), other_read(number));
     },
     "responder"},
    {"", "Every message that RFC 5040 knows, but for the Terminate, both ways.",
     [](Builder& s) {
       s.start();
       for (const Side side : {kA, kB}) {
         s.send(side, pattern(8));
         s.send(side, pattern(8), Opcode::send_invalidate, Builder::kStag);
         s.send(side, pattern(8), Opcode::send_se);
         s.send(side, {}, Opcode::send_se_invalidate, Builder::kStag);
         s.write(side, pattern(1000));
         s.read(side);
       }
       s.close(kA);
       s.close(kB);
     },
     "messages"},
    {"", "Reads of one, several and no octets, several outstanding, answered in one segment and in more.",
     [](Builder& s) {
       s.start();
       s.read_request(kA);
       response_in_two(s, 32, 32);
       s.read_request(kA);
       response_in_two(s, 64, 0);
       s.read_request(kA, read_of(0));
       s.read_response(kB, {});
       s.read(kB, read_of(1));
       for (std::uint32_t number = 0; number < 5; ++number) s.read_request(kA, other_read(number));
       for (std::uint32_t number = 0; number < 5; ++number) s.read_response(kB, pattern(64), other_read(number));
       s.read_request(kA);
       s.read_request(kA);
       s.read_response(kB, pattern(64));
       s.read_response(kB, pattern(64));
     },
     "reads"},
    {"", "As many Reads outstanding as were negotiated, both ways.",
     [](Builder& s) {
       enhanced(s, 3, 2);
       for (int round = 0; round < 2; ++round) {
         for (std::uint32_t number = 0; number < 3; ++number) s.read_request(kA, other_read(number));
         for (std::uint32_t number = 0; number < 2; ++number) s.read_request(kB, other_read(number));
         for (std::uint32_t number = 0; number < 3; ++number) s.read_response(kB, pattern(64), other_read(number));
         for (std::uint32_t number = 0; number < 2; ++number) s.read_response(kA, pattern(64), other_read(number));
       }
     },
     "outstanding-reads"},
    {"", "The depths of the Read queues are left to the ULPs, and a Read as ready-to-receive comes first.",
     [](Builder& s) {
       const auto left = [](mpa::EnhancedData& data) { data.ird = data.ord = mpa::kNoNegotiation; };
       s.enhanced_start(left, left);
       for (std::uint32_t number = 0; number < 9; ++number) s.read_request(kA, other_read(number));
       for (std::uint32_t number = 0; number < 9; ++number) s.read_response(kB, pattern(64), other_read(number));
     },
     "depths-not-negotiated"},
    {"", "A Terminate of a local catastrophe.",
     [](Builder& s) {
       s.start();
       s.terminate(kA, {.error = rdmap::error::kLocalCatastrophic});
       s.close(kA);
     },
     "terminate"},
    {"", "A request and the beginning of a response are missing; so may be what they say.",
     [](Builder& s) {
       s.start();
       s.octets(kA, {});
       s.last().event = StreamEvent::gap;
       s.last().missing = 52;
       s.read_response(kB, pattern(64), kRead, [](Header& h) { h.last = false; });
       s.read_response(kB, pattern(64), kRead, [](Header& h) { h.to += 64; });
       s.read(kA, other_read(1));
     },
     "gap-in-requests"},
};

}  // namespace

std::span<const RdmapSample> rdmap_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
