// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.3.4: the profile of a session, and who keeps to it.
#include <algorithm>

#include "conformance/section.h"
#include "conformance/umsp/rules.h"
#include "conformance/umsp/sessions.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kS5_3_4{"RFC 3018 5.3.4"};

constinit const Rule kFourOctets = kS5_3_4.by(Observable::none)
                                       .must("UMSP-5.3.4-1", "A profile is 4 octets, S0 its most significant bit.",
                                             "UMSP/A5; octets that break it are another profile");
constinit const Rule kOffersWhatItProvides =
    kS5_3_4.by(Observable::stimulus)
        .must("UMSP-5.3.4-2", "A side offers no function in its profile that it does not provide.");
constinit const Rule kRefusesTheRest = kS5_3_4.by(Observable::stimulus)
                                           .must("UMSP-5.3.4-3",
                                                 "A receiver answers negatively, or not at all, to what its profile "
                                                 "does not offer: it does not execute it.");
constinit const Rule kFragments =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-4", "S0 0 of the receiving side: no fragmented instructions are sent to it.");
constinit const Rule kSequences = kS5_3_4.resting_on(Evidence::absence)
                                      .must("UMSP-5.3.4-5", "S1 0 of the receiving side: no sequences are sent to it.");
constinit const Rule kTransactions =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-6", "S2 0 of the receiving side: no transactions are sent to it.");
constinit const Rule kWithoutSession =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-7",
              "S3 0 of what a side says of its zero-session: no requests between VMs are sent to it without a session.",
              "a warning: what is said of the zero-session informs, and binds nobody (5.8)");
constinit const Rule kInSession =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-8", "S4 0 of the receiving side: no requests between VMs are sent to it in that session.");
constinit const Rule kS5Zero = kS5_3_4.must("UMSP-5.3.4-9", "S5 is 0.");
constinit const Rule kLongAddresses =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-10", "S6 0: no 16-octet addresses are used in instructions of exchange.",
              "judged by the codes that have such an address for certain");
constinit const Rule kShortHeaders = kS5_3_4.resting_on(Evidence::absence)
                                         .must("UMSP-5.3.4-11", "S7 0: no header in short form is used.",
                                               "not where S8 is 0 too, which would leave no header at all");
constinit const Rule kExtendedHeaders = kS5_3_4.resting_on(Evidence::absence)
                                            .must("UMSP-5.3.4-12", "S8 0: no header in extended form is used.",
                                                  "not where S7 is 0 too, which would leave no header at all");
constinit const Rule kShortData =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-13", "S9 0: no extension header with up to 254 octets of DATA is used.",
              "S10 allows any length");
constinit const Rule kLongData =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-14", "S10 0: no extension header with more DATA than 254 octets is used.");
constinit const Rule kOneNumber =
    kS5_3_4.by(Observable::none).must("UMSP-5.3.4-15", "S11 to S15 are one number, S11 its upper bit.", "a definition");
constinit const Rule kDataLength =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-16", "The data field in operands is no longer than (S11-S15 plus 1) times 4 octets.",
              "UMSP/A36; 15 is not judged, as the text prints four ones");
constinit const Rule kNoLimitTaken =
    kS5_3_4.by(Observable::stimulus)
        .must("UMSP-5.3.4-17", "S11-S15 all ones: the length of data is bound by the instruction's format alone.",
              "UMSP/A36");
constinit const Rule kRequiredVersion =
    kS5_3_4.must("UMSP-5.3.4-18", "S16-S19 of the profile asked for are 1, the UMSP version.");
constinit const Rule kPriorityAny =
    kS5_3_4.by(Observable::none)
        .must("UMSP-5.3.4-19", "S16-S19 of the profile offered are the priority of the job, any value.",
              "all values are allowed");
constinit const Rule kPriorityFirst =
    kS5_3_4.by(Observable::api)
        .must("UMSP-5.3.4-20",
              "Of two jobs that with the greater priority goes first in queues, transport and computing.",
              "what is above or below the protocol layer is not on the wire");
constinit const Rule kBorderExtended =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-21", "S20 1: headers have OPR_LENGTH 7, the extended form.",
              "UMSP/A37; judged where the receiver offers it and the sender was asked for it, or offers it too");
constinit const Rule kBorderParts =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-22", "S20 1: each extension header and the operands begin at a multiple of four octets.",
              "UMSP/A37; a warning: whether HEAD_LENGTH counts what fills a header is not said");
