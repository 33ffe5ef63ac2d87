// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 3 and 3.1: the header of an instruction.
#include "conformance/section.h"
#include "conformance/umsp/instruction_rules.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kSection{"RFC 3018 3.1"};
constexpr Section kReceiver = kSection.by(Observable::stimulus);
constexpr Section kForm = kSection.by(Observable::none);
constexpr std::string_view kReadsAsAnother = "the form itself: octets that break it read as another header";

constexpr Section kInstruction{"RFC 3018 3"};
constinit const Rule kThreeParts =
    kInstruction.by(Observable::none)
        .must("UMSP-3-1", "An instruction is its header, its extension headers and its operands, in this order.",
              kReadsAsAnother);
constinit const Rule kLengthWithoutCode =
    kInstruction.by(Observable::stimulus)
        .must("UMSP-3-2", "A receiver finds the length of an instruction whose OPCODE it does not know.", "UMSP/B26");
constinit const Rule kBothFormsTaken =
    kInstruction.by(Observable::stimulus)
        .must("UMSP-3-3", "A receiver takes headers of the short and of the extended form.");

constinit const Rule kFieldOrder =
    kForm.must("UMSP-3.1-1", "The fields of the header come in the order of the figure, without those that are absent.",
               kReadsAsAnother);
constinit const Rule kBigEndian = kForm.must("UMSP-3.1-2", "Bits and octets go most significant first.",
                                             "UMSP/A5; octets that break it are other values");
constinit const Rule kManagementOpcode =
    kForm.must("UMSP-3.1-3", "The OPCODE of a management instruction is 1 to 112.", "what the table of codes says");
constinit const Rule kOpcodeAssigned =
    kSection.must("UMSP-3.1-4", "OPCODE is one that the document defines.", "UMSP/B26");
constinit const Rule kOpcode113 = kSection.must_not("UMSP-3.1-5", "No OPCODE is 113 to 127: they are reserved.");
constinit const Rule kExchangeOpcode =
    kForm.must("UMSP-3.1-6", "The OPCODE of an instruction between VMs is 128 to 223.", "what the table of codes says");
constinit const Rule kOpcodeZero = kSection.must_not("UMSP-3.1-7", "No OPCODE is 0: it is reserved.", "UMSP/A16");
constinit const Rule kOpcode224 =
    kSection.must_not("UMSP-3.1-8", "No OPCODE is 224 to 255: they are reserved.", "UMSP/A16");
constinit const Rule kUnknownPassedOver = kReceiver.must(
    "UMSP-3.1-9", "An instruction with an OPCODE that the receiver does not know costs it no other instruction.",
    "UMSP/B26");
constinit const Rule kUnaskedUnanswered =
    kReceiver.must_not("UMSP-3.1-10", "An instruction between VMs with ASK 0 gets no response.");
constinit const Rule kAskMeansReqId =
    kForm.must("UMSP-3.1-11", "REQ_ID is there where ASK is 1, and nowhere else.", kReadsAsAnother);
constinit const Rule kAskedAnswered =
    kReceiver.must("UMSP-3.1-12", "An instruction between VMs with ASK 1 gets a response.");
constinit const Rule kDatagramBeginsAfresh =
    kSection.must("UMSP-3.1-13", "The first instruction of a datagram has neither PCK 01 nor 10.", "UMSP/A11");
constinit const Rule kPck00Fields = kForm.must(
    "UMSP-3.1-14", "With PCK 00 there is neither CHAIN_NUMBER, INSTR_NUMBER nor SESSION_ID.", kReadsAsAnother);
constinit const Rule kPck00NoChain =
    kSection.must("UMSP-3.1-15", "PCK 00 is not combined with CHN 1: a chain belongs to a session.", "UMSP/A9");
constinit const Rule kPck00NoSession =
    kForm.must("UMSP-3.1-16", "PCK 00 is for instructions of no session.", "which session was meant cannot be seen");
constinit const Rule kPck01SameSession = kForm.must(
    "UMSP-3.1-17", "PCK 01 is for the session of the instruction before it.", "which session was meant cannot be seen");
constinit const Rule kStreamBeginsAfresh =
    kSection.must("UMSP-3.1-18", "The first instruction of a TCP stream has neither PCK 01 nor 10.", "UMSP/A11");
