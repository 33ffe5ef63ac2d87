// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.3: control is transferred, and comes back.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;

constexpr Section kJump{"RFC 3018 6.3.1"};
constinit const Rule kJumpLikeCall =
    kJump.by(none).must("UMSP-6.3.1-1", "JUMP and CALL have the same format.", "what the table of operands says");
constinit const Rule kJumpCode = kJump.by(none).must(
    "UMSP-6.3.1-2", "JUMP has OPCODE 143 without VM type and version of the sender, and 144 with them.",
    "the form itself: another OPCODE reads as another form");
constinit const Rule kCallCode = kJump.by(none).must(
    "UMSP-6.3.1-3", "CALL has OPCODE 145 without VM type and version of the sender, and 146 with them.",
    "the form itself: another OPCODE reads as another form");
constinit const Rule kJumpLeast =
    kJump.must("UMSP-6.3.1-4", "OPR_LENGTH of JUMP and CALL is 2 at least, and 3 with the sender's VM.");
constinit const Rule kJumpVmFirst = kJump.by(none).must(
    "UMSP-6.3.1-5", "OPCODE 144 or 146: the first operands are VM type and version of the sender, 2 octets each.",
    "the form itself: other octets are another VM");
constinit const Rule kJumpNoVm = kJump.by(none).must(
    "UMSP-6.3.1-6", "OPCODE 143 or 145: VM type and version are absent.", "the form itself: they read as the address");
constinit const Rule kJumpVmValues = kJump.must("UMSP-6.3.1-7", "VM type and version in JUMP and CALL are 1 to 65534.");
constinit const Rule kJumpAddress = kJump.by(none).must(
    "UMSP-6.3.1-8", "The address of JUMP and CALL is 4, 8 or 16 octets.", "a wrong length shows in UMSP-6.3.1-10");
constinit const Rule kJumpCount = kJump.by(none).must(
    "UMSP-6.3.1-9", "Behind the address of JUMP and CALL are 2 octets: the number of 32-bit words of parameters.",
    "a wrong number shows in UMSP-6.3.1-10");
constinit const Rule kJumpFits = kJump.must(
    "UMSP-6.3.1-10", "OPR_LENGTH of JUMP and CALL is that of VM, address, number and parameters, rounded up to words.",
    "UMSP/A29");
constinit const Rule kJumpParameters =
    kJump.by(none).must("UMSP-6.3.1-11", "Parameters of JUMP and CALL follow, as many words as that number says.",
                        "UMSP/A29; a wrong number shows in UMSP-6.3.1-10");
constinit const Rule kJumpWrongAddress =
    kJump.by(stimulus).must("UMSP-6.3.1-12", "JUMP or CALL with a wrong address gets a negative RSP.");
constinit const Rule kJumpMayCheck =
    kJump.by(none).may("UMSP-6.3.1-13", "The receiver may check call parameters before it answers.", "a permission");
constinit const Rule kJumpDone =
    kJump.by(stimulus).must("UMSP-6.3.1-14", "JUMP with right address and parameters gets a positive RSP.");
constinit const Rule kJumpAnswer =
    kJump.resting_on(Evidence::order).must("UMSP-6.3.1-15", "JUMP is answered by RSP, not by RETURN.");
constinit const Rule kJumpTakenForDone =
    kJump.by(api).must("UMSP-6.3.1-16", "The sender takes JUMP for executed only after the answer.",
                       "what a sender believes is not on the wire");
constinit const Rule kCallAnswer =
    kJump.resting_on(Evidence::order).must("UMSP-6.3.1-17", "CALL with ASK 1 is answered by RETURN, or by RSP.");
constinit const Rule kCallNotRsp =
    kJump.resting_on(Evidence::order).must_not("UMSP-6.3.1-18", "CALL is not answered by a positive RSP.");
constinit const Rule kCallMayReturn =
    kJump.by(stimulus).must("UMSP-6.3.1-19", "RETURN may carry values: its sender is not asked for any.");
constinit const Rule kCallException = kJump.by(stimulus).must(
    "UMSP-6.3.1-20", "An exception in the thread of a CALL gets a negative RSP in place of RETURN.");

constexpr Section kReturn{"RFC 3018 6.3.2"};
constinit const Rule kReturnAnswers = kReturn.resting_on(Evidence::order)
                                          .must("UMSP-6.3.2-1", "RETURN answers CALL, MVRUN, CALL_BNUM or CALL_BNAME.",
                                                "Where the request has a rule on its answer, that one is reported.");
constinit const Rule kReturnAnyLength =
    kReturn.by(stimulus).must("UMSP-6.3.2-2", "RETURN is taken with any number of operand words, 0 to 65535.");
constinit const Rule kReturnAlone =
    kReturn.by(none).must("UMSP-6.3.2-3", "Operands of RETURN are the returned data alone, at most 262140 octets.",
                          "the form itself: all octets are data, and OPR_LENGTH cannot count more");
constinit const Rule kReturnEmpty =
    kReturn.by(none).must("UMSP-6.3.2-4", "RETURN without values has no operands.",
                          "whether there was a value to be returned is known to the VM");
constinit const Rule kReturnFormat = kReturn.by(api).must(
    "UMSP-6.3.2-5", "The data of RETURN have the format, that of sender or addressee, of the call's parameters.",
    "what the data mean is known to the VM");

void judge_vm(Judge& judge, const Seen& seen) {
  for (const Operand operand : {Operand::sender_vm_type, Operand::sender_vm_version})
    if (const auto value = seen.value(operand))
      judge.require(kJumpVmValues, *value != 0 && *value != 0xffff, seen.operand(operand), expected("1 to 65534"),
                    actual(*value), describe(operand).name);
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::jump,
                                               .last = Opcode::call_vm,
                                               .opr_length = &kJumpLeast,
                                               .operands = &kJumpFits,
                                               .judge = judge_vm}};

constexpr ExchangeAnswerRules kAnswers[] = {{.first = Opcode::jump, .last = Opcode::jump_vm, .kind = &kJumpAnswer},
                                            {.first = Opcode::call,
                                             .last = Opcode::call_vm,
                                             .answer = Opcode::return_control,
                                             .kind = &kCallAnswer,
                                             .no_rsp = &kCallNotRsp}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::return_control, &kReturnAnswers}};

}  // namespace

UmspSection control_rules() {
  static constexpr const Rule* kRules[] = {
      &kJumpLikeCall,     &kJumpCode,         &kCallCode,     &kJumpLeast,     &kJumpVmFirst,
      &kJumpNoVm,         &kJumpVmValues,     &kJumpAddress,  &kJumpCount,     &kJumpFits,
      &kJumpParameters,   &kJumpWrongAddress, &kJumpMayCheck, &kJumpDone,      &kJumpAnswer,
      &kJumpTakenForDone, &kCallAnswer,       &kCallNotRsp,   &kCallMayReturn, &kCallException,
      &kReturnAnswers,    &kReturnAnyLength,  &kReturnAlone,  &kReturnEmpty,   &kReturnFormat};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

}  // namespace wirelaw::umsp