constinit const Rule kBorderFill =
    kS5_3_4.by(Observable::none)
        .must("UMSP-5.3.4-23", "S20 1: what fills the end of each header up to four octets is zero.",
              "where HEAD_LENGTH counts it, it is DATA like any other; else it reads as the header behind it");
constinit const Rule kProcedureNames =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-24", "S21 0: no procedure of an object is called or sought by name.");
constinit const Rule kObjectNames =
    kS5_3_4.resting_on(Evidence::absence).must("UMSP-5.3.4-25", "S22 0: no object is sought or created by name.");
constinit const Rule kRspProvided = kS5_3_4.by(Observable::stimulus)
                                        .must("UMSP-5.3.4-26", "S23 1: executions on the VM are answered by RSP.",
                                              "an answer that is missing: UMSP-3.1-12");
constinit const Rule kReading =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-27", "S24 0 of the receiving side: no reading or comparison is sent to it.");
constinit const Rule kWriting = kS5_3_4.resting_on(Evidence::absence)
                                    .must("UMSP-5.3.4-28", "S25 0 of the receiving side: no writing is sent to it.");
constinit const Rule kControl =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-29", "S26 0 of the receiving side: no control transfer is sent to it.");
constinit const Rule kSynchronizing =
    kS5_3_4.resting_on(Evidence::absence).must("UMSP-5.3.4-30", "S27 0 of the receiving side: no SYN is sent to it.");
constinit const Rule kObjects =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-31", "S28 0 of the receiving side: no instructions of work with objects are sent to it.");
constinit const Rule kObjectMemory = kS5_3_4.resting_on(Evidence::absence)
                                         .must("UMSP-5.3.4-32",
                                               "S29 0: an object's memory is neither read, written nor compared at "
                                               "once, its procedures are called instead.");
constinit const Rule kObjectMemoryNeedsObjects = kS5_3_4.must("UMSP-5.3.4-33", "S28 0: S29 is 0 too.");
constinit const Rule kMvrunWithoutSession =
    kS5_3_4.resting_on(Evidence::absence)
        .must("UMSP-5.3.4-34",
              "S30 0 of what a side says of its zero-session: no MVRUN is sent to it without a session.",
              "a warning: what is said of the zero-session informs, and binds nobody (5.8)");
constinit const Rule kS31Zero = kS5_3_4.must("UMSP-5.3.4-35", "S31 is 0.");

// S0 is the most significant bit (UMSP/A5).
constexpr bool has(std::uint32_t profile, unsigned flag) {
  return (profile >> (31 - flag) & 1) != 0;
}
constexpr std::uint32_t field_of(std::uint32_t profile, unsigned first, unsigned width) {
  return profile >> (32 - first - width) & ((1u << width) - 1);
}
constexpr std::uint32_t kUmspVersion = 1;

std::string describe(std::uint32_t profile) {
  return fmt::format("0x{:08x}", profile);
}

// ---------------------------------------------------------------------------------------------- a profile by itself

void judge_profile(Judge& judge, const Seen& seen, Operand operand) {
  const auto value = seen.value(operand);
  if (!value) return;
  const auto profile = static_cast<std::uint32_t>(*value);
  const OctetRange where = seen.operand(operand);
  const Actual is = actual([&] { return describe(profile); });
  judge.require(kS5Zero, !has(profile, 5), where, expected("S5 0"), is);
  judge.require(kObjectMemoryNeedsObjects, has(profile, 28) || !has(profile, 29), where, expected("S29 0, as S28 is 0"),
                is);
  judge.require(kS31Zero, !has(profile, 31), where, expected("S31 0"), is);
}

// ------------------------------------------------------------------------------ what the receiving side does not offer

struct Codes {
  Opcode first, last;
};
// What the sender may not use where the receiver's flag is 0.
struct Function {
  const Rule* rule;
  unsigned flag;
  std::array<Codes, 3> codes;
};
using enum Opcode;
constexpr Codes kNone{nop, nop};
// Instructions that are requests, those that are judged first in front: one finding for one fault.
constexpr Function kFunctions[] = {
    {&kObjects, 28, {{{obj_req_data_2, get_num_proc}, {create, sys_new}, {destroy, obj_get_name}}}},
    {&kObjectMemory, 29, {{{obj_req_data_2, obj_data_cmp_ext}, kNone, kNone}}},
    {&kProcedureNames, 21, {{{call_bname, get_num_proc}, kNone, kNone}}},
    {&kReading, 24, {{{req_data_2, req_data_4}, {cmp_2, cmp_ext}, {obj_req_data_2, obj_req_data_4}}}},
    {&kReading, 24, {{{obj_data_cmp_2, obj_data_cmp_ext}, kNone, kNone}}},
    {&kWriting, 25, {{{write_2, write_ext}, {obj_write_2, obj_write_ext}, kNone}}},
    {&kControl, 26, {{{jump, call_vm}, kNone, kNone}}},
    {&kSynchronizing, 27, {{{syn_4, syn_16}, kNone, kNone}}},
    {&kLongAddresses, 6, {{{write_16, write_16}, {cmp_16, cmp_16}, {syn_16, syn_16}}}}};

