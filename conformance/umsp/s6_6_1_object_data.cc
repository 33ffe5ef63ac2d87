// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.6.1 and 6.6.2: the data of objects are read, written and compared.
#include "conformance/section.h"
#include "conformance/umsp/exchange_checks.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
constexpr std::string_view kTheFormItselfAnotherOpcode = "the form itself: another OPCODE reads as another length";
constexpr std::string_view kTheFormItselfOtherOctets = "the form itself: other octets are another object";
constexpr std::string_view kUmsp66113ListsTheLengthsThat = "UMSP-6.6.1.1-3 lists the lengths that fit";

constexpr Section kObjReqData{"RFC 3018 6.6.1.1"};
constinit const Rule kReqCode = kObjReqData.by(none).must(
    "UMSP-6.6.1.1-1", "OBJ_REQ_DATA has OPCODE 192 with a length field of 2 octets, and 193 with one of 4.",
    kTheFormItselfAnotherOpcode);
constinit const Rule kReqWords = kObjReqData.by(none).must(
    "UMSP-6.6.1.1-2", "OBJ_REQ_DATA has 3, 4 or 5 words of operands.", "UMSP-6.6.1.1-3 says it for each OPCODE");
constinit const Rule kReqFits =
    kObjReqData.must("UMSP-6.6.1.1-3", "OPR_LENGTH of OBJ_REQ_DATA is 3 with OPCODE 192, and 4 or 5 with 193.");
constinit const Rule kReqObject = kObjReqData.by(none).must(
    "UMSP-6.6.1.1-4", "Operands 1 to 3 of OBJ_REQ_DATA are number, version and realization of the object.",
    kTheFormItselfOtherOctets);
constinit const Rule kReqLength = kObjReqData.by(none).must(
    "UMSP-6.6.1.1-5", "Operand 4 of OBJ_REQ_DATA is the number of octets wanted, in 2 or 4 octets as the OPCODE says.",
    "the form itself: other octets are another number");
constinit const Rule kReqOffset = kObjReqData.by(none).must(
    "UMSP-6.6.1.1-6", "Operand 5 of OBJ_REQ_DATA is the offset, 2, 4 or 8 octets.", kUmsp66113ListsTheLengthsThat);
constinit const Rule kReqShortOffset = kObjReqData.by(none).must(
    "UMSP-6.6.1.1-7", "OBJ_REQ_DATA with a length field of 2 octets has an offset of 2 octets.",
    kUmsp66113ListsTheLengthsThat);
constinit const Rule kReqLongOffset = kObjReqData.by(none).must(
    "UMSP-6.6.1.1-8", "OBJ_REQ_DATA with a length field of 4 octets has an offset of 4 octets at least.",
    kUmsp66113ListsTheLengthsThat);
constinit const Rule kReqAnswer =
    kObjReqData.resting_on(Evidence::order)
        .must("UMSP-6.6.1.1-9", "OBJ_REQ_DATA with ASK 1 is answered by DATA with what was asked for, or by RSP.",
              "UMSP/B50: fewer octets are a warning");
constinit const Rule kReqNotRsp = kObjReqData.resting_on(Evidence::order)
                                      .must_not("UMSP-6.6.1.1-10", "OBJ_REQ_DATA is not answered by a positive RSP.");
constinit const Rule kReqRefused = kObjReqData.by(stimulus).must(
    "UMSP-6.6.1.1-11", "Data of an object that cannot be sent: RSP with a basic return code other than 0.");

constexpr Section kObjWrite{"RFC 3018 6.6.1.2"};
constinit const Rule kWriteCode = kObjWrite.by(none).must(
    "UMSP-6.6.1.2-1", "OPCODE of OBJ_WRITE is that of the offset length: 194 for 2, 195 for 4, 196 for 8 octets.",
    kTheFormItselfAnotherOpcode);
constinit const Rule kWriteFits =
    kObjWrite.must("UMSP-6.6.1.2-2", "OPR_LENGTH of OBJ_WRITE is 3 at least, and 4 with an offset of 8 octets.");
constinit const Rule kWriteObject = kObjWrite.by(none).must(
    "UMSP-6.6.1.2-3", "Operands 1 to 3 of OBJ_WRITE are number, version and realization of the object.",
    kTheFormItselfOtherOctets);
