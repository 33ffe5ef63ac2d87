// SPDX-License-Identifier: Apache-2.0
// For tests: a virtual machine that records its calls, and both ends of a session's chains.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/sender.h"
#include "reference/umsp/layout.h"

namespace wirelaw::umsp {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

inline constexpr std::uint32_t kTestSession = 7;

// An instruction that carries a number, so that the executed ones can be compared.
inline Draft numbered(std::uint32_t number, std::size_t octets = 4) {
  Draft draft = draft_of(Opcode::write_4);
  Writer(draft.operands).big_endian(number);
  for (std::size_t i = draft.operands.size(); i < octets; ++i)
    draft.operands.push_back(static_cast<Octet>(i * 7 + number));
  return draft;
}
inline Draft asking(Draft draft, std::uint32_t req_id) {
  draft.req_id = req_id;
  return draft;
}
inline Draft with(Draft draft, HeadCode code, OctetBuffer data = {}) {
  draft.extensions.push_back({code, std::move(data)});
  return draft;
}
inline Draft linked(Draft draft, std::uint16_t chain, std::uint16_t place) {
  draft.chain = ChainPlace{chain, place};
  return draft;
}
inline OctetBuffer big_endian(std::uint64_t value, std::size_t octets) {
  OctetBuffer out(octets);
  for (std::size_t i = octets; i-- > 0; value >>= 8) out[i] = static_cast<Octet>(value);
  return out;
}

class FakeExecutor : public Executor {
 public:
  struct Executed {
    std::uint8_t opcode = 0;
    std::uint32_t number = 0;
    OctetBuffer operands;
    bool asked = false;
    std::uint32_t req_id = 0;
    Circumstances at;
  };

  void begin_task(std::uint64_t) override {}
  void end_task(std::uint64_t) override {}
  void forget_node(std::uint64_t, Octets) override {}
  bool can_execute(const Instruction& instruction, const Circumstances&) const override {
    return kind_of(number_in(instruction)) != Execution::Kind::refused;
  }
  Execution execute(const Instruction& instruction, const Circumstances& at, Instant) override {
    const std::uint32_t number = number_in(instruction);
    Execution execution{kind_of(number), {}};
    const bool responds = instruction.header.ask && execution.kind != Execution::Kind::under_way && responds_;
    if (responds) {
      const bool refused = execution.kind == Execution::Kind::refused;
      execution.response =
          make_response(Opcode::rsp, instruction.header.req_id, {refused ? std::uint16_t{99} : std::uint16_t{0}, 0});
    }
    if (execution.kind != Execution::Kind::refused)
      executed.push_back({instruction.opcode(), number,
                          OctetBuffer(instruction.operands.begin(), instruction.operands.end()), instruction.header.ask,
                          instruction.header.req_id, at});
    return execution;
  }
  bool grants_buffer(std::uint32_t octets, const Circumstances&) override {
    asked_buffers.push_back(octets);
    return grants;
  }
  void on_response(const Instruction& response, const Circumstances& at) override {
    responses.push_back({response.opcode(), number_in(response),
                         OctetBuffer(response.operands.begin(), response.operands.end()), true, response.header.req_id,
                         at});
  }
  bool next_response(FromVm&) override { return false; }
  bool next_request(FromVm&) override { return false; }
  void advance(Instant) override {}
  std::optional<Instant> deadline() const override { return {}; }

  std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> all;
    for (const Executed& one : executed) all.push_back(one.number);
    return all;
  }

  std::vector<std::uint32_t> refuses, begins;  // numbers to refuse, or to answer later
  bool grants = true;
  bool responds_ = true;
  std::vector<Executed> executed, responses;
  std::vector<std::uint32_t> asked_buffers;

 private:
  static std::uint32_t number_in(const Instruction& instruction) {
    return instruction.operands.size() < 4 ? 0 : Reader(instruction.operands).big_endian<std::uint32_t>();
  }
  Execution::Kind kind_of(std::uint32_t number) const {
    const auto in = [&](const auto& list) { return std::find(list.begin(), list.end(), number) != list.end(); };
    if (in(refuses)) return Execution::Kind::refused;
    return in(begins) ? Execution::Kind::under_way : Execution::Kind::executed;
  }
};

// A response as text: "RSP 5", or "RSP_P 5 !" if it is negative.
inline std::string text_of(const Draft& response) {
  const Layout* const layout = find_layout(response.opcode);
  return std::string(layout == nullptr ? "?" : layout->name) + " " + std::to_string(response.req_id.value_or(0)) +
         (codes_of(response).positive() ? "" : " !");
}

// A receiver, and its output.
class TestReceiver {
 public:
  explicit TestReceiver(const ReceiverOptions& options = {}, std::unique_ptr<ChainReceiver> made = nullptr)
      : receiver(made ? std::move(made) : nullptr) {
    if (!receiver) receiver = std::make_unique<ChainReceiver>(options, vm, Circumstances{kTestSession, 3});
  }

