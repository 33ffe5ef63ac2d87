// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6.6, 6.6.4 and 6.6.5: objects, how they are made, and their names.
#include "conformance/section.h"
#include "conformance/umsp/exchange_checks.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
constexpr std::string_view kTheFormItselfOtherOctets = "the form itself: other octets are another number";
constexpr std::string_view kPublicationIsOutsideTheProtocol = "publication is outside the protocol";

constexpr Section kObjects{"RFC 3018 6.6"};
constinit const Rule kObjectNumber =
    kObjects.by(none).must("UMSP-6.6-1", "An object is named by a number of 4 octets.", kTheFormItselfOtherOctets);
constinit const Rule kNumbersOfStandard =
    kObjects.by(none).must("UMSP-6.6-2", "Numbers 0x00000000 to 0x1FFFFFFF name standard objects alone.",
                           "what is standard is outside the protocol; of new objects: UMSP-6.6-4 and UMSP-6.6-5");
constinit const Rule kNumbersOfUsers =
    kObjects.by(none).must("UMSP-6.6-3", "Numbers 0x20000000 to 0x3FFFFFFF name registered objects of users alone.",
                           "a registry's affair; of new objects: UMSP-6.6-4 and UMSP-6.6-5");
constinit const Rule kNumbersOfNewSys =
    kObjects.resting_on(Evidence::order)
        .must("UMSP-6.6-4", "SYS_NEW makes objects with numbers from 0x30000000 to 0x4fffffff.");
constinit const Rule kNumbersOfNew =
    kObjects.resting_on(Evidence::order)
        .must("UMSP-6.6-5", "NEW makes objects with numbers from 0x50000000 to 0xdfffffff.");
constinit const Rule kNumbersReserved =
    kObjects.must_not("UMSP-6.6-6", "No object has a number from 0xe0000000 to 0xffffffff: they are reserved.");
constinit const Rule kStandardPublished =
    kObjects.by(none).must("UMSP-6.6-7", "Objects of range I are standard, and their interfaces are published.",
                           kPublicationIsOutsideTheProtocol);
constinit const Rule kStandardNotPrivate =
    kObjects.by(none).must_not("UMSP-6.6-8", "A standard object has no interface that is private or not described.",
                               kPublicationIsOutsideTheProtocol);
constinit const Rule kUsersRegistered =
    kObjects.by(none).must("UMSP-6.6-9", "Objects of range II are registered.", "a registry's affair");
constinit const Rule kRangeThreeFree = kObjects.by(none).may(
    "UMSP-6.6-10", "Numbers of range III may be used freely, for static and dynamic objects with any interface.",
    "a permission");
constinit const Rule kCommonToJobs = kObjects.by(stimulus).must(
    "UMSP-6.6-11", "Objects of the ranges I to III are those of all jobs on the node, the zero-session included.");
constinit const Rule kOwnJobOnly =
    kObjects.by(stimulus).must("UMSP-6.6-12", "An object of range IV is reached from its own job alone.");
constinit const Rule kNotOfZeroSession =
    kObjects.by(stimulus).must_not("UMSP-6.6-13", "An object of range IV is not reached without a session.");
constinit const Rule kOneSegment =
    kObjects.by(stimulus).must("UMSP-6.6-14", "The data of an object are one continuous segment from offset 0.");
constinit const Rule kOffsetLikeAddress = kObjects.by(none).must(
    "UMSP-6.6-15", "An offset is written as a local memory address is: 2, 4 or 8 octets, zeros in front.",
    "the form itself: each instruction has its own lengths");
constinit const Rule kObjectNotLonger = kObjects.by(stimulus).must(
    "UMSP-6.6-16", "An object is not longer than the local memory addresses of its node can number.");
constinit const Rule kVersionTwoOctets =
    kObjects.by(none).must("UMSP-6.6-17", "Version and realization of an object are 2 octets each.",
                           "the form itself: other octets are another version");
constinit const Rule kLaterDoesAll =
    kObjects.by(api).must("UMSP-6.6-18", "A later realization of a version does all that an earlier one does.",
                          "what an object does is known to the VM");
constinit const Rule kLaterAddsOnly = kObjects.by(none).must(
    "UMSP-6.6-19", "A later realization of a standard object adds interfaces only.", kPublicationIsOutsideTheProtocol);
constinit const Rule kAnyVersion =
    kObjects.by(stimulus).must("UMSP-6.6-20", "Version 0 and realization 0, or realization 0 alone: any will do.");