bool uses(const Function& function, std::uint8_t opcode) {
  return std::ranges::any_of(function.codes, [&](const Codes& codes) {
    return codes.first != nop && opcode >= static_cast<std::uint8_t>(codes.first) &&
           opcode <= static_cast<std::uint8_t>(codes.last);
  });
}

bool uses_object_name(const Seen& seen) {
  const bool names = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::name)) != nullptr;
  return seen.is(obj_seek) || ((seen.is(create) || seen.is(sys_new)) && names);
}

bool is_request_of_vm(const Seen& seen) {
  return seen.layout != nullptr && seen.layout->opcode_class() == OpcodeClass::exchange && !seen.layout->response &&
         !seen.is(nop) && !controls_chain(seen.instruction.opcode());
}

void judge_functions(Judge& judge, const Seen& seen, std::uint32_t profile) {
  const Actual is = actual([&] { return describe(profile); });
  const auto needs = [&](const Rule& rule, unsigned flag) {
    return judge.require(rule, has(profile, flag), octets(0, 1),
                         expected([&] { return fmt::format("S{} 1 in the profile of the receiver", flag); }), is);
  };
  if (is_request_of_vm(seen) && !needs(kInSession, 4)) return;
  for (const Function& function : kFunctions)
    if (uses(function, seen.instruction.opcode()) && !needs(*function.rule, function.flag)) return;
  if (uses_object_name(seen)) needs(kObjectNames, 22);
}

void judge_chain_kinds(Judge& judge, const Seen& seen, std::uint32_t profile) {
  struct Kind {
    HeadCode code;
    const Rule* rule;
    unsigned flag;
  };
  static constexpr Kind kKinds[] = {{HeadCode::begin_frg, &kFragments, 0},
                                    {HeadCode::begin_sq, &kSequences, 1},
                                    {HeadCode::begin_tr, &kTransactions, 2}};
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index)
    for (const Kind& kind : kKinds)
      if (seen.instruction.extensions[index].head_code == static_cast<std::uint16_t>(kind.code))
        judge.require(*kind.rule, has(profile, kind.flag), seen.extension(index),
                      expected([&] { return fmt::format("S{} 1 in the profile of the receiver", kind.flag); }),
                      actual([&] { return describe(profile); }));
}

// --------------------------------------------------------------------------------------------------- forms and lengths

constexpr std::size_t kShortDataOctets = 254;
constexpr unsigned kBorder = 20;  // wants the extended form, whatever S8 says

void judge_forms(Judge& judge, const Seen& seen, std::uint32_t profile) {
  const Actual is = actual([&] { return describe(profile); });
  const OctetRange where = seen.field(HeaderField::opr_length);
  const bool extended = seen.header().is_extended();
  if (has(profile, 7) || has(profile, 8))
    judge.require(extended ? kExtendedHeaders : kShortHeaders,
                  extended ? has(profile, 8) || has(profile, kBorder) : has(profile, 7), where,
                  expected([&] { return extended ? "S8 1 in the profile of the receiver" : "OPR_LENGTH 7"; }), is);
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index) {
    const std::size_t length = seen.instruction.extensions[index].data.size();
    if (length > kShortDataOctets)
      judge.require(kLongData, has(profile, 10), seen.extension(index), expected("no more than 254 octets of DATA"),
                    actual(length));
    else if (length > 0)
      judge.require(kShortData, has(profile, 9) || has(profile, 10), seen.extension(index), expected("no DATA"),
                    actual(length));
  }
}

void judge_data_length(Judge& judge, const Seen& seen, std::uint32_t profile) {
  constexpr std::uint32_t kNoLimit = 31, kPrintedNoLimit = 15;
  const std::uint32_t words = field_of(profile, 11, 5) + 1;
  const auto data = seen.octets_of(Operand::data);
  // The data of a NOP are fragments, or nothing.
  if (!data || seen.is(nop) || words - 1 == kNoLimit || words - 1 == kPrintedNoLimit) return;
  judge.require(kDataLength, data->size() <= std::size_t{words} * 4, seen.operand(Operand::data),
                expected([&] { return fmt::format("{} octets of data at most", words * 4); }), actual(data->size()));
}

