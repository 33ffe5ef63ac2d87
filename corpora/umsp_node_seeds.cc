// SPDX-License-Identifier: Apache-2.0
// Conversations with the reference node, for fuzz_umsp_node: sessions, exchanges outside of sessions, chains, the
// search for VMs, and jobs for which the node is the control point or the executor.
#include "corpora/formats/records.h"
#include "corpora/formats/umsp_steps.h"
#include "corpora/seed.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/node/node_address.h"
#include "reference/umsp/node/session.h"
#include "reference/umsp/vm/offered.h"

namespace wirelaw::corpora {
namespace {

using namespace umsp;
using namespace umsp_steps;

constexpr const char* kTarget = "fuzz_umsp_node";
constexpr NodeAddress kA{{192, 0, 2, 1}}, kC{{192, 0, 2, 3}};
constexpr MemoryAddress kRegion{offered::kRegionAddress, 4};
constexpr std::uint32_t kFirst = 1;  // the SESSION_ID that the node assigns first
constexpr Octet kFour[] = {1, 2, 3, 4};

class StepsBuilder {
 public:
  // Sends one piece.
  StepsBuilder& send(unsigned link, std::initializer_list<Draft> drafts) {
    OctetBuffer octets;
    Context afresh;
    for (const Draft& draft : drafts) write(draft, link == kDatagrams ? afresh : contexts_[link], octets);
    append_record(octets_, static_cast<Octet>(link), octets);
    return *this;
  }
  StepsBuilder& wait(std::uint16_t milliseconds) {
    OctetBuffer octets;
    Writer(octets).little_endian(milliseconds);
    append_record(octets_, kTime, octets);
    return *this;
  }
  StepsBuilder& act(Act what, std::size_t octets = 8) {
    OctetBuffer step(1 + octets, 0x5a);
    step[0] = static_cast<Octet>(what);
    append_record(octets_, kApplication, step);
    return *this;
  }
  OctetBuffer take() { return std::move(octets_); }

