// SPDX-License-Identifier: Apache-2.0
// Conversations for tests, and the functions that judge them.
#pragma once

#include <gmock/gmock.h>

#include <span>
#include <string>
#include <vector>

#include "conformance/umsp/tracker/world_test.h"
#include "reference/umsp/exchange.h"

namespace wirelaw::umsp::conversations {

using namespace world;
using enum Opcode;

inline constexpr std::uint32_t kProfile = 0xfbff'17fe, kOwn = 0xfbff'07fe;
inline constexpr std::uint32_t kIdOfA = 5, kIdOfB = 1;  // identifiers of the session that open_own() opens
inline constexpr MemoryAddress kHere{.value = 0x1000, .octets = 4}, kShort{.value = 0x10, .octets = 2};

// The initiator is the JCP of its own job, so that no task is registered for the session (5.2).
inline Draft own_open(std::uint64_t job = 0x1001, std::uint16_t window = 16) {
  return SessionOpen{.required_vm = {50000, 1},
                     .required_profile = kProfile,
                     .sender_vm = {50000, 1},
                     .sender_profile = kOwn,
                     .window = window,
                     .gjid = identifier(kInitiator, job),
                     .ltid = {kFirstLtid, 4}}
      .draft();
}
inline Draft its_open(std::uint64_t job = 0x1001) {
  Draft draft = own_open(job);
  draft.operands.back() = 0x77;  // another LTID
  return draft;
}
inline void open_own(World& world, std::uint32_t id = kIdOfA, std::uint32_t other = kIdOfB,
                     std::uint64_t job = 0x1001) {
  world.say(kInitiator, kExecutor, own_open(job), id);
  world.say(kExecutor, kInitiator, draft_of(session_accept), other, id);
}
// Sent in that session.
inline void a_says(World& world, Draft draft, std::optional<std::uint32_t> req_id = {}) {
  world.say(kInitiator, kExecutor, std::move(draft), req_id, kIdOfB);
}
inline void b_says(World& world, Draft draft, std::optional<std::uint32_t> req_id = {}) {
  world.say(kExecutor, kInitiator, std::move(draft), req_id, kIdOfA);
}
inline Draft write_here(MemoryAddress at = kHere) {
  return write_data(at, OctetBuffer(at.octets == 2 ? 2 : 4));
}
inline constexpr std::uint16_t kBoth[] = {0, 1}, kChains[] = {2, 3};
inline const OwnedExtension kEnd{HeadCode::end_chain};
inline const OwnedExtension kSequence{HeadCode::begin_sq};
inline const OwnedExtension kTransaction{HeadCode::begin_tr, {0x40, 0}};
inline const OwnedExtension kBase{HeadCode::set_mbase, {0, 0, 0x10, 0}};
inline Draft link(std::uint16_t chain, std::uint16_t number, std::vector<OwnedExtension> heads = {},
                  Draft draft = write_here()) {
  draft.chain = ChainPlace{chain, number};
  draft.extensions = std::move(heads);
  return draft;
}
inline Draft long_link(std::uint16_t chain, std::uint16_t number, std::vector<OwnedExtension> heads = {}) {
  return link(chain, number, std::move(heads), write_data(kHere, OctetBuffer(1500)));
}
inline Draft close() {
  return draft_of(session_close);
}
inline Draft agree() {
  return draft_of(rsp_p);
}
inline Draft named(Draft draft, std::string_view name) {
  draft.extensions.push_back({HeadCode::name, OctetBuffer(name.begin(), name.end())});
  return draft;
}
inline Draft ask_control(std::uint64_t ltid = kFirstLtid) {
  return ControlReq{.ltid = {ltid, 4}}.draft();
}
inline Draft take_control(std::uint64_t ctid = kFirstCtid) {
  return ControlConfirm{identifier(kJcp, ctid)}.draft();
}
inline Draft complete(std::uint64_t ctid = kFirstCtid) {
  return JobCompleted{.codes = {1, 0}, .ctid = {ctid, 4}}.draft();
}
inline Draft job_notice() {
  return JobCompletedInfo{Codes{1, 0}, identifier(kJcp, kFirstCtid)}.draft();
}
// A third node's task of the same job.
inline void enrol_other(World& world, Draft confirmation = TaskConfirm{{0x3003, 4}}.draft()) {
  world.say(kOther, kJcp, TaskReg{{kFirstCtid, 4}, identifier(kInitiator, kFirstLtid), {9, 4}}.draft(), 8);
  world.say(kJcp, kOther, std::move(confirmation), 8);
}
// The executor checks a task, and the JCP confirms it.
inline void check_task(World& world, const TaskReg& named) {
  world.say(kExecutor, kJcp, named.draft(true), 9);
  world.say(kJcp, kExecutor, TaskConfirm{{kCtid, 4}}.draft(), 9);
}
// The JCP rejects the executor's task, and the executor the session that made it ask.
inline void reject_task(World& world) {
  world.control();
  world.open();
  world.enrol();
  world.say(kJcp, kExecutor, TaskReject{{1, 0}}.draft(), 7);
  world.say(kExecutor, kInitiator, codes_draft(session_reject, {1, 0}), {}, kIdOfA);
}
// Opens a session of the job that the JCP controls.
inline void open_of_job(World& world, Who from, Who to, std::uint64_t ltid = kFirstLtid) {
  SessionOpen open{.required_vm = {50000, 1},
                   .required_profile = kProfile,
                   .sender_vm = {50000, 1},
                   .sender_profile = kOwn,
                   .gjid = identifier(kJcp, kFirstCtid),
                   .ltid = {ltid, 4}};
  world.say(from, to, open.draft(), 6);
}
// Two connections that both carry the session.
inline void open_two(World& world) {
  open_own(world);
  world.over(1);
  a_says(world, write_here(), 70);
  b_says(world, draft_of(rsp), 70);
  world.over(0);
}

// --- the conversations
// Without `findings` it is a correct conversation.
struct Conversation {
  std::string_view name;
  void (*run)(World& world);
  std::vector<std::string> findings = {};
};

inline std::vector<std::string> findings_of(const Conversation& one, Completeness completeness) {
  World world(completeness);
  one.run(world);
  world.pause(100 * kSecond);
  return world.findings();
}

// In an incomplete capture, an absent or reordered instruction may be missing from the capture only, so it is a
// warning.
inline void expect_findings(std::span<const Conversation> all) {
  for (const Conversation& one : all) {
    EXPECT_THAT(findings_of(one, Completeness::complete), testing::UnorderedElementsAreArray(one.findings)) << one.name;
    EXPECT_THAT(findings_of(one, Completeness::unknown), testing::Each(testing::EndsWith("warning"))) << one.name;
  }
}

}  // namespace wirelaw::umsp::conversations