  // Receives each instruction in its own segment, unless the test sets otherwise.
  void gets(Draft draft) {
    if (!same_segment) ++arrival.segment;
    draft.session_id = kTestSession;
    const OctetBuffer octets = write(draft);
    const auto instruction = decode(octets, kUnlimited);
    Context context;
    receiver->receive(*instruction, follow(instruction->header, context), arrival, now);
    fetch();
  }
  void gets_in_one_segment(const std::vector<Draft>& all) {
    ++arrival.segment;
    same_segment = true;
    for (const Draft& one : all) gets(one);
    same_segment = false;
  }
  void asks_buffer(std::uint32_t octets, std::uint32_t req_id = 900) {
    Draft draft = asking(draft_of(Opcode::req_buf), req_id);
    Writer(draft.operands).big_endian(octets);
    gets(draft);
  }
  void at(Instant later) {
    now = later;
    receiver->advance(now);
    fetch();
  }
  void vm_responds(const Draft& response) {
    if (!receiver->executed(response, now)) sent.push_back("not of a chain");
    fetch();
  }
  void ends(bool abnormally) {
    receiver->session_ended(abnormally, now);
    fetch();
  }

  // Octets that the receiver still keeps, in memory and in the window.
  std::uint64_t octets_left() const { return receiver->octets_held() + receiver->window_used(); }

  FakeExecutor vm;
  std::unique_ptr<ChainReceiver> receiver;
  Arrival arrival;
  Instant now{0};
  bool same_segment = false;
  std::vector<std::string> sent;
  std::vector<Draft> responses;

 private:
  void fetch() {
    Action action;
    while (receiver->next(action)) {
      if (action.kind == Action::Kind::answered) continue;
      sent.push_back(action.kind == Action::Kind::respond ? text_of(action.response) : "break off");
      if (action.kind == Action::Kind::respond) responses.push_back(action.response);
    }
  }
};

class TestSender {
 public:
  explicit TestSender(const SenderOptions& options = {}) : sender(std::make_unique<ChainSender>(options)) {}

  // Returns all instructions that may be sent now.
  std::vector<Draft> gives(Instant now = Instant{0}) {
    std::vector<Draft> all;
    Sendable one;
    while (sender->next(one, now)) all.push_back(one.instruction);
    return all;
  }
  bool gets(const Draft& response) {
    const OctetBuffer octets = write(response);
    return sender->answered(*decode(octets), Instant{0});
  }
  std::vector<std::string> for_vm() {
    std::vector<std::string> all;
    Draft one;
    while (sender->next_for_vm(one)) all.push_back(text_of(one));
    return all;
  }
  std::unique_ptr<ChainSender> sender;
};

// Length of an instruction of the session on the wire.
inline std::uint64_t wire_octets(Draft draft) {
  draft.session_id = kTestSession;
  return write(draft).size();
}

// Drafts of one whole chain under a number.
inline std::vector<Draft> chain_of(std::uint16_t number, HeadCode code, OctetBuffer data, std::vector<Draft> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].chain = ChainPlace{number, static_cast<std::uint16_t>(i)};
    if (i == 0) all[i] = with(all[i], code, data);
    if (i + 1 == all.size()) all[i] = with(all[i], HeadCode::end_chain);
  }
  return all;
}

// --- chains as their sender makes them, by hand
inline std::vector<Draft> sequence(std::uint16_t number, std::vector<Draft> all) {
  return chain_of(number, HeadCode::begin_sq, {}, std::move(all));
}
inline std::vector<Draft> transaction(std::uint16_t number, const TransactionTerms& terms, std::vector<Draft> all) {
  return chain_of(number, HeadCode::begin_tr, encode(terms), std::move(all));
}
// Fragments of `instruction`, by hand: without SESSION_ID and REQ_ID.
inline std::vector<Draft> fragments(std::uint16_t number, Draft instruction, std::size_t size,
                                    OctetBuffer parent = {}) {
  instruction.session_id = kTestSession;
  const OctetBuffer octets = write(instruction);
  auto inner = decode(octets, kUnlimited);
  inner->header.form = Form::fragmented;
  const OctetBuffer cut = encode(*inner);
  std::vector<Draft> all;
  for (std::size_t at = 0; at < cut.size(); at += size) {
    const Octets piece = Octets(cut).subspan(at, std::min(size, cut.size() - at));
    all.push_back(draft_of(Opcode::nop, OctetBuffer(piece.begin(), piece.end())));
  }
  all.front().req_id = instruction.req_id;
  return chain_of(number, HeadCode::begin_frg, std::move(parent), std::move(all));
}
inline Draft control(Opcode opcode, std::uint16_t number) {
  Draft draft = linked(draft_of(opcode), number, 0);
  if (opcode == Opcode::snd_cancel) draft.operands = {0, 0, 0, 0};
  return draft;
}
inline std::vector<Draft> numbers(std::uint32_t count, std::optional<std::uint32_t> req_id = {}) {
  std::vector<Draft> all;
  for (std::uint32_t i = 1; i <= count; ++i) all.push_back(numbered(i));
  all.front().req_id = req_id;
  return all;
}

}  // namespace wirelaw::umsp
