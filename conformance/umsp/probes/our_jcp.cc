// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/our_jcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wirelaw::umsp {
namespace {

constexpr unsigned kLooks = 64;  // number of checks of each line while waiting for one

}  // namespace

OurJcp::OurJcp(CaseRun& run, unsigned node)
    : ours_(run, Route{.node = node}), theirs_(run, Line::Awaited{{.node = node, .port = kPort}}) {}

void OurJcp::take(Line& line, Instant deadline) {
  while (auto one = line.next(deadline)) {
    const bool registers = one->is_one_of({Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8});
    if (!registers && !one->is(Opcode::task_chk)) continue;
    Draft confirm = TaskConfirm{NodeFormat{}.task_id(++last_ctid_)}.draft();
    confirm.req_id = one->req_id();
    line.send_good(confirm);
    if (registers) registrations_.push_back(std::move(*one));
  }
}

std::optional<Received> OurJcp::serve_until(Line& line, std::initializer_list<Opcode> codes) {
  const auto slice = line.run().answer_time() / kLooks;
  const Instant deadline = line.in(line.run().answer_time());
  while (line.ok() && line.now() < deadline) {
    take(ours_, ours_.now());
    take(theirs_, theirs_.now());
    auto one = line.next(std::min(deadline, line.in(slice)));
    if (one && one->is_one_of(codes)) return one;
  }
  return std::nullopt;
}

void OurJcp::serve(Line& line) {
  const Instant deadline = line.in(line.run().silence_time());
  const auto slice = line.run().silence_time() / kLooks;
  while (line.ok() && line.now() < deadline) {
    const Instant before = line.now();
    take(ours_, line.in(slice));
    take(theirs_, line.now() == before ? line.in(slice) : line.now());
    if (line.now() == before) return;  // nothing arrives on either line any more, and waiting passes no time
  }
}

std::optional<OpenSession> OurJcp::open_session(ExecutorProbe& opener, const SessionOpen& open) {
  const std::uint32_t id = opener.new_session();
  opener.send_good(opener.first_open(open, id));
  auto answer = serve_until(opener, {Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
  return opener.finish_opening(open, id, std::move(answer));
}

}  // namespace wirelaw::umsp