constinit const Rule kWriteOffset =
    kObjWrite.by(none).must("UMSP-6.6.1.2-4", "Operand 4 of OBJ_WRITE is the offset, as long as the OPCODE says.",
                            "the form itself: other octets are another offset");
constinit const Rule kWriteMost =
    kObjWrite.by(none).must("UMSP-6.6.1.2-5", "The data of OBJ_WRITE follow the offset, 2 to 262128 octets.",
                            "UMSP-6.6.1.2-7 has the lower end, OPR_LENGTH the upper one");
constinit const Rule kWriteOnce =
    kObjWrite.must("UMSP-6.6.1.2-6", "OBJ_WRITE has a _DATA header only if no data are in its operands.");
constinit const Rule kWriteSomething =
    kObjWrite.must("UMSP-6.6.1.2-7", "OBJ_WRITE has data, in its operands or in a _DATA header.");
constinit const Rule kWriteTwoOctets =
    kObjWrite.must("UMSP-6.6.1.2-8", "OBJ_WRITE with a 2-octet offset has 2 octets of data: 3 words of operands.");
constinit const Rule kWriteWords = kObjWrite.by(none).must(
    "UMSP-6.6.1.2-9", "OBJ_WRITE with a longer offset has data that are a multiple of 4 octets.",
    "OPR_LENGTH counts words: nothing else can be sent");
constinit const Rule kWriteNotTwice = kObjWrite.by(none).must_not(
    "UMSP-6.6.1.2-10", "OBJ_WRITE does not carry data in operands and in a _DATA header at once.",
    "UMSP-6.6.1.2-6 says the same");
constinit const Rule kWriteAnswer =
    kObjWrite.resting_on(Evidence::order).must("UMSP-6.6.1.2-11", "OBJ_WRITE with ASK 1 is answered by RSP.");
constinit const Rule kWriteDone =
    kObjWrite.by(stimulus).must("UMSP-6.6.1.2-12", "OBJ_WRITE that was executed gets RSP with basic return code 0.");
constinit const Rule kWriteNotDone = kObjWrite.by(stimulus).must(
    "UMSP-6.6.1.2-13", "OBJ_WRITE that was not executed gets RSP with another basic return code.");

constexpr Section kObjWriteExt{"RFC 3018 6.6.1.3"};
constinit const Rule kWriteExtRange =
    kObjWriteExt.by(none).must("UMSP-6.6.1.3-1", "OBJ_WRITE_EXT writes 1 to 262124 octets, any number.",
                               "UMSP/A30; UMSP-6.6.1.3-6 has the lower end, OPR_LENGTH the upper one");
constinit const Rule kWriteExtLeast =
    kObjWriteExt.must("UMSP-6.6.1.3-2", "OBJ_WRITE_EXT has at least 5 words of operands.", "UMSP/A30");
constinit const Rule kWriteExtObject = kObjWriteExt.by(none).must(
    "UMSP-6.6.1.3-3", "Operands 1 to 3 of OBJ_WRITE_EXT are number, version and realization of the object.",
    kTheFormItselfOtherOctets);
constinit const Rule kWriteExtZero =
    kObjWriteExt.must("UMSP-6.6.1.3-4", "The octet behind OBJ_WRITE_EXT's realization is 0.");
constinit const Rule kWriteExtCount =
    kObjWriteExt.by(none).must("UMSP-6.6.1.3-5", "The 3 octets behind that are the number of octets to be written.",
                               "a wrong number shows in UMSP-6.6.1.3-9");
constinit const Rule kWriteExtNotNone =
    kObjWriteExt.must_not("UMSP-6.6.1.3-6", "The number of octets of OBJ_WRITE_EXT is not 0.");
constinit const Rule kWriteExtRounded = kObjWriteExt.by(none).must(
    "UMSP-6.6.1.3-7", "The data of OBJ_WRITE_EXT follow in a field of the number of octets, rounded up to 4.",
    "a wrong field shows in UMSP-6.6.1.3-9");