constinit const Rule kRealizationHasVersion =
    kObjects.must_not("UMSP-6.6-21", "Realization is not other than 0 where version is 0.");

constexpr Section kCreation{"RFC 3018 6.6.4"};
constinit const Rule kStandardNotMade =
    kCreation.by(stimulus).must_not("UMSP-6.6.4-1", "Objects of the ranges I and II are not made through UMSP.");
constinit const Rule kStandardMadeByApi = kCreation.by(none).must(
    "UMSP-6.6.4-2", "Objects of the ranges I and II are made by the API of their VM only.", "not on the wire");
constinit const Rule kOthersMade =
    kCreation.by(stimulus).must("UMSP-6.6.4-3", "Objects of the ranges III and IV are made by instructions.");
constinit const Rule kPointersOfJob =
    kCreation.by(api).must("UMSP-6.6.4-4", "Pointers are handled in the context of the job that they came from.",
                           "what a VM does with pointers is not on the wire");
constinit const Rule kFollowEndOfJobs = kCreation.by(api).must(
    "UMSP-6.6.4-5", "Objects of the ranges I to III follow the end of jobs, to free what those used.",
    "what an object holds is known to the VM");
constinit const Rule kNumberIdentifies =
    kCreation.by(stimulus).must("UMSP-6.6.4-6", "The number is what identifies an object on a node.");
constinit const Rule kMayHaveName =
    kCreation.by(stimulus).must("UMSP-6.6.4-7", "Objects of the ranges III and IV may have a name.");
constinit const Rule kStandardNameless =
    kCreation.by(stimulus).must_not("UMSP-6.6.4-8", "Objects of the ranges I and II have no name on the UMSP layer.");
constinit const Rule kNumbersDiffer = kCreation.by(stimulus).must_not(
    "UMSP-6.6.4-9", "No two objects of one task have the same number.",
    "needs the connections of all nodes of the job: any of them may have deleted the object in between");
constinit const Rule kNamesDiffer =
    kCreation.by(stimulus).must_not("UMSP-6.6.4-10", "No two objects of one task have the same name.");

constexpr Section kNew{"RFC 3018 6.6.4.1"};
constinit const Rule kNewByRange =
    kNew.by(none).must("UMSP-6.6.4.1-1", "NEW makes an object of range IV, NEW_SYS one of range III.",
                       "UMSP-6.6-4 and UMSP-6.6-5 say the same in numbers");
constinit const Rule kNewCode = kNew.by(none).must("UMSP-6.6.4.1-2", "NEW has OPCODE 208 and NEW_SYS 209.",
                                                   "the form itself: another OPCODE reads as the other instruction");
constinit const Rule kNewLeast =
    kNew.must("UMSP-6.6.4.1-3", "NEW and NEW_SYS have at least 2 words of operands.", "UMSP/A33");
constinit const Rule kNewVm = kNew.by(none).must(
    "UMSP-6.6.4.1-4", "Operands 1 and 2 of NEW and NEW_SYS are VM type and version of the addressee, 2 octets each.",
    "the form itself: other octets are another VM");
constinit const Rule kNewVersion = kNew.by(none).must(
    "UMSP-6.6.4.1-5", "Operands 3 and 4 of NEW and NEW_SYS are version and realization of the object, 2 octets each.",
    "the form itself: other octets are another version");
constinit const Rule kNewMost =
    kNew.by(none).must("UMSP-6.6.4.1-6", "The data of NEW and NEW_SYS fill the remaining words, at most 262132 octets.",
                       "UMSP/A33; OPR_LENGTH cannot count more");
constinit const Rule kNewOnce =
    kNew.must("UMSP-6.6.4.1-7", "NEW and NEW_SYS have a _DATA header only if no data are in their operands.");
constinit const Rule kNewWithName =
    kNew.by(stimulus).must("UMSP-6.6.4.1-8", "NEW and NEW_SYS are taken with and without a _NAME header.");
constinit const Rule kNewSysForAll =
    kNew.by(stimulus).must("UMSP-6.6.4.1-9", "An object of NEW_SYS is reached from any job.");
constinit const Rule kNewForJob =
    kNew.by(stimulus).must("UMSP-6.6.4.1-10", "An object of NEW is reached from its own job alone.");
constinit const Rule kNewAnswer =
    kNew.resting_on(Evidence::order)
        .must("UMSP-6.6.4.1-11", "NEW and SYS_NEW with ASK 1 are answered by OBJECT, or by RSP.");
