// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6.6 to 6.6.3: access to objects, their data, and their procedures.
#include <algorithm>

#include "conformance/umsp/6.1-memory/rules.h"
#include "conformance/umsp/6.6-objects/rules.h"
#include "conformance/umsp/6.6.1-object-data/rules.h"
#include "conformance/umsp/6.6.3-object-procedures/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint32_t kReserved = 0xe000'0001;  // in range V: no object has it
constexpr std::uint32_t kNoProcedure = 0xffff'fffe;
constexpr std::string_view kNoName = "wirelaw.is.nowhere";

OctetBuffer parameters() {
  return {0x10, 0x20, 0x30, 0x40};
}

// The declared object, if it can be read.
std::optional<ObjectKind> served_object(VmProbe& peer) {
  const ObjectKind object = peer.object();
  if (!peer.provides(ProfileFlag::objects)) return std::nullopt;
  const auto answer = peer.ask(obj_req_data(object, 0, 4));
  peer.show(answer && answer->is(Opcode::data), "the declared object was not read");
  return peer.ok() ? std::optional(object) : std::nullopt;
}

bool has_data(const std::optional<Received>& answer, Octets octets) {
  const auto data = VmProbe::data_of(answer, Opcode::data);
  return data && data->size() >= octets.size() && std::ranges::equal(Octets(*data).first(octets.size()), octets);
}

// -------------------------------------------------------------------------------------------------------------- access

void common_object_is_of_all(VmProbe& peer) {
  const auto object = served_object(peer);
  const OpenSession other = peer.ok() ? peer.other_session() : OpenSession{};
  if (!object || !peer.provides(ProfileFlag::without_session)) return;
  peer.expect_done(rule<"UMSP-6.6-11">, peer.request(other, obj_req_data(*object, 0, 4)),
                   "The session belongs to another job.");
  peer.expect_done(rule<"UMSP-6.6-11">, peer.request(VmProbe::no_session(), obj_req_data(*object, 0, 4)),
                   "There is no session.");
}

void own_object_is_of_its_job(VmProbe& peer, const Rule& judged) {
  const auto object = peer.make(peer.session(), Opcode::create);
  const OpenSession other = peer.ok() ? peer.other_session() : OpenSession{};
  if (!object || !peer.show(peer.reaches(peer.session(), *object), "the new object was not reached")) return;
  peer.require(judged, !peer.reaches(other, *object), "a refusal in another job", "it was reached",
               "NEW makes objects of a job.");
  peer.show(peer.reaches(peer.session(), *object), "the new object is no longer reached");
}

void own_object_needs_a_session(VmProbe& peer) {
  const auto object = peer.make(peer.session(), Opcode::create);
  if (!object || !peer.provides(ProfileFlag::without_session) ||
      !peer.show(peer.reaches(peer.session(), *object), "the new object was not reached"))
    return;
  peer.require(rule<"UMSP-6.6-13">, !peer.reaches(VmProbe::no_session(), *object), "a refusal without a session",
               "it was reached", "NEW makes objects of a job.");
}

// ---------------------------------------------------------------------------------------------------------------- data

void data_are_one_segment(VmProbe& peer) {
  const ObjectKind object = peer.object();
  const std::uint32_t octets = peer.object_octets();
  if (!peer.ok() || !peer.provides(ProfileFlag::objects)) return;
  const auto whole = VmProbe::data_of(peer.ask(obj_req_data(object, 0, octets)), Opcode::data);
  if (!peer.require(rule<"UMSP-6.6-14">, whole && whole->size() >= octets, "DATA of the whole object", "a refusal",
                    "The data begin at offset 0."))
    return;
  const auto last = peer.ask(obj_req_data(object, octets - 4, 4));
  peer.require(rule<"UMSP-6.6-14">, has_data(last, Octets(*whole).subspan(octets - 4, 4)),
               "DATA as in the whole object", to_text(last), "The data form one segment.");
}

void object_is_not_beyond_addresses(VmProbe& peer) {
  if (peer.ok() && peer.memory_octets() != 2) return peer.skip("needs an IUT whose addresses have two octets");
  constexpr std::uint32_t kTooLong = 0x1'0004;
  if (!peer.make(peer.session(), Opcode::create)) return;
  Draft draft = new_object(Opcode::create, peer.session().vm, {}, OctetBuffer(kTooLong));
  const auto object = VmProbe::object_of(peer.ask(draft));
  const bool longer =
      object && VmProbe::says_done(peer.ask(obj_compare({.number = object->number}, 0, OctetBuffer(kTooLong))));
  peer.require(rule<"UMSP-6.6-16">, !longer, "an object of 65536 octets at most",
               "an object of which more octets were compared", "Addresses of two octets can number no more.");
}

