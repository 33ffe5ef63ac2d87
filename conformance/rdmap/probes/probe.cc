// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/probes/message_cases.h"
#include "conformance/rdmap/tracker/terminate_facts.h"
#include "conformance/settling.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kMostMessage = 16u << 20;   // octets of one that are put together
constexpr std::size_t kReadSegment = 1024;        // octets of a Read Response's segment
constexpr std::uint32_t kMostRead = 1024u << 10;  // octets that are answered to a Read Request

// Returns the second reading of a Terminate that is valid in both bit orders (RDMAP/A-60); returns other answers
// unchanged.
Response read_the_other_way(Response answer) {
  if (!answer.is(Opcode::terminate)) return answer;
  const Octets behind = answer.segment()->payload;
  OctetBuffer terminate(behind.begin(), behind.end());
  if (put_in_order(terminate, [](const ErrorCode&) { return true; }))
    std::ranges::copy(terminate, answer.octets.end() - std::ssize(terminate));
  return answer;
}

}  // namespace

void Probe::reconnect() {
  if (!ok()) return;
  inbox_.clear();
  started_ = false;
  framer_ = {/*markers=*/false, /*crc=*/true};
  deframer_.reset();
  next_msn_.fill(ddp::kFirstMsn);
  last_ = {};
  connect();
}

Response Probe::expect_one_of(const Rule& rule, Outcomes outcomes, std::string_view explanation) {
  if (!ok()) return {};
  const bool may_be_silent =
      std::ranges::any_of(outcomes, [](const Outcome& one) { return !one.noted && one.fits(Response{}); });
  Response answer = next(in(may_be_silent ? run().silence_time() : run().answer_time()));
  judge(rule, answer, outcomes, explanation);
  return answer;
}

bool Probe::judge(const Rule& rule, const Response& answer, Outcomes outcomes, std::string_view explanation) {
  return judge({&rule}, answer, outcomes, explanation);
}

bool Probe::judge(std::initializer_list<const Rule*> rules, const Response& answer, Outcomes outcomes,
                  std::string_view explanation) {
  if (!ok()) return false;
  std::string expected;
  for (const Outcome& one : outcomes)
    if (!one.noted) expected += (expected.empty() ? "" : ", or ") + one.text;
  auto fit = std::ranges::find_if(outcomes, [&](const Outcome& one) { return one.fits(answer); });
  if (fit == outcomes.end() || fit->noted) {
    const auto meant = std::ranges::find_if(
        outcomes, [other = read_the_other_way(answer)](const Outcome& one) { return !one.noted && one.fits(other); });
    if (meant != outcomes.end()) fit = meant;
  }
  const bool holds = fit != outcomes.end();
  for (const Rule* rule : rules) {
    if (holds && fit->noted)
      run().advise(*rule, false, expected, to_text(answer), explanation);
    else
      run().require(*rule, holds, expected, to_text(answer), explanation);
  }
  if (!holds) stop();
  return ok();
}

// --- octets

void Probe::send_in_pieces(Octets octets, std::size_t piece) {
  for (; !octets.empty() && ok(); octets = octets.subspan(std::min(piece, octets.size())))
    send_octets(octets.first(std::min(piece, octets.size())));
}

void Probe::end(Ending ending) {
  stimulates_own_rule();
  if (ok()) transport().end(ending);
}

// --- start frames

OctetBuffer Probe::start_frame(mpa::StartFrame frame, Octets private_data) {
  if (frame.private_data_length == 0) frame.private_data_length = static_cast<std::uint16_t>(private_data.size());
  frame.private_data = private_data;
  return mpa::encode_start_frame(frame);
}

void Probe::send_start(mpa::StartFrame frame, Octets private_data) {
  send_octets(start_frame(frame, private_data));
}

void Probe::send_good_start(mpa::StartFrame frame, Octets private_data) {
  CaseProbe::send_octets(start_frame(frame, private_data));
}

void Probe::operate(const mpa::StartFrame& ours, const mpa::StartFrame& theirs) {
  const bool crc = ours.crc || theirs.crc;
  framer_ = {theirs.markers, crc};
  deframer_.emplace(ours.markers, crc);
  check_crc_ = crc;
  enhanced_ = ours.enhanced && theirs.enhanced;
}