constinit const Rule kNewRefused = kNew.by(stimulus).must(
    "UMSP-6.6.4.1-12", "An object that cannot be made: RSP with a basic return code other than 0.");
constinit const Rule kNewNotRsp =
    kNew.resting_on(Evidence::order).must_not("UMSP-6.6.4.1-13", "NEW and SYS_NEW are not answered by a positive RSP.");
constinit const Rule kNewUnread =
    kNew.by(stimulus).must_not("UMSP-6.6.4.1-14", "The protocol layer does not look into the data of NEW and NEW_SYS.");
constinit const Rule kNewComplete =
    kNew.by(api).must("UMSP-6.6.4.1-15", "The data of NEW and NEW_SYS hold all that the addressee's VM needs.",
                      "what the data need is known to the VM");
constinit const Rule kNewNotTwice = kNew.by(none).must_not(
    "UMSP-6.6.4.1-16", "NEW and NEW_SYS do not carry data in operands and in a _DATA header at once.",
    "UMSP-6.6.4.1-7 says the same");
constinit const Rule kNewHasSession =
    kNew.by(none).must_not("UMSP-6.6.4.1-17", "NEW and SYS_NEW belong to a session: SESSION_ID is not 0.",
                           "UMSP-5.8-14 says so of the zero-session");
constinit const Rule kNewSessionlessRefused = kNew.by(stimulus).must(
    "UMSP-6.6.4.1-18", "A dynamic object is made in the context of a job: NEW without a session is refused.");
constinit const Rule kNewOnVmOfSession =
    kNew.by(stimulus).must("UMSP-6.6.4.1-19", "The object is made on the VM that the session belongs to.");
constinit const Rule kNewWithoutVersion =
    kNew.by(stimulus).must("UMSP-6.6.4.1-20", "Version 0 and realization 0 in NEW make an object without them.");
constinit const Rule kNewNamed =
    kNew.by(stimulus).must("UMSP-6.6.4.1-21", "The name in NEW's _NAME header is that of the new object from then on.");
constinit const Rule kDeletedExplicitly =
    kNew.by(api).must("UMSP-6.6.4.1-22", "Objects of NEW and NEW_SYS are deleted explicitly, by DELETE.",
                      "another node of the job may delete it, or the end of the task");
constinit const Rule kDeletedAtEnd = kNew.by(stimulus).must(
    "UMSP-6.6.4.1-23",
    "The VM deletes by itself, when a task ends, all objects that the task made and did not delete.");

constexpr Section kObject{"RFC 3018 6.6.4.2"};
constinit const Rule kObjectAnswers =
    kObject.resting_on(Evidence::order)
        .must("UMSP-6.6.4.2-1", "OBJECT answers NEW, SYS_NEW, OBJ_SEEK or OBJ_GET_NAME.",
              "Where the request has a rule on its answer, that one is reported.");
constinit const Rule kObjectWords = kObject.must("UMSP-6.6.4.2-2", "OBJECT has 2 words of operands.");
constinit const Rule kObjectFields =
    kObject.by(none).must("UMSP-6.6.4.2-3", "Operands of OBJECT are number, version and realization of the object.",
                          "the form itself: other octets are another object");

constexpr Section kDelete{"RFC 3018 6.6.4.3"};
constinit const Rule kDeleteOfMade = kDelete.must(
    "UMSP-6.6.4.3-1", "DELETE names an object of the ranges III or IV, which alone are made by NEW and SYS_NEW.",
    "Whether it was made is not judged: any node of the job may have done it.");
constinit const Rule kDeleteWords = kDelete.must("UMSP-6.6.4.3-2", "DELETE has 1 word of operands.");
constinit const Rule kDeleteNumber = kDelete.by(none).must(
    "UMSP-6.6.4.3-3", "The operand of DELETE is the number of the object.", kTheFormItselfOtherOctets);
constinit const Rule kDeleteOwnJob = kDelete.by(stimulus).must_not(
    "UMSP-6.6.4.3-4", "An object is not deleted from another job than that which made it.");
constinit const Rule kDeleteAnswer =
    kDelete.resting_on(Evidence::order).must("UMSP-6.6.4.3-5", "DELETE with ASK 1 is answered by RSP.");

constexpr Section kNames{"RFC 3018 6.6.5"};
constinit const Rule kNameLength =
    kNames.must("UMSP-6.6.5-1", "The name of an object is 4 octets long at least.", "UMSP/A39");
