// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.2: transactions.
#include "conformance/section.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kS7_2{"RFC 3018 7.2"};
constexpr Section kS7_2_1{"RFC 3018 7.2.1"};
constexpr Section kS7_2_2{"RFC 3018 7.2.2"};
constexpr Section kS7_2_3{"RFC 3018 7.2.3"};

constinit const Rule kAllOrNone =
    kS7_2.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2-1", "The instructions of a transaction are executed all, or none.");
constinit const Rule kCancelledOrConfirmed =
    kS7_2.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2-2", "A transaction can be cancelled or confirmed before it is executed.");
constinit const Rule kNotCancelledAfter =
    kS7_2.of(Role::responder)
        .by(Observable::stimulus)
        .must_not("UMSP-7.2-3", "A transaction that was executed is not cancelled.");
constinit const Rule kUndoneByVm = kS7_2.of(Role::responder)
                                       .by(Observable::api)
                                       .should("UMSP-7.2-4", "Undoing an executed transaction is for the VM to do.",
                                               "what is above or below the protocol layer is not on the wire");
constinit const Rule kTransactionByVm = kS7_2.by(Observable::api)
                                            .must("UMSP-7.2-5", "A transaction is begun by the VM.",
                                                  "what is above or below the protocol layer is not on the wire");
constinit const Rule kLengthKnown = kS7_2.by(Observable::none)
                                        .must("UMSP-7.2-6", "The length of a transaction is known before it is sent.",
                                              "what a sender knows is not on the wire");
constinit const Rule kBeginTrChained =
    kS7_2_1.must("UMSP-7.2.1-1", "_BEGIN_TR is in an instruction of a chain: CHN is 1.");
constinit const Rule kBeginTrCode =
    kS7_2_1.by(Observable::none).must("UMSP-7.2.1-2", "_BEGIN_TR has HEAD_CODE 4.", "another code is another header");
constinit const Rule kBeginTrLength = kS7_2_1.must("UMSP-7.2.1-3", "_BEGIN_TR has one word of DATA.");
constinit const Rule kBeginTrHob = kS7_2_1.must("UMSP-7.2.1-4", "_BEGIN_TR has HOB 1.");
constinit const Rule kBeginTrForm =
    kS7_2_1.by(Observable::none)
        .must("UMSP-7.2.1-5",
              "DATA of _BEGIN_TR is TRE, TRR and TRT, one bit each, 5 reserved bits and TIME_TR in 1 octet.",
              "UMSP/A34; any two octets have that form");
constinit const Rule kTreAtTimeOver =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.1-6",
              "TRE 1: a transaction that is complete and not executed is executed when its time is over.");
constinit const Rule kTreAtSessionEnd =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must(
            "UMSP-7.2.1-7",
            "TRE 1: a transaction that is complete and not executed is executed at the emergency end of the session.");
constinit const Rule kCancelledAtTimeOver =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.1-8", "TRE 0: a transaction whose time is over is cancelled.");
constinit const Rule kNegativeAtTimeOver =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.1-9",
              "TRE 0: a transaction whose time is over gets a negative answer if its first instruction had ASK 1.",
              "UMSP/B23");
constinit const Rule kCancelledAtSessionEnd =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.1-10",
              "TRE 0: a transaction is cancelled at the emergency end of the session, without an answer.");
constinit const Rule kTrrAtOnce =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.1-11", "TRR 1: a transaction is executed as soon as all of it is there.");
constinit const Rule kTrrNotBefore =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must_not("UMSP-7.2.1-12", "TRR 1: nothing of a transaction is executed before its _END_CHAIN.");
constinit const Rule kExecSent = kS7_2_1.of(Role::initiator)
                                     .by(Observable::none)
                                     .must("UMSP-7.2.1-13", "TRR 0: EXEC_TR is sent to have a transaction executed.",
                                           "who wants no execution sends none");
constinit const Rule kNotBeforeExec =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must_not("UMSP-7.2.1-14", "TRR 0: a transaction is not executed before EXEC_TR.");
constinit const Rule kTrtProcessing =
    kS7_2_1.by(Observable::none)
        .must("UMSP-7.2.1-15", "TRT 1: some further processing comes before the execution.",
              "the document defines no use of it");
