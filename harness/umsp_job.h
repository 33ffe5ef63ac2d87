// SPDX-License-Identifier: Apache-2.0
// For tests: the application of a node that initiates a job. It uses every class of instruction and each kind of chain,
// and ends the session and the job.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <vector>

#include "reference/umsp/exchange.h"
#include "reference/umsp/node/node.h"
#include "reference/umsp/vm/offered.h"

namespace wirelaw::umsp {

inline constexpr MemoryAddress kRegion{offered::kRegionAddress, 4};

inline Draft of_object(Opcode opcode, Octets rest = {}) {
  OctetBuffer operands;
  Writer(operands).big_endian(offered::kObject).big_endian(std::uint16_t{0}).big_endian(std::uint16_t{0}).octets(rest);
  return draft_of(opcode, std::move(operands));
}
inline Draft named(Draft draft, std::string_view name) {
  draft.extensions.push_back(text_extension(HeadCode::name, name));
  return draft;
}
inline OctetBuffer words(std::initializer_list<std::uint32_t> numbers) {
  OctetBuffer octets;
  for (const std::uint32_t number : numbers) Writer(octets).big_endian(number);
  return octets;
}

// Requests of every class, with the opcode of the answer.
struct SampleRequest {
  Draft draft;
  Opcode answer;
};
inline std::vector<SampleRequest> requests() {
  const OctetBuffer data = words({0x01020304, 0x05060708});
  const VmKind vm{offered::kVmType, offered::kVmVersion};
  const MemoryAddress echo{offered::kEchoAddress, 4};
  return {{write_data(kRegion, data), Opcode::rsp},
          {req_data(kRegion, 8), Opcode::data},
          {compare_data(kRegion, data), Opcode::rsp},
          {write_ext(kRegion, Octets(data).first(3)), Opcode::rsp},
          {compare_ext(kRegion, Octets(data).first(3)), Opcode::rsp},
          {mem_alloc(64), Opcode::address},
          {mvcode(vm, offered::echo_image()), Opcode::address},
          {mvrun(vm, offered::echo_image(data)), Opcode::return_control},
          {call_to(echo, data), Opcode::return_control},
          {call_to(echo, data, vm), Opcode::return_control},
          {jump_to(echo, data), Opcode::rsp},
          {draft_of(Opcode::nop), Opcode::rsp},
          {of_object(Opcode::obj_req_data_4, words({4, 0})), Opcode::data},
          {of_object(Opcode::obj_write_4, words({8, 7})), Opcode::rsp},
          {of_object(Opcode::obj_data_cmp_4, words({8, 7})), Opcode::rsp},
          {of_object(Opcode::call_bnum, words({offered::kEchoNumber, 9})), Opcode::return_control},
          {named(of_object(Opcode::call_bname, words({9})), offered::kEchoName), Opcode::return_control},
          {named(of_object(Opcode::get_num_proc), offered::kEchoName), Opcode::proc_num},
          {named(draft_of(Opcode::obj_seek), offered::kObjectName), Opcode::object},
          {draft_of(Opcode::obj_get_name, words({offered::kObject})), Opcode::object}};
}

inline constexpr std::size_t kChains = 4;  // chains that follow the requests

// The application of the initiating node: requests in sequence, then chains, then the end of the session and the job.
class Application {
 public:
  explicit Application(NodeAddress executor) : executor_(executor) {}

  void on(Node& node, const NodeEvent& event, Instant now) {
    if (const auto* const started = std::get_if<JobStarted>(&event)) {
      gjid = started->gjid;
      session = node.open_session(executor_, gjid, {}, now).value_or(0);
    }
    const auto* const of_session = std::get_if<SessionEvent>(&event);
    if (of_session != nullptr && std::holds_alternative<SessionOpened>(*of_session)) next(node, now);
    if (of_session != nullptr && std::holds_alternative<SessionEnded>(*of_session)) {
      ended = true;
      node.complete_job(gjid, {}, now);
    }
    if (const auto* const responded = std::get_if<Responded>(&event)) {
      answers.push_back(responded->response.opcode);
      next(node, now);
    }
  }
  Identifier gjid;
  std::uint32_t session = 0;
  std::vector<std::uint8_t> answers;
  bool ended = false;

 private:
  NodeAddress executor_;

  void next(Node& node, Instant now) {
    static const std::vector<SampleRequest> kRequests = requests();
    const std::size_t step = answers.size();
    if (step < kRequests.size()) {
      Draft draft = kRequests[step].draft;
      draft.req_id = static_cast<std::uint32_t>(step + 1);
      return node.request(session, std::move(draft), now);
    }
    const std::size_t chain = step - kRequests.size();
    if (chain < kChains) return send_chain(node, chain, static_cast<std::uint32_t>(step + 1), now);
    node.close_session(session, now);
  }
  // Sends one of these: a sequence, a transaction that is executed once it is complete, a transaction that waits for
  // EXEC_TR, a long instruction.
  void send_chain(Node& node, std::size_t which, std::uint32_t req_id, Instant now) {
    ChainSender& sender = *node.chains(session);
    Draft first = write_data(kRegion, words({1})), second = write_data(kRegion, words({2}));
    if (which == 0) {
      first.req_id = req_id;
      const auto sequence = sender.begin_sequence(now);
      ASSERT_TRUE(sequence);
      ASSERT_TRUE(sender.add(*sequence, first, now));
      ASSERT_TRUE(sender.add(*sequence, second, now));
      ASSERT_TRUE(sender.end(*sequence, now));
    } else if (which < 3) {
      if (which == 1) first.req_id = req_id;
      const auto transaction = sender.send_transaction({.after_sending = which == 1}, {first, second}, now);
      ASSERT_TRUE(transaction);
      if (which == 2) {
        ASSERT_TRUE(sender.execute(*transaction, req_id, now));
      }
    } else {
      Draft longer = write_data(kRegion, OctetBuffer(3000, 0x55));
      longer.req_id = req_id;
      ASSERT_TRUE(sender.send(longer, now));
    }
    node.moved(now);
  }
};

// Expects that every request was answered and that all jobs have ended.
inline void expect_whole(const Application& application, std::string_view what) {
  const std::vector<SampleRequest> asked = requests();
  ASSERT_EQ(application.answers.size(), asked.size() + kChains) << what;
  for (std::size_t i = 0; i < asked.size(); ++i)
    EXPECT_EQ(application.answers[i], static_cast<std::uint8_t>(asked[i].answer)) << what << ": " << i;
  EXPECT_TRUE(application.ended) << what;
}

}  // namespace wirelaw::umsp
