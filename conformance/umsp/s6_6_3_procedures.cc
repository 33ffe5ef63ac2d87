// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.6.3: procedures of objects are called.
#include "conformance/section.h"
#include "conformance/umsp/exchange_checks.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
constexpr std::string_view kTheFormItselfOtherOctets = "the form itself: other octets are another object";

constexpr Section kCallBnum{"RFC 3018 6.6.3.1"};
constinit const Rule kBnumCode = kCallBnum.by(none).must(
    "UMSP-6.6.3.1-1", "CALL_BNUM has OPCODE 202 without VM type and version of the sender, and 203 with them.",
    "the form itself: another OPCODE reads as another form");
constinit const Rule kBnumLeast =
    kCallBnum.must("UMSP-6.6.3.1-2", "CALL_BNUM has parameters: OPR_LENGTH with OPCODE 202 is 4 at least.");
constinit const Rule kBnumVmLeast =
    kCallBnum.must("UMSP-6.6.3.1-3", "CALL_BNUM has parameters: OPR_LENGTH with OPCODE 203 is 5 at least.");
constinit const Rule kBnumVm = kCallBnum.by(none).must(
    "UMSP-6.6.3.1-4", "OPCODE 203: the first operands are VM type and version of the sender, 2 octets each.",
    "the form itself: other octets are another VM");
constinit const Rule kBnumNoVm = kCallBnum.by(none).must(
    "UMSP-6.6.3.1-5", "OPCODE 202: VM type and version are absent.", "the form itself: they read as the object");
constinit const Rule kBnumObject = kCallBnum.by(none).must(
    "UMSP-6.6.3.1-6", "Number, version and realization of the object follow in CALL_BNUM.", kTheFormItselfOtherOctets);
constinit const Rule kBnumProcedure =
    kCallBnum.by(none).must("UMSP-6.6.3.1-7", "The number of the procedure follows in CALL_BNUM, 4 octets.",
                            "the form itself: other octets are another procedure");
constinit const Rule kBnumParameters =
    kCallBnum.by(none).must("UMSP-6.6.3.1-8", "Parameters of CALL_BNUM fill the remaining words, 4 to 262128 octets.",
                            "UMSP-6.6.3.1-2 and UMSP-6.6.3.1-3 have the lower end, OPR_LENGTH the upper one");
constinit const Rule kBnumAnswer =
    kCallBnum.resting_on(Evidence::order)
        .must("UMSP-6.6.3.1-9", "CALL_BNUM with ASK 1 is answered as CALL is: by RETURN, or by a negative RSP.");
constinit const Rule kBnumWrong =
    kCallBnum.by(stimulus).must("UMSP-6.6.3.1-10", "CALL_BNUM with a wrong object or procedure gets a negative RSP.");

constexpr Section kCallBname{"RFC 3018 6.6.3.2"};
constinit const Rule kBnameCode = kCallBname.by(none).must(
    "UMSP-6.6.3.2-1", "CALL_BNAME has OPCODE 204 without VM type and version of the sender, and 205 with them.",
    "the form itself: another OPCODE reads as another form");
constinit const Rule kBnameLeast = kCallBname.must(
    "UMSP-6.6.3.2-2", "CALL_BNAME has parameters: OPR_LENGTH with OPCODE 204 is 3 at least, and 4 with 205.");
constinit const Rule kBnameVm = kCallBname.by(none).must(
    "UMSP-6.6.3.2-3", "OPCODE 205: the first operands are VM type and version of the sender, 2 octets each.",
    "the form itself: other octets are another VM");
constinit const Rule kBnameNoVm = kCallBname.by(none).must(
    "UMSP-6.6.3.2-4", "OPCODE 204: VM type and version are absent.", "the form itself: they read as the object");
constinit const Rule kBnameObject = kCallBname.by(none).must(
    "UMSP-6.6.3.2-5", "Number, version and realization of the object follow in CALL_BNAME.", kTheFormItselfOtherOctets);
