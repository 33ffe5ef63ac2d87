// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 8: extension headers of all instructions.
#include <algorithm>

#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr std::string_view kAboveTheWire = "what VMs and applications do is not on the wire";
constexpr std::string_view kCodeNamesIt = "the code is what names the header";

// S20 of a profile: zeros behind DATA, up to a border of four octets (5.3.4). Where the session is not known it may be
// agreed.
constexpr std::uint32_t kBorder = 0x800;
bool may_have_border(const Seen& seen) {
  return seen.session == nullptr || std::ranges::any_of(seen.session->halves, [](const SessionHalf& half) {
           return half.terms_unknown || ((half.profile.value_or(0) | half.asked.value_or(0)) & kBorder) != 0;
         });
}

// HEAD_LENGTH is one of `allowed`, or a word longer for that border.
bool judge_length(Judge& judge, const Rule& rule, const Seen& seen, std::size_t index, LengthRange allowed) {
  const ExtensionHeader& header = seen.instruction.extensions[index];
  const auto is_border = [&] {
    const std::uint64_t octets = header.head_octets() + header.data_octets();
    return header.head_length == allowed.most + 1 && octets % 4 == 0 && number_of(header.data.last(2)) == 0 &&
           may_have_border(seen);
  };
  return judge.require(rule, allowed.contains(header.head_length) || is_border(), seen.extension(index),
                       expected([&] { return fmt::format("{} to {} words", allowed.least, allowed.most); }),
                       actual(header.head_length));
}

// ------------------------------------------------------------------------------------------------------ _ALIGNMENT
constexpr Section kAlignment{"RFC 3018 8.1"};
constexpr Section kAlignmentForm = kAlignment.by(Observable::none);

constinit const Rule kAlignsToSixteen =
    kAlignmentForm.must("UMSP-8.1-1", "_ALIGNMENT brings what follows to a multiple of 4 to 16 octets.",
                        "UMSP/A38; it may be used as one likes");
constinit const Rule kAlignmentTaken =
    kAlignment.by(Observable::stimulus).must("UMSP-8.1-2", "A receiver takes _ALIGNMENT anywhere.", "UMSP/A38");
constinit const Rule kAlignmentCode = kAlignmentForm.must("UMSP-8.1-3", "_ALIGNMENT has HEAD_CODE 8.", kCodeNamesIt);
constinit const Rule kAlignmentLength =
    kAlignment.must("UMSP-8.1-4", "_ALIGNMENT has 1 to 7 words of DATA.", "UMSP/A38");
constinit const Rule kAlignmentHob = kAlignment.must("UMSP-8.1-5", "_ALIGNMENT has HOB 0.");
constinit const Rule kAlignmentIsZero = kAlignment.must("UMSP-8.1-6", "DATA of _ALIGNMENT is zero.");
constinit const Rule kEvenOctet =
    kAlignmentForm.must("UMSP-8.1-7", "Extension headers and operands begin at an even octet.",
                        "all in front of them is counted in words of two octets");

void judge_alignment(Judge& judge, const Seen& seen, std::size_t index) {
  if (!judge_length(judge, kAlignmentLength, seen, index, {1, 7})) return;
  const Octets data = seen.instruction.extensions[index].data;
  const bool zero = std::ranges::all_of(data, [](Octet octet) { return octet == 0; });
  judge.require(kAlignmentIsZero, zero, seen.extension_data(index), expected("zeros"),
                actual("octets that are not zero"));
}

// Text of an odd length has an octet more, for which zero is the best, not the only choice (UMSP/A18).
void judge_ascii(Judge& judge, const Rule& rule, const Seen& seen, std::size_t index) {
  const Octets data = seen.instruction.extensions[index].data;
  const auto other = std::ranges::find_if(data, [](Octet octet) { return octet > 0x7f; });
  const bool ascii = other == data.end();
  const auto at = static_cast<std::size_t>(other - data.begin());
  const OctetRange where = octets(seen.extension_data(index).offset + (ascii ? 0 : at), ascii ? data.size() : 1);
  const auto found = [&] { return fmt::format("0x{:02x}", *other); };
  if (!ascii && at + 1 == data.size())
    judge.advise(rule, false, where, expected("ASCII"), actual(found), "it may be what pads a text of odd length");
  else
    judge.require(rule, ascii, where, expected("ASCII"), actual(found));
}