constinit const Rule kWriteExtOffset =
    kObjWriteExt.by(none).must("UMSP-6.6.1.3-8", "The last operand of OBJ_WRITE_EXT is the offset, 4 or 8 octets.",
                               "UMSP/A30; a wrong length shows in UMSP-6.6.1.3-9");
constinit const Rule kWriteExtFits =
    kObjWriteExt.must("UMSP-6.6.1.3-9", "OPR_LENGTH of OBJ_WRITE_EXT is that of its fields.");
constinit const Rule kWriteExtPadding =
    kObjWriteExt.by(none).must("UMSP-6.6.1.3-10", "The data of OBJ_WRITE_EXT are padded by 1 to 3 zero octets.",
                               "UMSP-3.3-3 says so of all padding");
constinit const Rule kWriteExtPaddingUnwritten =
    kObjWriteExt.by(stimulus).must_not("UMSP-6.6.1.3-11", "The padding of OBJ_WRITE_EXT is not written to the object.");
constinit const Rule kWriteExtAnswer =
    kObjWriteExt.resting_on(Evidence::order).must("UMSP-6.6.1.3-12", "OBJ_WRITE_EXT with ASK 1 is answered by RSP.");
constinit const Rule kWriteExtDone = kObjWriteExt.by(stimulus).must(
    "UMSP-6.6.1.3-13", "OBJ_WRITE_EXT that was executed gets RSP with basic return code 0.");
constinit const Rule kWriteExtNotDone = kObjWriteExt.by(stimulus).must(
    "UMSP-6.6.1.3-14", "OBJ_WRITE_EXT that was not executed gets RSP with another basic return code.");

constexpr Section kObjDataCmp{"RFC 3018 6.6.2.1"};
constinit const Rule kCmpCode = kObjDataCmp.by(none).must(
    "UMSP-6.6.2.1-1", "OPCODE of OBJ_DATA_CMP is that of the offset length: 198 for 2, 199 for 4, 200 for 8 octets.",
    kTheFormItselfAnotherOpcode);
constinit const Rule kCmpLeast =
    kObjDataCmp.by(none).must("UMSP-6.6.2.1-2", "OBJ_DATA_CMP has at least 3 words of operands.",
                              "UMSP-6.6.2.1-5 and UMSP-6.6.2.1-6 demand more");
constinit const Rule kCmpObject = kObjDataCmp.by(none).must(
    "UMSP-6.6.2.1-3", "Operands 1 to 3 of OBJ_DATA_CMP are number, version and realization of the object.",
    kTheFormItselfOtherOctets);
constinit const Rule kCmpOffset =
    kObjDataCmp.by(none).must("UMSP-6.6.2.1-4", "Operand 4 of OBJ_DATA_CMP is the offset, as long as the OPCODE says.",
                              "the form itself: other octets are another offset");
constinit const Rule kCmpFits = kObjDataCmp.must(
    "UMSP-6.6.2.1-5", "OBJ_DATA_CMP has data: OPR_LENGTH is 4 at least with OPCODE 199, and 5 with 200.");
constinit const Rule kCmpTwoOctets =
    kObjDataCmp.must("UMSP-6.6.2.1-6", "OBJ_DATA_CMP with a 2-octet offset has 2 octets of data: 3 words of operands.");
constinit const Rule kCmpWords = kObjDataCmp.by(none).must(
    "UMSP-6.6.2.1-7", "OBJ_DATA_CMP with a longer offset has data that are a multiple of 4 octets.",
    "OPR_LENGTH counts words: nothing else can be sent");
constinit const Rule kCmpAnswer = kObjDataCmp.resting_on(Evidence::order)
                                      .must("UMSP-6.6.2.1-8", "OBJ_DATA_CMP with ASK 1 is answered by RSP.",
                                            "UMSP/A34; what the answer says: UMSP-6.2.3-4");

constexpr Section kObjDataCmpExt{"RFC 3018 6.6.2.2"};
constinit const Rule kCmpExtRange =
    kObjDataCmpExt.by(none).must("UMSP-6.6.2.2-1", "OBJ_DATA_CMP_EXT compares 1 to 262124 octets, any number.",
                                 "UMSP/A30; UMSP-6.6.2.2-6 has the lower end, OPR_LENGTH the upper one");
