// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/driven.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <concepts>

namespace wirelaw::rdmap {

using namespace verbs;

std::string to_text(const std::optional<Wc>& wc) {
  return wc ? verbs::to_text(*wc) : "no completion";
}

std::string to_text(const std::vector<Wc>& list) {
  if (list.empty()) return "no completion";
  std::vector<std::string> texts;
  for (const Wc& one : list) texts.push_back(verbs::to_text(one));
  return fmt::format("{}", fmt::join(texts, "; "));
}

// ------------------------------------------------------------------------------------------------------------ outcomes

bool Driver::require(std::initializer_list<const Rule*> rules, bool holds, std::string_view expected,
                     std::string_view actual, std::string_view explanation) {
  if (!probe_.ok()) return false;
  for (const Rule* const rule : rules) probe_.run().require(*rule, holds, expected, actual, explanation);
  if (!holds) probe_.inconclusive("stopped by what was found");  // the first outcome counts
  return holds;
}

bool Driver::advise(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
                    std::string_view explanation) {
  return probe_.advise(rule, holds, expected, actual, explanation);
}

// ---------------------------------------------------------------------------------------------------------- connection

std::optional<CmEvent> Driver::await_cm(std::initializer_list<CmEventType> types) {
  const Instant deadline = probe_.in(probe_.run().answer_time());
  while (probe_.ok()) {
    auto event = consumer_->cm_event(deadline);
    if (!event || !*event) return std::nullopt;
    if (std::ranges::find(types, (*event)->type) != types.end()) return std::move(**event);
  }
  return std::nullopt;
}

// ----------------------------------------------------------------------------------------------------- memory and work

Region Driver::region(std::size_t octets, const verbs::Access& access) {
  return region_of(OctetBuffer(octets), access);
}

Region Driver::region_of(Octets octets, const verbs::Access& access) {
  if (!probe_.ok()) return {.memory = nowhere_.emplace_back(octets.size())};
  verbs::Access granted = access;
  if (granted.remote_read && granted.remote_write) granted.remote_atomic = consumer_->device().atomics;
  const auto memory = consumer_->allocate(octets.size());
  const auto registered =
      memory ? consumer_->reg_mr(*memory, granted) : Consumer::Outcome<Region>(tl::unexpected(memory.error()));
  if (!registered) {
    probe_.inconclusive("no memory could be registered: " + registered.error().message);
    return {.memory = nowhere_.emplace_back(octets.size())};
  }
  std::ranges::copy(octets, registered->memory.begin());
  return *registered;
}

void Driver::post_recv(std::uint64_t wr_id, const Region& into) {
  if (!probe_.ok()) return;
  if (const auto posted = consumer_->post_recv({.wr_id = wr_id, .sge = all_of(into)}); !posted)
    probe_.inconclusive("ibv_post_recv failed: " + posted.error().message);
}

void Driver::post(SendWr wr) {
  if (!probe_.ok()) return;
  if (const auto posted = consumer_->post_send(wr); !posted)
    probe_.inconclusive(
        fmt::format("ibv_post_send of {} failed: {}", verbs::to_string(wr.opcode), posted.error().message));
}

// --------------------------------------------------------------------------------------------------------- completions

std::optional<Wc> Driver::completion(Cq cq, std::chrono::nanoseconds time) {
  if (!probe_.ok()) return std::nullopt;
  const auto wc = consumer_->poll_cq(cq, probe_.in(time));
  return wc ? *wc : std::nullopt;
}

std::vector<Wc> Driver::completions(Cq cq, std::size_t count) {
  std::vector<Wc> list;
  while (list.size() < count) {
    const auto wc = completion(cq);
    if (!wc) break;
    list.push_back(*wc);
  }
  return list;
}

bool Driver::expect_completions(std::initializer_list<const Rule*> rules, Cq cq,
                                std::initializer_list<std::uint64_t> wr_ids, std::string_view explanation) {
  if (!probe_.ok()) return false;
  const std::vector<Wc> list = completions(cq, wr_ids.size());
  const bool right = std::ranges::equal(list, wr_ids, {}, &Wc::wr_id) &&
                     std::ranges::all_of(list, [](const Wc& one) { return one.status == WcStatus::success; });
  return require(rules, right, fmt::format("success of wr_id {}, in this order", fmt::join(wr_ids, ", ")),
                 to_text(list), explanation);
}

// -------------------------------------------------------------------------------------------------------------- errors

std::string Driver::reported_end() {
  if (!probe_.ok()) return "the case has stopped";
  const auto left_rts = [&]() -> std::string {
    const auto info = consumer_->query_qp();
    // Drivers that report no state return IBV_QPS_RESET (RDMAP/V-01).
    const bool over =
        info && (info->state == QpState::err || info->state == QpState::sqe || info->state == QpState::sqd);
    return over ? fmt::format("the queue pair is in {}", verbs::to_string(info->state)) : "";
  };
  if (const std::string reported = left_rts(); !reported.empty()) return reported;
  if (const auto event = await_cm({CmEventType::disconnected, CmEventType::device_removal}))
    return std::string(verbs::to_string(event->type));
  const auto event = consumer_->async_event(probe_.now());
  if (event && *event) return std::string(verbs::to_string(**event));
  return left_rts();
}

bool Driver::expect_flushed(std::initializer_list<const Rule*> rules, Cq cq,
                            std::initializer_list<std::uint64_t> wr_ids, std::string_view explanation) {
  if (!probe_.ok()) return false;
  return expect_all_flushed(rules, completions(cq, wr_ids.size()), wr_ids, explanation);
}

bool Driver::expect_all_flushed(std::initializer_list<const Rule*> rules, const std::vector<Wc>& list,
                                std::initializer_list<std::uint64_t> wr_ids, std::string_view explanation) {
  const bool all = std::ranges::is_permutation(list, wr_ids, {}, &Wc::wr_id);
  const bool in_error = std::ranges::none_of(list, [](const Wc& one) { return one.status == WcStatus::success; });
  return require(rules, all && in_error,
                 fmt::format("a completion of each of wr_id {}, in error", fmt::join(wr_ids, ", ")), to_text(list),
                 explanation);
}

// -------------------------------------------------------------------------------------------------------- both ends

template <>
void Driven<ResponderProbe>::begin(const ConnParam& param, const StartOptions& options) {
  request(options);
  if (!app.await_cm({CmEventType::connect_request}))
    return inconclusive("no RDMA_CM_EVENT_CONNECT_REQUEST came, so the case could not begin");
  if (const auto accepted = app.device().accept(param); !accepted)
    return inconclusive("rdma_accept failed: " + accepted.error().message);
  const Response answer = next();
  if (!accepts().fits(answer)) return inconclusive("no Reply that accepts came: " + rdmap::to_text(answer));
  take_reply(answer);
}

template <>
void Driven<InitiatorProbe>::begin(const ConnParam& param, const StartOptions& options) {
  if (const auto connecting = app.device().connect(param); !connecting)
    return inconclusive("rdma_connect failed: " + connecting.error().message);
  next_request();
  if (!ok()) return;
  StartOptions reply = good_reply();
  if (options.enhanced && reply.enhanced) {
    reply.enhanced->ird = std::min(reply.enhanced->ird, options.enhanced->ird);
    reply.enhanced->ord = std::min(reply.enhanced->ord, options.enhanced->ord);
  }
  reply.private_data = options.private_data;
  accept(reply);
}

template <class Wire>
bool Driven<Wire>::open(const ConnParam& param, const StartOptions& options) {
  if (!this->ok()) return false;
  begin(param, options);
  if (this->ok() && !app.await_cm({CmEventType::established}))
    this->inconclusive("no RDMA_CM_EVENT_ESTABLISHED came, so the case could not begin");
  // The first FPDU is the initiator's (RFC 5044, 7.1.2, rule 4). Whatever the responder does must come after it.
  const Region octets = app.region_of(sample_octets(4));
  if constexpr (std::same_as<Wire, ResponderProbe>) {
    const auto read = read_back(*this, {.sink_stag = kOurSinkStag,
                                        .sink_to = kOurSinkTo,
                                        .size = 4,
                                        .source_stag = octets.rkey,
                                        .source_to = octets.addr});
    if (!read) this->inconclusive("the first Read was not answered: " + rdmap::to_text(this->last()));
  } else {
    app.post(Driver::send_of(kOpeningWr, octets));
    this->await_send();
    if (const auto wc = app.completion(Cq::send); this->ok() && (!wc || wc->status != WcStatus::success))
      this->inconclusive("the first Send did not complete: " + to_text(wc));
  }
  return this->ok();
}

template <class Wire>
std::optional<OctetBuffer> Driven<Wire>::message(Opcode opcode) {
  OctetBuffer octets;
  for (;;) {
    const Response answer = await_message(opcode);
    const auto segment = answer.segment();
    if (!segment || !answer.is(opcode)) return std::nullopt;
    octets.insert(octets.end(), segment->payload.begin(), segment->payload.end());
    if (segment->header.last) return octets;
  }
}

template <class Wire>
std::optional<ReadRequest> Driven<Wire>::await_read() {
  const Response answer = await_message(Opcode::read_request);
  const auto segment = answer.segment();
  return segment ? decode_read_request(segment->payload) : std::nullopt;
}

template <class Wire>
void Driven<Wire>::answer_read(const ReadRequest& read, Octets data, bool last) {
  ddp::Header header = this->tagged(Opcode::read_response, read.sink_stag, read.sink_to);
  header.last = last;
  this->send_segment(header, data);
}

template <class Wire>
std::optional<AtomicRequest> Driven<Wire>::await_atomic() {
  const Response answer = await_message(Opcode::atomic_request);
  const auto segment = answer.segment();
  return segment ? decode_atomic_request(segment->payload) : std::nullopt;
}

template <class Wire>
void Driven<Wire>::answer_atomic(const AtomicRequest& request, std::uint64_t original) {
  OctetBuffer payload;
  encode(AtomicResponse{.request_identifier = request.request_identifier, .original_value = original}, payload);
  this->send_segment(this->untagged(Opcode::atomic_response), payload);
  this->message_sent(kAtomicResponseQueue);
}

template class Driven<ResponderProbe>;
template class Driven<InitiatorProbe>;

// ----------------------------------------------------------------------------------------------------------------
// cases

std::vector<Case> verbs_cases() {
  std::vector<Case> cases;
  add_verbs_start_cases(cases);
  add_verbs_work_cases(cases);
  add_verbs_extension_cases(cases);
  add_verbs_memory_cases(cases);
  add_verbs_error_cases(cases);
  add_pair_work_cases(cases);
  add_pair_memory_cases(cases);
  add_pair_error_cases(cases);
  add_pair_extension_cases(cases);
  return cases;
}

}  // namespace wirelaw::rdmap
