// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.1 and 6.2: memory is read, written and compared.
#include <algorithm>

#include "conformance/section.h"
#include "conformance/umsp/exchange_checks.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
constexpr std::string_view kTheFormItselfAnotherOpcode = "the form itself: another OPCODE reads as another length";

constexpr Section kReqData{"RFC 3018 6.1.1"};
constinit const Rule kReqDataCode = kReqData.by(none).must(
    "UMSP-6.1.1-1", "REQ_DATA has OPCODE 130 with a length field of 2 octets, and 131 with one of 4.",
    kTheFormItselfAnotherOpcode);
constinit const Rule kReqDataWords =
    kReqData.must("UMSP-6.1.1-2", "OPR_LENGTH of REQ_DATA is 1, 2, 3 or 5, and with OPCODE 131 not 1.", "UMSP/A28");
constinit const Rule kReqDataFits = kReqData.by(none).must(
    "UMSP-6.1.1-3", "OPR_LENGTH of REQ_DATA is that of length field and address, rounded up to words.",
    "UMSP/A28; UMSP-6.1.1-2 lists the lengths that fit");
constinit const Rule kReqDataLongFits =
    kReqData.by(none).must("UMSP-6.1.1-4", "REQ_DATA with OPCODE 131 has at least 2 words of operands.",
                           "UMSP/A28; UMSP-6.1.1-2 lists the lengths that fit");
constinit const Rule kReqDataLength = kReqData.by(none).must(
    "UMSP-6.1.1-5",
    "The first operand of REQ_DATA is the number of octets wanted, in 2 or 4 octets as the OPCODE says.",
    "the form itself: other octets are another number");
constinit const Rule kReqDataAddress =
    kReqData.by(none).must("UMSP-6.1.1-6", "The second operand of REQ_DATA is the address, 2, 4, 8 or 16 octets.",
                           "UMSP-6.1.1-2 lists the lengths that fit");
constinit const Rule kReqDataAnswer =
    kReqData.resting_on(Evidence::order).must("UMSP-6.1.1-7", "REQ_DATA is answered by DATA, or by RSP.");
constinit const Rule kReqDataAll =
    kReqData.resting_on(Evidence::order)
        .must("UMSP-6.1.1-8", "DATA in answer to REQ_DATA has as many octets as were asked for, rounded up.");
constinit const Rule kReqDataNotRsp =
    kReqData.resting_on(Evidence::order).must_not("UMSP-6.1.1-9", "REQ_DATA is not answered by a positive RSP.");
constinit const Rule kReqDataRefused = kReqData.by(stimulus).must(
    "UMSP-6.1.1-10", "Data that cannot be sent: REQ_DATA is answered by RSP with a basic return code other than 0.");

constexpr Section kData{"RFC 3018 6.1.2"};
constinit const Rule kDataAnswers = kData.resting_on(Evidence::order)
                                        .must("UMSP-6.1.2-1", "DATA answers REQ_DATA, OBJ_REQ_DATA or SYN.",
                                              "Where the request has a rule on its answer, that one is reported.");
constinit const Rule kDataAnyLength =
    kData.by(stimulus).must("UMSP-6.1.2-2", "DATA is taken with any number of operand words, 0 to 65535.");
constinit const Rule kDataAlone =
    kData.by(none).must("UMSP-6.1.2-3", "Operands of DATA are the data alone, at most 262140 octets.",
                        "the form itself: all octets are data, and OPR_LENGTH cannot count more");
constinit const Rule kDataEmpty =
    kData.by(none).must("UMSP-6.1.2-4", "DATA with OPR_LENGTH 0 has no data in operands.", "the form itself");
constinit const Rule kDataOnce = kData.must("UMSP-6.1.2-5", "DATA with operands has no _DATA header.");
constinit const Rule kDataTooLong =
    kData.by(none).must("UMSP-6.1.2-6", "Data that are longer than the operands can be are in a _DATA header.",
                        "OPR_LENGTH cannot count more");
