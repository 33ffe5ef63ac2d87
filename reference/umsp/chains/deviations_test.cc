// SPDX-License-Identifier: Apache-2.0
// Each deviation changes the result of one of these scenes; an end without deviations behaves like the honest one.
#include "reference/umsp/chains/deviations.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/umsp/chains/test_chains.h"
#include "reference/umsp/make_parts.h"

namespace wirelaw::umsp {
namespace {

constexpr Instant kNow{0};

std::vector<Draft> three(std::optional<std::uint32_t> req_id = 5) {
  std::vector<Draft> all{numbered(1), numbered(2), numbered(3)};
  all.front().req_id = req_id;
  return all;
}
Draft control_with_answer(Opcode opcode, std::uint16_t number, bool message = false) {
  Draft draft = linked(draft_of(opcode), number, 0);
  if (opcode == Opcode::exec_tr) draft.req_id = 6;
  if (opcode == Opcode::snd_cancel) draft.operands = {0, 0, 0, 0};
  return message ? with(draft, HeadCode::msg, {'h', 'i'}) : draft;
}
// Fragments as a sender makes them.
std::vector<Draft> fragments(Draft whole, std::size_t segment = 128) {
  ChainSender sender({.segment = segment});
  const auto req_id = whole.req_id;
  EXPECT_TRUE(sender.send(std::move(whole), kNow));
  std::vector<Draft> all;
  for (Sendable one; sender.next(one, kNow);) all.push_back(one.instruction);
  all.front().req_id = req_id;
  return all;
}

using Scene = void (*)(TestReceiver& test);
constexpr TransactionTerms kAtOnce{};
constexpr TransactionTerms kLater{.after_sending = false};

void get_all(TestReceiver& test, const std::vector<Draft>& all) {
  for (const Draft& one : all) test.gets(one);
}
void begin_later(TestReceiver& test, const TransactionTerms& terms) {
  test.asks_buffer(2000);
  get_all(test, transaction(9, terms, three()));
}

constexpr Scene kScenes[] = {
    [](TestReceiver& test) {
      test.gets(with(asking(numbered(1), 5), HeadCode::life_time, {0, 3}));
    },
    [](TestReceiver& test) { get_all(test, sequence(9, three())); },
    [](TestReceiver& test) {
      test.gets(sequence(9, three())[0]);
      get_all(test, sequence(8, three()));
    },
    [](TestReceiver& test) {
      test.vm.refuses = {2};
      get_all(test, sequence(9, three()));
    },
    [](TestReceiver& test) {
      test.vm.refuses = {2};
      get_all(test, transaction(9, kAtOnce, three()));
    },
    [](TestReceiver& test) {
      test.arrival.alone = false;
      const auto all = sequence(9, three());
      for (const std::size_t i : {0u, 2u, 1u}) test.gets(all[i]);
    },
    [](TestReceiver& test) {
      std::vector<Draft> all;
      for (std::uint32_t i = 1; i < 30; ++i) all.push_back(numbered(i));
      get_all(test, sequence(9, all));
      all.push_back(draft_of(Opcode::nop));
      all.front().req_id = 4;
      all.erase(all.begin() + 3, all.end() - 1);
      get_all(test, sequence(8, all));
    },
    [](TestReceiver& test) {
      auto all = three();
      all[0] = with(all[0], HeadCode::set_mbase, {0, 1, 2, 3});
      all[2] = with(with(all[2], HeadCode::set_mbase, {0, 4, 5, 6}), HeadCode::life_time, {0, 1});
      get_all(test, sequence(9, all));
      get_all(test, sequence(8, three()));
      get_all(test, transaction(7, kAtOnce, all));
    },
    [](TestReceiver& test) { get_all(test, transaction(9, kAtOnce, three())); },
    [](TestReceiver& test) { test.gets(transaction(9, kAtOnce, three())[0]); },
    [](TestReceiver& test) { test.gets_in_one_segment(transaction(9, kAtOnce, three())); },
    [](TestReceiver& test) {
      test.vm.begins = {2};
      get_all(test, sequence(9, three()));
      get_all(test, sequence(8, three(6)));
    },
    [](TestReceiver& test) {
      begin_later(test, kLater);
      test.gets(control_with_answer(Opcode::exec_tr, 9));
      test.gets(control_with_answer(Opcode::cancel_tr, 9));
    },
    [](TestReceiver& test) {
      begin_later(test, kLater);
      test.gets(control_with_answer(Opcode::exec_tr, 9, true));
    },
    [](TestReceiver& test) {
      begin_later(test, kLater);
      test.gets(control_with_answer(Opcode::cancel_tr, 9, true));
      test.gets(control_with_answer(Opcode::exec_tr, 9));
    },
    [](TestReceiver& test) {
      begin_later(test, kLater);
      test.gets(control_with_answer(Opcode::snd_cancel, 9, true));
      test.gets(control_with_answer(Opcode::exec_tr, 9));
    },
    [](TestReceiver& test) {
      test.asks_buffer(2000);
      const auto all = transaction(9, {true, false, 3}, three());
      test.gets(all[0]);
      test.at(seconds(2));
      test.gets(all[1]);
      test.gets(all[2]);
      for (const int time : {5, 6, 8}) {
        test.at(seconds(time));
        test.sent.push_back(std::to_string(time));
      }
    },
    [](TestReceiver& test) {
      begin_later(test, {false, false, 3});
      test.at(seconds(6));
    },
    [](TestReceiver& test) {
      begin_later(test, kLater);
      test.at(seconds(600));
    },
    [](TestReceiver& test) {
      begin_later(test, {true, false, 0});
      test.ends(true);
    },
    [](TestReceiver& test) {
      begin_later(test, kLater);
      test.ends(true);
    },
    [](TestReceiver& test) { get_all(test, fragments(asking(numbered(1, 500), 5))); },
    [](TestReceiver& test) { test.gets(fragments(asking(numbered(1, 500), 5))[0]); },
    [](TestReceiver& test) { get_all(test, fragments(asking(numbered(1, 3000), 5))); },
    [](TestReceiver& test) {
      for (const std::optional<std::uint32_t> req_id : {std::optional(5u), std::optional<std::uint32_t>()}) {
        Draft whole = numbered(1, 500);
        whole.req_id = req_id;
        const auto all = fragments(with(whole, HeadCode::life_time, {0, 9}));
        test.gets(all[0]);
        test.at(test.now + microseconds(1024 * 3));
        for (std::size_t i = 1; i < all.size(); ++i) test.gets(all[i]);
        test.gets(all[0]);
        test.at(test.now + microseconds(1024 * 9));
        for (std::size_t i = 1; i < all.size(); ++i) test.gets(all[i]);
      }
    },
    [](TestReceiver& test) {
      Draft request = with(asking(draft_of(Opcode::req_buf, {0, 0, 0, 9}), 5), HeadCode::msg, {'h', 'i'});
      test.gets(request);
    },
    [](TestReceiver& test) {
      auto all = fragments(numbered(2, 900));
      all[0].extensions[0].data = {0, 9, 0, 0};
      test.asks_buffer(4000);
      get_all(test, all);
    },
};

std::string trace_of(const ChainDeviations& deviations) {
  std::string trace;
  for (const Scene scene : kScenes) {
    TestReceiver test;
    const ReceiverOptions options{.window = 1024, .address_octets = 3};
    test.receiver = make_chain_receiver(options, test.vm, {kTestSession, 3}, deviations);
    scene(test);
    for (const auto& one : test.vm.executed) {
      trace += std::to_string(one.number) + "/" + std::to_string(one.at.base.value_or(0)) + "/" +
               std::to_string(one.at.life_time.value_or(999)) + "/" +
               std::to_string(one.operands.empty() ? 0 : one.operands.back()) + " ";
    }
    for (const std::string& one : test.sent) trace += one + " ";
    trace += std::to_string(test.receiver->window_used()) + "\n";
  }
  return trace;
}

std::string sent_by(const ChainDeviations& deviations) {
  std::string trace;
  TestSender test;
  const auto give = [&](Instant now) {
    std::vector<Draft> all = test.gives(now);
    for (const Draft& one : all) {
      Draft whole = one;
      if (whole.chain) whole.session_id = kTestSession;
      for (const Octet octet : write(whole)) trace += std::to_string(octet) + " ";
      trace += "\n";
    }
    for (const std::string& one : test.for_vm()) trace += one + "\n";
    return all;
  };
  test.sender = make_chain_sender({.window = 700, .segment = 128}, deviations);
  EXPECT_TRUE(test.sender->send(with(numbered(1, 40), HeadCode::life_time, {0, 9}), kNow));
  give(milliseconds(4));
  const auto id = *test.sender->begin_sequence(kNow);
  EXPECT_TRUE(test.sender->add(id, asking(numbered(2), 5), kNow));
  give(kNow);
  EXPECT_TRUE(test.sender->add(id, with(numbered(3), HeadCode::life_time, {0, 2}), kNow));
  give(milliseconds(9));
  const auto other = *test.sender->begin_sequence(kNow);
  EXPECT_TRUE(test.sender->add(other, asking(numbered(2), 7), kNow));
  give(kNow);
  EXPECT_TRUE(test.sender->add(other, numbered(3), kNow));
  test.gets(make_response(Opcode::rsp, 7, {1, 0}));
  give(kNow);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(test.sender->send(asking(numbered(4, 400), 10 + i), kNow));
    const auto all = give(kNow);
    if (i != 1 && !all.empty() && all.front().req_id) test.gets(make_response(Opcode::rsp_p, *all.front().req_id));
    trace += std::to_string(test.sender->window_used()) + "\n";
  }
  test.sender = make_chain_sender({.segment = 128}, deviations);
  EXPECT_TRUE(test.sender->send(with(numbered(4, 400), HeadCode::life_time, {0, 9}), kNow));
  Sendable first;
  EXPECT_TRUE(test.sender->next(first, kNow));
  give(milliseconds(20));
  return trace;
}

TEST(ChainDeviations, EachIsNamedAsItsEnumerator) {
  std::set<std::string_view> names;
  for (const ChainDeviationInfo& one : all_chain_deviations()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(ChainDeviations::named(one.name), one.deviation);
    EXPECT_TRUE(one.rule.starts_with("UMSP-")) << one.name;
  }
}

TEST(ChainDeviations, EachShowsInAScene) {
  const std::string honest = trace_of({});
  const std::string sent = sent_by({});
  for (const ChainDeviationInfo& one : all_chain_deviations()) {
    if (one.role == ChainEnd::receiver)
      EXPECT_NE(trace_of({one.deviation}), honest) << one.name;
    else
      EXPECT_NE(sent_by({one.deviation}), sent) << one.name;
  }
}

}  // namespace
}  // namespace wirelaw::umsp