// ------------------------------------------------------------------------------------------------------------ _MSG
constexpr Section kMsg{"RFC 3018 8.2"};
constexpr Section kMsgForm = kMsg.by(Observable::none);

constinit const Rule kMsgIsAscii = kMsg.must("UMSP-8.2-1", "The text of _MSG is ASCII.");
constinit const Rule kMsgHandledAnyhow =
    kMsgForm.may("UMSP-8.2-2", "A receiver logs _MSG, shows it or ignores it.", "a permission");
constinit const Rule kMsgCode = kMsgForm.must("UMSP-8.2-3", "_MSG has HEAD_CODE 9.", kCodeNamesIt);
constinit const Rule kMsgLength = kMsg.must("UMSP-8.2-4", "_MSG has 1 to 127 words of DATA.", "UMSP/A18");
constinit const Rule kMsgHob = kMsg.must("UMSP-8.2-5", "_MSG has HOB 0.");
constinit const Rule kSeveralMsgs =
    kMsg.by(Observable::stimulus).must("UMSP-8.2-6", "A receiver takes several _MSG in one instruction.");

void judge_msg(Judge& judge, const Seen& seen, std::size_t index) {
  if (judge_length(judge, kMsgLength, seen, index, {1, 127})) judge_ascii(judge, kMsgIsAscii, seen, index);
}

// ----------------------------------------------------------------------------------------------------------- _NAME
constexpr Section kName{"RFC 3018 8.3"};
constexpr Section kNameForm = kName.by(Observable::none);

constinit const Rule kNameOfWhat = kNameForm.must("UMSP-8.3-1", "_NAME names a job, a VM, an object or a procedure.",
                                                  "UMSP/A35; what a name is of is its instruction's");
constinit const Rule kNameCode = kNameForm.must("UMSP-8.3-2", "_NAME has HEAD_CODE 10.", kCodeNamesIt);
constinit const Rule kNameLength = kName.must("UMSP-8.3-3", "_NAME has 1 to 127 words of DATA.", "UMSP/A18, UMSP/A39");
constinit const Rule kNameHob = kName.must("UMSP-8.3-4", "_NAME has HOB 0.");
constinit const Rule kNameIsAscii = kName.must("UMSP-8.3-5", "The name in _NAME is ASCII.", "UMSP/A18");

void judge_name(Judge& judge, const Seen& seen, std::size_t index) {
  if (judge_length(judge, kNameLength, seen, index, {1, 127})) judge_ascii(judge, kNameIsAscii, seen, index);
}

// ----------------------------------------------------------------------------------------------------------- _DATA
constexpr Section kData{"RFC 3018 8.4"};
constexpr Section kDataForm = kData.by(Observable::none);

constinit const Rule kDataBetweenVms =
    kData.must("UMSP-8.4-1", "_DATA comes with instructions between VMs, and with no other.");
constinit const Rule kDataWhereListed =
    kData.must("UMSP-8.4-2", "_DATA comes with DATA, WRITE, MVCODE, MVRUN, OBJ_WRITE, NEW, SYS_NEW or NOP.",
               "another one warns: these are those whose sections name the header, which 8.4 does not say to be all");
constinit const Rule kDataNotInOperands =
    kDataForm.must("UMSP-8.4-3", "_DATA is used where the data are not in the operands.",
                   "judged where both are: 6.1.2, 6.1.3, 6.4, 6.6");