constinit const Rule kInheritsSession = kSection.must(
    "UMSP-3.1-19", "PCK 01 or 10 does not come right behind PCK 00, which leaves no session to inherit.", "UMSP/A10");
constinit const Rule kPck01Fields = kForm.must("UMSP-3.1-20", "With PCK 01 there is no SESSION_ID.", kReadsAsAnother);
constinit const Rule kPck01Inherited =
    kReceiver.must("UMSP-3.1-21", "A receiver takes PCK 01 for the session of the instruction before it.");
constinit const Rule kPck10SameChain = kForm.must(
    "UMSP-3.1-22", "PCK 10 is for the chain of the instruction before it.", "which chain was meant cannot be seen");
constinit const Rule kPck10IsChained = kSection.must("UMSP-3.1-23", "PCK 10 comes with CHN 1.", "UMSP/A9b");
constinit const Rule kInheritsChain =
    kSection.must("UMSP-3.1-24", "PCK 10 comes right behind an instruction of a chain.");
constinit const Rule kPck10Fields = kForm.must(
    "UMSP-3.1-25", "With PCK 10 there is neither CHAIN_NUMBER, INSTR_NUMBER nor SESSION_ID.", kReadsAsAnother);
constinit const Rule kPck10Counts = kReceiver.must(
    "UMSP-3.1-26", "A receiver takes PCK 10 for the INSTR_NUMBER that follows that of the instruction before it.");
constinit const Rule kPck10NotBeyond =
    kSection.must_not("UMSP-3.1-27", "PCK 10 does not lead to INSTR_NUMBER 65535, which is reserved.");
constinit const Rule kPck11Own =
    kReceiver.must("UMSP-3.1-28", "A receiver takes the session of PCK 11 from the header, whatever was before it.");
constinit const Rule kPck11Fields = kForm.must("UMSP-3.1-29", "With PCK 11 there is a SESSION_ID.", kReadsAsAnother);
constinit const Rule kPck11Chain =
    kForm.must("UMSP-3.1-30", "With PCK 11 CHN decides of CHAIN_NUMBER and INSTR_NUMBER.", kReadsAsAnother);
constinit const Rule kChainOneSession =
    kForm.must("UMSP-3.1-31", "A chain goes on one session, of one job.",
               "chains are numbered within a session: another session's is another chain");
constinit const Rule kChnFields =
    kForm.must("UMSP-3.1-32", "With CHN 1 and PCK 01 or 11 there are CHAIN_NUMBER and INSTR_NUMBER.", kReadsAsAnother);
constinit const Rule kNoChnNoFields =
    kForm.must("UMSP-3.1-33", "With CHN 0 there is neither CHAIN_NUMBER nor INSTR_NUMBER.", kReadsAsAnother);
constinit const Rule kExtHasHeaders = kForm.must("UMSP-3.1-34", "With EXT 1 there is an extension header at least.",
                                                 "what follows is read as one, whatever it is");
constinit const Rule kNoExtNoHeaders =
    kForm.must("UMSP-3.1-35", "With EXT 0 there is no extension header.", kReadsAsAnother);
constinit const Rule kLengthInWords =
    kSection.must("UMSP-3.1-36", "OPR_LENGTH counts words of operands.",
                  "UMSP/B48: a stream that ends inside an instruction is a warning; another wrong count shows in the "
                  "operands: 3.3");
constinit const Rule kLengthZero = kForm.must("UMSP-3.1-37", "OPR_LENGTH 0: no operands.", kReadsAsAnother);
constinit const Rule kLengthSeven =
    kForm.must("UMSP-3.1-38", "OPR_LENGTH 7: OPR_LENGTH_EXT is there and counts.", kReadsAsAnother);
constinit const Rule kSevenIsNoCount =
    kReceiver.must_not("UMSP-3.1-39", "A receiver does not take OPR_LENGTH 7 for seven words.");
constinit const Rule kNoSevenNoExt =
    kForm.must("UMSP-3.1-40", "OPR_LENGTH_EXT is there with OPR_LENGTH 7 alone.", kReadsAsAnother);
constinit const Rule kExtZeroTaken = kReceiver.must("UMSP-3.1-41", "OPR_LENGTH_EXT 0 means no operands.", "UMSP/A7");
constinit const Rule kLongIsExtended = kForm.must(
    "UMSP-3.1-42", "More than 24 octets of operands are counted by OPR_LENGTH_EXT.", "the short form cannot hold more");