constinit const Rule kDataNotTwice =
    kData.by(none).must_not("UMSP-6.1.2-7", "DATA does not carry data in operands and in a _DATA header at once.",
                            "UMSP-6.1.2-5 says the same");
constinit const Rule kDataPadding =
    kData.resting_on(Evidence::order).must("UMSP-6.1.2-8", "Octets of DATA behind those that were asked for are zero.");

constexpr Section kWrite{"RFC 3018 6.1.3"};
constinit const Rule kWriteCode = kWrite.by(none).must(
    "UMSP-6.1.3-1",
    "OPCODE of WRITE is that of the address length: 133 for 2, 134 for 4, 135 for 8, 136 for 16 octets.",
    kTheFormItselfAnotherOpcode);
constinit const Rule kWriteLeast = kWrite.by(none).must("UMSP-6.1.3-2", "WRITE has at least 1 word of operands.",
                                                        "UMSP-6.1.3-4 and UMSP-6.1.3-8 demand more");
constinit const Rule kWriteAddress =
    kWrite.by(none).must("UMSP-6.1.3-3", "The first operand of WRITE is the address, as long as the OPCODE says.",
                         "the form itself: other octets are another address");
constinit const Rule kWriteFits = kWrite.must(
    "UMSP-6.1.3-4", "OPR_LENGTH of WRITE has room for the address: 1 word for OPCODE 134, 2 for 135, 4 for 136.");
constinit const Rule kWriteMost = kWrite.by(none).must(
    "UMSP-6.1.3-5", "The data of WRITE follow the address, at most 262136 octets.", "OPR_LENGTH cannot count more");
constinit const Rule kWriteOnce =
    kWrite.must("UMSP-6.1.3-6", "WRITE has a _DATA header only if no data are in its operands.", "UMSP/A32");
constinit const Rule kWriteSomething =
    kWrite.must("UMSP-6.1.3-7", "WRITE has data, in its operands or in a _DATA header.",
                "The printed table allows no octets, for the header's sake: a warning.");
constinit const Rule kWriteTwoOctets =
    kWrite.must("UMSP-6.1.3-8", "WRITE with a 2-octet address has 2 octets of data: 1 word of operands.", "UMSP/A32");
constinit const Rule kWriteWords =
    kWrite.by(none).must("UMSP-6.1.3-9", "WRITE with a longer address has data that are a multiple of 4 octets.",
                         "OPR_LENGTH counts words: nothing else can be sent");
constinit const Rule kWriteNotTwice =
    kWrite.by(none).must_not("UMSP-6.1.3-10", "WRITE does not carry data in operands and in a _DATA header at once.",
                             "UMSP-6.1.3-6 says the same");
constinit const Rule kWriteAnswer =
    kWrite.resting_on(Evidence::order).must("UMSP-6.1.3-11", "WRITE with ASK 1 is answered by RSP.");
constinit const Rule kWriteDone =
    kWrite.by(stimulus).must("UMSP-6.1.3-12", "WRITE that was executed gets RSP with basic return code 0.");
constinit const Rule kWriteNotDone =
    kWrite.by(stimulus).must("UMSP-6.1.3-13", "WRITE that was not executed gets RSP with another basic return code.");

constexpr Section kWriteExt{"RFC 3018 6.1.4"};
constinit const Rule kWriteExtRange =
    kWriteExt.by(none).must("UMSP-6.1.4-1", "WRITE_EXT writes 1 to 262132 octets, any number.",
                            "UMSP/A31; UMSP-6.1.4-5 has the lower end, OPR_LENGTH the upper one");