void any_version_will_do(VmProbe& peer) {
  const ObjectKind object = peer.object();
  if (!peer.ok() || !peer.provides(ProfileFlag::objects)) return;
  peer.expect_done(rule<"UMSP-6.6-20">, peer.ask(obj_req_data({.number = object.number}, 0, 4)),
                   "Version 0 and realization 0 ask for any.");
  const ObjectKind any{.number = object.number, .version = object.version};
  peer.expect_done(rule<"UMSP-6.6-20">, peer.ask(obj_req_data(any, 0, 4)), "Realization 0 asks for any.");
}

void earlier_realization_will_do(VmProbe& peer) {
  const auto object = served_object(peer);
  if (!object) return;
  if (object->realization < 2) return peer.skip("needs an IUT with an object of a realization above 1");
  const ObjectKind earlier{object->number, object->version, static_cast<std::uint16_t>(object->realization - 1)};
  peer.expect_done(rule<"UMSP-6.6-18">, peer.ask(obj_req_data(earlier, 0, 4)),
                   "The later realization does all that the earlier does.");
}

using MakeDraft = Draft (*)(VmProbe& peer, const ObjectKind& object, std::uint32_t offset);
Draft reading(VmProbe&, const ObjectKind& object, std::uint32_t offset) {
  return obj_req_data(object, offset, 4);
}
Draft writing(VmProbe& peer, const ObjectKind& object, std::uint32_t offset) {
  return obj_write(object, offset, peer.fresh(4));
}
Draft writing_any(VmProbe& peer, const ObjectKind& object, std::uint32_t offset) {
  return obj_write_ext(object, offset, peer.fresh(3));
}
Draft comparing(VmProbe& peer, const ObjectKind& object, std::uint32_t offset) {
  return obj_compare(object, offset, peer.fresh(4));
}

template <MakeDraft kMake>
void executed_is_done(VmProbe& peer, const Rule& judged) {
  const auto object = served_object(peer);
  if (object) peer.expect_done(judged, peer.ask(kMake(peer, *object, 0)), "The object has octets there.");
}
template <MakeDraft kMake>
void refused_behind_the_end(VmProbe& peer, const Rule& judged) {
  const auto object = served_object(peer);
  const std::uint32_t end = peer.object_octets();
  if (!object || !peer.ok()) return;
  if (!peer.show(VmProbe::says_done(peer.ask_good(kMake(peer, *object, 0))), "the same at offset 0 was refused"))
    return;
  peer.expect_refused(judged, peer.ask(kMake(peer, *object, end)), "The object has no octets there.");
}

void padding_is_not_written(VmProbe& peer) {
  const auto object = served_object(peer);
  OctetBuffer octets{0x11, 0x22, 0x33, 0x44};
  if (!object || !peer.show(VmProbe::says_done(peer.ask_good(obj_write(*object, 0, octets))), "OBJ_WRITE failed"))
    return;
  octets[0] = 0x99;
  peer.ask(obj_write_ext(*object, 0, Octets(octets).first(1)));
  const auto there = peer.ask(obj_req_data(*object, 0, 4));
  peer.require(rule<"UMSP-6.6.1.3-11">, has_data(there, octets), "one written octet, and three original ones",
               "other octets", "Only the counted octets are written.");
}

void padding_is_not_compared(VmProbe& peer) {
  const auto object = served_object(peer);
  const OctetBuffer octets{0x11, 0x22, 0x33, 0x44};
  if (!object || !peer.show(VmProbe::says_done(peer.ask_good(obj_write(*object, 0, octets))), "OBJ_WRITE failed"))
    return;
  const auto answer = peer.ask(obj_compare_ext(*object, 0, Octets(octets).first(1)));
  peer.require(rule<"UMSP-6.6.2.2-11">, answer && answer->is_positive() && answer->codes().additional == 0,
               "RSP: equal", to_text(answer), "Only the counted octets are compared.");
}

// ---------------------------------------------------------------------------------------------------------- procedures