constinit const Rule kTrtZero = kS7_2_1.must("UMSP-7.2.1-16", "TRT is 0.", "UMSP/A34");
constinit const Rule kReservedZero = kS7_2_1.must("UMSP-7.2.1-17", "The 5 reserved bits of _BEGIN_TR are 0.");
constinit const Rule kTimeInTwoSeconds =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.1-18", "TIME_TR counts intervals of 2 seconds.", "UMSP/A42");
constinit const Rule kTimeFromEnd =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.1-19", "The time of a transaction begins when all of its instructions are there.");
constinit const Rule kTimeZeroUnlimited =
    kS7_2_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.1-20", "TIME_TR 0: the life of a transaction is not limited.");
constinit const Rule kTransactionEnds =
    kS7_2_1.by(Observable::none)
        .must("UMSP-7.2.1-21", "The last instruction of a transaction has _END_CHAIN.", "UMSP-7-15");
constinit const Rule kExecNamesTransaction =
    kS7_2_2.of(Role::initiator)
        .resting_on(Evidence::absence)
        .must(
            "UMSP-7.2.2-1", "EXEC_TR names a transaction that was sent before, whole.",
            "UMSP/B31, UMSP/B46: a warning if the transaction could be on another connection, or was executed before");
constinit const Rule kExecExecutes = kS7_2_2.of(Role::responder)
                                         .by(Observable::stimulus)
                                         .must("UMSP-7.2.2-2", "At EXEC_TR the transaction is executed.");
constinit const Rule kExecAsk = kS7_2_2.of(Role::initiator).must("UMSP-7.2.2-3", "EXEC_TR has ASK 1.", "UMSP/B20");
constinit const Rule kExecAnswered =
    kS7_2_2.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.2-4", "EXEC_TR is answered.", "an answer that is missing: UMSP-3.1-12");
constinit const Rule kExecPck =
    kS7_2_2.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-7.2.2-5", "EXEC_TR has PCK 01, 10 or 11.", "PCK 00 in a chain: UMSP-3.1-15");
constinit const Rule kExecChn = kS7_2_2.of(Role::initiator).must("UMSP-7.2.2-6", "EXEC_TR has CHN 1.");
constinit const Rule kExecExtensionsTaken =
    kS7_2_2.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.2-7", "A receiver takes EXEC_TR with and without extension headers.");
constinit const Rule kExecChainNumber =
    kS7_2_2.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-7.2.2-8", "CHAIN_NUMBER of EXEC_TR is that of the transaction to be executed.", "UMSP-7.2.2-1");
constinit const Rule kExecInstrNumber =
    kS7_2_2.of(Role::initiator)
        .must("UMSP-7.2.2-9", "INSTR_NUMBER of EXEC_TR, where it is in the header, is 0.", "UMSP/A8");
constinit const Rule kExecLength = kS7_2_2.of(Role::initiator).must("UMSP-7.2.2-10", "EXEC_TR has no operands.");
constinit const Rule kCancelNamesTransaction =
    kS7_2_3.of(Role::initiator)
        .resting_on(Evidence::absence)
        .must("UMSP-7.2.3-1", "CANCEL_TR names a transaction that was sent before.",
              "UMSP/B31: a warning where the transaction could be on another connection");
constinit const Rule kCancelAsk = kS7_2_3.of(Role::initiator).must("UMSP-7.2.3-2", "CANCEL_TR has ASK 0.");
constinit const Rule kCancelPck =
    kS7_2_3.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-7.2.3-3", "CANCEL_TR has PCK 01, 10 or 11.", "PCK 00 in a chain: UMSP-3.1-15");
constinit const Rule kCancelChn = kS7_2_3.of(Role::initiator).must("UMSP-7.2.3-4", "CANCEL_TR has CHN 1.");
constinit const Rule kCancelExtensionsTaken =
    kS7_2_3.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.3-5", "A receiver takes CANCEL_TR with and without extension headers.");
