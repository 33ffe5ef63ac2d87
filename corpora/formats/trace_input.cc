// SPDX-License-Identifier: Apache-2.0
#include "corpora/formats/trace_input.h"

#include <algorithm>
#include <utility>

#include "corpora/formats/records.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"

namespace wirelaw::corpora {
namespace {

namespace control = stream_control;

constexpr std::pair<StreamEvent, Octet> kKinds[] = {
    {StreamEvent::octets, control::kOctets}, {StreamEvent::opened, control::kOpened}, {StreamEvent::gap, control::kGap},
    {StreamEvent::closed, control::kClosed}, {StreamEvent::reset, control::kReset},
};

// True for one FPDU without markers whose CRC is correct.
bool is_fpdu(Octets octets) {
  mpa::Deframer deframer(false, true);
  deframer.feed(octets);
  const auto fpdu = deframer.next();
  return fpdu && fpdu->crc_holds() && fpdu->octets.size() == octets.size();
}

}  // namespace

Octet kind_of(StreamEvent event) {
  return std::ranges::find(kKinds, event, &std::pair<StreamEvent, Octet>::first)->second;
}

StreamEvent event_of(Octet kind) {
  const auto found = std::ranges::find(kKinds, kind, &std::pair<StreamEvent, Octet>::second);
  return found == std::end(kKinds) ? StreamEvent::octets : found->first;
}

void append_message(OctetBuffer& input, Side sender, Octets octets, bool is_odd) {
  Octet control = sender == Side::b ? trace_control::kSideB : 0;
  if (is_odd) control |= trace_control::kIpOptions;
  append_record(input, control, octets);
}

OctetBuffer stream_input(bool is_extended, bool from_start) {
  return {static_cast<Octet>(control::kCrc | (is_extended ? control::kExtensions : 0) |
                             (from_start ? 0 : control::kMidStream))};
}

void append_piece(OctetBuffer& input, Side sender, StreamEvent event, Octets octets) {
  const Octet side = sender == Side::b ? control::kSideB : Octet{0};
  const Octet what = side | kind_of(event);
  if (event != StreamEvent::octets || !is_fpdu(octets)) return append_record(input, what, octets);
  const std::size_t length = load_big_endian<std::uint16_t>(octets.data());
  append_record(input, what | control::kUlpdu, octets.subspan(mpa::kLengthOctets, length));
}

}  // namespace wirelaw::corpora