constinit const Rule kDataCode = kDataForm.must("UMSP-8.4-4", "_DATA has HEAD_CODE 11.", kCodeNamesIt);
constinit const Rule kDataLength = kData.must("UMSP-8.4-5", "_DATA has a word of DATA at least.");
constinit const Rule kDataMost =
    kDataForm.must("UMSP-8.4-6", "_DATA has 2147483647 words of DATA at most.", "UMSP/A41; 31 bits count no more");
constinit const Rule kDataHob = kData.must("UMSP-8.4-7", "_DATA has HOB 1.");
constinit const Rule kDataIsBinary =
    kData.by(Observable::stimulus).must("UMSP-8.4-8", "A receiver takes any octets in _DATA.");

// CMP and the WRITE of two octets are forbidden _DATA, or have no use for it, in their own sections (6.2.1, UMSP/A32).
bool has_data_rule(std::uint8_t opcode) {
  return opcode == static_cast<std::uint8_t>(Opcode::write_2) ||
         (opcode >= static_cast<std::uint8_t>(Opcode::cmp_2) && opcode <= static_cast<std::uint8_t>(Opcode::cmp_16));
}

void judge_data(Judge& judge, const Seen& seen, std::size_t index) {
  if (seen.layout == nullptr) return;
  const OctetRange where = seen.extension(index);
  const bool between = seen.layout->opcode_class() == OpcodeClass::exchange;
  if (!judge.require(kDataBetweenVms, between, where, expected("an OPCODE of 128 to 223"), actual(seen.layout->name)))
    return;
  if (!has_data_rule(seen.instruction.opcode()))
    judge.advise(kDataWhereListed, seen.layout->lists(HeadCode::data), where, expected("an instruction that has data"),
                 actual(seen.layout->name));
}

// ------------------------------------------------------------------------------------------------------ _LIFE_TIME
constexpr Section kLifeTime{"RFC 3018 8.5"};
constexpr Section kLifeTimeForm = kLifeTime.by(Observable::none);
constexpr Section kLifeTimeReceiver = kLifeTime.by(Observable::stimulus);
constexpr Section kLifeTimeInside = kLifeTime.by(Observable::api);
constexpr std::string_view kInQueue = "how long what is sent has waited is not on the wire";

constinit const Rule kLifeTimeCode = kLifeTimeForm.must("UMSP-8.5-1", "_LIFE_TIME has HEAD_CODE 12.", kCodeNamesIt);
constinit const Rule kLifeTimeLength = kLifeTime.must("UMSP-8.5-2", "_LIFE_TIME has 1 or 2 words of DATA.");
constinit const Rule kLifeTimeHob = kLifeTime.must("UMSP-8.5-3", "_LIFE_TIME has HOB 1.");
constinit const Rule kLifeTimeUnit =
    kLifeTimeForm.must("UMSP-8.5-4", "_LIFE_TIME is a time in units of 1.024 milliseconds, in 2 or 4 octets.",
                       "any value is a time; the octets: UMSP-8.5-2");
constinit const Rule kQueueCounts =
    kLifeTimeInside.must("UMSP-8.5-5", "The time in the queue to the transport is taken off the lifetime.", kInQueue);
constinit const Rule kLoweredAtSending =
    kLifeTimeInside.must("UMSP-8.5-6", "The lifetime is lowered when the transport's packet is formed.", kInQueue);
constinit const Rule kReceiverCountsFragments = kLifeTimeReceiver.must(
    "UMSP-8.5-7", "A receiver counts the lifetime of a fragmented instruction, and of no other.");
constinit const Rule kAssemblyCounts = kLifeTimeReceiver.must(
    "UMSP-8.5-8", "A receiver takes the time of assembly off the lifetime of a fragmented instruction.");
constinit const Rule kIgnoredUnfragmented = kLifeTimeReceiver.must(
    "UMSP-8.5-9", "A receiver executes an instruction that is not fragmented, whatever its _LIFE_TIME.");
constinit const Rule kGoesToVm =
    kLifeTimeInside.must("UMSP-8.5-10", "The value of _LIFE_TIME is passed to the VM of the receiver.", kAboveTheWire);