constinit const Rule kCmpExtLeast =
    kObjDataCmpExt.must("UMSP-6.6.2.2-2", "OBJ_DATA_CMP_EXT has at least 5 words of operands.", "UMSP/A30");
constinit const Rule kCmpExtObject = kObjDataCmpExt.by(none).must(
    "UMSP-6.6.2.2-3", "Operands 1 to 3 of OBJ_DATA_CMP_EXT are number, version and realization of the object.",
    kTheFormItselfOtherOctets);
constinit const Rule kCmpExtZero =
    kObjDataCmpExt.must("UMSP-6.6.2.2-4", "The octet behind OBJ_DATA_CMP_EXT's realization is 0.");
constinit const Rule kCmpExtCount =
    kObjDataCmpExt.by(none).must("UMSP-6.6.2.2-5", "The 3 octets behind that are the number of octets to be compared.",
                                 "a wrong number shows in UMSP-6.6.2.2-9");
constinit const Rule kCmpExtNotNone =
    kObjDataCmpExt.must_not("UMSP-6.6.2.2-6", "The number of octets of OBJ_DATA_CMP_EXT is not 0.");
constinit const Rule kCmpExtRounded = kObjDataCmpExt.by(none).must(
    "UMSP-6.6.2.2-7", "The data of OBJ_DATA_CMP_EXT follow in a field of the number of octets, rounded up to 4.",
    "a wrong field shows in UMSP-6.6.2.2-9");
constinit const Rule kCmpExtOffset =
    kObjDataCmpExt.by(none).must("UMSP-6.6.2.2-8", "The last operand of OBJ_DATA_CMP_EXT is the offset, 4 or 8 octets.",
                                 "UMSP/A30; a wrong length shows in UMSP-6.6.2.2-9");
constinit const Rule kCmpExtFits =
    kObjDataCmpExt.must("UMSP-6.6.2.2-9", "OPR_LENGTH of OBJ_DATA_CMP_EXT is that of its fields.");
constinit const Rule kCmpExtPadding =
    kObjDataCmpExt.by(none).must("UMSP-6.6.2.2-10", "The data of OBJ_DATA_CMP_EXT are padded by 1 to 3 zero octets.",
                                 "UMSP-3.3-3 says so of all padding");
constinit const Rule kCmpExtPaddingUncompared =
    kObjDataCmpExt.by(stimulus).must_not("UMSP-6.6.2.2-11", "The padding of OBJ_DATA_CMP_EXT is not compared.");
constinit const Rule kCmpExtAnswer = kObjDataCmpExt.resting_on(Evidence::order)
                                         .must("UMSP-6.6.2.2-12", "OBJ_DATA_CMP_EXT with ASK 1 is answered by RSP.",
                                               "UMSP/A34; what the answer says: UMSP-6.2.3-4");

void judge_any(Judge& judge, const Seen& seen) {
  judge_object(judge, seen);
}

void judge_write(Judge& judge, const Seen& seen) {
  judge_object(judge, seen);
  if (judge_data_once(judge, seen, Operand::data, kWriteOnce))
    judge_data_there(judge, seen, Operand::data, kWriteSomething);
}

void judge_write_ext(Judge& judge, const Seen& seen) {
  judge_object(judge, seen);
  judge_count(judge, seen, kWriteExtZero, kWriteExtNotNone);
}

void judge_cmp_ext(Judge& judge, const Seen& seen) {
  judge_object(judge, seen);
  judge_count(judge, seen, kCmpExtZero, kCmpExtNotNone);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::obj_req_data_2, .last = Opcode::obj_req_data_4, .opr_length = &kReqFits, .judge = judge_any},
    {.first = Opcode::obj_write_2, .opr_length = &kWriteTwoOctets, .judge = judge_write},
    {.first = Opcode::obj_write_4, .last = Opcode::obj_write_8, .opr_length = &kWriteFits, .judge = judge_write},
    {.first = Opcode::obj_write_ext,
     .opr_length = &kWriteExtLeast,
     .operands = &kWriteExtFits,
     .judge = judge_write_ext},
    {.first = Opcode::obj_data_cmp_2, .opr_length = &kCmpTwoOctets, .judge = judge_any},
    {.first = Opcode::obj_data_cmp_4, .last = Opcode::obj_data_cmp_8, .opr_length = &kCmpFits, .judge = judge_any},
    {.first = Opcode::obj_data_cmp_ext, .opr_length = &kCmpExtLeast, .operands = &kCmpExtFits, .judge = judge_cmp_ext}};