constinit const Rule kCancelChainNumber =
    kS7_2_3.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-7.2.3-6", "CHAIN_NUMBER of CANCEL_TR is that of the transaction to be cancelled.", "UMSP-7.2.3-1");
constinit const Rule kCancelInstrNumber =
    kS7_2_3.of(Role::initiator)
        .must("UMSP-7.2.3-7", "INSTR_NUMBER of CANCEL_TR, where it is in the header, is 0.", "UMSP/A8");
constinit const Rule kCancelLength = kS7_2_3.of(Role::initiator).must("UMSP-7.2.3-8", "CANCEL_TR has no operands.");
constinit const Rule kCancelIsFinal =
    kS7_2_3.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.2.3-9",
              "The instructions of a cancelled transaction are dropped for good: EXEC_TR does not bring them back.");

// Flags in the first octet of _BEGIN_TR's DATA (7.2.1).
constexpr std::uint64_t kTrr = 0x40, kTrt = 0x20, kReserve = 0x1f;

std::uint64_t flags_of(const ExtensionHeader& header) {
  return value_of(locate(header), Operand::transaction_flags, header.data).value_or(kTrr);
}

void judge_begin_tr(Judge& judge, const Seen& seen, std::size_t index) {
  const std::uint64_t flags = flags_of(seen.instruction.extensions[index]);
  const OctetRange where{seen.extension_data(index).offset, 1};
  judge.require(kTrtZero, (flags & kTrt) == 0, where, expected("TRT 0"), actual("TRT 1"));
  judge.require(kReservedZero, (flags & kReserve) == 0, where, expected("five bits of 0"),
                actual([&] { return fmt::format("{:05b}", flags & kReserve); }));
  const Header& header = seen.header();
  judge.require(kBeginTrChained, header.chn || header.pck == Pck::same_chain, seen.field(HeaderField::chn),
                expected("CHN 1"), actual("CHN 0"));
}

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::begin_tr, .hob = &kBeginTrHob, .head_length = &kBeginTrLength, .judge = judge_begin_tr}};

void judge_control_number(Judge& judge, const Seen& seen, const Rule& rule) {
  const Header& header = seen.header();
  if (header.has_chain_fields())
    judge.require(rule, header.instr_number == 0, seen.field(HeaderField::instr_number), expected(0),
                  actual(header.instr_number));
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::exec_tr,
     .ask = &kExecAsk,
     .chn = &kExecChn,
     .opr_length = &kExecLength,
     .judge = [](Judge& judge, const Seen& seen) { judge_control_number(judge, seen, kExecInstrNumber); }},
    {.first = Opcode::cancel_tr,
     .ask = &kCancelAsk,
     .chn = &kCancelChn,
     .opr_length = &kCancelLength,
     .judge = [](Judge& judge, const Seen& seen) { judge_control_number(judge, seen, kCancelInstrNumber); }}};

// EXEC_TR or CANCEL_TR of a chain that this side has sent.
void judge_named(Judge& judge, const Seen& seen, const Rule& rule, const ObservedChain& chain) {
  const OctetRange where = seen.field(HeaderField::chain_number);
  const bool other_kind = chain.kind == ObservedChainKind::sequence || chain.kind == ObservedChainKind::fragments;
  const auto kind = actual(chain.kind == ObservedChainKind::sequence ? "a sequence" : "a fragmented instruction");
  // Behind the end of that chain, or where a part of it is elsewhere, the number could be another connection's again.
  if (other_kind && (chain.ended || !chain.complete)) {
    judge.advise(rule, false, where, expected("a transaction"), kind);
    return;
  }
  if (!judge.require(rule, !other_kind, where, expected("a transaction"), kind)) return;
  if (chain.kind == ObservedChainKind::transaction)
    require_here(judge, seen, rule, chain.ended, where, expected("a transaction that was sent whole"),
                 actual("one without its end"));
}