constinit const Rule kBnameParameters =
    kCallBname.by(none).must("UMSP-6.6.3.2-6", "Parameters of CALL_BNAME fill the remaining words, 4 to 262128 octets.",
                             "UMSP-6.6.3.2-2 has the lower end, OPR_LENGTH the upper one");
constinit const Rule kBnameName =
    kCallBname.must("UMSP-6.6.3.2-7", "CALL_BNAME has a _NAME header with the name of the procedure.");
constinit const Rule kBnameAnswer =
    kCallBname.resting_on(Evidence::order)
        .must("UMSP-6.6.3.2-8", "CALL_BNAME with ASK 1 is answered as CALL is: by RETURN, or by a negative RSP.");
constinit const Rule kBnameWrong =
    kCallBname.by(stimulus).must("UMSP-6.6.3.2-9", "CALL_BNAME with a wrong object or name gets a negative RSP.");
constinit const Rule kBnameRanges =
    kCallBname.must("UMSP-6.6.3.2-10", "CALL_BNAME names objects of the ranges III and IV only.");
constinit const Rule kStandardProceduresNameless = kCallBname.by(stimulus).must_not(
    "UMSP-6.6.3.2-11", "Procedures of objects of the ranges I and II have no names on the UMSP layer.");
constinit const Rule kStandardProceduresByNumber = kCallBname.by(stimulus).must(
    "UMSP-6.6.3.2-12", "Procedures of objects of the ranges I and II are called by number.");

constexpr Section kGetNumProc{"RFC 3018 6.6.3.3"};
constinit const Rule kGetNumRanges =
    kGetNumProc.must("UMSP-6.6.3.3-1", "GET_NUM_PROC asks for objects of the ranges III and IV only.", "UMSP/A34");
constinit const Rule kGetNumWords = kGetNumProc.must("UMSP-6.6.3.3-2", "GET_NUM_PROC has 2 words of operands.");
constinit const Rule kGetNumObject = kGetNumProc.by(none).must(
    "UMSP-6.6.3.3-3", "Operands of GET_NUM_PROC are number, version and realization of the object.",
    kTheFormItselfOtherOctets);
constinit const Rule kGetNumName =
    kGetNumProc.must("UMSP-6.6.3.3-4", "GET_NUM_PROC has a _NAME header with the name of the procedure.");
constinit const Rule kGetNumAnswer =
    kGetNumProc.resting_on(Evidence::order)
        .must("UMSP-6.6.3.3-5", "GET_NUM_PROC with ASK 1 is answered by PROC_NUM, or by RSP.");
constinit const Rule kGetNumNotRsp = kGetNumProc.resting_on(Evidence::order)
                                         .must_not("UMSP-6.6.3.3-6", "GET_NUM_PROC is not answered by a positive RSP.");

constexpr Section kProcNum{"RFC 3018 6.6.3.4"};
constinit const Rule kProcNumAnswers = kProcNum.resting_on(Evidence::order)
                                           .must("UMSP-6.6.3.4-1", "PROC_NUM answers GET_NUM_PROC.",
                                                 "Where the request has a rule on its answer, that one is reported.");
constinit const Rule kProcNumWords = kProcNum.must("UMSP-6.6.3.4-2", "PROC_NUM has 3 words of operands.");
constinit const Rule kProcNumObject = kProcNum.by(none).must(
    "UMSP-6.6.3.4-3", "The first operands of PROC_NUM are number, version and realization of the object.",
    kTheFormItselfOtherOctets);
constinit const Rule kProcNumOfIt =
    kProcNum.resting_on(Evidence::order).must("UMSP-6.6.3.4-4", "The object of PROC_NUM is that of GET_NUM_PROC.");
constinit const Rule kProcNumNumber =
    kProcNum.by(none).must("UMSP-6.6.3.4-5", "The last operand of PROC_NUM is the number of the procedure, 4 octets.",
                           "the form itself: other octets are another procedure");

constexpr std::uint64_t kRangeThree = 0x3000'0000;  // the first numbers of these ranges
constexpr std::uint64_t kReserved = 0xe000'0000;