void wrong_number_is_refused(VmProbe& peer) {
  const auto object = served_object(peer);
  const auto procedure = object ? peer.number("procedure_number") : std::nullopt;
  if (!procedure || !peer.provides(ProfileFlag::control)) return;
  const auto number = static_cast<std::uint32_t>(*procedure);
  const auto served = peer.ask(call_by_number(*object, number, parameters()));
  if (!peer.show(served && served->is(Opcode::return_control), "CALL_BNUM of the declared procedure failed")) return;
  peer.expect_refused(rule<"UMSP-6.6.3.1-10">, peer.ask(call_by_number(*object, kNoProcedure, parameters())),
                      "The object has no such procedure.");
  peer.expect_refused(rule<"UMSP-6.6.3.1-10">, peer.ask(call_by_number({.number = kReserved}, number, parameters())),
                      "There is no such object.");
}

void wrong_name_is_refused(VmProbe& peer) {
  const auto object = served_object(peer);
  const std::string_view procedure = object ? peer.text("procedure_name") : std::string_view{};
  if (!peer.ok() || !peer.provides(ProfileFlag::control) || !peer.provides(ProfileFlag::procedure_names)) return;
  const auto served = peer.ask(call_by_name(*object, procedure, parameters()));
  if (!peer.show(served && served->is(Opcode::return_control), "CALL_BNAME of the declared procedure failed")) return;
  peer.expect_refused(rule<"UMSP-6.6.3.2-9">, peer.ask(call_by_name(*object, kNoName, parameters())),
                      "The object has no such procedure.");
  peer.expect_refused(rule<"UMSP-6.6.3.2-9">, peer.ask(call_by_name({.number = kReserved}, procedure, parameters())),
                      "There is no such object.");
}

// An object of range I or II that has the same procedure.
std::optional<ObjectKind> numbered_object(VmProbe& peer) {
  const auto number = peer.number("numbered_object");
  if (!number || !peer.provides(ProfileFlag::objects) || !peer.provides(ProfileFlag::control)) return std::nullopt;
  return ObjectKind{.number = static_cast<std::uint32_t>(*number)};
}

void numbered_procedure_is_called(VmProbe& peer) {
  const auto object = numbered_object(peer);
  const auto procedure = object ? peer.number("procedure_number") : std::nullopt;
  if (!procedure) return;
  const auto answer = peer.ask(call_by_number(*object, static_cast<std::uint32_t>(*procedure), parameters()));
  peer.require(rule<"UMSP-6.6.3.2-12">, answer && answer->is(Opcode::return_control), "RETURN", to_text(answer),
               "Objects of the ranges I and II have procedures with numbers.");
}

void numbered_procedure_has_no_name(VmProbe& peer) {
  const auto named = served_object(peer);
  const auto object = named ? numbered_object(peer) : std::nullopt;
  const std::string_view procedure = object ? peer.text("procedure_name") : std::string_view{};
  if (!peer.ok() || !peer.provides(ProfileFlag::procedure_names)) return;
  const auto served = peer.ask(call_by_name(*named, procedure, parameters()));
  if (!peer.show(served && served->is(Opcode::return_control), "CALL_BNAME of the declared procedure failed")) return;
  peer.expect_refused(rule<"UMSP-6.6.3.2-11">, peer.ask(call_by_name(*object, procedure, parameters())),
                      "Procedures of objects of the ranges I and II have no names.");
  peer.expect_refused(rule<"UMSP-6.6.3.2-11">, peer.ask(procedure_number_of(*object, procedure)),
                      "Procedures of objects of the ranges I and II have no names.");
}

