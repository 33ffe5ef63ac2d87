// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/served_initiator.h"

#include <algorithm>
#include <utility>

#include "reference/rdmap/advertisement.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kSegment = 1024;  // octets of payload in each segment sent

}  // namespace

std::optional<ReadRequest> read_request_in(const Response& answer) {
  if (!answer.is(Opcode::read_request)) return std::nullopt;
  return decode_read_request(answer.segment()->payload);
}

ServedInitiator::ServedInitiator(CaseRun& run, const TriggerRequest& trigger, std::uint16_t reads)
    : InitiatorProbe(run) {
  await_request(trigger);
  if (!ok()) return;
  StartOptions reply = good_reply();
  if (reply.enhanced && reply.enhanced->ird != mpa::kNoNegotiation)
    reply.enhanced->ird = std::min(reply.enhanced->ird, reads);
  const AdvertisedBuffer buffer{.at = {kStag, kTo}, .length = kOctets};
  indication_due_ = reply.enhanced && reply.enhanced->rtr_send;
  reply.private_data = encode_advertisement({&buffer, 1});
  accept(reply);
}

Response ServedInitiator::take(Instant deadline) {
  Response answer = next(deadline);
  if (answer.is(Opcode::write)) place(*answer.segment());
  return answer;
}

void ServedInitiator::place(const ddp::Segment& write) {
  if (write.payload.empty()) return;  // its STag and TO mean nothing (RFC 5041, 5.2)
  if (write.header.stag != kStag) {
    if (!stray_write_) stray_write_ = write.header.stag;
    return;
  }
  ++writes_;
  const std::uint64_t at = write.header.to - kTo;
  if (at > memory_.size() || write.payload.size() > memory_.size() - at) return;
  std::ranges::copy(write.payload, memory_.begin() + static_cast<std::ptrdiff_t>(at));
}

OctetBuffer ServedInitiator::data(const ReadRequest& read) const {
  const std::size_t size = std::min(read.size, kOctets);
  const std::uint64_t at = read.source_to - kTo;
  OctetBuffer data(size);
  if (at < memory_.size())
    std::ranges::copy(Octets(memory_).subspan(at, std::min<std::uint64_t>(size, memory_.size() - at)), data.begin());
  return data;
}

void ServedInitiator::answer(const ReadRequest& read) {
  const OctetBuffer octets = data(read);
  std::size_t at = 0;
  do {
    const Octets part = Octets(octets).subspan(at, std::min(kSegment, octets.size() - at));
    ddp::Header header = tagged(Opcode::read_response, read.sink_stag, read.sink_to + at);
    at += part.size();
    header.last = at == octets.size();
    send_segment(header, part);
  } while (at < octets.size() && ok());
}

void ServedInitiator::echo_in_segments(Octets data) {
  std::size_t at = 0;
  do {
    const Octets part = data.subspan(at, std::min(kSegment, data.size() - at));
    ddp::Header header = untagged(Opcode::send);
    header.mo = static_cast<std::uint32_t>(at);
    at += part.size();
    header.last = at == data.size();
    send_segment(header, part);
  } while (at < data.size() && ok());
  message_sent(kSendQueue);
  ++echoed_;
}

void ServedInitiator::answer(const Response& request) {
  if (const auto read = read_request_in(request)) answer(*read);
  if (request.is(Opcode::atomic_request)) serve_atomic(*request.segment());
}

Response ServedInitiator::serve() {
  for (;;) {
    Response came = take(in(run().answer_time()));
    const auto segment = came.segment();
    if (!segment || came.is(Opcode::terminate)) return came;
    answer(came);
    if (!came.is_send() || message_.size() > kOctets) continue;
    if (std::exchange(indication_due_, false) && segment->payload.empty()) continue;
    message_.insert(message_.end(), segment->payload.begin(), segment->payload.end());
    if (segment->header.last) echo_in_segments(std::exchange(message_, {}));
  }
}

}  // namespace wirelaw::rdmap
