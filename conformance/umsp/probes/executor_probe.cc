// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/executor_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "conformance/umsp/probes/text.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

// All functions, with both forms of headers.
constexpr std::uint32_t kAskedFor = with_field(
    with_field(kFunctionFlags & ~bit_of(ProfileFlag::border), kDataLengthFirst, kDataLengthBits, kDataLengthAny),
    kVersionFirst, kVersionBits, kUmspVersion);
constexpr std::uint32_t kGiven = with_field(kAskedFor, kVersionFirst, kVersionBits, 0);

}  // namespace

// ------------------------------------------------------------------------------------------------------------ sessions

Identifier ExecutorProbe::new_job(NodeAddress jcp) {
  // The port makes the job differ from one that an earlier run has left at the IUT.
  const auto ends = connected() ? transport().ends() : std::nullopt;
  const std::uint64_t port = ends ? ends->tester.port : 0;
  return identifier_of(format(), jcp, port << 12 | (++last_task_ & 0xfff));
}

SessionOpen ExecutorProbe::good_open(const Identifier& gjid) const {
  return {.required_vm = vm(),
          .required_profile = kAskedFor,
          .sender_vm = {50000, 1},
          .sender_profile = kGiven,
          .window = 64,
          .gjid = gjid,
          .ltid = format().task_id(gjid.task)};
}

Draft ExecutorProbe::first_open(const SessionOpen& open, std::uint32_t ours) const {
  Draft draft = open.draft();
  draft.req_id = ours;
  return draft;
}

std::optional<OpenSession> ExecutorProbe::open_session(const SessionOpen& open) {
  const std::uint32_t ours = new_session();
  send_good(first_open(open, ours));
  return finish_opening(open, ours);
}

std::optional<OpenSession> ExecutorProbe::finish_opening(const SessionOpen& open, std::uint32_t ours) {
  return finish_opening(open, ours, next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject}));
}

std::optional<OpenSession> ExecutorProbe::finish_opening(const SessionOpen& open, std::uint32_t ours,
                                                         std::optional<Received> answer, void (*change)(Draft&)) {
  if (!answer || answer->is(Opcode::session_reject)) {
    inconclusive(fmt::format("a session was not opened: {} came", to_text(answer)));
    return std::nullopt;
  }
  const OpenSession session = agreed(open, ours, *answer);
  if (answer->is(Opcode::session_accept)) return session;
  if (!ok()) return std::nullopt;
  Draft accept = draft_of(Opcode::session_accept);
  accept.session_id = session.theirs;
  accept.req_id = ours;
  if (change != nullptr) stimulates_own_rule();
  if (change != nullptr) change(accept);
  send_good(accept);
  return session;
}

OpenSession ExecutorProbe::agreed(const SessionOpen& open, std::uint32_t ours, const Received& answer) {
  OpenSession session{.ours = ours, .theirs = answer.req_id(), .gjid = open.gjid, .profile = open.required_profile};
  session.vm = open.required_vm;
  if (!answer.is(Opcode::session_open)) return session;
  const auto named = SessionOpen::read(answer.instruction);
  if (!named) {
    inconclusive("a SESSION_OPEN in answer could not be read");
    return session;
  }
  session.profile = named->sender_profile;
  session.window = named->window;
  session.vm = named->sender_vm;
  return session;
}

void ExecutorProbe::abend(const OpenSession& session) {
  send(in(session, draft_of(Opcode::session_abend)));
}

// -------------------------------------------------------------------------------------------------------- instructions

Draft ExecutorProbe::in(const OpenSession& session, Draft draft) {
  draft.session_id = session.theirs;
  return draft;
}

Draft ExecutorProbe::asking(const OpenSession& session, Draft draft) {
  draft.req_id = new_request();
  return in(session, std::move(draft));
}

std::optional<Received> ExecutorProbe::request(const OpenSession& session, Draft draft) {
  stimulates_own_rule();
  return request_good(session, std::move(draft));
}

std::optional<Received> ExecutorProbe::request_good(const OpenSession& session, Draft draft) {
  const Draft asked = asking(session, std::move(draft));
  send_good(asked);
  return answer_to(session, *asked.req_id);
}

std::optional<Received> ExecutorProbe::answer_to(const OpenSession& session, std::uint32_t req_id) {
  return answer_on(*this, session, req_id);
}

std::optional<Received> ExecutorProbe::answer_on(Line& line, const OpenSession& session, std::uint32_t req_id) {
  const Instant deadline = line.in(line.run().answer_time());
  while (auto one = line.next(deadline)) {
    const Layout* const layout = layout_of(one->instruction);
    const bool answers = layout != nullptr && layout->response && one->instruction.header.ask;
    if (answers && one->req_id() == req_id && one->membership.session_id.value_or(kZeroSession) == session.ours)
      return one;
  }
  return std::nullopt;
}

bool ExecutorProbe::says_done(const std::optional<Received>& response) {
  return response && !response->is_negative();
}