constinit const Rule kNameAscii = kNames.by(none).must("UMSP-6.6.5-2", "The name of an object is ASCII.",
                                                       "UMSP/A18; UMSP-8.3-5 says so of all names");
constinit const Rule kNameIsSynonym =
    kNames.by(stimulus).must("UMSP-6.6.5-3", "A name leads to one number: they are synonyms.");
constinit const Rule kNamesDifferInTask =
    kNames.by(stimulus).must("UMSP-6.6.5-4", "The names of all active objects of one task are different.");
constinit const Rule kNamesDifferOnNode = kNames.by(stimulus).must(
    "UMSP-6.6.5-5", "The names of all active objects of the ranges I to III are different for all tasks of a node.");
constinit const Rule kNameAndNumber =
    kNames.by(stimulus).must("UMSP-6.6.5-6", "Number can be found from name and name from number.");

constexpr Section kObjSeek{"RFC 3018 6.6.5.1"};
constinit const Rule kSeekWords = kObjSeek.must("UMSP-6.6.5.1-1", "OBJ_SEEK has no operands.");
constinit const Rule kSeekName =
    kObjSeek.must("UMSP-6.6.5.1-2", "OBJ_SEEK has a _NAME header with the name of the object.");
constinit const Rule kSeekFound =
    kObjSeek.by(stimulus).must("UMSP-6.6.5.1-3", "OBJ_SEEK for an object that is there is answered by OBJECT.");
constinit const Rule kSeekNotFound = kObjSeek.by(stimulus).must(
    "UMSP-6.6.5.1-4",
    "OBJ_SEEK for an object that is not there is answered by a negative RSP, unless it came by broadcast.");
constinit const Rule kSeekNotRsp =
    kObjSeek.resting_on(Evidence::order).must_not("UMSP-6.6.5.1-5", "OBJ_SEEK is not answered by a positive RSP.");
constinit const Rule kSeekBroadcastTaken =
    kObjSeek.by(stimulus).must("UMSP-6.6.5.1-6", "A receiver takes OBJ_SEEK by broadcast over UDP.");
constinit const Rule kSeekBroadcastSessionless =
    kObjSeek.by(stimulus).must("UMSP-6.6.5.1-7", "OBJ_SEEK by broadcast belongs to no session.",
                               "which datagrams were broadcast is not shown to the judge");
constinit const Rule kSeekReqId =
    kObjSeek.by(stimulus).must("UMSP-6.6.5.1-8", "OBJ_SEEK over UDP may have ASK 1 and REQ_ID: the answer repeats it.");
constinit const Rule kSeekBroadcastNotRefused =
    kObjSeek.by(stimulus).must_not("UMSP-6.6.5.1-9", "OBJ_SEEK by broadcast gets no negative answer.");
constinit const Rule kSeekAnsweredByDatagram =
    kObjSeek.by(api).must("UMSP-6.6.5.1-10", "The answer to OBJ_SEEK by broadcast is taken over UDP too.",
                          "which objects a VM seeks, and what it does with those found, is its own choice");

constexpr Section kObjGetName{"RFC 3018 6.6.5.2"};
constinit const Rule kGetNameWords = kObjGetName.must("UMSP-6.6.5.2-1", "OBJ_GET_NAME has 1 word of operands.");
constinit const Rule kGetNameNumber = kObjGetName.by(none).must(
    "UMSP-6.6.5.2-2", "The operand of OBJ_GET_NAME is the number of the object.", kTheFormItselfOtherOctets);
constinit const Rule kGetNameFound =
    kObjGetName.by(stimulus).must("UMSP-6.6.5.2-3", "OBJ_GET_NAME for an object that is there is answered by OBJECT.");
constinit const Rule kGetNameHasName =
    kObjGetName.resting_on(Evidence::order)
        .must("UMSP-6.6.5.2-4", "OBJECT in answer to OBJ_GET_NAME has a _NAME header with the object's name.");
constinit const Rule kGetNameOfIt =
    kObjGetName.resting_on(Evidence::order)
        .must("UMSP-6.6.5.2-5", "The object in answer to OBJ_GET_NAME is that which it asked about.");
constinit const Rule kGetNameNotFound = kObjGetName.by(stimulus).must(
    "UMSP-6.6.5.2-6", "OBJ_GET_NAME for an object that is not there is answered by a negative RSP.");