constinit const Rule kChainNumberIsOfChain = kForm.must(
    "UMSP-3.1-43", "CHAIN_NUMBER is that of the instruction's chain.", "which chain was meant cannot be seen");
constinit const Rule kChainNotZero = kSection.must_not("UMSP-3.1-44", "CHAIN_NUMBER is not 0, which is reserved.");
constinit const Rule kChainNot65535 = kSection.must_not("UMSP-3.1-45", "CHAIN_NUMBER is not 65535, which is reserved.");
constinit const Rule kInstrNumberRises = kForm.must(
    "UMSP-3.1-46", "INSTR_NUMBER goes up by one from each instruction of a chain to the next.", "UMSP-7-6 judges it");
constinit const Rule kInstrNumberFromZero =
    kForm.must("UMSP-3.1-47", "INSTR_NUMBER is 0 in the first instruction of a chain.",
               "a chain that goes on here may have begun on another connection; its header elsewhere: UMSP-7-14");
constinit const Rule kInstrNot65535 = kSection.must_not("UMSP-3.1-48", "INSTR_NUMBER is not 65535, which is reserved.");
}  // namespace
constinit const Rule kSessionIdOfReceiver =
    kSection.resting_on(Evidence::absence)
        .must("UMSP-3.1-49", "SESSION_ID is what the receiver of the instruction has given to the session.",
              "UMSP/A12, UMSP/B31, UMSP/B49: a warning, as the session may have been opened before the capture");
namespace {
constinit const Rule kForeignSessionNotExecuted =
    kReceiver.must("UMSP-3.1-50", "An instruction of a session that the receiver does not know is executed in none.");
constinit const Rule kEachSideNames = kForm.must("UMSP-3.1-51", "Each side of a session sets an identifier of its own.",
                                                 "5.3.1 and 5.3.2 say in which field");
constinit const Rule kSessionZeroIsNone = kForm.must("UMSP-3.1-52", "SESSION_ID 0 is for instructions of no session.",
                                                     "which session was meant cannot be seen");
constinit const Rule kNeverGivesZero = kSection.must_not("UMSP-3.1-53", "No side gives 0 to a session: it means none.",
                                                         "SESSION_OPEN for the zero-session does: UMSP/A14");
constinit const Rule kSessionNotReserved =
    kSection.must_not("UMSP-3.1-54", "SESSION_ID is not 0xffffffff, which is reserved.");
constinit const Rule kNeverGivesReserved =
    kSection.must_not("UMSP-3.1-55", "No side gives 0xffffffff to a session: it is reserved.");
constinit const Rule kReqIdOfRequest = kForm.must("UMSP-3.1-56", "REQ_ID of a response is that of its request.",
                                                  "demanded of each response again: UMSP-4.1-9, and its own section");
}  // namespace
constinit const Rule kRequestsDiffer =
    kSection.resting_on(Evidence::absence)
        .must("UMSP-3.1-57", "Requests of a side that wait for a response at the same time have different REQ_IDs.",
              "a second one warns: a VM may have given the first one up, or had the answer on another connection");
