// SPDX-License-Identifier: Apache-2.0
// The inputs of the EFA RDM conversation targets (fuzz_efa_requester, _responder, _pair): eight octets of
// settings and any number of steps of sixteen octets. The values of a step are relative to the live conversation (the
// IDs that the endpoint has used, the next message ID), so that a few random octets make a plausible packet. Any octets
// are valid steps.
#pragma once

#include <array>
#include <vector>

#include "corpora/formats/fate.h"
#include "reference/efa/options.h"
#include "reference/octets/octets.h"

namespace wirelaw::corpora {

// The action of a step. The targets read `action` modulo kEfaActions.
enum class EfaAction : std::uint8_t {
  packet,      // the peer sends the packet that the step describes
  packet_too,  // likewise: packets are the most frequent step
  call,        // the application calls: `type` selects the call, `length` octets
  raw,         // the peer sends the step's octets from `type` on, `amount` of them (modulo 64), over and over
  replay,      // the peer sends one of its earlier packets again, `which` back; `relative` & 1: with one octet changed
  time,        // `amount` milliseconds pass; `relative` & 1: time goes to the endpoint's deadline instead
  release,     // a held packet comes through: `which` selects it, `relative` & 1 its sender
  rdma,        // RDMA that the endpoint has started is done; `relative` & 1: it has failed
};
inline constexpr unsigned kEfaActions = 8;

struct EfaStep {
  Octet action = 0;
  Octet type = 0;   // for a packet: packet type ID, or a row of the layouts from 240 on; for a call: modulo its kinds
  Octet which = 0;  // which packet from the endpoint supplies the IDs of the answer; 0: the latest
  Octet field = 0;  // the field that gets a wrong value, modulo efa::kFields
  Octet fault = kHonestFrom;  // Fault
  Octet headers = 0;         // optional headers: bit 0 raw address, 1 CQ data, 2 connid; bit 3: flags get a wrong value
  std::uint16_t amount = 0;  // octets of payload; in a CTS: the window
  std::uint16_t length = 0;  // msg_length, or the sum of rma_iov
  std::uint16_t offset = 0;  // seg_offset
  Octet own = 0;             // the peer's own operation: its send_id or recv_id
  Octet fates = 0;           // bits 0-1: the peer's packet; 2-3, 4-5, 6-7: the endpoint's next packets, in turn
  Octet relative = 0;        // bit 0: see EfaAction, or the packet repeats the latest msg_id; bits 4-7: iov elements
  Octet spare = 0;
};
inline constexpr std::size_t kEfaStepOctets = 16;

inline constexpr std::size_t kEfaSettingsOctets = 8;
using EfaSettings = std::array<Octet, kEfaSettingsOctets>;
// The options of an endpoint, small so that a few steps can reach every limit. `second`: options of the second
// endpoint of a pair, which announces other extras.
efa::Options efa_options_of(const EfaSettings& settings, bool second = false);
// The extras that the scripted peer announces.
std::uint64_t efa_extras_of(const EfaSettings& settings);

struct EfaSteps {
  EfaSettings settings{};
  std::vector<EfaStep> steps;
};

// Steps after the first `most` are ignored.
EfaSteps read_efa_steps(Octets input, std::size_t most);
void append_efa_step(OctetBuffer& out, const EfaStep& step);
OctetBuffer write_efa_steps(const EfaSteps& conversation);

}  // namespace wirelaw::corpora