constinit const Rule kTransportNotCounted = kLifeTimeInside.must_not(
    "UMSP-8.5-11", "The time on the transport does not count.", "what was counted is not on the wire");
constinit const Rule kFirstFragmentNotCounted =
    kLifeTimeForm.must("UMSP-8.5-12", "Of fragments, the first one's time on the transport alone does not count.",
                       "a receiver does not know when the first one was sent");
constinit const Rule kSequenceEnds = kLifeTimeInside.must(
    "UMSP-8.5-13", "A sequence is not sent further once the lifetime of one of its instructions is over.", kInQueue);
constinit const Rule kNotInTransaction =
    kLifeTime.must_not("UMSP-8.5-14", "_LIFE_TIME is not in the instructions of a transaction.");
constinit const Rule kFirstFragmentOnly =
    kLifeTime.resting_on(Evidence::absence)
        .must("UMSP-8.5-15", "Of a fragmented instruction, _LIFE_TIME is in the NOP with the first fragment alone.");
constinit const Rule kTakenOutOfFragments =
    kLifeTime.must("UMSP-8.5-16", "_LIFE_TIME is taken out of an instruction that is fragmented.");
constinit const Rule kRestNotSent =
    kLifeTimeInside.must("UMSP-8.5-17", "The rest of the fragments is not sent once the lifetime is over.", kInQueue);
constinit const Rule kSetByVm =
    kLifeTimeInside.must("UMSP-8.5-18", "The lifetime is set by the VM of the sender.", kAboveTheWire);
constinit const Rule kGoesWithData = kLifeTimeInside.must("UMSP-8.5-19", "The lifetime goes with the data.",
                                                          "whether a VM has set one is not on the wire");
constinit const Rule kOverNotExecuted =
    kLifeTimeReceiver.must("UMSP-8.5-20", "An instruction whose lifetime is over is not executed.");
constinit const Rule kOverRefused =
    kLifeTimeReceiver.resting_on(Evidence::absence)
        .must("UMSP-8.5-21", "An instruction with ASK 1 whose lifetime is over gets a negative response.");
constinit const Rule kOverUnanswered =
    kLifeTimeReceiver.must_not("UMSP-8.5-22", "An instruction with ASK 0 whose lifetime is over gets no response.");
constinit const Rule kMayHurry =
    kLifeTimeForm.may("UMSP-8.5-23", "Data whose lifetime is nearly over may be sent before others.", "a permission");

bool has_header(const Instruction& instruction, HeadCode code) {
  return instruction.find_extension(static_cast<std::uint16_t>(code)) != nullptr;
}

// What the chain of the instruction was begun as, where an earlier instruction of it was seen.
ObservedChainKind kind_of_chain(const Seen& seen) {
  if (seen.session == nullptr || !seen.membership.chain || seen.membership.chain->instr_number == 0)
    return ObservedChainKind::unknown;
  const auto& chains = seen.session->half(seen.message.sender).chains;
  const auto found = chains.find(seen.membership.chain->chain_number);
  const bool known = found != chains.end() && found->second.from_start && !found->second.ended;
  return known ? found->second.kind : ObservedChainKind::unknown;
}

void judge_life_time(Judge& judge, const Seen& seen, std::size_t index) {
  if (!judge_length(judge, kLifeTimeLength, seen, index, {1, 2})) return;
  const OctetRange where = seen.extension(index);
  const bool begins = has_header(seen.instruction, HeadCode::begin_tr);
  const ObservedChainKind kind = begins ? ObservedChainKind::unknown : kind_of_chain(seen);
  // What a chain was begun as rests on instructions that this connection has shown.
  judge.require(kNotInTransaction, !begins && kind != ObservedChainKind::transaction, where,
                expected("no _LIFE_TIME in a transaction"), actual("_LIFE_TIME"), std::string_view{},
                begins ? Evidence::octets : Evidence::absence);
  const bool first = has_header(seen.instruction, HeadCode::begin_frg);
  if (first || kind == ObservedChainKind::fragments)
    judge.require(kFirstFragmentOnly, first, where, expected("no _LIFE_TIME behind the first fragment"),
                  actual("_LIFE_TIME"));
}

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::alignment, .hob = &kAlignmentHob, .judge = judge_alignment},
    {.head_code = HeadCode::msg, .hob = &kMsgHob, .judge = judge_msg},
    {.head_code = HeadCode::name, .hob = &kNameHob, .judge = judge_name},
    {.head_code = HeadCode::data, .hob = &kDataHob, .head_length = &kDataLength, .judge = judge_data},
    {.head_code = HeadCode::life_time, .hob = &kLifeTimeHob, .data = &kLifeTimeLength, .judge = judge_life_time},
};

}  // namespace

