// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.6.4: the creation and deletion of objects.
#include "conformance/umsp/6.6-objects/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint32_t kFirstOfThree = 0x3000'0000;  // the first number of range III
constexpr Opcode kMaking[] = {Opcode::create, Opcode::sys_new};

// True if the profile of the session allows the creation of objects.
bool makes(VmProbe& peer) {
  return peer.provides(ProfileFlag::objects) && peer.provides(ProfileFlag::object_memory);
}
bool makes_named(VmProbe& peer) {
  return makes(peer) && peer.provides(ProfileFlag::object_names);
}

void not_of_ranges_one_and_two(VmProbe& peer) {
  for (const Opcode opcode : kMaking) {
    const auto object = peer.make(peer.session(), opcode);
    if (!object || !peer.require(rule<"UMSP-6.6.4-1">, object->number >= kFirstOfThree,
                                 "a number in the range III or IV", "a number in the range I or II"))
      return;
  }
}

void objects_are_made(VmProbe& peer) {
  if (!makes(peer)) return;
  for (const Opcode opcode : kMaking) {
    const auto answer = peer.ask_new(opcode);
    if (!peer.require(rule<"UMSP-6.6.4-3">, VmProbe::object_of(answer).has_value(), "OBJECT", to_text(answer))) return;
  }
}

// A number of range V, which no object has, does not name an object with a lower number.
void number_identifies(VmProbe& peer) {
  constexpr std::uint32_t kReserved = 0xe000'0001;
  const auto object = peer.make(peer.session(), Opcode::sys_new);
  if (!object || !peer.show(peer.reaches(peer.session(), *object), "the new object was not reached")) return;
  peer.require(rule<"UMSP-6.6.4-6">, !peer.reaches(peer.session(), {.number = kReserved}), "a refusal",
               "an object was reached", "No object has this number.");
}

void objects_may_have_names(VmProbe& peer) {
  if (!makes_named(peer)) return;
  for (const Opcode opcode : kMaking) {
    const auto answer = peer.ask_new(opcode, peer.new_name());
    if (!peer.require(rule<"UMSP-6.6.4-7">, VmProbe::object_of(answer).has_value(), "OBJECT", to_text(answer),
                      "NEW and SYS_NEW may name the object."))
      return;
  }
}

void numbered_object_has_no_name(VmProbe& peer) {
  const auto number = peer.number("numbered_object");
  const ObjectKind named = peer.ok() ? peer.object() : ObjectKind{};
  if (!peer.provides(ProfileFlag::object_names)) return;
  if (!peer.show(VmProbe::object_of(peer.ask_good(name_of_object(named.number))).has_value(), "OBJ_GET_NAME failed"))
    return;
  peer.expect_refused(rule<"UMSP-6.6.4-8">, peer.ask(name_of_object(static_cast<std::uint32_t>(*number))),
                      "Objects of the ranges I and II have no names.");
}

void numbers_differ(VmProbe& peer) {
  const auto first = peer.make(peer.session(), Opcode::create);
  const auto second = first ? peer.make(peer.session(), Opcode::create) : std::nullopt;
  if (second)
    peer.require(rule<"UMSP-6.6.4-9">, first->number != second->number, "another number", "the same one",
                 "The first object still exists.");
}

void with_and_without_name(VmProbe& peer) {
  if (!makes_named(peer)) return;
  for (const Opcode opcode : kMaking)
    for (const std::string& name : {peer.new_name(), std::string()}) {
      const auto answer = peer.ask_new(opcode, name);
      if (!peer.require(rule<"UMSP-6.6.4.1-8">, VmProbe::object_of(answer).has_value(), "OBJECT", to_text(answer),
                        name.empty() ? "Objects need no name." : "Objects may have a name."))
        return;
    }
}

void sys_new_is_for_all(VmProbe& peer) {
  const auto object = peer.make(peer.session(), Opcode::sys_new);
  const OpenSession other = object ? peer.other_session() : OpenSession{};
  if (!object || !peer.show(peer.reaches(peer.session(), *object), "the new object was not reached")) return;
  peer.require(rule<"UMSP-6.6.4.1-9">, peer.reaches(other, *object), "data of the object in another job", "a refusal");
}

void what_cannot_be_made_is_refused(VmProbe& peer) {
  const std::string name = peer.ok() ? peer.new_name() : "";
  if (!makes_named(peer) || !peer.make(peer.session(), Opcode::create, name)) return;
  peer.expect_refused(rule<"UMSP-6.6.4.1-12">, peer.ask(peer.new_draft(Opcode::create, name)),
                      "The job has an object of this name.");
}

void data_are_not_looked_into(VmProbe& peer) {
  const OctetBuffer data = peer.hexadecimal("object_data");
  if (!peer.ok() || !makes(peer)) return;
  for (const Opcode opcode : kMaking) {
    const auto answer = peer.ask(new_object(opcode, peer.session().vm, {}, data));
    if (opcode == Opcode::sys_new) peer.delete_later(peer.session(), answer);
    if (!peer.require(rule<"UMSP-6.6.4.1-14">, VmProbe::object_of(answer).has_value(), "OBJECT", to_text(answer),
                      "Only the VM interprets the data."))
      return;
  }
}

void new_needs_a_session(VmProbe& peer) {
  if (!makes(peer) || !peer.provides(ProfileFlag::without_session) || !peer.make(peer.session(), Opcode::create))
    return;
  peer.expect_refused(rule<"UMSP-6.6.4.1-18">, peer.request(VmProbe::no_session(), peer.new_draft(Opcode::create)),
                      "Without a session there is no job that could own it.");
}