// --- FPDUs

OctetBuffer Probe::fpdu(Octets ulpdu, const Faults& faults) {
  OctetBuffer out;
  framer_.frame(ulpdu, out, faults);
  return out;
}

void Probe::send_fpdu(Octets ulpdu, const Faults& faults) {
  if (ok()) send_octets(fpdu(ulpdu, faults));
}

OctetBuffer Probe::ulpdu_of(const ddp::Header& header, Octets payload) {
  OctetBuffer ulpdu;
  ddp::encode(header, ulpdu);
  ulpdu.insert(ulpdu.end(), payload.begin(), payload.end());
  return ulpdu;
}

OctetBuffer Probe::fpdu_of(const ddp::Header& header, Octets payload, const Faults& faults) {
  return fpdu(ulpdu_of(header, payload), faults);
}

// --- segments and messages

ddp::Header Probe::untagged(Opcode opcode) const {
  const OpcodeRow* const row = find_opcode(static_cast<std::uint8_t>(opcode));
  const std::uint32_t queue = row ? row->queue : kSendQueue;
  return {.last = true, .rsvd_ulp = encode_control(control_of(opcode)), .qn = queue, .msn = next_msn_[queue & 3]};
}

ddp::Header Probe::tagged(Opcode opcode, std::uint32_t stag, std::uint64_t to) {
  return {.tagged = true, .last = true, .rsvd_ulp = encode_control(control_of(opcode)), .stag = stag, .to = to};
}

void Probe::send_segment(const ddp::Header& header, Octets payload, const Faults& faults) {
  if (ok()) send_octets(fpdu_of(header, payload, faults));
}

void Probe::send_good_segment(const ddp::Header& header, Octets payload) {
  if (ok()) CaseProbe::send_octets(fpdu_of(header, payload));
}

void Probe::send(Octets payload, Opcode opcode, const HeaderEdit& edit, const Faults& faults) {
  ddp::Header header = untagged(opcode);
  // Valid segments before it carry the octets that do not fit into one FPDU.
  constexpr std::size_t kLongest = 0xffff - ddp::layout::kUntagged;
  for (; payload.size() > kLongest; payload = payload.subspan(kLongest)) {
    ddp::Header ahead = header;
    ahead.last = false;
    send_good_segment(ahead, payload.first(kLongest));
    header.mo += static_cast<std::uint32_t>(kLongest);
  }
  if (edit) edit(header);
  if (!edit && opcode == Opcode::send && faults == Faults{})
    send_good_segment(header, payload);
  else
    send_segment(header, payload, faults);
  message_sent(kSendQueue);
}

void Probe::write(Octets payload, std::uint32_t stag, std::uint64_t to, const HeaderEdit& edit) {
  ddp::Header header = tagged(Opcode::write, stag, to);
  if (edit) edit(header);
  send_segment(header, payload);
}

void Probe::read_request(const ReadRequest& request, const HeaderEdit& edit) {
  ddp::Header header = untagged(Opcode::read_request);
  if (edit) edit(header);
  OctetBuffer payload;
  encode(request, payload);
  send_segment(header, payload);
  message_sent(kReadRequestQueue);
}

// --- what comes

Response Probe::next(Instant deadline) {
  while (ok()) {
    if (auto answer = read()) {
      if (answer->is(Response::Kind::start_frame)) settle();
      return last_ = std::move(*answer);
    }
    const auto received = receive_octets(deadline);
    if (received) {
      inbox_.insert(inbox_.end(), received->begin(), received->end());
      continue;
    }
    if (!ok()) break;
    const Ending ending = transport().ending();
    if (ending == Ending::closed) return last_ = {.kind = Response::Kind::closed, .octets = {}};
    if (ending == Ending::reset) return last_ = {.kind = Response::Kind::reset, .octets = {}};
    break;
  }
  return last_ = {};
}

void Probe::settle() {
  const auto time = settling_time(run());
  if (time == time.zero()) return;
  const Instant until = in(time);
  while (const auto received = receive_octets(until)) inbox_.insert(inbox_.end(), received->begin(), received->end());
}