 private:
  std::array<Context, kLinks> contexts_;
  OctetBuffer octets_;
};

Draft in(std::uint32_t session, Draft draft) {
  draft.session_id = session;
  return draft;
}
Draft asking(std::uint32_t req_id, Draft draft) {
  draft.req_id = req_id;
  return draft;
}
Draft linked(std::uint16_t chain, std::uint16_t number, Draft draft) {
  draft.chain = ChainPlace{chain, number};
  return draft;
}
Draft with(Draft draft, HeadCode code, OctetBuffer data = {}) {
  draft.extensions.push_back({code, std::move(data)});
  return draft;
}

Draft open(const Identifier& gjid, std::uint32_t ours, VmKind vm = {offered::kVmType, offered::kVmVersion}) {
  const SessionOpen open{.required_vm = vm,
                         .required_profile = with_field(kWholeProfile, kVersionFirst, kVersionBits, kUmspVersion),
                         .sender_vm = {50000, 1},
                         .sender_profile = kWholeProfile,
                         .window = 8,
                         .gjid = gjid,
                         .ltid = {7, 4}};
  return asking(ours, open.draft());
}
Identifier job_of(NodeAddress jcp) {
  return identifier_of({}, jcp, 0x1001);
}

OctetBuffer session() {
  StepsBuilder conversation;
  conversation.send(0, {open(job_of(kA), 0x51)});
  conversation.send(0,
                    {asking(1, in(kFirst, write_data(kRegion, kFour))), asking(2, in(kFirst, req_data(kRegion, 4)))});
  conversation.send(kSecond,
                    {asking(3, in(kFirst, mem_alloc(64))), asking(4, in(kFirst, compare_data(kRegion, kFour)))});
  conversation.send(0, {asking(5, in(kFirst, mvrun({offered::kVmType, 1}, offered::echo_image(kFour))))}).wait(10);
  conversation.send(0, {in(kFirst, codes_draft(Opcode::session_close, {}))})
      .send(0, {in(kFirst, draft_of(Opcode::nop))});
  conversation.send(0, {in(kFirst, codes_draft(Opcode::session_close, {}))}).wait(30'000);
  return conversation.take();
}

OctetBuffer handshake() {
  StepsBuilder conversation;
  conversation.send(0, {open(job_of(kA), 0x51, {})});
  Draft accept = in(kFirst, draft_of(Opcode::session_accept));
  conversation.send(0, {asking(0x51, accept)}).send(0, {open(job_of(kA), 0x52)}).send(0, {open(job_of(kC), 0x53)});
  conversation.send(0, {in(kFirst + 1, codes_draft(Opcode::session_abend, {1, 2}))});
  return conversation.take();
}

OctetBuffer chains() {
  StepsBuilder conversation;
  conversation.send(0, {open(job_of(kA), 0x51, {})})
      .send(0, {asking(0x51, in(kFirst, draft_of(Opcode::session_accept)))});
  const Draft write = in(kFirst, write_data(kRegion, kFour));
  conversation.send(0, {linked(1, 0, with(asking(1, write), HeadCode::begin_sq)), linked(1, 1, write)});
  conversation.send(kSecond, {linked(1, 2, with(write, HeadCode::end_chain))});
  conversation.send(0, {asking(9, in(kFirst, ReqBuf{100}.draft()))});
  conversation.send(
      0, {linked(2, 0, with(write, HeadCode::begin_tr, {0x00, 2})), linked(2, 1, with(write, HeadCode::end_chain))});
  conversation.send(0, {linked(2, 0, asking(10, in(kFirst, draft_of(Opcode::exec_tr))))});
  conversation.send(0, {linked(3, 0, with(asking(11, write), HeadCode::begin_tr, {0x40, 0}))});
  conversation.send(0, {linked(3, 1, with(write, HeadCode::end_chain))}).wait(5000);
  conversation.send(0, {linked(2, 0, in(kFirst, draft_of(Opcode::cancel_tr)))});
  return conversation.take();
}

OctetBuffer without_session() {
  StepsBuilder conversation;
  conversation.send(0, {asking(1, in(0, req_data(kRegion, 8))), asking(2, in(0, write_data(kRegion, kFour)))});
  conversation.send(kDatagrams, {asking(3, VmReq{}.draft())}).send(kDatagrams, {in(0, write_data(kRegion, kFour))});
  conversation.send(0, {VmReq{{{offered::kVmType, 1}}}.draft(), VmNotif{0x0100, {{1, 1}}}.draft()});
  conversation.send(0, {asking(0, in(0, open(job_of(kA), 0)))});
  return conversation.take();
}

OctetBuffer control_point() {
  StepsBuilder conversation;
  Draft request = asking(1, ControlReq{.profile = {.job_life_time = 60}, .ltid = {7, 4}}.draft());
  conversation.send(0, {with(std::move(request), HeadCode::name, {'j', 'o', 'b', '1'})});
  const TaskReg registration{.ctid = {1, 4}, .gtid = identifier_of({}, kA, 7), .ltid = {9, 4}};
  Draft reg = asking(1, registration.draft());
  reg.extensions.push_back(inaction_extension(4));
  conversation.send(kControl, {reg}).send(kControl, {asking(2, registration.draft(true))}).wait(2100);
  conversation.send(kControl, {TaskState{1, {2, 4}}.draft()}).wait(2100).send(kControl, {NodeReload{{9, 4}}.draft()});
  conversation.send(kControl, {TaskTerminate{{1, 0}, {2, 4}}.draft()})
      .send(0, {JobCompleted{{}, {1, 4}}.draft()})
      .wait(60'000);
  return conversation.take();
}

OctetBuffer executor() {
  StepsBuilder conversation;
  conversation.send(0, {open(job_of(kC), 0x51)}).send(kControl, {asking(1, TaskConfirm{{2, 4}}.draft())});
  conversation.send(kControl, {StateReq{{1, 4}}.draft()});
  conversation.send(kControl, {TaskTerminateInfo{{1, 0}, identifier_of({}, kA, 7)}.draft()});
  conversation.send(kControl, {JobCompletedInfo{Codes{}, job_of(kC)}.draft()});
  conversation.send(0, {open(job_of(kC), 0x52)}).send(kControl, {asking(2, TaskReject{{1, 0}}.draft())}).wait(10'000);
  return conversation.take();
}

// The node initiates a job of its own, and one that C controls.
OctetBuffer initiator() {
  StepsBuilder conversation;
  conversation.act(Act::begin_job).act(Act::open_session);
  Draft accept = in(kFirst, draft_of(Opcode::session_accept));
  conversation.send(0, {asking(0x61, accept)}).act(Act::write).send(0, {asking(1, in(kFirst, draft_of(Opcode::rsp)))});
  conversation.act(Act::write_sequence).act(Act::write_transaction).act(Act::write_later).act(Act::write_long);
  for (std::uint32_t request = 1; request < 8; ++request)
    conversation.send(0, {asking(request, in(kFirst, draft_of(request % 2 == 0 ? Opcode::rsp : Opcode::rsp_p)))});
  conversation.act(Act::close_session).act(Act::go_on).act(Act::close_session);
  conversation.send(0, {asking(0, in(kFirst, draft_of(Opcode::rsp_p)))}).act(Act::complete_job);
  return conversation.take();
}

OctetBuffer registered() {
  StepsBuilder conversation;
  conversation.act(Act::register_job)
      .send(kControl, {asking(1, ControlConfirm{job_of(kC)}.draft())})
      .act(Act::open_session);
  SessionOpen counter{.required_vm = {50000, 1},
                      .required_profile = with_field(kWholeProfile, kVersionFirst, kVersionBits, kUmspVersion),
                      .sender_vm = {offered::kVmType, 1},
                      .sender_profile = kWholeProfile,
                      .window = 64,
                      .gjid = job_of(kC),
                      .ltid = {3, 4}};
  conversation.send(0, {asking(0x62, in(kFirst, counter.draft()))});
  conversation.act(Act::write_transaction).act(Act::write_long, 64).act(Act::terminate_task);
  return conversation.take();
}

}  // namespace

std::vector<Seed> umsp_node_seeds() {
  return {{kTarget, "session", session()},     {kTarget, "handshake", handshake()},
          {kTarget, "chains", chains()},       {kTarget, "without-session", without_session()},
          {kTarget, "jcp", control_point()},   {kTarget, "executor", executor()},
          {kTarget, "initiator", initiator()}, {kTarget, "registered", registered()}};
}

}  // namespace wirelaw::corpora