// More octets than were asked for are not the required data. An object that has fewer may end there (UMSP/B50).
void judge_object_data(Judge& judge, const Seen& seen, const Asked& asked) {
  const auto octets_of_data = octets_of_answer(seen);
  if (!asked.length || !octets_of_data) return;
  const std::uint64_t most = (*asked.length + 3) / 4 * 4;
  const auto wanted = expected([&] { return fmt::format("{} octets, rounded up", *asked.length); });
  const auto why = [&] { return fmt::format("message {} asked", asked.index + 1); };
  if (judge.require(kReqAnswer, *octets_of_data <= most, seen.all_operands(), wanted, actual(*octets_of_data), why))
    judge.advise(kReqAnswer, *octets_of_data >= *asked.length, seen.all_operands(), wanted, actual(*octets_of_data),
                 why);
  judge_data_asked_for(judge, seen, asked);
}

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::obj_req_data_2,
     .last = Opcode::obj_req_data_4,
     .answer = Opcode::data,
     .kind = &kReqAnswer,
     .no_rsp = &kReqNotRsp,
     .judge = judge_object_data},
    {.first = Opcode::obj_write_2, .last = Opcode::obj_write_8, .kind = &kWriteAnswer},
    {.first = Opcode::obj_write_ext, .kind = &kWriteExtAnswer},
    {.first = Opcode::obj_data_cmp_2, .last = Opcode::obj_data_cmp_8, .kind = &kCmpAnswer, .judge = judge_comparison},
    {.first = Opcode::obj_data_cmp_ext, .kind = &kCmpExtAnswer, .judge = judge_comparison}};

}  // namespace

UmspSection object_data_rules() {
  static constexpr const Rule* kRules[] = {&kReqCode,
                                           &kReqWords,
                                           &kReqFits,
                                           &kReqObject,
                                           &kReqLength,
                                           &kReqOffset,
                                           &kReqShortOffset,
                                           &kReqLongOffset,
                                           &kReqAnswer,
                                           &kReqNotRsp,
                                           &kReqRefused,
                                           &kWriteCode,
                                           &kWriteFits,
                                           &kWriteObject,
                                           &kWriteOffset,
                                           &kWriteMost,
                                           &kWriteOnce,
                                           &kWriteSomething,
                                           &kWriteTwoOctets,
                                           &kWriteWords,
                                           &kWriteNotTwice,
                                           &kWriteAnswer,
                                           &kWriteDone,
                                           &kWriteNotDone,
                                           &kWriteExtRange,
                                           &kWriteExtLeast,
                                           &kWriteExtObject,
                                           &kWriteExtZero,
                                           &kWriteExtCount,
                                           &kWriteExtNotNone,
                                           &kWriteExtRounded,
                                           &kWriteExtOffset,
                                           &kWriteExtFits,
                                           &kWriteExtPadding,
                                           &kWriteExtPaddingUnwritten,
                                           &kWriteExtAnswer,
                                           &kWriteExtDone,
                                           &kWriteExtNotDone,
                                           &kCmpCode,
                                           &kCmpLeast,
                                           &kCmpObject,
                                           &kCmpOffset,
                                           &kCmpFits,
                                           &kCmpTwoOctets,
                                           &kCmpWords,
                                           &kCmpAnswer,
                                           &kCmpExtRange,
                                           &kCmpExtLeast,
                                           &kCmpExtObject,
                                           &kCmpExtZero,
                                           &kCmpExtCount,
                                           &kCmpExtNotNone,
                                           &kCmpExtRounded,
                                           &kCmpExtOffset,
                                           &kCmpExtFits,
                                           &kCmpExtPadding,
                                           &kCmpExtPaddingUncompared,
                                           &kCmpExtAnswer};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .answers = kAnswers};
}

}  // namespace wirelaw::umsp