UmspSection common_extension_rules() {
  static constexpr const Rule* kRules[] = {&kAlignsToSixteen,
                                           &kAlignmentTaken,
                                           &kAlignmentCode,
                                           &kAlignmentLength,
                                           &kAlignmentHob,
                                           &kAlignmentIsZero,
                                           &kEvenOctet,
                                           &kMsgIsAscii,
                                           &kMsgHandledAnyhow,
                                           &kMsgCode,
                                           &kMsgLength,
                                           &kMsgHob,
                                           &kSeveralMsgs,
                                           &kNameOfWhat,
                                           &kNameCode,
                                           &kNameLength,
                                           &kNameHob,
                                           &kNameIsAscii,
                                           &kDataBetweenVms,
                                           &kDataWhereListed,
                                           &kDataNotInOperands,
                                           &kDataCode,
                                           &kDataLength,
                                           &kDataMost,
                                           &kDataHob,
                                           &kDataIsBinary,
                                           &kLifeTimeCode,
                                           &kLifeTimeLength,
                                           &kLifeTimeHob,
                                           &kLifeTimeUnit,
                                           &kQueueCounts,
                                           &kLoweredAtSending,
                                           &kReceiverCountsFragments,
                                           &kAssemblyCounts,
                                           &kIgnoredUnfragmented,
                                           &kGoesToVm,
                                           &kTransportNotCounted,
                                           &kFirstFragmentNotCounted,
                                           &kSequenceEnds,
                                           &kNotInTransaction,
                                           &kFirstFragmentOnly,
                                           &kTakenOutOfFragments,
                                           &kRestNotSent,
                                           &kSetByVm,
                                           &kGoesWithData,
                                           &kOverNotExecuted,
                                           &kOverRefused,
                                           &kOverUnanswered,
                                           &kMayHurry};
  return {.rules = {.rules = kRules}, .extensions = kExtensions};
}

// It holds the heads of the extension headers, as many as have come into it (7.3, UMSP/A17).
void judge_first_fragment(Judge& judge, const Seen& seen) {
  if (!seen.is(Opcode::nop) || !has_header(seen.instruction, HeadCode::begin_frg)) return;
  const Octets rest = seen.instruction.operands;
  const auto header = decode_header(rest, Form::fragmented);
  if (!header) return;
  std::size_t at = header->octets();
  bool more = header->ext;
  for (std::size_t count = 0; more && count < kMostExtensionHeaders && at <= rest.size(); ++count) {
    const auto head = decode_head(rest.subspan(at));
    if (!head) break;
    if (head->head_code == static_cast<std::uint16_t>(HeadCode::life_time)) {
      judge.require(kTakenOutOfFragments, false, octets(seen.all_operands().offset + at, head->head_octets()),
                    expected("no _LIFE_TIME in the fragmented instruction"), actual("_LIFE_TIME"));
      return;
    }
    const std::uint64_t octets = head->head_octets() + head->data_octets();
    if (octets > rest.size() - at) break;
    at += static_cast<std::size_t>(octets);
    more = !head->hsl;
  }
  judge.require(kTakenOutOfFragments, true, seen.all_operands(), expected(""), actual(""));
}

}  // namespace wirelaw::umsp
