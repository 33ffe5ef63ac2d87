// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3, for the requester: the handling of READRSP, CTSDATA and ATOMRSP. A requester that reads back and
// checks what it has written continues only if it has received the right octets.
#include <fmt/format.h>

#include "conformance/efa/3.3-requester/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

// The requester's first packet of this type, unanswered. Serves earlier packets. Skips the case if none comes.
const Received* await_request(RequesterProbe& requester, PacketType type) {
  requester.leave([type](const Received& one) { return one.is(type); });
  requester.trigger({.octets = 32, .count = 1});
  return requester.need(type);
}

// The octets that the request asks for, read from the tester's memory.
OctetBuffer wanted_by(RequesterProbe& requester, const Received& request) {
  OctetBuffer all;
  for (std::size_t i = 0; i < rma_iov_count(request.packet.rma_iov); ++i) {
    const RmaIov iov = rma_iov_at(request.packet.rma_iov, i);
    const OctetBuffer part = requester.intake().memory().read(iov.addr, iov.len);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

Packet readrsp_to(const RequesterProbe& requester, const Received& request, Octets data) {
  Packet packet = requester.answer(PacketType::readrsp);
  packet.recv_id = request.packet.recv_id;
  packet.send_id = 0x7001;
  packet.recv_length = data.size();
  packet.payload = data;
  return packet;
}

Packet atomrsp_to(const RequesterProbe& requester, const Received& request, Octets data) {
  Packet packet = requester.answer(PacketType::atomrsp);
  packet.recv_id = request.packet.recv_id;
  packet.seg_length = data.size();
  packet.payload = data;
  return packet;
}

Packet ctsdata_to(const Received& request, std::uint64_t offset, Octets data) {
  Packet packet = packet_of(PacketType::ctsdata);
  packet.recv_id = request.packet.recv_id;
  packet.seg_offset = offset;
  packet.seg_length = data.size();
  packet.payload = data;
  return packet;
}

// The requester continues with another request, now that everything is served again.
bool expect_another_request(RequesterProbe& requester, const Rule& rule, std::size_t before,
                            std::string_view explanation = {}) {
  requester.leave({});
  requester.resume();
  requester.await_until(requester.in(2 * requester.run().answer_time()), [&] { return requester.requests() > before; });
  return requester.require(rule, requester.requests() > before, "the requester accepts the answer and continues",
                           "no further request", explanation);
}

// The requester continues, or has given this responder up and serves another.
void expect_unharmed(RequesterProbe& requester, const Rule& rule, std::size_t before) {
  if (!requester.ok()) return;
  requester.leave({});
  requester.resume();
  requester.await_until(requester.in(requester.run().answer_time()), [&] { return requester.requests() > before; });
  if (requester.requests() > before)
    requester.require(rule, true, {}, {});
  else
    requester.expect_new_start(rule);
}

// ------------------------------------------------------------------------ answers of both kinds, READRSP and ATOMRSP

struct Answer {
  PacketType request;
  Packet (*to)(const RequesterProbe&, const Received&, Octets);
  std::uint64_t Packet::*length;  // the field with the packet's data length
};
constexpr Answer kReadrspTo{PacketType::short_rtr, readrsp_to, &Packet::recv_length};
constexpr Answer kAtomrspTo{PacketType::fetch_rta, atomrsp_to, &Packet::seg_length};

CaseRow answered(std::string_view id, const Rule& rule, std::string_view purpose, const Answer& answer,
                 void (*body)(RequesterProbe&, const Rule&, const Answer&, const Received&)) {
  return {id, {&rule}, purpose, with<RequesterProbe>([&rule, answer, body](RequesterProbe& requester) {
            const Received* const request = await_request(requester, answer.request);
            if (request != nullptr) body(requester, rule, answer, *request);
          })};
}

void send_answer(RequesterProbe& requester, const Rule& rule, const Answer& answer, const Received& request) {
  const OctetBuffer data = wanted_by(requester, request);
  const std::size_t before = requester.requests();
  requester.send(answer.to(requester, request, data));
  expect_another_request(requester, rule, before);
}

void send_wrong_lengths(RequesterProbe& requester, const Rule& rule, const Answer& answer, const Received& request) {
  OctetBuffer data = wanted_by(requester, request);
  const std::size_t octets = data.size();
  const std::size_t before = requester.requests();
  data.resize(octets + 64, 0x5a);
  for (const std::size_t some : {std::size_t{0}, octets - 1, octets + 1, octets + 64})
    requester.send(answer.to(requester, request, Octets(data).first(some)));
  for (const std::uint64_t says :
       {std::uint64_t{0}, std::uint64_t{octets} + 1, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    Packet packet = answer.to(requester, request, Octets(data).first(octets));
    packet.*answer.length = says;
    requester.send(packet);
  }
  expect_unharmed(requester, rule, before);
}

void repeat_answer(RequesterProbe& requester, const Rule& rule, const Answer& answer, const Received& request) {
  const OctetBuffer data = wanted_by(requester, request);
  const std::size_t before = requester.requests();
  const OctetBuffer packet = encode(answer.to(requester, request, data));
  for (unsigned i = 0; i < 3; ++i) requester.send_octets(packet);
  expect_another_request(requester, rule, before);
  requester.send_octets(packet);
  requester.expect_new_start(rule);
}

const CaseRow kRows[] = {
    answered("read/answer-to-requester", rule<"EFA-3.3-267">, "The requester accepts the READRSP to a short read.",
             kReadrspTo, send_answer),
    {"read/data-in-any-order-to-requester",
     {&rule<"EFA-3.3-261">},
     "The requester accepts CTSDATA of a long read's first window that arrive backwards and before the READRSP.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const Received* const request = await_request(requester, PacketType::longcts_rtr);
       if (request == nullptr) return;
       const OctetBuffer data = wanted_by(requester, *request);
       const std::size_t window = std::min<std::size_t>(request->packet.recv_length, data.size());
       const std::size_t first = std::min<std::size_t>(window, 500);
       const std::size_t segment = std::min<std::size_t>(8'000, requester.packet_octets() - 32);
       std::vector<OctetBuffer> packets{encode(readrsp_to(requester, *request, Octets(data).first(first)))};
       for (std::size_t at = first; at < window; at += segment)
         packets.push_back(encode(ctsdata_to(*request, at, Octets(data).subspan(at, std::min(segment, window - at)))));
       std::size_t before = requester.requests();
       for (std::size_t i = packets.size(); i-- > 0;) requester.send_octets(packets[i]);
       std::size_t sent = window;
       while (sent < data.size() && requester.ok()) {
         const Received* const cts = requester.await([](const Received& one) { return one.is(PacketType::cts); });
         requester.require(rule<"EFA-3.3-261">, cts != nullptr, "a CTS for the next window", "none");
         if (cts == nullptr) return;
         const std::size_t end = sent + std::min<std::size_t>(cts->packet.recv_length, data.size() - sent);
         for (; sent < end; sent += std::min(segment, end - sent))
           requester.send(ctsdata_to(*request, sent, Octets(data).subspan(sent, std::min(segment, end - sent))));
       }
       expect_another_request(requester, rule<"EFA-3.3-261">, before);
     })},
    {"read/part-to-requester",
     {&rule<"EFA-3.3-262">},
     "The requester waits while it has the octets of the READRSP but not those of the CTSDATA.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const Received* const request = await_request(requester, PacketType::longcts_rtr);
       if (request == nullptr) return;
       const OctetBuffer data = wanted_by(requester, *request);
       requester.send(readrsp_to(requester, *request, Octets(data).first(std::min<std::size_t>(data.size() - 1, 500))));
       requester.leave({});
       requester.expect_no_request(rule<"EFA-3.3-262">);
     })},
    {"read/no-readrsp-to-requester",
     {&rule<"EFA-3.3-268">},
     "The requester keeps working after CTSDATA that bring more than the first window of a long read without a "
     "READRSP.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const Received* const request = await_request(requester, PacketType::longcts_rtr);
       if (request == nullptr) return;
       const OctetBuffer data = wanted_by(requester, *request);
       const std::size_t segment = std::min<std::size_t>(8'000, requester.packet_octets() - 32);
       for (std::size_t at = 0; at < data.size(); at += segment)
         requester.send(ctsdata_to(*request, at, Octets(data).subspan(at, std::min(segment, data.size() - at))));
       requester.settle();
       requester.expect_new_start(rule<"EFA-3.3-268">);
     })},
    answered("read/short-answer-to-requester", rule<"EFA-3.3-263">,
             "The requester keeps working after READRSP with fewer and more octets than requested, and with lengths "
             "that do not match their data.",
             kReadrspTo, send_wrong_lengths),
    {"read/long-answer-spoilt-to-requester",
     {&rule<"EFA-3.3-263">},
     "The requester keeps working after a READRSP that is longer than the long read, and CTSDATA beyond it.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const Received* const request = await_request(requester, PacketType::longcts_rtr);
       if (request == nullptr) return;
       const std::size_t before = requester.requests();
       const OctetBuffer data = sample_octets(1'000, 1);
       Packet packet = readrsp_to(requester, *request, data);
       packet.recv_length = ~std::uint64_t{0};
       requester.send(packet);
       for (const std::uint64_t offset : {request->packet.msg_length - 999, request->packet.msg_length,
                                          std::uint64_t{1} << 40, ~std::uint64_t{0} - 999, ~std::uint64_t{0}})
         requester.send(ctsdata_to(*request, offset, data));
       expect_unharmed(requester, rule<"EFA-3.3-263">, before);
     })},
    answered(
        "read/answer-comes-again-to-requester", rule<"EFA-3.3-264">,
        "The requester continues after a READRSP that comes three times at once, and again after the next request.",
        kReadrspTo, repeat_answer),
    answered("atomic/answer-to-requester", rule<"EFA-3.3-267">,
             "The requester accepts the ATOMRSP to a fetching atomic.", kAtomrspTo, send_answer),
    answered("atomic/answer-of-a-wrong-length-to-requester", rule<"EFA-3.3-265">,
             "The requester keeps working after ATOMRSP with fewer and more octets than requested, and with lengths "
             "that do not match their data.",
             kAtomrspTo, send_wrong_lengths),
    answered(
        "atomic/answer-comes-again-to-requester", rule<"EFA-3.3-266">,
        "The requester continues after an ATOMRSP that comes three times at once, and again after the next request.",
        kAtomrspTo, repeat_answer),
};

}  // namespace

std::vector<Case> one_sided_requester_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