void made_on_the_vm_of_the_session(VmProbe& peer) {
  if (!peer.make(peer.session(), Opcode::create)) return;
  const VmKind own = peer.session().vm;
  const VmKind other{static_cast<std::uint16_t>(own.type ^ 0x0100), own.version};
  peer.expect_refused(rule<"UMSP-6.6.4.1-19">, peer.ask(new_object(Opcode::create, other, {}, {})),
                      "The session is with another VM.");
}

void without_version(VmProbe& peer) {
  if (!makes(peer)) return;
  const auto answer = peer.ask(peer.new_draft(Opcode::create));
  const auto object = VmProbe::object_of(answer);
  if (!peer.show(object.has_value(), "no object was made")) return;
  peer.require(rule<"UMSP-6.6.4.1-20">, object->version == 0 && object->realization == 0, "version 0, realization 0",
               "others", "NEW had zeros.");
}

void name_is_that_of_the_object(VmProbe& peer) {
  const std::string name = peer.ok() ? peer.new_name() : "";
  const auto object = makes_named(peer) ? peer.make(peer.session(), Opcode::create, name) : std::nullopt;
  if (!object) return;
  const auto answer = peer.ask(seek_object(name));
  const auto found = VmProbe::object_of(answer);
  peer.require(rule<"UMSP-6.6.4.1-21">, found && found->number == object->number,
               "OBJECT with the number of the new object", to_text(answer));
}

void objects_end_with_their_job(VmProbe& peer) {
  const auto object = peer.make(peer.session(), Opcode::sys_new);
  const OpenSession other = object ? peer.other_session() : OpenSession{};
  if (!object || !peer.show(peer.reaches(other, *object), "the new object was not reached from another job")) return;
  peer.end_job(peer.session());
  peer.require(rule<"UMSP-6.6.4.1-23">, !peer.reaches(other, *object), "a refusal", "the object was reached",
               "The job that has made the object has ended.");
  peer.show_served(other);
}

void others_do_not_delete(VmProbe& peer) {
  const auto object = peer.make(peer.session(), Opcode::sys_new);
  const OpenSession other = object ? peer.other_session() : OpenSession{};
  if (!object || !peer.show(peer.reaches(other, *object), "the new object was not reached from another job")) return;
  const auto answer = peer.request(other, delete_object(object->number));
  peer.require(rule<"UMSP-6.6.4.3-4">, VmProbe::says_refused(answer) && peer.reaches(peer.session(), *object),
               "a refusal, and the object stays", to_text(answer), "Another job has made it.");
}

const CaseRow kRows[] = {
    {"making/not-of-ranges-one-and-two",
     {&rule<"UMSP-6.6.4-1">},
     "The IUT gives new objects numbers in the ranges III and IV.",
     with<not_of_ranges_one_and_two>()},
    {"making/is-done", {&rule<"UMSP-6.6.4-3">}, "The IUT makes objects for NEW and SYS_NEW.", with<objects_are_made>()},
    {"making/number-identifies",
     {&rule<"UMSP-6.6.4-6">},
     "The IUT reaches no object for a number that no object has.",
     with<number_identifies>()},
    {"making/with-a-name",
     {&rule<"UMSP-6.6.4-7">},
     "The IUT makes objects with names for NEW and SYS_NEW.",
     with<objects_may_have_names>()},
    {"making/ranges-one-and-two-have-no-names",
     {&rule<"UMSP-6.6.4-8">},
     "The IUT reports no name for an object in the ranges I and II.",
     with<numbered_object_has_no_name>()},
    {"making/numbers-differ",
     {&rule<"UMSP-6.6.4-9">},
     "The IUT gives two objects different numbers.",
     with<numbers_differ>()},
    {"making/with-and-without-a-name",
     {&rule<"UMSP-6.6.4.1-8">},
     "The IUT accepts NEW and SYS_NEW with and without a _NAME.",
     with<with_and_without_name>()},
    {"making/sys-new-is-for-all",
     {&rule<"UMSP-6.6.4.1-9">},
     "The IUT lets another job reach an object of SYS_NEW.",
     with<sys_new_is_for_all>()},
    {"making/is-refused",
     {&rule<"UMSP-6.6.4.1-12">},
     "The IUT refuses an object that it cannot make.",
     with<what_cannot_be_made_is_refused>()},
    {"making/any-data",
     {&rule<"UMSP-6.6.4.1-14">},
     "The IUT accepts NEW and SYS_NEW whatever octets their data have.",
     with<data_are_not_looked_into>()},
    {"making/needs-a-session",
     {&rule<"UMSP-6.6.4.1-18">},
     "The IUT refuses NEW without a session.",
     with<new_needs_a_session>()},
    {"making/on-the-vm-of-the-session",
     {&rule<"UMSP-6.6.4.1-19">},
     "The IUT refuses NEW for another VM.",
     with<made_on_the_vm_of_the_session>()},
    {"making/without-a-version",
     {&rule<"UMSP-6.6.4.1-20">},
     "The IUT reports no version for an object without one.",
     with<without_version>()},
    {"making/name-is-registered",
     {&rule<"UMSP-6.6.4.1-21">},
     "The IUT finds a new object by its name.",
     with<name_is_that_of_the_object>()},
    {"making/objects-end-with-their-job",
     {&rule<"UMSP-6.6.4.1-23">},
     "The IUT removes the objects of a job that has ended.",
     with<objects_end_with_their_job>()},
    {"making/others-do-not-delete",
     {&rule<"UMSP-6.6.4.3-4">},
     "The IUT refuses DELETE in another job.",
     with<others_do_not_delete>()},
};

}  // namespace

std::vector<Case> made_objects_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
