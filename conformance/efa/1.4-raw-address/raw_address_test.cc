// SPDX-License-Identifier: Apache-2.0
// The gid and qpn of a raw address are those of the sender. On a device another value is a violation. Over UDP only a
// ruling says what they are (EFA/A-63), so that it is a warning; but they must not change there either.
#include "reference/efa/raw_address.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include "conformance/efa/efa.h"
#include "conformance/judge.h"
#include "reference/efa/packet.h"

namespace wirelaw::efa {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

wirelaw::Endpoint end(Octet last) {
  const Octet octets[] = {192, 0, 2, last};
  return {.address = wirelaw::Address::ipv4(octets), .port = 4000u + last};
}

using Change = std::function<void(RawAddress&)>;
enum class Below : std::uint8_t { device, udp, captured_udp };

// The findings of a flow in which one side sends these messages.
std::vector<std::string> findings_of(Below below, const std::vector<Change>& changes) {
  Judge judge{kProtocol.catalogue()};
  judge.begin_source(Completeness::complete);
  const auto observer = kProtocol.observer({.may_double = below == Below::udp, .addresses = {{end(1), end(2)}}});
  judge.enter_flow("a-b", "a", "b");
  std::uint64_t index = 0;
  for (const Change& change : changes) {
    const wirelaw::Endpoint sender = end(1);
    RawAddress address{.gid = sender.address.as_ipv6(),
                       .qpn = static_cast<std::uint16_t>(sender.port),
                       .connid = 0xa0a1a2a3,
                       .reserved = 0};
    if (change) change(address);
    OctetBuffer raw;
    encode(address, raw);
    const Octet payload[] = {1, 2, 3, 4};
    Packet packet = packet_of(PacketType::eager_msgrtm);
    packet.flags = flag::kMsg | flag::kRawAddress;
    packet.msg_id = static_cast<std::uint32_t>(index);
    packet.raw_address_size = static_cast<std::uint32_t>(raw.size());
    packet.raw_address = raw;
    packet.payload = payload;
    const OctetBuffer octets = encode(packet);
    Message message = message_of(octets, Side::a, index++);
    message.ip_version = below == Below::captured_udp ? 4 : 0;
    observer->observe(message, judge);
  }
  std::vector<std::string> all;
  for (const Finding& one : judge.findings())
    all.push_back(fmt::format("{} {}", one.rule->id, to_string(one.severity)));
  return all;
}

const Change kRight{}, kOtherGid = [](RawAddress&address) { address.gid[0] ^= 0xfe; },
                       kOtherQpn = [](RawAddress&address) { address.qpn = 77; };

TEST(RawAddress, OfTheSenderIsRightOverAnyNetwork) {
  for (const Below below : {Below::device, Below::udp, Below::captured_udp})
    EXPECT_THAT(findings_of(below, {kRight, kRight}), IsEmpty());
}

TEST(RawAddress, OfAnotherQueuePairOrDeviceIsAViolationOnADevice) {
  EXPECT_THAT(findings_of(Below::device, {kOtherQpn}), ElementsAre("EFA-1.4-3 violation"));
  EXPECT_THAT(findings_of(Below::device, {kOtherGid}), ElementsAre("EFA-1.4-2 violation"));
  EXPECT_THAT(findings_of(Below::device, {kRight, kOtherQpn}), ElementsAre("EFA-1.4-3 violation"));
}

TEST(RawAddress, OfAnotherQueuePairOrDeviceIsAWarningOverUdp) {
  for (const Below below : {Below::udp, Below::captured_udp}) {
    EXPECT_THAT(findings_of(below, {kOtherQpn}), ElementsAre("EFA-1.4-3 warning"));
    EXPECT_THAT(findings_of(below, {kOtherGid}), ElementsAre("EFA-1.4-2 warning"));
    EXPECT_THAT(findings_of(below, {kOtherQpn, kOtherQpn}), ElementsAre("EFA-1.4-3 warning", "EFA-1.4-3 warning"));
  }
}

TEST(RawAddress, ThatChangesIsAViolationOverUdpToo) {
  for (const Below below : {Below::udp, Below::captured_udp}) {
    EXPECT_THAT(findings_of(below, {kRight, kOtherQpn}), ElementsAre("EFA-1.4-3 warning", "EFA-1.4-4 violation"));
    EXPECT_THAT(findings_of(below, {kOtherGid, kRight}), ElementsAre("EFA-1.4-2 warning", "EFA-1.4-4 violation"));
  }
}

}  // namespace
}  // namespace wirelaw::efa
