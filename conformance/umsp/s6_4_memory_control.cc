// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.4: memory is allocated and freed, and code is moved.
#include "conformance/section.h"
#include "conformance/umsp/exchange_checks.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;

constexpr Section kMemory{"RFC 3018 6.4"};
constinit const Rule kOneAddressSpace = kMemory.by(api).must("UMSP-6.4-1", "Code and data are in one address space.",
                                                             "where code and data are is known to the VM");
constinit const Rule kMemoryUnchecked = kMemory.by(stimulus).must_not(
    "UMSP-6.4-2", "The protocol layer does not check operations with memory: the VM does.");

constexpr Section kMemAlloc{"RFC 3018 6.4.1"};
constinit const Rule kAllocWords = kMemAlloc.must("UMSP-6.4.1-1", "MEM_ALLOC has 1 word of operands.");
constinit const Rule kAllocSize =
    kMemAlloc.by(none).must("UMSP-6.4.1-2", "The operand of MEM_ALLOC is the number of octets wanted.",
                            "the form itself: other octets are another number");
constinit const Rule kAllocAnswer =
    kMemAlloc.resting_on(Evidence::order)
        .must("UMSP-6.4.1-3", "MEM_ALLOC with ASK 1 is answered by ADDRESS, or by RSP.");
constinit const Rule kAllocNotRsp =
    kMemAlloc.resting_on(Evidence::order).must_not("UMSP-6.4.1-4", "MEM_ALLOC is not answered by a positive RSP.");
constinit const Rule kAllocWorks = kMemAlloc.by(stimulus).must(
    "UMSP-6.4.1-5", "The address from MEM_ALLOC works in instructions of reading, writing, comparison and SYN.");

constexpr Section kMvcode{"RFC 3018 6.4.2"};
constinit const Rule kMvcodeLeast = kMvcode.must("UMSP-6.4.2-1", "MVCODE has at least 1 word of operands.");
constinit const Rule kMvcodeVm = kMvcode.by(none).must(
    "UMSP-6.4.2-2", "The first operands of MVCODE are VM type and version of the addressee, 2 octets each.",
    "the form itself: other octets are another VM");
constinit const Rule kMvcodeMost = kMvcode.by(none).must(
    "UMSP-6.4.2-3", "The code of MVCODE follows, at most 262136 octets.", "OPR_LENGTH cannot count more");
constinit const Rule kMvcodeOnce =
    kMvcode.must("UMSP-6.4.2-4", "MVCODE has a _DATA header only if no code is in its operands.");
constinit const Rule kMvcodeSomething =
    kMvcode.must("UMSP-6.4.2-5", "MVCODE has code, in its operands or in a _DATA header.",
                 "The printed table allows no octets, for the header's sake: a warning.");
constinit const Rule kMvcodeOfVm = kMvcode.by(api).must(
    "UMSP-6.4.2-6", "The code of MVCODE is for the VM that its operands name.", "what code means is known to the VM");
constinit const Rule kMvcodeUnread =
    kMvcode.by(stimulus).must_not("UMSP-6.4.2-7", "The protocol layer does not look into the code of MVCODE.");
constinit const Rule kMvcodeComplete =
    kMvcode.by(api).must("UMSP-6.4.2-8", "The code of MVCODE holds all that the addressee's VM needs.",
                         "what code needs is known to the VM");
constinit const Rule kMvcodeNotTwice =
    kMvcode.by(none).must_not("UMSP-6.4.2-9", "MVCODE does not carry code in operands and in a _DATA header at once.",
                              "UMSP-6.4.2-4 says the same");
constinit const Rule kMvcodeAnswer =
    kMvcode.resting_on(Evidence::order).must("UMSP-6.4.2-10", "MVCODE with ASK 1 is answered by ADDRESS, or by RSP.");
constinit const Rule kMvcodeNotRsp =
    kMvcode.resting_on(Evidence::order).must_not("UMSP-6.4.2-11", "MVCODE is not answered by a positive RSP.");
constinit const Rule kMvcodeRuns =
    kMvcode.by(stimulus).must("UMSP-6.4.2-12", "Code from MVCODE can be run by JUMP or CALL.");

constexpr Section kAddress{"RFC 3018 6.4.3"};
constinit const Rule kAddressAnswers = kAddress.resting_on(Evidence::order)
                                           .must("UMSP-6.4.3-1", "ADDRESS answers MEM_ALLOC or MVCODE.",
                                                 "Where the request has a rule on its answer, that one is reported.");
constinit const Rule kAddressWords = kAddress.must("UMSP-6.4.3-2", "ADDRESS has 1, 2 or 4 words of operands.");
constinit const Rule kAddressAlone =
    kAddress.by(none).must("UMSP-6.4.3-3", "The operand of ADDRESS is the address, 4, 8 or 16 octets.",
                           "UMSP-6.4.3-2 says it in words of operands");
constinit const Rule kAddressFirst =
    kAddress.by(stimulus).must("UMSP-6.4.3-4", "For MEM_ALLOC, ADDRESS is that of the first octet of the new memory.");
constinit const Rule kAddressOfCode =
    kAddress.by(api).must("UMSP-6.4.3-5", "For MVCODE the VM of the code defines what ADDRESS is of.",
                          "what the address is of is known to the VM");

constexpr Section kFree{"RFC 3018 6.4.4"};
constinit const Rule kFreedExplicitly =
    kFree.by(api).must("UMSP-6.4.4-1", "Memory from MEM_ALLOC and MVCODE is freed explicitly, by FREE.",
                       "another node of the job may free it, or the end of the task");