void judge_any(Judge& judge, const Seen& seen) {
  judge_object(judge, seen);
}

// Procedures have names in objects of the ranges III and IV alone.
void judge_by_name(Judge& judge, const Seen& seen, const Rule& ranges, const Rule& name) {
  if (judge_object(judge, seen)) {
    const std::uint64_t number = seen.value(Operand::object_number).value_or(0);
    judge.require(ranges, number >= kRangeThree, seen.operand(Operand::object_number),
                  expected("0x30000000 to 0xdfffffff"), actual(hex(static_cast<std::uint32_t>(number))));
  }
  judge_name_there(judge, seen, name);
}

void judge_call_bname(Judge& judge, const Seen& seen) {
  judge_by_name(judge, seen, kBnameRanges, kBnameName);
}

void judge_get_num_proc(Judge& judge, const Seen& seen) {
  judge_by_name(judge, seen, kGetNumRanges, kGetNumName);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::call_bnum, .opr_length = &kBnumLeast, .judge = judge_any},
    {.first = Opcode::call_bnum_vm, .opr_length = &kBnumVmLeast, .judge = judge_any},
    {.first = Opcode::call_bname, .last = Opcode::call_bname_vm, .opr_length = &kBnameLeast, .judge = judge_call_bname},
    {.first = Opcode::get_num_proc, .opr_length = &kGetNumWords, .judge = judge_get_num_proc},
    {.first = Opcode::proc_num, .opr_length = &kProcNumWords, .judge = judge_any}};

void judge_proc_num(Judge& judge, const Seen& seen, const Asked& asked) {
  const auto number = seen.value(Operand::object_number);
  if (!number || *number >= kReserved) return;
  judge.require(kProcNumOfIt, *number == asked.object, seen.operand(Operand::object_number),
                expected(hex(asked.object)), actual(hex(static_cast<std::uint32_t>(*number))),
                [&] { return fmt::format("message {} asked", asked.index + 1); });
}

constexpr ExchangeAnswerRules kAnswers[] = {{.first = Opcode::call_bnum,
                                             .last = Opcode::call_bnum_vm,
                                             .answer = Opcode::return_control,
                                             .kind = &kBnumAnswer,
                                             .no_rsp = &kBnumAnswer},
                                            {.first = Opcode::call_bname,
                                             .last = Opcode::call_bname_vm,
                                             .answer = Opcode::return_control,
                                             .kind = &kBnameAnswer,
                                             .no_rsp = &kBnameAnswer},
                                            {.first = Opcode::get_num_proc,
                                             .answer = Opcode::proc_num,
                                             .kind = &kGetNumAnswer,
                                             .no_rsp = &kGetNumNotRsp,
                                             .judge = judge_proc_num}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::proc_num, &kProcNumAnswers}};

}  // namespace

UmspSection procedure_rules() {
  static constexpr const Rule* kRules[] = {&kBnumCode,
                                           &kBnumLeast,
                                           &kBnumVmLeast,
                                           &kBnumVm,
                                           &kBnumNoVm,
                                           &kBnumObject,
                                           &kBnumProcedure,
                                           &kBnumParameters,
                                           &kBnumAnswer,
                                           &kBnumWrong,
                                           &kBnameCode,
                                           &kBnameLeast,
                                           &kBnameVm,
                                           &kBnameNoVm,
                                           &kBnameObject,
                                           &kBnameParameters,
                                           &kBnameName,
                                           &kBnameAnswer,
                                           &kBnameWrong,
                                           &kBnameRanges,
                                           &kStandardProceduresNameless,
                                           &kStandardProceduresByNumber,
                                           &kGetNumRanges,
                                           &kGetNumWords,
                                           &kGetNumObject,
                                           &kGetNumName,
                                           &kGetNumAnswer,
                                           &kGetNumNotRsp,
                                           &kProcNumAnswers,
                                           &kProcNumWords,
                                           &kProcNumObject,
                                           &kProcNumOfIt,
                                           &kProcNumNumber};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

}  // namespace wirelaw::umsp