constinit const Rule kGetNameNotRsp =
    kObjGetName.resting_on(Evidence::order)
        .must_not("UMSP-6.6.5.2-7", "OBJ_GET_NAME is not answered by a positive RSP.");

constexpr std::uint64_t kRangeThree = 0x3000'0000;  // the first number of each range
constexpr std::uint64_t kRangeFour = 0x5000'0000;
constexpr std::uint64_t kRangeFive = 0xe000'0000;

std::string number_text(std::uint64_t number) {
  return fmt::format("0x{:08x}", number);
}

// The name of an object, in whatever instruction.
void judge_object_name(Judge& judge, const Seen& seen) {
  constexpr std::size_t kLeastName = 4;
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index) {
    const ExtensionHeader& header = seen.instruction.extensions[index];
    if (header.head_code != static_cast<std::uint16_t>(HeadCode::name) || header.data.empty()) continue;
    judge.require(kNameLength, header.data.size() >= kLeastName, seen.extension_data(index),
                  expected("4 octets or more"), actual(header.data.size()));
  }
}

void judge_new(Judge& judge, const Seen& seen) {
  judge_object(judge, seen);
  judge_object_name(judge, seen);
  judge_data_once(judge, seen, Operand::data, kNewOnce);
}

void judge_object_of_answer(Judge& judge, const Seen& seen) {
  judge_object_name(judge, seen);
  if (!judge_object(judge, seen)) return;
  const std::uint64_t number = seen.value(Operand::object_number).value_or(0);
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index)
    if (seen.instruction.extensions[index].head_code == static_cast<std::uint16_t>(HeadCode::name))
      judge.require(kStandardNameless, number >= kRangeThree, seen.extension(index),
                    expected("no name of an object below 0x30000000"), actual([&] { return number_text(number); }));
}

void judge_delete(Judge& judge, const Seen& seen) {
  if (!judge_object(judge, seen)) return;
  const std::uint64_t number = seen.value(Operand::object_number).value_or(0);
  judge.require(kDeleteOfMade, number >= kRangeThree, seen.operand(Operand::object_number),
                expected("0x30000000 to 0xdfffffff"), actual([&] { return number_text(number); }));
}

void judge_seek(Judge& judge, const Seen& seen) {
  judge_name_there(judge, seen, kSeekName);
  judge_object_name(judge, seen);
}

void judge_get_name(Judge& judge, const Seen& seen) {
  judge_object(judge, seen);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::create, .last = Opcode::sys_new, .opr_length = &kNewLeast, .judge = judge_new},
    {.first = Opcode::object, .opr_length = &kObjectWords, .judge = judge_object_of_answer},
    {.first = Opcode::destroy, .opr_length = &kDeleteWords, .judge = judge_delete},
    {.first = Opcode::obj_seek, .opr_length = &kSeekWords, .judge = judge_seek},
    {.first = Opcode::obj_get_name, .opr_length = &kGetNameWords, .judge = judge_get_name}};

// ------------------------------------------------------------------------------------------------------------ answers

void judge_made(Judge& judge, const Seen& seen, const Asked& asked) {
  const auto number = seen.value(Operand::object_number);
  if (!number || *number >= kRangeFive) return;
  const bool of_system = asked.opcode == static_cast<std::uint8_t>(Opcode::sys_new);
  const bool fits = of_system ? *number >= kRangeThree && *number < kRangeFour : *number >= kRangeFour;
  judge.require(of_system ? kNumbersOfNewSys : kNumbersOfNew, fits, seen.operand(Operand::object_number),
                expected(of_system ? "0x30000000 to 0x4fffffff" : "0x50000000 to 0xdfffffff"),
                actual([&] { return number_text(*number); }),
                [&] { return fmt::format("message {} asked", asked.index + 1); });
}

void judge_named(Judge& judge, const Seen& seen, const Asked& asked) {
  const auto number = seen.value(Operand::object_number);
  if (!number || *number >= kRangeFive) return;
  if (judge.require(kGetNameOfIt, *number == asked.object, seen.operand(Operand::object_number),
                    expected([&] { return number_text(asked.object); }), actual([&] { return number_text(*number); }),
                    [&] { return fmt::format("message {} asked", asked.index + 1); }))
    judge_name_there(judge, seen, kGetNameHasName);
}

