// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.1: what the bits of the DDP control field make a receiver do.
#include "conformance/rdmap/ddp/cases.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5041 4.1"}.by(Observable::stimulus);
constexpr Section kSection5_2 = Section{"RFC 5041 5.2"}.by(Observable::stimulus);
constexpr Section kSection4_4 = Section{"RFC 5040 4.4"}.by(Observable::stimulus);

constinit const Rule kTaggedIsPlaced =
    kSection.must("DDP-4.1-1", "The payload of a tagged segment is placed into the tagged buffer.");
constinit const Rule kUntaggedIsPlaced =
    kSection.must("DDP-4.1-2", "The payload of an untagged segment is placed into an untagged buffer.");
constinit const Rule kReservedIsIgnored =
    kSection.must("DDP-4.1-11", "The reserved bits of the control field are not checked on receipt.");
constinit const Rule kEverySegmentIsPlaced = kSection5_2.must(
    "DDP-5.2-5", "The payload of all valid segments of a message is placed into the buffer of the ULP.");
constinit const Rule kSourceIsRead = kSection4_4.must(
    "RDMAP-4.4-6", "What is read are the octets of the Data Source's buffer from the Data Source Tagged Offset on.");

constexpr const Rule* kRules[] = {&kTaggedIsPlaced, &kUntaggedIsPlaced, &kReservedIsIgnored, &kEverySegmentIsPlaced,
                                  &kSourceIsRead};

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

constexpr CaseRow kRows[] = {
    {"ddp/responder-places-writes",
     {&kTaggedIsPlaced, &kEverySegmentIsPlaced, &kSourceIsRead},
     "What is written in one segment and in three, and followed by a Send, is read back.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "it may read and write");
       if (!buffer) return;
       const OctetBuffer one = data_of(100, 1), three = data_of(3 * kPart - 5, 2);
       responder.write(one, buffer->stag, buffer->to);
       responder.expect_goes_on(kTaggedIsPlaced, "a Write, and a Send behind it");
       expect_read(responder, kTaggedIsPlaced, read_of(*buffer, 0, 100), one, "a Write of one segment");
       write_in_parts(responder, *buffer, three);
       responder.expect_goes_on(kEverySegmentIsPlaced, "a Write of three segments, and a Send behind it");
       expect_read(responder, kEverySegmentIsPlaced, read_of(*buffer, 0, 3 * kPart - 5), three,
                   "a Write of three segments");
       expect_read(responder, kSourceIsRead, read_of(*buffer, 9, 50), Octets(three).subspan(9, 50),
                   "fifty octets from the tenth on");
     }),
     Service::echo},
    {"ddp/responder-places-writes-at-odd-places",
     {&kTaggedIsPlaced},
     "Writes of one octet and of more begin and end anywhere in a buffer; what is beside them stays.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       constexpr std::size_t kWindow = 16;
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "it may read and write");
       if (!buffer) return;
       struct Place {
         std::size_t at, octets;
       };
       for (const auto& [at, octets] : {Place{1, 1}, Place{2, 3}, Place{3, 5}, Place{5, 8}, Place{7, 9}}) {
         OctetBuffer window = data_of(kWindow, static_cast<unsigned>(at));
         responder.write(window, buffer->stag, buffer->to);
         const OctetBuffer data = data_of(octets, static_cast<unsigned>(kWindow + at));
         std::ranges::copy(data, window.begin() + static_cast<std::ptrdiff_t>(at));
         responder.write(data, buffer->stag, buffer->to + at);
         expect_read(responder, kTaggedIsPlaced, read_of(*buffer, 0, kWindow), window,
                     fmt::format("{} octets were written from octet {} on", octets, at));
       }
     })},
    {"ddp/responder-places-sends",
     {&kUntaggedIsPlaced},
     "Sends of one octet and of many are delivered with all their octets.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       for (const std::size_t octets : {1u, 2u, 63u, 1000u, 1400u})
         responder.expect_echo(kUntaggedIsPlaced, data_of(octets));
     }),
     Service::echo},
    {"ddp/{}-ignores-reserved-bits",
     {&kReservedIsIgnored},
     "A Write of no octets with all reserved bits of the DDP control field set does no harm.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.reserved = 15; });
       peer.expect_goes_on(kReservedIsIgnored, "after a segment with reserved bits");
     }),
     Service::echo},
};

constexpr Breach kBreaches[] = {
    {Deviation::response_data_wrong, kSourceIsRead, {.given = "pair"}},
    {Deviation::writes_not_placed, kTaggedIsPlaced, {.given = "pair"}},
    {Deviation::unaligned_writes_misplaced, kTaggedIsPlaced, {.who = wirelaw::Role::responder}},
    {Deviation::send_lost, kUntaggedIsPlaced, {.who = wirelaw::Role::responder}},
    {Deviation::reserved_checked, kReservedIsIgnored},
    {Deviation::pad_delivered, kEverySegmentIsPlaced, {.given = "pair"}},
};

}  // namespace

SectionCases ddp_control_cases() {
  static const std::vector<Case> kCases = cases_of(kRows);
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