const CaseRow kRows[] = {
    {"object/common-is-of-all-jobs",
     {&rule<"UMSP-6.6-11">},
     "The IUT lets any job, and instructions without one, reach an object in the range III.",
     with<common_object_is_of_all>()},
    {"object/own-is-of-its-job",
     {&rule<"UMSP-6.6-12">},
     "The IUT does not let another job reach an object in the range IV.",
     with<VmProbe>([](VmProbe& peer) { own_object_is_of_its_job(peer, rule<"UMSP-6.6-12">); })},
    {"object/new-is-of-its-job",
     {&rule<"UMSP-6.6.4.1-10">},
     "The IUT lets only its own job reach an object of NEW.",
     with<VmProbe>([](VmProbe& peer) { own_object_is_of_its_job(peer, rule<"UMSP-6.6.4.1-10">); })},
    {"object/own-needs-a-session",
     {&rule<"UMSP-6.6-13">},
     "The IUT does not let an instruction without a session reach an object in the range IV.",
     with<own_object_needs_a_session>()},
    {"object/data-are-one-segment",
     {&rule<"UMSP-6.6-14">},
     "The IUT reads an object from offset 0 to its end.",
     with<data_are_one_segment>()},
    {"object/not-beyond-addresses",
     {&rule<"UMSP-6.6-16">},
     "The IUT has no object longer than addresses can number.",
     with<object_is_not_beyond_addresses>()},
    {"object/any-version",
     {&rule<"UMSP-6.6-20">},
     "The IUT reads zeros as any version and realization.",
     with<any_version_will_do>()},
    {"object/earlier-realization",
     {&rule<"UMSP-6.6-18">},
     "The IUT serves a request for an earlier realization with a later one.",
     with<earlier_realization_will_do>()},
    {"object/what-is-not-there-is-not-read",
     {&rule<"UMSP-6.6.1.1-11">},
     "The IUT refuses OBJ_REQ_DATA after the end.",
     with<VmProbe>([](VmProbe& peer) { refused_behind_the_end<reading>(peer, rule<"UMSP-6.6.1.1-11">); })},
    {"object/write-is-done",
     {&rule<"UMSP-6.6.1.2-12">},
     "The IUT sends a positive RSP for an executed OBJ_WRITE.",
     with<VmProbe>([](VmProbe& peer) { executed_is_done<writing>(peer, rule<"UMSP-6.6.1.2-12">); })},
    {"object/write-is-refused",
     {&rule<"UMSP-6.6.1.2-13">},
     "The IUT sends a negative RSP for an OBJ_WRITE after the end.",
     with<VmProbe>([](VmProbe& peer) { refused_behind_the_end<writing>(peer, rule<"UMSP-6.6.1.2-13">); })},
    {"object/write-ext-is-done",
     {&rule<"UMSP-6.6.1.3-13">},
     "The IUT sends a positive RSP for an executed OBJ_WRITE_EXT.",
     with<VmProbe>([](VmProbe& peer) { executed_is_done<writing_any>(peer, rule<"UMSP-6.6.1.3-13">); })},
    {"object/write-ext-is-refused",
     {&rule<"UMSP-6.6.1.3-14">},
     "The IUT sends a negative RSP for an OBJ_WRITE_EXT after the end.",
     with<VmProbe>([](VmProbe& peer) { refused_behind_the_end<writing_any>(peer, rule<"UMSP-6.6.1.3-14">); })},
    {"object/padding-is-not-written",
     {&rule<"UMSP-6.6.1.3-11">},
     "The IUT writes only as many octets as OBJ_WRITE_EXT counts.",
     with<padding_is_not_written>()},
    {"object/padding-is-not-compared",
     {&rule<"UMSP-6.6.2.2-11">},
     "The IUT compares only as many octets as OBJ_DATA_CMP_EXT counts.",
     with<padding_is_not_compared>()},
    {"object/what-is-not-there-is-not-compared",
     {&rule<"UMSP-6.2.3-8">},
     "The IUT refuses a comparison after the end of an object.",
     with<VmProbe>([](VmProbe& peer) { refused_behind_the_end<comparing>(peer, rule<"UMSP-6.2.3-8">); })},
    {"procedure/wrong-number-is-refused",
     {&rule<"UMSP-6.6.3.1-10">},
     "The IUT refuses CALL_BNUM of a procedure that does not exist.",
     with<wrong_number_is_refused>()},
    {"procedure/wrong-name-is-refused",
     {&rule<"UMSP-6.6.3.2-9">},
     "The IUT refuses CALL_BNAME of a procedure that does not exist.",
     with<wrong_name_is_refused>()},
    {"procedure/of-ranges-one-and-two-has-a-number",
     {&rule<"UMSP-6.6.3.2-12">},
     "The IUT executes CALL_BNUM of objects in the ranges I and II.",
     with<numbered_procedure_is_called>()},
    {"procedure/of-ranges-one-and-two-has-no-name",
     {&rule<"UMSP-6.6.3.2-11">},
     "The IUT does not execute CALL_BNAME of objects in the ranges I and II.",
     with<numbered_procedure_has_no_name>()},
};

}  // namespace

std::vector<Case> objects_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
