// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.1: what the bits of the DDP control field make a receiver do.
#include "conformance/rdmap/ddp/cases.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5041 4.1";

constinit const Rule kTaggedIsPlaced = stimulus_rule(
    "DDP-4.1-1", Level::must, kSection, "The payload of a tagged segment is placed into the tagged buffer.");
constinit const Rule kUntaggedIsPlaced = stimulus_rule(
    "DDP-4.1-2", Level::must, kSection, "The payload of an untagged segment is placed into an untagged buffer.");
constinit const Rule kReservedIsIgnored = stimulus_rule(
    "DDP-4.1-11", Level::must, kSection, "The reserved bits of the control field are not checked on receipt.");
constinit const Rule kEverySegmentIsPlaced =
    stimulus_rule("DDP-5.2-5", Level::must, "RFC 5041 5.2",
                  "The payload of all valid segments of a message is placed into the buffer of the ULP.");
constinit const Rule kSourceIsRead =
    stimulus_rule("RDMAP-4.4-6", Level::must, "RFC 5040 4.4",
                  "What is read are the octets of the Data Source's buffer from the Data Source Tagged Offset on.");

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

}  // namespace

SectionCases ddp_control_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    cases.push_back({.id = "ddp/responder-places-writes",
                     .iut = Role::responder,
                     .rules = {&kTaggedIsPlaced, &kEverySegmentIsPlaced, &kSourceIsRead},
                     .purpose = "What is written in one segment and in three, and followed by a Send, is read back.",
                     .needs = Service::echo,
                     .run = with<ReadyResponder>([](ReadyResponder& peer) {
                       const auto buffer =
                           need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "it may read and write");
                       if (!buffer) return;
                       const OctetBuffer one = data_of(100, 1), three = data_of(3 * kPart - 5, 2);
                       peer.write(one, buffer->stag, buffer->to);
                       peer.expect_goes_on(kTaggedIsPlaced, "a Write, and a Send behind it");
                       expect_read(peer, kTaggedIsPlaced, read_of(*buffer, 0, 100), one, "a Write of one segment");
                       write_in_parts(peer, *buffer, three);
                       peer.expect_goes_on(kEverySegmentIsPlaced, "a Write of three segments, and a Send behind it");
                       expect_read(peer, kEverySegmentIsPlaced, read_of(*buffer, 0, 3 * kPart - 5), three,
                                   "a Write of three segments");
                       expect_read(peer, kSourceIsRead, read_of(*buffer, 9, 50), Octets(three).subspan(9, 50),
                                   "fifty octets from the tenth on");
                     })});
    cases.push_back({.id = "ddp/responder-places-sends",
                     .iut = Role::responder,
                     .rules = {&kUntaggedIsPlaced},
                     .purpose = "Sends of one octet and of many are delivered with all their octets.",
                     .needs = Service::echo,
                     .run = with<ReadyResponder>([](ReadyResponder& peer) {
                       for (const std::size_t octets : {1, 2, 63, 1000, 1400})
                         peer.expect_echo(kUntaggedIsPlaced, data_of(octets));
                     })});
    add_both(cases, {"ddp/responder-ignores-reserved-bits", "ddp/initiator-ignores-reserved-bits"},
             {&kReservedIsIgnored},
             "A Write of no octets with all reserved bits of the DDP control field set does no harm.", Service::echo,
             [](auto& peer) {
               peer.write({}, 0, 0, [](ddp::Header& h) { h.reserved = 15; });
               peer.expect_goes_on(kReservedIsIgnored, "after a segment with reserved bits");
             });
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
