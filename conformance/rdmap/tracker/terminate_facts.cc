// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/terminate_facts.h"

#include <algorithm>
#include <array>

namespace wirelaw::rdmap {
namespace {

// Converts a Terminate Control field that a little-endian host wrote as bit fields: Layer in the low half of the first
// octet, M, D and R in the low bits of the third (RDMAP/A-60).
void swap_bit_fields(OctetBuffer& octets) {
  octets[0] = static_cast<Octet>(octets[0] << 4 | octets[0] >> 4);
  const Octet low = octets[2];
  octets[2] = static_cast<Octet>((low & 1) << 7 | (low & 2) << 5 | (low & 4) << 3 | (low >> 3 & 31));
}

bool fits(const Terminate& terminate) {
  return find_error(terminate.error) && terminate.reserved == 0 && !terminate.cut && terminate.tail.empty();
}

bool catastrophic(const ErrorCode& error) {
  return error.layer != static_cast<std::uint8_t>(Layer::llp) && error.etype == 0;
}

// The Read Request that a segment was, as far as its headers are kept.
std::optional<ReadRequest> read_request_in(const RecentSegment& segment, std::size_t ddp_header_octets) {
  if (segment.header_octets < ddp_header_octets) return std::nullopt;
  return decode_read_request(Octets(segment.header).first(segment.header_octets).subspan(ddp_header_octets));
}

// The octets of the response to this Read Request that were sent before the Terminate.
std::uint64_t octets_answered(const BlamedFact& blamed, const Reads& reads) {
  const RecentSegment& segment = *blamed.segment;
  const auto waiting = std::ranges::find(reads.waiting, segment.index, &OutstandingRead::index);
  if (waiting != reads.waiting.end()) return waiting->received;
  const bool is_answered = reads.answered && segment.index <= *reads.answered;
  if (blamed.came != Came::whole || !is_answered || reads.lacks_answers || reads.forgotten > 0) return 0;
  const auto request = blamed.read_request();
  return request ? request->size : 0;
}

// Returns true if an FPDU with this header has begun: a receiver may refuse it before the rest comes.
bool has_begun(const Direction& sender, Octets ddp_header) {
  if (!sender.deframer) return false;
  std::array<Octet, mpa::kLengthOctets + ddp::layout::kUntagged> there{};
  const std::size_t octets = sender.deframer->copy_pending(there);
  return octets >= mpa::kLengthOctets + ddp_header.size() &&
         std::ranges::equal(ddp_header, std::span(there).subspan(mpa::kLengthOctets, ddp_header.size()));
}

bool has(const RecentSegment& segment, const ErrorCode& fault) {
  return std::ranges::count(std::span(segment.faults).first(segment.fault_count), fault) > 0;
}

// A receiver finds such an error whatever it knows.
bool is_of_version(const ErrorCode& error) {
  return error == error::kInvalidVersion || error == error::kDdpTaggedVersion || error == error::kDdpUntaggedVersion;
}

// The terminated header may be decoded only if it is complete.
std::optional<BlamedFact> blamed_by(const Terminate& terminate, const Direction& other) {
  const auto segment = ddp::decode(terminate.ddp_header);
  if (!terminate.has_ddp_header || !segment) return std::nullopt;
  BlamedFact blamed{.header = segment->header, .control = decode_control(segment->header.rsvd_ulp)};
  blamed.row = find_opcode(blamed.control.opcode);
  const Octets header = terminate.ddp_header.first(blamed.header.octets());
  const auto begins_with = [](const RecentSegment& recent, Octets octets) {
    return recent.header_octets >= octets.size() &&
           std::ranges::equal(octets, std::span(recent.header).first(octets.size()));
  };
  // A Read Request is also known by the STags of its own header, which no progress changes.
  const auto terminated = decode_read_request(terminate.rdma_header);
  const auto is_such_a_read = [&](const RecentSegment& recent) {
    const auto was = terminated ? read_request_in(recent, header.size()) : std::nullopt;
    if (!was || was->sink_stag != terminated->sink_stag || was->source_stag != terminated->source_stag) return 0;
    const std::uint64_t moved = terminated->sink_to - was->sink_to;
    return moved == std::uint64_t{was->size} - terminated->size && moved == terminated->source_to - was->source_to ? 2
                                                                                                                   : 1;
  };
  // Prefers the latest segment that fits. Several may fit if a sender uses a number twice. Among those it prefers a
  // Read Request with these STags, best unchanged or advanced; then one with the length given in the Terminate; then
  // one with a known fault.
  const auto worth = [&](const RecentSegment& recent) {
    const bool as_long = terminate.has_length && recent.ulpdu_length == terminate.ddp_segment_length;
    return 4 * is_such_a_read(recent) + (as_long ? 2 : 0) + (recent.fault_count > 0 ? 1 : 0);
  };
  const RecentSegment *best = nullptr, *alike = nullptr;
  for (std::size_t back = 0; back < other.recent.size(); ++back) {
    const RecentSegment& recent = other.recent.from_the_latest(back);
    if (begins_with(recent, header)) {
      if (best == nullptr || worth(recent) > worth(*best)) best = &recent;
    } else if (!alike && begins_with(recent, header.first(2))) {
      const Octets rest = Octets(recent.header).subspan(header.size());
      if (terminate.rdma_header.size() > rest.size() ||
          std::ranges::equal(terminate.rdma_header, rest.first(terminate.rdma_header.size())))
        alike = &recent;
    }
  }
  if (best)
    blamed.came = Came::whole;
  else if (has_begun(other, header))
    blamed.came = Came::begun;
  else
    best = alike;
  if (best == nullptr) return blamed;
  blamed.segment = *best;
  blamed.is_repeated = is_of_version(terminate.error) &&
                       std::ranges::any_of(other.recent.in_any_order(), [&](const RecentSegment& recent) {
                         return recent.index < best->index && has(recent, terminate.error);
                       });
  blamed.is_oldest = best == &other.recent.oldest();
  blamed.answered = octets_answered(blamed, other.reads);
  return blamed;
}

// A tagged header names a location that may be written again. An untagged one has a number that belongs to one message,
// if its sender counts correctly.
bool may_be_of_several(const ddp::Header& header, const Direction& sender) {
  return header.tagged || header.qn >= sender.messages.queues.size() || sender.messages.queues[header.qn].counts_back;
}

// Returns true if the other direction had this fault, and not that one.
bool was_at_fault(const Direction& other, const ErrorCode& error, const ErrorCode& instead) {
  const auto any_has = [&](const ErrorCode& one) {
    return std::ranges::any_of(other.recent.in_any_order(),
                               [&](const RecentSegment& recent) { return has(recent, one); });
  };
  return !(error == instead) && any_has(error) && !any_has(instead);
}

// Returns true if it is the initiator's answer to a Reply that it cannot accept (RFC 6581, 9.1 and 9.2), read as it is.
// No segment shows the fault, and the swapped bits of another error would look the same.
bool is_of_negotiation(const Seen& seen, const Terminate& terminate) {
  const Agreed& agreed = seen.connection.agreement;
  const ErrorCode& error = terminate.error;
  return (error == error::kMpaInsufficientIrd || error == error::kMpaNoMatchingRtr) && agreed.enhanced() &&
         seen.from.side == agreed.initiator && fits(terminate);
}

// A ULPDU that ends inside its header: the length of the FPDU is wrong, and this is the only code for it (RDMAP/A-55).
bool is_short(const RecentSegment& segment) {
  if (segment.header_octets < 2) return true;
  const bool tagged = (segment.header[ddp::layout::kControl] & 0x80) != 0;
  const Control control = decode_control(segment.header[ddp::layout::kRsvdUlp]);
  const OpcodeRow* const row = find_opcode(control.opcode);
  const std::size_t headers =
      (tagged ? ddp::layout::kTagged : ddp::layout::kUntagged) + (row && !tagged ? row->header_octets : 0);
  return segment.ulpdu_length < headers;
}

// Compares the Terminate with the segments of the other direction.
void compare(TerminateFact& fact, const Seen& seen) {
  const auto recent = seen.to.recent.in_any_order();
  fact.is_history_known =
      seen.connection.agreement.is_accepted() && fact.is_unbroken && seen.to.framing.fpdus == recent.size();
  if (fact.is_history_known) fact.of_received = evidence_of_lack(seen.connection, seen.from);
  fact.is_length_known =
      std::ranges::count(recent, fact.terminate.ddp_segment_length, &RecentSegment::ulpdu_length) > 0;
  fact.is_any_short = std::ranges::any_of(recent, is_short);
  fact.blamed = blamed_by(fact.terminate, seen.to);
  if (!fact.blamed) return;
  fact.blamed->is_read_as_it_was = !seen.to.framing.mid_stream || seen.to.framing.crc_seen_to_hold;
  // A merely similar segment may be another one that was not seen. If several segments had one header, the segment
  // meant may no longer be kept.
  const bool may_be_another = fact.blamed->came != Came::whole || may_be_of_several(fact.blamed->header, seen.to);
  if (!fact.is_history_known && may_be_another) fact.blamed->segment.reset();
}

std::optional<TerminatedStart> start_of(const Seen& seen) {
  const Agreed& agreed = seen.connection.agreement;
  if (!agreed.is_accepted()) return std::nullopt;
  TerminatedStart start{.crc = agreed.crc, .markers = agreed.markers[static_cast<std::size_t>(seen.to.side)]};
  if (agreed.enhanced())
    start.enhanced = {
        .request = *agreed.request, .reply = *agreed.reply, .is_from_initiator = seen.from.side == agreed.initiator};
  return start;
}

std::optional<TerminateFact> read_terminate(const Seen& seen, OctetBuffer& scratch) {
  const auto terminate = decode_terminate(seen.payload);
  if (!terminate) return std::nullopt;
  TerminateFact fact{.terminate = *terminate,
                     .octets = seen.payload.size(),
                     .start = start_of(seen),
                     .is_unbroken = seen.connection.partial.empty(),
                     .has_extensions = seen.connection.extensions};
  scratch.assign(seen.payload.begin(), seen.payload.end());
  fact.is_swapped = !is_of_negotiation(seen, *terminate) && put_in_order(scratch, [&](const ErrorCode& meant) {
    return was_at_fault(seen.to, meant, terminate->error);
  });
  if (fact.is_swapped) fact.terminate = *decode_terminate(scratch);
  compare(fact, seen);
  return fact;
}

}  // namespace

bool BlamedFact::has_fault(const ErrorCode& error) const {
  return segment && has(*segment, error);
}

std::optional<std::size_t> BlamedFact::payload_octets() const {
  if (!segment || segment->ulpdu_length < header.octets()) return std::nullopt;
  return segment->ulpdu_length - header.octets();
}

std::optional<ReadRequest> BlamedFact::read_request() const {
  if (!segment || !is(Opcode::read_request) || header.tagged) return std::nullopt;
  return read_request_in(*segment, header.octets());
}

bool put_in_order(OctetBuffer& terminate, const std::function<bool(const ErrorCode& meant)>& likely) {
  constexpr Octet kHeaderBits = 0xe0;
  const auto as_it_is = decode_terminate(terminate);
  if (!as_it_is || (terminate[2] & kHeaderBits) != 0) return false;
  const bool sense = fits(*as_it_is);
  const std::array<Octet, 3> was{terminate[0], terminate[1], terminate[2]};
  swap_bit_fields(terminate);
  const auto meant = decode_terminate(terminate);
  // A wrong nibble looks like a catastrophic error of these layers, unless its headers are present too.
  const bool sound = fits(*meant) && (!catastrophic(meant->error) || meant->has_ddp_header);
  if (sound && (!sense || likely(meant->error))) return true;
  std::ranges::copy(was, terminate.begin());
  return false;
}

TerminateSegmentFact take_terminate(Seen& seen, OctetBuffer& scratch) {
  TerminateSegmentFact fact{.is_whole = seen.header.last && seen.header.mo == 0, .octets = seen.payload.size()};
  auto& sent = seen.from.terminate;
  if (!seen.connection.partial.empty() && !sent && seen.header.qn == kTerminateQueue) fact.first_msn = seen.header.msn;
  if (fact.is_whole) fact.contents = read_terminate(seen, scratch);
  // FPDUs after an earlier Terminate have been stated.
  const Agreed& agreed = seen.connection.agreement;
  const bool may_be_enhanced = agreed.enhanced() || agreed.is_assumed();
  if (seen.header.last)
    sent = SentTerminate{.index = seen.message.index,
                         .frame = seen.message.frame,
                         .time_ns = seen.message.time_ns,
                         .is_followed = sent.has_value(),
                         .may_precede_reset = may_be_enhanced && fact.contents &&
                                              fact.contents->error() == error::kMpaLocalCatastrophic};
  return fact;
}

}  // namespace wirelaw::rdmap