void judge_border(Judge& judge, const Seen& seen) {
  const Instruction& instruction = seen.instruction;
  if (!judge.require(kBorderExtended, seen.header().is_extended(), seen.field(HeaderField::opr_length), expected("7"),
                     actual(instruction.header.opr_length)))
    return;
  bool aligned = true;
  for (std::size_t index = 0; index < instruction.extensions.size(); ++index)
    aligned = aligned && instruction.offset_of_extension(index) % 4 == 0;
  if (!instruction.operands.empty()) aligned = aligned && instruction.offset_of_operands() % 4 == 0;
  judge.advise(kBorderParts, aligned, octets(0, static_cast<std::size_t>(instruction.offset_of_operands())),
               expected("extension headers and operands at multiples of four octets"), actual("another offset"));
}

// Both sides know of the border: the receiver offers it, and the sender does too or was asked for it.
bool have_border(const SessionHalf& from, const SessionHalf& to) {
  const auto in = [](const std::optional<std::uint32_t>& profile) { return profile && has(*profile, kBorder); };
  return in(to.profile) && (in(from.profile) || (!from.profile && in(from.asked)));
}

}  // namespace

void judge_profiles(Judge& judge, const Seen& seen) {
  judge_profile(judge, seen, Operand::required_profile);
  judge_profile(judge, seen, Operand::sender_profile);
  if (is_of_zero_session(seen)) return;
  const auto profile = static_cast<std::uint32_t>(seen.value(Operand::required_profile).value_or(0));
  const std::uint32_t version = field_of(profile, 16, 4);
  judge.require(kRequiredVersion, version == kUmspVersion, seen.operand(Operand::required_profile),
                expected(kUmspVersion), actual(version), "S16 to S19");
}

void judge_by_profile(Judge& judge, const Seen& seen, const ObservedSession& session) {
  if (session.stage == SessionStage::opening || session.stage == SessionStage::over) return;
  const SessionHalf& from = session.half(seen.message.sender);
  const SessionHalf& to = session.half(other(seen.message.sender));
  if (!to.profile) return;
  judge_functions(judge, seen, *to.profile);
  judge_chain_kinds(judge, seen, *to.profile);
  judge_data_length(judge, seen, *to.profile);
  if (have_border(from, to)) return judge_border(judge, seen);
  judge_forms(judge, seen, *to.profile);
}

void judge_by_zero_profile(Judge& judge, const Seen& seen) {
  const auto& profile = seen.connection.zero_profiles[seen.message.sender == Side::a ? 1 : 0];
  if (!profile || !is_request_of_vm(seen)) return;
  const Actual is = actual([&] { return describe(*profile); });
  if (!judge.advise(kWithoutSession, has(*profile, 3), octets(0, 1),
                    expected("S3 1 in what the receiver says of its zero-session"), is))
    return;
  if (seen.is(mvrun))
    judge.advise(kMvrunWithoutSession, has(*profile, 30), octets(0, 1),
                 expected("S30 1 in what the receiver says of its zero-session"), is);
}

UmspSection profile_rules() {
  static constexpr const Rule* kRules[] = {&kFourOctets,
                                           &kOffersWhatItProvides,
                                           &kRefusesTheRest,
                                           &kFragments,
                                           &kSequences,
                                           &kTransactions,
                                           &kWithoutSession,
                                           &kInSession,
                                           &kS5Zero,
                                           &kLongAddresses,
                                           &kShortHeaders,
                                           &kExtendedHeaders,
                                           &kShortData,
                                           &kLongData,
                                           &kOneNumber,
                                           &kDataLength,
                                           &kNoLimitTaken,
                                           &kRequiredVersion,
                                           &kPriorityAny,
                                           &kPriorityFirst,
                                           &kBorderExtended,
                                           &kBorderParts,
                                           &kBorderFill,
                                           &kProcedureNames,
                                           &kObjectNames,
                                           &kRspProvided,
                                           &kReading,
                                           &kWriting,
                                           &kControl,
                                           &kSynchronizing,
                                           &kObjects,
                                           &kObjectMemory,
                                           &kObjectMemoryNeedsObjects,
                                           &kMvrunWithoutSession,
                                           &kS31Zero};
  return {.rules = {.rules = kRules}};
}

}  // namespace wirelaw::umsp