// What CANCEL_TR has deleted cannot be executed any more (7.2.3). Nothing forbids to execute a transaction twice, or to
// cancel what is executed already, which has no effect (7.2): UMSP/B46.
void judge_over(Judge& judge, const Seen& seen, const Rule& rule, const ObservedChain& chain) {
  if (chain.kind != ObservedChainKind::transaction || !chain.complete || !chain.ended) return;
  const OctetRange where = seen.field(seen.header().has_chain_fields() ? HeaderField::chain_number : HeaderField::pck);
  const auto wanted = expected("a transaction that waits for EXEC_TR");
  if (seen.is(Opcode::exec_tr)) judge.require(rule, !chain.revoked, where, wanted, actual("one that was cancelled"));
  if (chain.executed) judge.advise(rule, false, where, wanted, actual("one that was executed before"));
}

}  // namespace

void judge_chain_control(Judge& judge, const Seen& seen, SessionHalf& half, std::uint16_t number) {
  // TCP does not order what two connections have of one chain.
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, number)) return;
  const auto found = half.chains.find(number);
  const bool known = found != half.chains.end();
  if (seen.is(Opcode::snd_cancel)) {
    if (!known || found->second.ended || found->second.cancelled) return;
    found->second.cancelled = true;
    return end_controlled_chain(seen, half, number);
  }
  const Rule& rule = seen.is(Opcode::exec_tr) ? kExecNamesTransaction : kCancelNamesTransaction;
  if (!known) {
    if (seen.connection.is_all_seen() && !half.chains_forgotten)
      require_here(judge, seen, rule, false, seen.field(HeaderField::chain_number),
                   expected("a transaction that was sent"), actual(number));
    return;
  }
  ObservedChain& chain = found->second;
  judge_named(judge, seen, rule, chain);
  judge_over(judge, seen, rule, chain);
  if (!chain.ended || !chain.execute_later || chain.executed || chain.revoked) return;
  (seen.is(Opcode::exec_tr) ? chain.executed : chain.revoked) = true;
  end_controlled_chain(seen, half, number);
}

void note_transaction(const Seen& seen, ObservedChain& chain) {
  if (chain.kind != ObservedChainKind::transaction) return;
  const ExtensionHeader* const header = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::begin_tr));
  chain.execute_later = header != nullptr && (flags_of(*header) & kTrr) == 0;
}

UmspSection transaction_rules() {
  static constexpr const Rule* kRules[] = {&kAllOrNone,
                                           &kCancelledOrConfirmed,
                                           &kNotCancelledAfter,
                                           &kUndoneByVm,
                                           &kTransactionByVm,
                                           &kLengthKnown,
                                           &kBeginTrChained,
                                           &kBeginTrCode,
                                           &kBeginTrLength,
                                           &kBeginTrHob,
                                           &kBeginTrForm,
                                           &kTreAtTimeOver,
                                           &kTreAtSessionEnd,
                                           &kCancelledAtTimeOver,
                                           &kNegativeAtTimeOver,
                                           &kCancelledAtSessionEnd,
                                           &kTrrAtOnce,
                                           &kTrrNotBefore,
                                           &kExecSent,
                                           &kNotBeforeExec,
                                           &kTrtProcessing,
                                           &kTrtZero,
                                           &kReservedZero,
                                           &kTimeInTwoSeconds,
                                           &kTimeFromEnd,
                                           &kTimeZeroUnlimited,
                                           &kTransactionEnds,
                                           &kExecNamesTransaction,
                                           &kExecExecutes,
                                           &kExecAsk,
                                           &kExecAnswered,
                                           &kExecPck,
                                           &kExecChn,
                                           &kExecExtensionsTaken,
                                           &kExecChainNumber,
                                           &kExecInstrNumber,
                                           &kExecLength,
                                           &kCancelNamesTransaction,
                                           &kCancelAsk,
                                           &kCancelPck,
                                           &kCancelChn,
                                           &kCancelExtensionsTaken,
                                           &kCancelChainNumber,
                                           &kCancelInstrNumber,
                                           &kCancelLength,
                                           &kCancelIsFinal};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .extensions = kExtensions};
}

}  // namespace wirelaw::umsp
