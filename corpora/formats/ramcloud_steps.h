// SPDX-License-Identifier: Apache-2.0
// The inputs of the conversation targets (fuzz_ramcloud_server, _client, _network): eight octets of
// settings and any number of steps of sixteen octets. The values of a step are relative to the live conversation (the
// session's token, the channel's next rpcId), so that a few random octets make a plausible packet. Any octets are a
// valid steps.
#pragma once

#include <array>
#include <vector>

#include "corpora/formats/fate.h"
#include "reference/octets/octets.h"
#include "reference/ramcloud/options.h"

namespace wirelaw::corpora {

// The action of a step. The targets read `action` modulo kActions.
enum class Action : std::uint8_t {
  packet,      // the peer sends the packet that the step describes
  packet_too,  // likewise: packets are the most frequent step
  raw,         // the peer sends the step's octets from `flags` on, `length` of them (modulo 64), over and over
  replay,      // the peer sends one of its earlier packets again, `number` back; `relative` & 1: with one octet changed
  time,        // `number` milliseconds pass; `relative` & 1: time goes to the endpoint's deadline instead
  application,  // the application calls, or answers the oldest request, with `length` octets
  release,      // a held packet arrives: `number` selects it, `relative` & 1 its sender
  deliver,      // network: the `number`-th packet in flight arrives
};
inline constexpr unsigned kActions = 8;

struct Step {
  Octet action = 0;
  Octet flags = 0;    // the header's flags octet, with the direction bit inverted if the peer is a server
  Octet session = 0;  // selects a known session, 0: the latest; in an open request: the client's hint
  Octet token = 0, client_hint = 0, server_hint = 0;  // Fault
  Octet channel = 0;
  std::int8_t rpc = 0;       // relative to the latest rpcId of the client on the channel
  std::uint16_t number = 0;  // fragNumber, or firstMissingFrag
  std::uint16_t total = 1;   // totalFrags, or the low half of stagingVector
  std::uint16_t length = 0;  // payload length, modulo kMostPayload; in an ACK: the high half of stagingVector
  Octet fates = 0;           // bits 0-1: the peer's packet; 2-3, 4-5, 6-7: the endpoint's next packets, in turn
  Octet relative = 0;        // bit 0: firstMissingFrag is counted back from the end of what was sent, or see Action;
                             // bits 4-7: octets of an ACK or open response that are left out or, from 8 on, added
};
inline constexpr std::size_t kStepOctets = 16;
inline constexpr std::size_t kMostPayload = 512;

// The options of the endpoints, small so that a few steps can reach every limit.
inline constexpr std::size_t kSettingsOctets = 8;
using Settings = std::array<Octet, kSettingsOctets>;
ramcloud::Options options_of(const Settings& settings);

struct RamcloudSteps {
  Settings settings{};
  std::vector<Step> steps;
};

// Steps after the first `most` are ignored.
RamcloudSteps read_ramcloud_steps(Octets input, std::size_t most);
Step read_step(const Octet* at);  // reads kStepOctets octets
void append_step(OctetBuffer& out, const Step& step);
OctetBuffer write_ramcloud_steps(const RamcloudSteps& conversation);

}  // namespace wirelaw::corpora