constinit const Rule kWriteExtLeast = kWriteExt.must("UMSP-6.1.4-2", "WRITE_EXT has at least 3 words of operands.");
constinit const Rule kWriteExtZero = kWriteExt.must("UMSP-6.1.4-3", "The first octet of WRITE_EXT's operands is 0.");
constinit const Rule kWriteExtCount =
    kWriteExt.by(none).must("UMSP-6.1.4-4", "The next 3 octets are the number of octets to be written.",
                            "a wrong number shows in UMSP-6.1.4-9");
constinit const Rule kWriteExtNotNone =
    kWriteExt.must_not("UMSP-6.1.4-5", "The number of octets of WRITE_EXT is not 0.");
constinit const Rule kWriteExtField =
    kWriteExt.by(none).must("UMSP-6.1.4-6", "The data of WRITE_EXT follow in a field that is a multiple of 4 octets.",
                            "a wrong field shows in UMSP-6.1.4-9");
constinit const Rule kWriteExtRounded =
    kWriteExt.by(none).must("UMSP-6.1.4-7", "The data field of WRITE_EXT is the number of octets, rounded up to 4.",
                            "a wrong field shows in UMSP-6.1.4-9");
constinit const Rule kWriteExtAddress =
    kWriteExt.by(none).must("UMSP-6.1.4-8", "The last operand of WRITE_EXT is the address, 4, 8 or 16 octets.",
                            "a wrong length shows in UMSP-6.1.4-9");
constinit const Rule kWriteExtFits =
    kWriteExt.must("UMSP-6.1.4-9", "OPR_LENGTH of WRITE_EXT is that of count, data field and address.");
constinit const Rule kWriteExtPadding = kWriteExt.by(none).must(
    "UMSP-6.1.4-10", "The data of WRITE_EXT are padded by 1 to 3 zero octets.", "UMSP-3.3-3 says so of all padding");
constinit const Rule kWriteExtPaddingUnwritten =
    kWriteExt.by(stimulus).must_not("UMSP-6.1.4-11", "The padding of WRITE_EXT is not written to memory.");
constinit const Rule kWriteExtAnswer =
    kWriteExt.resting_on(Evidence::order).must("UMSP-6.1.4-12", "WRITE_EXT with ASK 1 is answered by RSP.");
constinit const Rule kWriteExtDone =
    kWriteExt.by(stimulus).must("UMSP-6.1.4-13", "WRITE_EXT that was executed gets RSP with basic return code 0.");
constinit const Rule kWriteExtNotDone = kWriteExt.by(stimulus).must(
    "UMSP-6.1.4-14", "WRITE_EXT that was not executed gets RSP with another basic return code.");

constexpr Section kCmp{"RFC 3018 6.2.1"};
constinit const Rule kCmpCode = kCmp.by(none).must(
    "UMSP-6.2.1-1", "OPCODE of CMP is that of the address length: 138 for 2, 139 for 4, 140 for 8, 141 for 16 octets.",
    kTheFormItselfAnotherOpcode);
constinit const Rule kCmpLeast = kCmp.by(none).must("UMSP-6.2.1-2", "CMP has at least 1 word of operands.",
                                                    "UMSP-6.2.1-4 and UMSP-6.2.1-7 demand more");
constinit const Rule kCmpAddress =
    kCmp.by(none).must("UMSP-6.2.1-3", "The first operand of CMP is the address, as long as the OPCODE says.",
                       "the form itself: other octets are another address");
constinit const Rule kCmpFits =
    kCmp.must("UMSP-6.2.1-4",
              "OPR_LENGTH of CMP has room for the address and for data: 2 words for OPCODE 139, 3 for 140, 5 for 141.");
constinit const Rule kCmpNoHeader = kCmp.by(none).must_not("UMSP-6.2.1-5", "CMP has no _DATA header.",
                                                           "UMSP-8.4-2 lists the instructions that may have _DATA");
constinit const Rule kCmpSomething = kCmp.by(none).must(
    "UMSP-6.2.1-6", "The data of CMP follow the address: 2 to 262136 octets, so that it is never without.",
    "UMSP-6.2.1-4 says it in words of operands");