bool ExecutorProbe::says_refused(const std::optional<Received>& response) {
  return response && response->is_negative();
}

// ------------------------------------------------------------------------------------------------ what the IUT offers

std::optional<std::uint64_t> ExecutorProbe::number(std::string_view parameter) {
  const auto value = parse_number(run().parameter(parameter));
  if (!value) skip(fmt::format("needs an IUT that declares '{}'", parameter));
  return value;
}

std::optional<OfferedMemory> ExecutorProbe::memory() {
  const auto address = number("memory");
  const auto octets = number("octets");
  if (!address || !octets) return std::nullopt;
  return OfferedMemory{*address, static_cast<std::size_t>(*octets)};
}

std::size_t ExecutorProbe::memory_octets() const {
  return static_cast<std::size_t>(parse_number(run().parameter("address")).value_or(4));
}

std::uint8_t ExecutorProbe::address_octets() const {
  return static_cast<std::uint8_t>(field_octets(memory_octets()));
}

VmKind ExecutorProbe::vm() const {
  return {static_cast<std::uint16_t>(parse_number(run().parameter("vm")).value_or(0)),
          static_cast<std::uint16_t>(parse_number(run().parameter("vm_version")).value_or(0))};
}

// ------------------------------------------------------------------------------------------------- reading and writing

std::optional<OctetBuffer> ExecutorProbe::read(const OpenSession& session, std::uint64_t address,
                                               std::uint32_t octets) {
  const auto response = request_good(session, read_draft(address, octets));
  if (!response || !response->is(Opcode::data) || response->instruction.operands.size() < octets) return std::nullopt;
  const Octets data = response->instruction.operands.first(octets);
  return OctetBuffer(data.begin(), data.end());
}

bool ExecutorProbe::write(const OpenSession& session, std::uint64_t address, Octets octets) {
  return says_done(request_good(session, write_draft(address, octets)));
}

OctetBuffer ExecutorProbe::fresh(std::size_t octets) {
  OctetBuffer made(octets);
  ++written_;
  for (std::size_t i = 0; i < octets; ++i)
    made[i] = static_cast<Octet>(written_ * 37 + i * 11 + (written_ >> 8) * 101 + 1);
  return made;
}

// ------------------------------------------------------------------------------------------------------------ outcomes

void ExecutorProbe::show_served(const OpenSession& session) {
  const auto offered = ok() ? memory() : std::nullopt;
  if (!offered) return;
  const OctetBuffer octets = fresh(address_octets() == 2 ? 2 : 4);
  if (!write(session, offered->address, octets)) return inconclusive("a WRITE to the offered memory failed");
  if (read(session, offered->address, static_cast<std::uint32_t>(octets.size())) != octets)
    inconclusive("octets written to the offered memory were not read from there");
}

bool ExecutorProbe::expect_served(const Rule& rule, const OpenSession& session, std::string_view explanation) {
  const auto offered = ok() ? memory() : std::nullopt;
  if (!offered) return false;
  const OctetBuffer octets = fresh(address_octets() == 2 ? 2 : 4);
  const auto written = request_good(session, write_draft(offered->address, octets));
  if (!require(rule, says_done(written), "the session is in use: a WRITE is executed", to_text(written), explanation))
    return false;
  return expect_written(rule, session, offered->address, octets, explanation);
}

bool ExecutorProbe::expect_written(const Rule& rule, const OpenSession& session, std::uint64_t address, Octets octets,
                                   std::string_view explanation) {
  const auto there = read(session, address, static_cast<std::uint32_t>(octets.size()));
  return require(rule, there && std::ranges::equal(*there, octets), "the written octets",
                 there ? "other octets" : "no DATA", explanation);
}

bool ExecutorProbe::expect_unwritten(const Rule& rule, const OpenSession& session, std::uint64_t address,
                                     Octets octets_before, std::string_view explanation) {
  const auto there = read(session, address, static_cast<std::uint32_t>(octets_before.size()));
  if (!there) {
    inconclusive("the memory could not be read afterwards");
    return false;
  }
  return require(rule, std::ranges::equal(*there, octets_before), "the original octets", "changed octets", explanation);
}

bool ExecutorProbe::expect_done(const Rule& rule, const std::optional<Received>& response,
                                std::string_view explanation) {
  return require(rule, says_done(response), "a response that reports its execution", to_text(response), explanation);
}

bool ExecutorProbe::expect_refused(const Rule& rule, const std::optional<Received>& response,
                                   std::string_view explanation) {
  return require(rule, says_refused(response), "RSP or RSP_P with a basic code other than 0", to_text(response),
                 explanation);
}

bool ExecutorProbe::expect_silence(const Rule& rule, std::initializer_list<Opcode> codes,
                                   std::string_view explanation) {
  const bool silent = is_silent(codes);
  return require(rule, silent, "no such instruction", "one", explanation);
}

}  // namespace wirelaw::umsp