namespace {
constinit const Rule kShortLikeExtended = kReceiver.must(
    "UMSP-3.1-58", "A receiver takes up to 24 octets of operands in the short and in the extended form alike.");
constinit const Rule kShortIsTwo =
    kForm.must("UMSP-3.1-59", "A header of the short form has 2 octets at least.", "none can have fewer");
constinit const Rule kExtendedIsFour =
    kForm.must("UMSP-3.1-60", "A header of the extended form has 4 octets at least.", "none can have fewer");
constinit const Rule kSixteenAtMost =
    kForm.must("UMSP-3.1-61", "No header has more than 16 octets.", "none can have more");
constinit const Rule kSixteenTaken = kReceiver.must("UMSP-3.1-62", "A receiver takes a header of 16 octets.");

// What a flaw of PCK and CHN breaks; of the first instruction, in a stream or in a datagram.
const Rule& rule_of(ContextFlaw flaw, bool datagram) {
  switch (flaw) {
    case ContextFlaw::no_previous:
      return datagram ? kDatagramBeginsAfresh : kStreamBeginsAfresh;
    case ContextFlaw::previous_sessionless:
      return kInheritsSession;
    case ContextFlaw::previous_chainless:
      return kInheritsChain;
    case ContextFlaw::chain_without_session:
      return kPck00NoChain;
    case ContextFlaw::chain_without_flag:
      return kPck10IsChained;
    case ContextFlaw::numbers_exhausted:
      return kPck10NotBeyond;
  }
  return kStreamBeginsAfresh;
}

constexpr std::string_view kNothing = "";

// Those that this instruction had the chance to break, and has kept.
void judge_context(Judge& judge, const Seen& seen) {
  const Header& header = seen.header();
  const OctetRange where = octets(1, 1);
  if (!seen.from().inherits) return;
  const auto& flaw = seen.membership.flaw;
  const auto keeps = [&](const Rule& rule) { judge.require(rule, true, where, expected(kNothing), actual(kNothing)); };
  if (flaw) {
    // What the instruction's own table prints comes first: its rule reports the same fault.
    if (is_judged_by_table(seen)) return;
    judge.require(
        rule_of(*flaw, seen.connection.datagrams), false, where, expected("PCK and CHN that what was before it allows"),
        actual([&] { return fmt::format("PCK {:02b}, CHN {:d}", static_cast<unsigned>(header.pck), header.chn); }),
        explain(*flaw));
    return;
  }
  const bool inherits = header.pck == Pck::same_session || header.pck == Pck::same_chain;
  if (seen.is_first) keeps(seen.connection.datagrams ? kDatagramBeginsAfresh : kStreamBeginsAfresh);
  if (inherits) keeps(kInheritsSession);
  if (header.pck == Pck::no_session) keeps(kPck00NoChain);
  if (header.pck == Pck::same_chain) {
    keeps(kPck10IsChained);
    keeps(kInheritsChain);
    keeps(kPck10NotBeyond);
  }
}

void judge_opcode(Judge& judge, const Seen& seen) {
  const std::uint8_t opcode = seen.instruction.opcode();
  const OctetRange where = octets(0, 1);
  judge.require(kOpcodeZero, opcode != 0, where, expected("1 or more"), actual(opcode));
  judge.require(kOpcode113, opcode < 113 || opcode > 127, where, expected("an OPCODE that is not reserved"),
                actual(opcode));
  judge.require(kOpcode224, opcode < 224, where, expected("an OPCODE that is not reserved"), actual(opcode));
  if (class_of(opcode) != OpcodeClass::reserved)
    judge.require(kOpcodeAssigned, seen.layout != nullptr, where, expected("an OPCODE of sections 4 to 9"),
                  actual(opcode));
}

// What SESSION_OPEN and SESSION_ACCEPT give to the session is in their REQ_ID (5.3).
void judge_given_id(Judge& judge, const Seen& seen) {
  const Header& header = seen.header();
  if (!header.has_req_id() || (!seen.is(Opcode::session_open) && !seen.is(Opcode::session_accept))) return;
  const OctetRange where = seen.field(HeaderField::req_id);
  judge.require(kNeverGivesReserved, header.req_id != kReservedSessionId, where, expected("another identifier"),
                actual(hex(header.req_id)));
  if (header.has_session_id() && header.session_id != kZeroSession)
    judge.require(kNeverGivesZero, header.req_id != kZeroSession, where, expected("an identifier of the session"),
                  actual(hex(header.req_id)));
}

// The opening and the end of sessions (5.3, 5.4) and RSP and RSP_P (4.1) have rules of their own.
bool has_session_rule(const Seen& seen) {
  const std::uint8_t opcode = seen.instruction.opcode();
  return (opcode >= static_cast<std::uint8_t>(Opcode::session_open) &&
          opcode <= static_cast<std::uint8_t>(Opcode::session_abend)) ||
         seen.is(Opcode::rsp) || seen.is(Opcode::rsp_p);
}

void judge_named_id(Judge& judge, const Seen& seen) {
  const std::uint32_t id = seen.header().session_id;
  if (id == kZeroSession || id == kReservedSessionId || has_session_rule(seen)) return;
  // A session that this connection does not know may have been opened on another one.
  const bool own = seen.session == nullptr && seen.connection.find_session(seen.message.sender, id) != nullptr;
  if (seen.session == nullptr && !own) return;
  judge.advise(kSessionIdOfReceiver, !own, seen.field(HeaderField::session_id),
               expected("the identifier that the addressee gave"), actual(hex(id)),
               "the sender itself has given it to a session");
}

void judge_numbers(Judge& judge, const Seen& seen) {
  const Header& header = seen.header();
  if (header.has_chain_fields()) {
    judge.require(kChainNotZero, header.chain_number != 0, seen.field(HeaderField::chain_number),
                  expected("1 to 65534"), actual(header.chain_number));
    judge.require(kChainNot65535, header.chain_number != 0xffff, seen.field(HeaderField::chain_number),
                  expected("1 to 65534"), actual(header.chain_number));
    judge.require(kInstrNot65535, header.instr_number != kReservedInstrNumber, seen.field(HeaderField::instr_number),
                  expected("0 to 65534"), actual(header.instr_number));
  }
  judge_given_id(judge, seen);
  if (!header.has_session_id()) return;
  judge_named_id(judge, seen);
  judge.require(kSessionNotReserved, header.session_id != kReservedSessionId, seen.field(HeaderField::session_id),
                expected("an identifier that was assigned"), actual(hex(header.session_id)));
}

}  // namespace