constinit const Rule kCmpTwoOctets =
    kCmp.must("UMSP-6.2.1-7", "CMP with a 2-octet address has 2 octets of data: 1 word of operands.");
constinit const Rule kCmpWords =
    kCmp.by(none).must("UMSP-6.2.1-8", "CMP with a longer address has data that are a multiple of 4 octets.",
                       "OPR_LENGTH counts words: nothing else can be sent");

constexpr Section kCmpExt{"RFC 3018 6.2.2"};
constinit const Rule kCmpExtRange =
    kCmpExt.by(none).must("UMSP-6.2.2-1", "CMP_EXT compares 1 to 262132 octets, any number.",
                          "UMSP/A31; UMSP-6.2.2-5 has the lower end, OPR_LENGTH the upper one");
constinit const Rule kCmpExtLeast = kCmpExt.must("UMSP-6.2.2-2", "CMP_EXT has at least 3 words of operands.");
constinit const Rule kCmpExtZero = kCmpExt.must("UMSP-6.2.2-3", "The first octet of CMP_EXT's operands is 0.");
constinit const Rule kCmpExtCount =
    kCmpExt.by(none).must("UMSP-6.2.2-4", "The next 3 octets are the number of octets to be compared.",
                          "a wrong number shows in UMSP-6.2.2-9");
constinit const Rule kCmpExtNotNone = kCmpExt.must_not("UMSP-6.2.2-5", "The number of octets of CMP_EXT is not 0.");
constinit const Rule kCmpExtField =
    kCmpExt.by(none).must("UMSP-6.2.2-6", "The data of CMP_EXT follow in a field that is a multiple of 4 octets.",
                          "a wrong field shows in UMSP-6.2.2-9");
constinit const Rule kCmpExtRounded =
    kCmpExt.by(none).must("UMSP-6.2.2-7", "The data field of CMP_EXT is the number of octets, rounded up to 4.",
                          "a wrong field shows in UMSP-6.2.2-9");
constinit const Rule kCmpExtAddress =
    kCmpExt.by(none).must("UMSP-6.2.2-8", "The last operand of CMP_EXT is the address, 4, 8 or 16 octets.",
                          "a wrong length shows in UMSP-6.2.2-9");
constinit const Rule kCmpExtFits =
    kCmpExt.must("UMSP-6.2.2-9", "OPR_LENGTH of CMP_EXT is that of count, data field and address.");
constinit const Rule kCmpExtPadding = kCmpExt.by(none).must(
    "UMSP-6.2.2-10", "The data of CMP_EXT are padded by 1 to 3 zero octets.", "UMSP-3.3-3 says so of all padding");
constinit const Rule kCmpExtPaddingUncompared =
    kCmpExt.by(stimulus).must_not("UMSP-6.2.2-11", "The padding of CMP_EXT is not compared.");

constexpr Section kComparison{"RFC 3018 6.2.3"};
constinit const Rule kCmpAnswer = kComparison.resting_on(Evidence::order)
                                      .must("UMSP-6.2.3-1", "CMP and CMP_EXT with ASK 1 are answered by RSP.",
                                            "UMSP/A34; of objects: UMSP-6.6.2.1-8 and UMSP-6.6.2.2-12");
constinit const Rule kCmpDone = kComparison.by(stimulus).must(
    "UMSP-6.2.3-2", "A comparison that was executed gets RSP with basic return code 0, whatever its outcome.");
constinit const Rule kCmpLess = kComparison.by(stimulus).must(
    "UMSP-6.2.3-3", "Memory less than the operand: additional return code 0xFFFF, that is -1.");
constinit const Rule kCmpOutcome =
    kComparison.resting_on(Evidence::order)
        .must("UMSP-6.2.3-4", "The additional return code of a positive answer to a comparison is 0xFFFF, 0 or 1.");
