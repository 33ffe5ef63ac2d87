// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/line.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference/umsp/address.h"
#include "reference/umsp/layout.h"

namespace wirelaw::umsp {
namespace {

NodeAddress node_at(const Endpoint& endpoint) {
  NodeAddress node;
  const auto& octets = endpoint.address.octets;
  for (std::size_t i = 0; i < node.ip.size() && i < octets.size(); ++i) node.ip[i] = octets[i];
  return node;
}

}  // namespace

bool Received::is_one_of(std::initializer_list<Opcode> codes) const {
  return std::ranges::any_of(codes, [this](Opcode code) { return is(code); });
}

std::string to_text(const Received& received) {
  const Layout* const layout = find_layout(received.instruction.opcode());
  const std::string name =
      layout != nullptr ? std::string(layout->name) : fmt::format("OPCODE {}", received.instruction.opcode());
  if (!received.is_one_of({Opcode::rsp, Opcode::rsp_p, Opcode::session_reject, Opcode::control_reject,
                           Opcode::task_reject, Opcode::session_abend}))
    return name;
  return fmt::format("{} with basic code {}", name, received.codes().basic);
}

std::string to_text(const std::optional<Received>& received) {
  return received ? to_text(*received) : "no instruction";
}

Line::Line(CaseRun& run, const Route& route)
    : CaseProbe(run, route), is_datagrams_(route.datagrams), node_(avoid_address_of_iut(route)) {
  if (ok() && !is_datagrams_ && !transport().is_stream()) skip("needs TCP, and the IUT was given with datagrams only");
  if (is_datagrams_) listen_at_port();
}

Line::Line(CaseRun& run, EitherWay) : CaseProbe(run), node_(avoid_address_of_iut()) {
  is_datagrams_ = ok() && !transport().is_stream();
  if (is_datagrams_) listen_at_port();
}

Line::Line(CaseRun& run, const Awaited& awaited)
    : CaseProbe(run, awaited), is_datagrams_(awaited.route.datagrams), node_(awaited.route.node) {}

Line::Line(CaseRun& run, std::unique_ptr<Transport> transport)
    : CaseProbe(run, std::move(transport)), is_datagrams_(!this->transport().is_stream()) {}

// The case continues if the port is not available.
void Line::listen_at_port() {
  if (!ok()) return;
  if (auto there = run().accept({.node = node_, .datagrams = true, .port = kPort}))
    at_port_ = std::make_unique<Line>(run(), std::move(*there));
}

NodeAddress Line::self() const {
  const auto ends = connected() ? transport().ends() : std::nullopt;
  return ends ? node_at(ends->tester) : NodeAddress{};
}

NodeAddress Line::iut() const {
  const auto ends = connected() ? transport().ends() : std::nullopt;
  return ends ? node_at(ends->iut) : NodeAddress{};
}

std::uint16_t Line::iut_port() const {
  const auto ends = connected() ? transport().ends() : std::nullopt;
  return ends ? static_cast<std::uint16_t>(ends->iut.port) : std::uint16_t{0};
}

void Line::send_good(const Draft& draft) {
  OctetBuffer octets;
  Context afresh;
  write(draft, is_datagrams_ ? afresh : out_, octets);
  CaseProbe::send_octets(octets);
}

void Line::send_together(std::initializer_list<Draft> drafts) {
  OctetBuffer octets;
  Context afresh;
  for (const Draft& draft : drafts) write(draft, is_datagrams_ ? afresh : out_, octets);
  send_octets(octets);
}

void Line::send_afterwards(const Draft& draft) {
  if (!ok()) return;
  OctetBuffer octets;
  Context afresh;
  write(draft, is_datagrams_ ? afresh : out_, octets);
  static_cast<void>(transport().send(octets));
}

void Line::end(Ending ending) {
  if (ok()) transport().end(ending);
}

// Adds whole instructions to those that are ready. Returns false if the octets are no instruction and cannot become
// one.
bool Line::take(Octets octets) {
  held_.insert(held_.end(), octets.begin(), octets.end());
  std::size_t at = 0;
  Context afresh;
  while (at < held_.size()) {
    const auto extent = instruction_octets(Octets(held_).subspan(at));
    if (!extent) return false;
    if (!extent->complete || extent->octets > held_.size() - at) break;
    Received one;
    const auto begin = held_.begin() + static_cast<std::ptrdiff_t>(at);
    one.octets.assign(begin, begin + static_cast<std::ptrdiff_t>(extent->octets));
    auto instruction = decode(one.octets);
    if (!instruction) return false;
    one.instruction = std::move(*instruction);
    one.membership = follow(one.instruction.header, is_datagrams_ ? afresh : in_);
    ready_.push_back(std::move(one));
    at += static_cast<std::size_t>(extent->octets);
  }
  held_.erase(held_.begin(), is_datagrams_ ? held_.end() : held_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

std::optional<Received> Line::next(Instant deadline) {
  constexpr auto kSlice = std::chrono::milliseconds(50);  // time to look at one port while waiting for the other
  if (at_port_ == nullptr) return next_here(deadline);
  while (ok()) {
    if (auto one = at_port_->next_here(now())) return one;
    if (auto one = next_here(std::min(deadline, in(kSlice)))) return one;
    if (now() >= deadline) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Received> Line::next_here(Instant deadline) {
  while (ok() && ready_.empty()) {
    const auto octets = receive_octets(deadline);
    if (!octets) return std::nullopt;
    if (!take(*octets)) {
      inconclusive("what came is not a UMSP instruction");
      return std::nullopt;
    }
  }
  if (!ok()) return std::nullopt;
  Received first = std::move(ready_.front());
  ready_.pop_front();
  return first;
}

bool Line::require_each(std::initializer_list<const Rule*> rules, bool holds, std::string_view expected,
                        std::string_view actual, std::string_view explanation) {
  if (!ok()) return false;
  for (const Rule* const one : rules) run().require(*one, holds, expected, actual, explanation);
  if (!holds) stop();
  return holds;
}

std::optional<Received> Line::next_of(std::initializer_list<Opcode> codes) {
  const Instant deadline = in(run().answer_time());
  while (auto one = next(deadline))
    if (one->is_one_of(codes)) return one;
  return std::nullopt;
}

bool Line::is_silent(std::initializer_list<Opcode> codes) {
  const Instant deadline = in(run().silence_time());
  while (const auto one = next(deadline))
    if (codes.size() == 0 || one->is_one_of(codes)) return false;
  return ok();
}

}  // namespace wirelaw::umsp