std::optional<Response> Probe::read() {
  if (!started_) return read_start();
  return deframer_ ? read_fpdu() : std::nullopt;
}

std::optional<Response> Probe::read_start() {
  if (inbox_.size() < mpa::kRequestKey.size()) return std::nullopt;
  const auto frame = mpa::decode_start_frame(inbox_);
  if (!frame && inbox_.size() < frame.error().needed) return std::nullopt;
  if (!frame->kind()) return Response{.kind = Response::Kind::unreadable, .octets = std::exchange(inbox_, {})};
  const auto end = inbox_.begin() + static_cast<std::ptrdiff_t>(mpa::layout::kStartFrame + frame->private_data_length);
  Response answer{.kind = Response::Kind::start_frame, .octets = OctetBuffer(inbox_.begin(), end)};
  inbox_.erase(inbox_.begin(), end);
  started_ = true;
  return answer;
}

std::optional<Response> Probe::read_fpdu() {
  auto fpdu = deframer_->next();
  if (!fpdu) {
    fed_ = std::exchange(inbox_, {});
    deframer_->feed(fed_);
    fpdu = deframer_->next();
  }
  if (!fpdu) return std::nullopt;
  if (check_crc_ && !fpdu->crc_holds())
    return Response{.kind = Response::Kind::unreadable,
                    .octets = OctetBuffer(fpdu->octets.begin(), fpdu->octets.end())};
  Response answer{.kind = Response::Kind::segment, .octets = OctetBuffer(fpdu->ulpdu().begin(), fpdu->ulpdu().end())};
  // Judges it with the intended values. The observer reports the wrong bit order, once (RDMAP/A-60).
  if (answer.is(Opcode::terminate)) {
    const Octets behind = answer.segment()->payload;
    OctetBuffer terminate(behind.begin(), behind.end());
    const auto likely = [&](const ErrorCode& meant) {  // MPA defines these codes only for enhanced set-up
      return !enhanced_ && meant.layer == static_cast<std::uint8_t>(Layer::rdma);
    };
    if (put_in_order(terminate, likely)) std::ranges::copy(terminate, answer.octets.end() - std::ssize(terminate));
  }
  return answer;
}

std::size_t Probe::pending() const {
  return inbox_.size() + (deframer_ ? deframer_->pending() : 0);
}

void Probe::serve_read(const ddp::Segment& segment) {
  const auto request = decode_read_request(segment.payload);
  if (!request || request->size > kMostRead) return;
  const OctetBuffer zeros(std::min<std::size_t>(kReadSegment, request->size));
  std::uint32_t sent = 0;
  do {
    const std::size_t part = std::min<std::size_t>(zeros.size(), request->size - sent);
    ddp::Header header = tagged(Opcode::read_response, request->sink_stag, request->sink_to + sent);
    header.last = sent + part == request->size;
    send_good_segment(header, Octets(zeros).first(part));
    sent += static_cast<std::uint32_t>(part);
  } while (sent < request->size && ok());
}

void Probe::serve_atomic(const ddp::Segment& segment) {
  const auto request = decode_atomic_request(segment.payload);
  if (!request) return;
  OctetBuffer payload;
  encode(AtomicResponse{.request_identifier = request->request_identifier}, payload);
  send_good_segment(untagged(Opcode::atomic_response), payload);
  message_sent(kAtomicResponseQueue);
}

std::optional<OctetBuffer> Probe::next_send(Instant deadline) {
  OctetBuffer message;
  for (;;) {
    const Response answer = next(deadline);
    const auto segment = answer.segment();
    if (answer.is(Response::Kind::nothing) || answer.ended() || answer.is(Opcode::terminate)) return std::nullopt;
    if (!segment) continue;
    if (answer.is(Opcode::read_request)) serve_read(*segment);
    if (answer.is(Opcode::atomic_request)) serve_atomic(*segment);
    if (!answer.is_send() || message.size() > kMostMessage) continue;
    message.insert(message.end(), segment->payload.begin(), segment->payload.end());
    if (segment->header.last) return message;
  }
}

}  // namespace wirelaw::rdmap