constinit const Rule kCmpNothingIsEqual =
    kComparison.by(stimulus).must("UMSP-6.2.3-5", "A requester takes a positive answer without operands for equal.");
constinit const Rule kCmpEqual =
    kComparison.by(stimulus).must("UMSP-6.2.3-6", "Memory equal to the operand: additional return code 0.");
constinit const Rule kCmpMore =
    kComparison.by(stimulus).must("UMSP-6.2.3-7", "Memory more than the operand: additional return code 1.");
constinit const Rule kCmpNotDone = kComparison.by(stimulus).must(
    "UMSP-6.2.3-8", "A comparison that cannot be executed gets RSP with a basic return code other than 0.");

void judge_data(Judge& judge, const Seen& seen) {
  judge_data_once(judge, seen, Operand::data, kDataOnce);
}

void judge_write(Judge& judge, const Seen& seen) {
  if (judge_data_once(judge, seen, Operand::data, kWriteOnce))
    advise_data_there(judge, seen, Operand::data, kWriteSomething);
}

void judge_write_ext(Judge& judge, const Seen& seen) {
  judge_count(judge, seen, kWriteExtZero, kWriteExtNotNone);
}

void judge_cmp_ext(Judge& judge, const Seen& seen) {
  judge_count(judge, seen, kCmpExtZero, kCmpExtNotNone);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::req_data_2, .last = Opcode::req_data_4, .opr_length = &kReqDataWords, .operands = &kReqDataWords},
    {.first = Opcode::data, .judge = judge_data},
    {.first = Opcode::write_2, .opr_length = &kWriteTwoOctets, .judge = judge_write},
    {.first = Opcode::write_4, .last = Opcode::write_16, .opr_length = &kWriteFits, .judge = judge_write},
    {.first = Opcode::write_ext, .opr_length = &kWriteExtLeast, .operands = &kWriteExtFits, .judge = judge_write_ext},
    {.first = Opcode::cmp_2, .opr_length = &kCmpTwoOctets},
    {.first = Opcode::cmp_4, .last = Opcode::cmp_16, .opr_length = &kCmpFits},
    {.first = Opcode::cmp_ext, .opr_length = &kCmpExtLeast, .operands = &kCmpExtFits, .judge = judge_cmp_ext}};

// ------------------------------------------------------------------------------------------------------------ answers

constexpr std::uint64_t rounded(std::uint64_t octets, std::uint64_t to) {
  return (octets + to - 1) / to * to;
}

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::req_data_2,
     .last = Opcode::req_data_4,
     .answer = Opcode::data,
     .kind = &kReqDataAnswer,
     .no_rsp = &kReqDataNotRsp,
     .judge = judge_data_asked_for},
    {.first = Opcode::write_2, .last = Opcode::write_16, .kind = &kWriteAnswer},
    {.first = Opcode::write_ext, .kind = &kWriteExtAnswer},
    {.first = Opcode::cmp_2, .last = Opcode::cmp_ext, .kind = &kCmpAnswer, .judge = judge_comparison}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::data, &kDataAnswers}};

}  // namespace

