// SPDX-License-Identifier: Apache-2.0
#include "corpora/formats/ramcloud_steps.h"

#include <algorithm>

namespace wirelaw::corpora {

ramcloud::Options options_of(const Settings& settings) {
  ramcloud::Options options;
  options.fragment_octets = 1u + settings[0] % 64u;
  options.window = 1u + settings[1] % 48u;
  options.ack_every = 1u + settings[2] % 16u;
  options.channels = 1u + settings[3] % 16u;
  options.announces = (settings[4] & 1) != 0 ? ramcloud::OpenReading::count : ramcloud::OpenReading::inclusive_maximum;
  options.max_sessions = 1u + (settings[4] >> 1) % 16u;
  options.silent_intervals = 1u + settings[5] % 8u;
  options.intervals_before_ack = 1u + (settings[5] >> 4) % 4u;
  options.max_message_octets = 64u * (1u + settings[6]);
  options.reassembly_octets = 128u * (1u + settings[7]);
  return options;
}

Step read_step(const Octet* at) {
  return {.action = at[0],
          .flags = at[1],
          .session = at[2],
          .token = at[3],
          .client_hint = at[4],
          .server_hint = at[5],
          .channel = at[6],
          .rpc = static_cast<std::int8_t>(at[7]),
          .number = load_little_endian<std::uint16_t>(at + 8),
          .total = load_little_endian<std::uint16_t>(at + 10),
          .length = load_little_endian<std::uint16_t>(at + 12),
          .fates = at[14],
          .relative = at[15]};
}

void append_step(OctetBuffer& out, const Step& step) {
  Writer(out)
      .octet(step.action)
      .octet(step.flags)
      .octet(step.session)
      .octet(step.token)
      .octet(step.client_hint)
      .octet(step.server_hint)
      .octet(step.channel)
      .octet(static_cast<Octet>(step.rpc))
      .little_endian(step.number)
      .little_endian(step.total)
      .little_endian(step.length)
      .octet(step.fates)
      .octet(step.relative);
}

RamcloudSteps read_ramcloud_steps(Octets input, std::size_t most) {
  RamcloudSteps conversation;
  const std::size_t settings = std::min(input.size(), kSettingsOctets);
  std::copy_n(input.begin(), settings, conversation.settings.begin());
  input = input.subspan(settings);
  while (input.size() >= kStepOctets && conversation.steps.size() < most) {
    conversation.steps.push_back(read_step(input.data()));
    input = input.subspan(kStepOctets);
  }
  return conversation;
}

OctetBuffer write_ramcloud_steps(const RamcloudSteps& conversation) {
  OctetBuffer out(conversation.settings.begin(), conversation.settings.end());
  for (const Step& step : conversation.steps) append_step(out, step);
  return out;
}

}  // namespace wirelaw::corpora
