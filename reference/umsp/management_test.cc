// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/management.h"

#include <gtest/gtest.h>

#include "reference/umsp/example.h"
#include "reference/umsp/layout.h"

namespace wirelaw::umsp {
namespace {

// An encoded instruction is decoded to the same fields, and encoded again to the same octets.
template <class Struct>
void goes_round(const Struct& one) {
  const OctetBuffer octets = write(one.draft());
  const auto instruction = decode(octets);
  ASSERT_TRUE(instruction);
  const auto again = Struct::read(*instruction);
  ASSERT_TRUE(again);
  EXPECT_EQ(write(again->draft()), octets);
}

const Identifier kGjid = *make_identifier(kIpv4Memory32, OctetBuffer{192, 0, 2, 1}, 0x1001);
const Identifier kShort = *make_identifier(kIpv4Memory16, OctetBuffer{192, 0, 2, 1}, 0x1001);

TEST(Management, GoesRound) {
  goes_round(ControlReq{.profile = {.job_life_time = 60}, .ltid = {7, 4}});
  goes_round(ControlReq{.profile = {.cmt = true, .reserved = 0x7ff}, .ltid = {7, 8}});
  goes_round(ControlConfirm{kGjid});
  goes_round(ControlReject{.codes = {1, 2}, .profile = {}});
  goes_round(ControlReject{.codes = {1, 2}, .profile = 0x100});
  goes_round(TaskConfirm{{9, 8}});
  goes_round(TaskReject{{3, 4}});
  goes_round(SessionOpen{.required_vm = {1, 2}, .sender_vm = {3, 4}, .window = 5, .gjid = kShort, .ltid = {6, 4}});
  goes_round(TaskTerminate{{1, 0}, {5, 4}});
  goes_round(TaskTerminateInfo{{1, 0}, kGjid});
  goes_round(JobCompleted{{0, 0}, {5, 8}});
  goes_round(JobCompletedInfo{Codes{1, 1}, kGjid});
  goes_round(JobCompletedInfo{{}, kGjid});
  goes_round(StateReq{{5, 4}});
  goes_round(TaskState{1, {5, 2}});
  goes_round(TaskState{1, {5, 4}});
  goes_round(NodeReload{{5, 8}});
  goes_round(ReqBuf{70'000});
  goes_round(VmReq{{{1, 2}, {3, 4}}});
  goes_round(VmNotif{0x0103, {{0, 4}, {1, 2}}});
}

TEST(Management, ARegistrationHasTheLengthsOfItsNodes) {
  for (const std::uint8_t octets : {std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
    const TaskReg reg{.ctid = {1, octets}, .gtid = kGjid, .ltid = {2, 4}};
    const auto reg_octets = write(reg.draft());
    const auto read = TaskReg::read(*decode(reg_octets), 0, 4);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->ctid, reg.ctid);
    EXPECT_EQ(read->gtid, reg.gtid);
    EXPECT_EQ(read->ltid, reg.ltid);
    const auto chk_octets = write(reg.draft(true));
    const auto check = TaskReg::read(*decode(chk_octets), octets, 4);
    ASSERT_TRUE(check);
    EXPECT_EQ(check->ctid, reg.ctid);
  }
}

TEST(Management, ReadsNothingFromOperandsOfAnotherForm) {
  Draft draft = draft_of(Opcode::session_open, OctetBuffer(8));
  const OctetBuffer octets = write(draft);
  EXPECT_FALSE(SessionOpen::read(*decode(octets)));
  const OctetBuffer reg = write(draft_of(Opcode::task_reg_4, OctetBuffer(12)));
  EXPECT_FALSE(TaskReg::read(*decode(reg)));
}

TEST(Management, CodesOfZeroNeedNoOperands) {
  EXPECT_TRUE(codes_draft(Opcode::rsp, {}).operands.empty());
  EXPECT_EQ(codes_draft(Opcode::snd_cancel, {}).operands.size(), 4u);
  const OctetBuffer octets = write(codes_draft(Opcode::session_close, {1, 2}));
  EXPECT_EQ(read_codes(*decode(octets)), (Codes{1, 2}));
}

TEST(Management, NamesLoseTheirPadding) {
  Draft draft = draft_of(Opcode::vm_req);
  draft.extensions = {text_extension(HeadCode::name, "abc")};
  const OctetBuffer octets = write(draft);
  EXPECT_EQ(name_of(*decode(octets)), "abc");
  draft.extensions = {text_extension(HeadCode::name, "a\xe4")};
  const OctetBuffer other = write(draft);
  EXPECT_FALSE(name_of(*decode(other)));
}

}  // namespace
}  // namespace wirelaw::umsp