UmspSection memory_rules() {
  static constexpr const Rule* kRules[] = {&kReqDataCode,       &kReqDataWords,
                                           &kReqDataFits,       &kReqDataLongFits,
                                           &kReqDataLength,     &kReqDataAddress,
                                           &kReqDataAnswer,     &kReqDataAll,
                                           &kReqDataNotRsp,     &kReqDataRefused,
                                           &kDataAnswers,       &kDataAnyLength,
                                           &kDataAlone,         &kDataEmpty,
                                           &kDataOnce,          &kDataTooLong,
                                           &kDataNotTwice,      &kDataPadding,
                                           &kWriteCode,         &kWriteLeast,
                                           &kWriteAddress,      &kWriteFits,
                                           &kWriteMost,         &kWriteOnce,
                                           &kWriteSomething,    &kWriteTwoOctets,
                                           &kWriteWords,        &kWriteNotTwice,
                                           &kWriteAnswer,       &kWriteDone,
                                           &kWriteNotDone,      &kWriteExtRange,
                                           &kWriteExtLeast,     &kWriteExtZero,
                                           &kWriteExtCount,     &kWriteExtNotNone,
                                           &kWriteExtField,     &kWriteExtRounded,
                                           &kWriteExtAddress,   &kWriteExtFits,
                                           &kWriteExtPadding,   &kWriteExtPaddingUnwritten,
                                           &kWriteExtAnswer,    &kWriteExtDone,
                                           &kWriteExtNotDone,   &kCmpCode,
                                           &kCmpLeast,          &kCmpAddress,
                                           &kCmpFits,           &kCmpNoHeader,
                                           &kCmpSomething,      &kCmpTwoOctets,
                                           &kCmpWords,          &kCmpExtRange,
                                           &kCmpExtLeast,       &kCmpExtZero,
                                           &kCmpExtCount,       &kCmpExtNotNone,
                                           &kCmpExtField,       &kCmpExtRounded,
                                           &kCmpExtAddress,     &kCmpExtFits,
                                           &kCmpExtPadding,     &kCmpExtPaddingUncompared,
                                           &kCmpAnswer,         &kCmpDone,
                                           &kCmpLess,           &kCmpOutcome,
                                           &kCmpNothingIsEqual, &kCmpEqual,
                                           &kCmpMore,           &kCmpNotDone};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

std::optional<std::uint64_t> octets_of_answer(const Seen& seen) {
  const ExtensionHeader* const header = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::data));
  if (header == nullptr) return seen.instruction.operands.size();
  if (!seen.instruction.operands.empty()) return std::nullopt;
  return header->data.size();
}

// Data in a _DATA header come in words of two octets, or of four.
void judge_data_asked_for(Judge& judge, const Seen& seen, const Asked& asked) {
  if (!asked.length) return;
  const ExtensionHeader* const header = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::data));
  if (header && !seen.instruction.operands.empty()) return;  // which of them are the data is not known
  const Octets data = header ? header->data : seen.instruction.operands;
  const bool whole = data.size() == rounded(*asked.length, 4) || (header && data.size() == rounded(*asked.length, 2));
  if (asked.opcode == static_cast<std::uint8_t>(Opcode::req_data_2) ||
      asked.opcode == static_cast<std::uint8_t>(Opcode::req_data_4))
    judge.require(kReqDataAll, whole, seen.all_operands(),
                  expected([&] { return fmt::format("{} octets, rounded up", *asked.length); }), actual(data.size()),
                  [&] { return fmt::format("message {} asked", asked.index + 1); });
  if (header || !whole || data.size() == *asked.length) return;
  const auto padding = data.subspan(static_cast<std::size_t>(*asked.length));
  judge.require(kDataPadding, std::ranges::all_of(padding, [](Octet octet) { return octet == 0; }),
                octets(seen.all_operands().offset + static_cast<std::size_t>(*asked.length), padding.size()),
                expected("octets of zero"), actual("others"),
                [&] { return fmt::format("message {} asked for {} octets", asked.index + 1, *asked.length); });
}

void judge_comparison(Judge& judge, const Seen& seen, const Asked& asked) {
  const auto outcome = seen.value(Operand::additional_return_code);
  if (!outcome || !says_yes(seen)) return;
  constexpr std::uint64_t kLess = 0xffff, kMore = 1;
  judge.require(kCmpOutcome, *outcome <= kMore || *outcome == kLess, seen.operand(Operand::additional_return_code),
                expected("0xffff, 0 or 1"), actual(hex(static_cast<std::uint16_t>(*outcome))),
                [&] { return fmt::format("message {} asked", asked.index + 1); });
}

}  // namespace wirelaw::umsp