UmspSection header_rules() {
  static constexpr const Rule* kRules[] = {&kThreeParts,
                                           &kLengthWithoutCode,
                                           &kBothFormsTaken,
                                           &kFieldOrder,
                                           &kBigEndian,
                                           &kManagementOpcode,
                                           &kOpcodeAssigned,
                                           &kOpcode113,
                                           &kExchangeOpcode,
                                           &kOpcodeZero,
                                           &kOpcode224,
                                           &kUnknownPassedOver,
                                           &kUnaskedUnanswered,
                                           &kAskMeansReqId,
                                           &kAskedAnswered,
                                           &kDatagramBeginsAfresh,
                                           &kPck00Fields,
                                           &kPck00NoChain,
                                           &kPck00NoSession,
                                           &kPck01SameSession,
                                           &kStreamBeginsAfresh,
                                           &kInheritsSession,
                                           &kPck01Fields,
                                           &kPck01Inherited,
                                           &kPck10SameChain,
                                           &kPck10IsChained,
                                           &kInheritsChain,
                                           &kPck10Fields,
                                           &kPck10Counts,
                                           &kPck10NotBeyond,
                                           &kPck11Own,
                                           &kPck11Fields,
                                           &kPck11Chain,
                                           &kChainOneSession,
                                           &kChnFields,
                                           &kNoChnNoFields,
                                           &kExtHasHeaders,
                                           &kNoExtNoHeaders,
                                           &kLengthInWords,
                                           &kLengthZero,
                                           &kLengthSeven,
                                           &kSevenIsNoCount,
                                           &kNoSevenNoExt,
                                           &kExtZeroTaken,
                                           &kLongIsExtended,
                                           &kChainNumberIsOfChain,
                                           &kChainNotZero,
                                           &kChainNot65535,
                                           &kInstrNumberRises,
                                           &kInstrNumberFromZero,
                                           &kInstrNot65535,
                                           &kSessionIdOfReceiver,
                                           &kForeignSessionNotExecuted,
                                           &kEachSideNames,
                                           &kSessionZeroIsNone,
                                           &kNeverGivesZero,
                                           &kSessionNotReserved,
                                           &kNeverGivesReserved,
                                           &kReqIdOfRequest,
                                           &kRequestsDiffer,
                                           &kShortLikeExtended,
                                           &kShortIsTwo,
                                           &kExtendedIsFour,
                                           &kSixteenAtMost,
                                           &kSixteenTaken};
  return {.rules = {.rules = kRules}};
}

void judge_stream_end(Judge& judge, const Message& message, std::size_t left) {
  judge.found(message);
  judge.advise(kLengthInWords, left == 0, octets(0, left), expected("a whole instruction before the FIN"),
               actual([&] { return fmt::format("{} octets of one", left); }));
}

void judge_header(Judge& judge, const Seen& seen) {
  judge.advise(kLengthInWords, true, {}, expected(0), actual(0));  // it is whole: judge_stream_end()
  judge_opcode(judge, seen);
  judge_context(judge, seen);
  judge_numbers(judge, seen);
}

}  // namespace wirelaw::umsp
