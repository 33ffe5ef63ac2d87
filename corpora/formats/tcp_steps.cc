// SPDX-License-Identifier: Apache-2.0
#include "corpora/formats/tcp_steps.h"

namespace wirelaw::corpora {

TcpSteps read_tcp_steps(Octets input) {
  TcpSteps conversation;
  Reader reader(input);
  conversation.isn_a = reader.little_endian<std::uint32_t>();
  conversation.isn_b = reader.little_endian<std::uint32_t>();
  while (reader.remaining() >= kTcpStepOctets) {
    TcpStep step;
    step.control = reader.octet();
    step.cut = reader.octet();
    step.length = reader.little_endian<std::uint16_t>();
    step.offset = reader.little_endian<std::uint32_t>();
    step.ack = reader.little_endian<std::uint32_t>();
    conversation.steps.push_back(step);
  }
  return conversation;
}

OctetBuffer write_tcp_steps(const TcpSteps& conversation) {
  OctetBuffer out;
  Writer writer(out);
  writer.little_endian(conversation.isn_a).little_endian(conversation.isn_b);
  for (const TcpStep& step : conversation.steps)
    writer.octet(step.control)
        .octet(step.cut)
        .little_endian(step.length)
        .little_endian(step.offset)
        .little_endian(step.ack);
  return out;
}

}  // namespace wirelaw::corpora
