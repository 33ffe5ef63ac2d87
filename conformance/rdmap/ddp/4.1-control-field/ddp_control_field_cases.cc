// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.1: the effect of the bits of the DDP control field on a receiver.
#include "conformance/rdmap/ddp/4.1-control-field/rules.h"
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/rdmap/4.4-read-request-header/rules.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kPart = 700;

void write_in_parts(Probe& peer, const TargetBuffer& buffer, Octets data) {
  for (std::size_t at = 0; at < data.size(); at += kPart) {
    const Octets part = data.subspan(at, std::min(kPart, data.size() - at));
    peer.write(part, buffer.stag, buffer.to + at, [&](ddp::Header& h) { h.last = at + part.size() == data.size(); });
  }
}

void expect_read(Probe& peer, const Rule& rule, const ReadRequest& request, Octets data, std::string_view why) {
  const auto got = read_back(peer, request);
  peer.require(rule, got && std::ranges::equal(*got, data), octets_text(data), octets_text(got, peer.last()), why);
}

const CaseRow kRows[] = {
    {"ddp/responder-places-writes",
     {&rule<"DDP-4.1-1">, &rule<"DDP-5.2-5">, &rule<"RDMAP-4.4-6">},
     "The IUT returns the octets of a Write in one segment and in three, the latter followed by a Send, when they are "
     "read.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "it may read and write");
       if (!buffer) return;
       const OctetBuffer one = sample_octets(100, 1), three = sample_octets(3 * kPart - 5, 2);
       responder.write(one, buffer->stag, buffer->to);
       responder.expect_goes_on(rule<"DDP-4.1-1">, "a Write followed by a Send");
       expect_read(responder, rule<"DDP-4.1-1">, read_of(*buffer, 0, 100), one, "a Write of one segment");
       write_in_parts(responder, *buffer, three);
       responder.expect_goes_on(rule<"DDP-5.2-5">, "a Write of three segments followed by a Send");
       expect_read(responder, rule<"DDP-5.2-5">, read_of(*buffer, 0, 3 * kPart - 5), three,
                   "a Write of three segments");
       expect_read(responder, rule<"RDMAP-4.4-6">, read_of(*buffer, 9, 50), Octets(three).subspan(9, 50),
                   "fifty octets from the tenth on");
     }),
     Service::echo},
    {"ddp/responder-places-writes-at-odd-places",
     {&rule<"DDP-4.1-1">},
     "The IUT changes only the written octets when Writes of one octet and of more begin and end anywhere in a buffer.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       constexpr std::size_t kWindow = 16;
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "it may read and write");
       if (!buffer) return;
       struct Place {
         std::size_t at, octets;
       };
       for (const auto& [at, octets] : {Place{1, 1}, Place{2, 3}, Place{3, 5}, Place{5, 8}, Place{7, 9}}) {
         OctetBuffer window = sample_octets(kWindow, static_cast<unsigned>(at));
         responder.write(window, buffer->stag, buffer->to);
         const OctetBuffer data = sample_octets(octets, static_cast<unsigned>(kWindow + at));
         std::ranges::copy(data, window.begin() + static_cast<std::ptrdiff_t>(at));
         responder.write(data, buffer->stag, buffer->to + at);
         expect_read(responder, rule<"DDP-4.1-1">, read_of(*buffer, 0, kWindow), window,
                     fmt::format("{} octets were written from octet {} on", octets, at));
       }
     })},
    {"ddp/responder-places-sends",
     {&rule<"DDP-4.1-2">},
     "The IUT delivers all octets of Sends of one octet and of many.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       for (const std::size_t octets : {1u, 2u, 63u, 1000u, 1400u})
         responder.expect_echo(rule<"DDP-4.1-2">, sample_octets(octets));
     }),
     Service::echo},
    {"ddp/{}-ignores-reserved-bits",
     {&rule<"DDP-4.1-11">},
     "The IUT keeps working after a Write of no octets with all reserved bits of the DDP control field set.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.reserved = 15; });
       peer.expect_goes_on(rule<"DDP-4.1-11">, "after a segment with reserved bits");
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> ddp_control_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