constexpr ExchangeAnswerRules kAnswers[] = {
    {.first = Opcode::create,
     .last = Opcode::sys_new,
     .answer = Opcode::object,
     .kind = &kNewAnswer,
     .no_rsp = &kNewNotRsp,
     .judge = judge_made},
    {.first = Opcode::destroy, .kind = &kDeleteAnswer},
    {.first = Opcode::obj_seek, .answer = Opcode::object, .no_rsp = &kSeekNotRsp},
    {.first = Opcode::obj_get_name, .answer = Opcode::object, .no_rsp = &kGetNameNotRsp, .judge = judge_named}};
constexpr ExchangeResponseRules kResponses[] = {{Opcode::object, &kObjectAnswers}};

}  // namespace

UmspSection object_rules() {
  static constexpr const Rule* kRules[] = {&kObjectNumber,
                                           &kNumbersOfStandard,
                                           &kNumbersOfUsers,
                                           &kNumbersOfNewSys,
                                           &kNumbersOfNew,
                                           &kNumbersReserved,
                                           &kStandardPublished,
                                           &kStandardNotPrivate,
                                           &kUsersRegistered,
                                           &kRangeThreeFree,
                                           &kCommonToJobs,
                                           &kOwnJobOnly,
                                           &kNotOfZeroSession,
                                           &kOneSegment,
                                           &kOffsetLikeAddress,
                                           &kObjectNotLonger,
                                           &kVersionTwoOctets,
                                           &kLaterDoesAll,
                                           &kLaterAddsOnly,
                                           &kAnyVersion,
                                           &kRealizationHasVersion,
                                           &kStandardNotMade,
                                           &kStandardMadeByApi,
                                           &kOthersMade,
                                           &kPointersOfJob,
                                           &kFollowEndOfJobs,
                                           &kNumberIdentifies,
                                           &kMayHaveName,
                                           &kStandardNameless,
                                           &kNumbersDiffer,
                                           &kNamesDiffer,
                                           &kNewByRange,
                                           &kNewCode,
                                           &kNewLeast,
                                           &kNewVm,
                                           &kNewVersion,
                                           &kNewMost,
                                           &kNewOnce,
                                           &kNewWithName,
                                           &kNewSysForAll,
                                           &kNewForJob,
                                           &kNewAnswer,
                                           &kNewRefused,
                                           &kNewNotRsp,
                                           &kNewUnread,
                                           &kNewComplete,
                                           &kNewNotTwice,
                                           &kNewHasSession,
                                           &kNewSessionlessRefused,
                                           &kNewOnVmOfSession,
                                           &kNewWithoutVersion,
                                           &kNewNamed,
                                           &kDeletedExplicitly,
                                           &kDeletedAtEnd,
                                           &kObjectAnswers,
                                           &kObjectWords,
                                           &kObjectFields,
                                           &kDeleteOfMade,
                                           &kDeleteWords,
                                           &kDeleteNumber,
                                           &kDeleteOwnJob,
                                           &kDeleteAnswer,
                                           &kNameLength,
                                           &kNameAscii,
                                           &kNameIsSynonym,
                                           &kNamesDifferInTask,
                                           &kNamesDifferOnNode,
                                           &kNameAndNumber,
                                           &kSeekWords,
                                           &kSeekName,
                                           &kSeekFound,
                                           &kSeekNotFound,
                                           &kSeekNotRsp,
                                           &kSeekBroadcastTaken,
                                           &kSeekBroadcastSessionless,
                                           &kSeekReqId,
                                           &kSeekBroadcastNotRefused,
                                           &kSeekAnsweredByDatagram,
                                           &kGetNameWords,
                                           &kGetNameNumber,
                                           &kGetNameFound,
                                           &kGetNameHasName,
                                           &kGetNameOfIt,
                                           &kGetNameNotFound,
                                           &kGetNameNotRsp};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .answers = kAnswers, .responses = kResponses};
}

bool judge_object(Judge& judge, const Seen& seen) {
  const auto version = seen.value(Operand::object_version), realization = seen.value(Operand::object_realization);
  if (version && realization)
    judge.require(kRealizationHasVersion, *version != 0 || *realization == 0, seen.operand(Operand::object_realization),
                  expected("0, as the version is"), actual(*realization));
  const auto number = seen.value(Operand::object_number);
  if (!number) return true;
  return judge.require(kNumbersReserved, *number < kRangeFive, seen.operand(Operand::object_number),
                       expected("0xdfffffff or less"), actual([&] { return number_text(*number); }));
}

}  // namespace wirelaw::umsp
