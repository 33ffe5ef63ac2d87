// SPDX-License-Identifier: Apache-2.0
#include "corpora/formats/efa_steps.h"

#include <algorithm>

namespace wirelaw::corpora {

efa::Options efa_options_of(const EfaSettings& settings, bool second) {
  efa::Options options;
  options.address.gid[0] = 0xfe;
  options.address.gid[15] = second ? 2 : 1;
  options.address.qpn = second ? 2 : 1;
  options.extra_info = {(second ? settings[7] : settings[0]) & 0x7fu};
  options.mtu = 512u + settings[1] * 4u;
  options.credits = 1u + settings[2] % 8u;
  options.credit_request = 1u + (settings[2] >> 4) % 8u;
  options.max_medium = settings[3] * 16u;
  options.min_read_message = options.min_read_write = (settings[4] & 15) * 64u;
  options.runt_octets = (settings[4] >> 4) * 64u;
  options.registrations = settings[5] % 4u;
  options.max_operations = 8u + settings[5] % 32u;
  options.held_octets = 1024u * (1u + settings[6] % 64u);
  options.most_gaps = 2u + settings[6] % 16u;
  options.reorder_window = 4u + settings[6] % 64u;
  options.max_read_octets = 1u << 20;
  options.max_peers = 4;
  return options;
}

std::uint64_t efa_extras_of(const EfaSettings& settings) {
  return settings[7];
}

EfaSteps read_efa_steps(Octets input, std::size_t most) {
  EfaSteps conversation;
  const std::size_t settings = std::min(input.size(), kEfaSettingsOctets);
  std::copy_n(input.begin(), settings, conversation.settings.begin());
  input = input.subspan(settings);
  while (input.size() >= kEfaStepOctets && conversation.steps.size() < most) {
    const Octet* const at = input.data();
    conversation.steps.push_back({.action = at[0],
                                  .type = at[1],
                                  .which = at[2],
                                  .field = at[3],
                                  .fault = at[4],
                                  .headers = at[5],
                                  .amount = load_little_endian<std::uint16_t>(at + 6),
                                  .length = load_little_endian<std::uint16_t>(at + 8),
                                  .offset = load_little_endian<std::uint16_t>(at + 10),
                                  .own = at[12],
                                  .fates = at[13],
                                  .relative = at[14],
                                  .spare = at[15]});
    input = input.subspan(kEfaStepOctets);
  }
  return conversation;
}

void append_efa_step(OctetBuffer& out, const EfaStep& step) {
  Writer(out)
      .octet(step.action)
      .octet(step.type)
      .octet(step.which)
      .octet(step.field)
      .octet(step.fault)
      .octet(step.headers)
      .little_endian(step.amount)
      .little_endian(step.length)
      .little_endian(step.offset)
      .octet(step.own)
      .octet(step.fates)
      .octet(step.relative)
      .octet(step.spare);
}

OctetBuffer write_efa_steps(const EfaSteps& conversation) {
  OctetBuffer out(conversation.settings.begin(), conversation.settings.end());
  for (const EfaStep& step : conversation.steps) append_efa_step(out, step);
  return out;
}

}  // namespace wirelaw::corpora