constinit const Rule kFreeWords = kFree.must("UMSP-6.4.4-2", "FREE has 1, 2 or 4 words of operands.");
constinit const Rule kFreeAddress =
    kFree.by(none).must("UMSP-6.4.4-3", "The operand of FREE is the address, 4, 8 or 16 octets.",
                        "UMSP-6.4.4-2 says it in words of operands");
constinit const Rule kFreeOfAllocated =
    kFree.by(api).must("UMSP-6.4.4-4", "FREE names an address that MEM_ALLOC or MVCODE got.",
                       "addresses travel between the nodes of a job, and any may have got this one");
constinit const Rule kFreedAtEnd =
    kFree.by(stimulus).must("UMSP-6.4.4-5", "The VM frees the memory by itself when the task ends.");

constexpr Section kMvrun{"RFC 3018 6.4.5"};
constinit const Rule kMvrunLeast = kMvrun.must("UMSP-6.4.5-1", "MVRUN has at least 1 word of operands.");
constinit const Rule kMvrunVm = kMvrun.by(none).must(
    "UMSP-6.4.5-2", "The first operands of MVRUN are VM type and version of the addressee, 2 octets each.",
    "the form itself: other octets are another VM");
constinit const Rule kMvrunMost = kMvrun.by(none).must("UMSP-6.4.5-3", "The code of MVRUN follows, 4 to 262136 octets.",
                                                       "UMSP-6.4.5-5 has the lower end, OPR_LENGTH the upper one");
constinit const Rule kMvrunOnce =
    kMvrun.must("UMSP-6.4.5-4", "MVRUN has a _DATA header only if no code is in its operands.");
constinit const Rule kMvrunSomething =
    kMvrun.must("UMSP-6.4.5-5", "MVRUN has code, in its operands or in a _DATA header.");
constinit const Rule kMvrunUnread =
    kMvrun.by(stimulus).must_not("UMSP-6.4.5-6", "The protocol layer does not look into the code of MVRUN.");
constinit const Rule kMvrunComplete = kMvrun.by(api).must(
    "UMSP-6.4.5-7", "The code of MVRUN holds all that the addressee's VM needs, parameters included.",
    "what code needs is known to the VM");
constinit const Rule kMvrunNotTwice =
    kMvrun.by(none).must_not("UMSP-6.4.5-8", "MVRUN does not carry code in operands and in a _DATA header at once.",
                             "UMSP-6.4.5-4 says the same");
constinit const Rule kMvrunAnswer =
    kMvrun.resting_on(Evidence::order)
        .must("UMSP-6.4.5-9", "MVRUN with ASK 1 is answered by RETURN, or by a negative RSP.");
constinit const Rule kMvrunNotFreed = kMvrun.by(none).must_not(
    "UMSP-6.4.5-10", "Memory of MVRUN's code is not freed by FREE.", "no answer names an address that could be freed");
constinit const Rule kMvrunFreedByVm = kMvrun.by(api).must("UMSP-6.4.5-11", "The VM frees the memory of MVRUN's code.",
                                                           "what a VM frees is not on the wire");

void judge_mvcode(Judge& judge, const Seen& seen) {
  if (judge_data_once(judge, seen, Operand::code, kMvcodeOnce))
    advise_data_there(judge, seen, Operand::code, kMvcodeSomething);
}

void judge_mvrun(Judge& judge, const Seen& seen) {
  if (judge_data_once(judge, seen, Operand::code, kMvrunOnce))
    judge_data_there(judge, seen, Operand::code, kMvrunSomething);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::mem_alloc, .opr_length = &kAllocWords},
    {.first = Opcode::mvcode, .opr_length = &kMvcodeLeast, .judge = judge_mvcode},
    {.first = Opcode::address, .opr_length = &kAddressWords, .operands = &kAddressWords},
    {.first = Opcode::free, .opr_length = &kFreeWords, .operands = &kFreeWords},
    {.first = Opcode::mvrun, .opr_length = &kMvrunLeast, .judge = judge_mvrun}};

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::mem_alloc, .answer = Opcode::address, .kind = &kAllocAnswer, .no_rsp = &kAllocNotRsp},
    {.first = Opcode::mvcode, .answer = Opcode::address, .kind = &kMvcodeAnswer, .no_rsp = &kMvcodeNotRsp},
    {.first = Opcode::free},
    {.first = Opcode::mvrun, .answer = Opcode::return_control, .kind = &kMvrunAnswer, .no_rsp = &kMvrunAnswer}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::address, &kAddressAnswers}};

}  // namespace

UmspSection memory_control_rules() {
  static constexpr const Rule* kRules[] = {
      &kOneAddressSpace, &kMemoryUnchecked, &kAllocWords,     &kAllocSize,       &kAllocAnswer,  &kAllocNotRsp,
      &kAllocWorks,      &kMvcodeLeast,     &kMvcodeVm,       &kMvcodeMost,      &kMvcodeOnce,   &kMvcodeSomething,
      &kMvcodeOfVm,      &kMvcodeUnread,    &kMvcodeComplete, &kMvcodeNotTwice,  &kMvcodeAnswer, &kMvcodeNotRsp,
      &kMvcodeRuns,      &kAddressAnswers,  &kAddressWords,   &kAddressAlone,    &kAddressFirst, &kAddressOfCode,
      &kFreedExplicitly, &kFreeWords,       &kFreeAddress,    &kFreeOfAllocated, &kFreedAtEnd,   &kMvrunLeast,
      &kMvrunVm,         &kMvrunMost,       &kMvrunOnce,      &kMvrunSomething,  &kMvrunUnread,  &kMvrunComplete,
      &kMvrunNotTwice,   &kMvrunAnswer,     &kMvrunNotFreed,  &kMvrunFreedByVm};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

}  // namespace wirelaw::umsp
