// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6.6.4 and 6.6.5: unique names of objects, and the search for objects.
#include "conformance/umsp/6.6-objects/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/datagram_session.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::string_view kNoName = "wirelaw.is.nowhere";
constexpr std::uint32_t kReserved = 0xe000'0001;  // in range V: no object has it

std::string_view declared_name(VmProbe& peer) {
  const std::string_view name = peer.text("object_name");
  return peer.provides(ProfileFlag::object_names) ? name : std::string_view{};
}

// An object of this session, created by `first`, has the name. The IUT refuses `second` with the same name in session
// `other`.
void no_second_of_a_name(VmProbe& peer, const Rule& judged, Opcode first, const OpenSession& other, Opcode second) {
  const std::string name = peer.ok() ? peer.new_name() : "";
  if (!peer.provides(ProfileFlag::object_names) || !peer.make(peer.session(), first, name)) return;
  const auto answer = peer.ask_new(other, second, name);
  if (!peer.require(judged, !VmProbe::object_of(answer), "a refusal", to_text(answer),
                    "There is an object of this name."))
    return;
  const auto free = peer.ask_new(other, second, peer.new_name());
  peer.show(VmProbe::object_of(free).has_value(), "an object with a free name was not made");
}

bool finds(VmProbe& peer, const OpenSession& session, std::string_view name, std::uint32_t number) {
  const auto found = VmProbe::object_of(peer.request(session, seek_object(name)));
  return found && found->number == number;
}

void name_leads_to_the_number(VmProbe& peer) {
  const std::string_view name = declared_name(peer);
  const ObjectKind object = peer.ok() ? peer.object() : ObjectKind{};
  if (!peer.ok()) return;
  const auto answer = peer.ask(seek_object(name));
  const auto found = VmProbe::object_of(answer);
  peer.require(rule<"UMSP-6.6.5-3">, found && found->number == object.number, "OBJECT with the declared number",
               to_text(answer), "Name and number are synonyms.");
}

void name_from_number(VmProbe& peer, const Rule& judged) {
  const std::string_view name = declared_name(peer);
  const ObjectKind object = peer.ok() ? peer.object() : ObjectKind{};
  if (!peer.ok() || !peer.show(finds(peer, peer.session(), name, object.number), "OBJ_SEEK did not find it")) return;
  const auto answer = peer.ask(name_of_object(object.number));
  const auto said = answer ? name_of(answer->instruction) : std::nullopt;
  peer.require(judged, answer && answer->is(Opcode::object) && said == name, "OBJECT with the declared name",
               to_text(answer));
}

void seek_is_answered(VmProbe& peer) {
  const std::string_view name = declared_name(peer);
  if (!peer.ok()) return;
  const auto answer = peer.ask(seek_object(name));
  peer.require(rule<"UMSP-6.6.5.1-3">, answer && answer->is(Opcode::object), "OBJECT", to_text(answer),
               "The node has an object of this name.");
}

void missing_name_is_refused(VmProbe& peer) {
  const std::string_view name = declared_name(peer);
  if (!peer.ok() || !peer.show(VmProbe::object_of(peer.ask_good(seek_object(name))).has_value(), "OBJ_SEEK failed"))
    return;
  peer.expect_refused(rule<"UMSP-6.6.5.1-4">, peer.ask(seek_object(kNoName)), "There is no object of this name.");
}

void missing_number_is_refused(VmProbe& peer) {
  const ObjectKind object = peer.object();
  if (!peer.ok() || !peer.provides(ProfileFlag::object_names)) return;
  if (!peer.show(VmProbe::object_of(peer.ask_good(name_of_object(object.number))).has_value(), "OBJ_GET_NAME failed"))
    return;
  peer.expect_refused(rule<"UMSP-6.6.5.2-6">, peer.ask(name_of_object(kReserved)),
                      "There is no object of this number.");
}

// ------------------------------------------------------------------------------------------------- search by datagram

Draft seek_without_session(std::string_view name, std::uint32_t req_id) {
  Draft draft = seek_object(name);
  draft.session_id = kZeroSession;
  draft.req_id = req_id;
  return draft;
}

// Sends the request that each node gets from a node that searches for an object by broadcast. A datagram may be lost.
template <class Judge>
void seek_by_datagram(VmProbe& peer, Judge judge) {
  constexpr std::uint32_t kReqId = 0x700;
  const std::string_view name = declared_name(peer);
  if (!peer.ok() || !peer.provides(ProfileFlag::without_session)) return;
  Line datagrams(peer.run(), Route{.datagrams = true});
  std::optional<Received> answer;
  for (unsigned tried = 0; tried < kDatagramTries && datagrams.ok() && !answer; ++tried) {
    datagrams.send(seek_without_session(name, kReqId));
    answer = datagrams.next_of({Opcode::object});
  }
  if (datagrams.ok()) judge(datagrams, answer, kReqId);
}

void datagram_is_taken(VmProbe& peer) {
  seek_by_datagram(peer, [&peer](Line& line, const std::optional<Received>& answer, std::uint32_t req_id) {
    if (!answer) {
      DatagramSession session(peer.run());
      if (!session.ready() || !session.passes_over(seek_without_session(declared_name(peer), req_id), Opcode::object))
        return;
    }
    line.require(rule<"UMSP-6.6.5.1-6">, answer.has_value(), "OBJECT by UDP", to_text(answer),
                 "OBJ_SEEK may come by UDP, without a session.");
  });
}

void datagram_req_id_is_repeated(VmProbe& peer) {
  seek_by_datagram(peer, [](Line& line, const std::optional<Received>& answer, std::uint32_t req_id) {
    if (!answer) return line.inconclusive("OBJ_SEEK by UDP was not answered");
    line.require(rule<"UMSP-6.6.5.1-8">, answer->instruction.header.ask && answer->req_id() == req_id,
                 "OBJECT with the REQ_ID of OBJ_SEEK", "another REQ_ID, or none");
  });
}

// A second OBJ_SEEK in the same datagram, which is answered, shows that the datagram arrived.
void datagram_gets_no_refusal(VmProbe& peer) {
  seek_by_datagram(peer, [&peer](Line& line, const std::optional<Received>& answer, std::uint32_t req_id) {
    if (!answer) return line.inconclusive("OBJ_SEEK by UDP was not answered");
    const std::uint32_t unknown = req_id + 1, known = req_id + 2;
    bool has_come = false, is_refused = false;
    for (unsigned tried = 0; tried < kDatagramTries && line.ok() && !has_come && !is_refused; ++tried) {
      line.send_together({seek_without_session(kNoName, unknown), seek_without_session(declared_name(peer), known)});
      Instant deadline = line.in(peer.run().answer_time());
      while (const auto one = line.next(deadline)) {
        is_refused = is_refused || one->is_one_of({Opcode::rsp, Opcode::rsp_p});
        if (!one->is(Opcode::object) || one->req_id() != known) continue;
        has_come = true;
        deadline = line.in(peer.run().silence_time());
      }
    }
    if (!has_come && !is_refused) return line.inconclusive("OBJ_SEEK of a known name is no longer answered");
    line.require(rule<"UMSP-6.6.5.1-9">, !is_refused, "nothing", "a refusal",
                 "A broadcast search for an object also asks nodes that have none.");
  });
}

// Only the job knows the name.
void found_without_session(VmProbe& peer) {
  const std::string name = peer.ok() ? peer.new_name() : "";
  const std::string_view common = declared_name(peer);
  const auto object = peer.ok() ? peer.make(peer.session(), Opcode::create, name) : std::nullopt;
  if (!object || !peer.provides(ProfileFlag::without_session) ||
      !peer.show(finds(peer, peer.session(), name, object->number), "OBJ_SEEK in the job did not find it"))
    return;
  const auto answer = peer.request(VmProbe::no_session(), seek_object(name));
  if (!peer.require(rule<"UMSP-6.6.5.1-7">, !VmProbe::object_of(answer), "no OBJECT", to_text(answer),
                    "OBJ_SEEK without a session belongs to no job, and the object belongs to one."))
    return;
  peer.show(VmProbe::object_of(peer.request_good(VmProbe::no_session(), seek_object(common))).has_value(),
            "OBJ_SEEK without a session found nothing");
}

const CaseRow kRows[] = {
    {"name/not-twice-by-new",
     {&rule<"UMSP-6.6.4-10">},
     "The IUT refuses NEW with the name of an object of the job.",
     with<VmProbe>([](VmProbe& peer) {
       no_second_of_a_name(peer, rule<"UMSP-6.6.4-10">, Opcode::create, peer.session(), Opcode::create);
     })},
    {"name/not-twice-in-a-job",
     {&rule<"UMSP-6.6.5-4">},
     "The IUT refuses SYS_NEW with the name of an object of the job.",
     with<VmProbe>([](VmProbe& peer) {
       no_second_of_a_name(peer, rule<"UMSP-6.6.5-4">, Opcode::create, peer.session(), Opcode::sys_new);
     })},
    {"name/not-twice-on-a-node",
     {&rule<"UMSP-6.6.5-5">},
     "The IUT refuses SYS_NEW with the name of another job's object of SYS_NEW.",
     with<VmProbe>([](VmProbe& peer) {
       const OpenSession other = peer.ok() ? peer.other_session() : OpenSession{};
       no_second_of_a_name(peer, rule<"UMSP-6.6.5-5">, Opcode::sys_new, other, Opcode::sys_new);
     })},
    {"name/leads-to-the-number",
     {&rule<"UMSP-6.6.5-3">},
     "The IUT finds the object with the name that OBJ_SEEK names.",
     with<name_leads_to_the_number>()},
    {"name/from-number-and-back",
     {&rule<"UMSP-6.6.5-6">},
     "The IUT finds the number by the name, and the name by the number.",
     with<VmProbe>([](VmProbe& peer) { name_from_number(peer, rule<"UMSP-6.6.5-6">); })},
    {"name/of-an-object",
     {&rule<"UMSP-6.6.5.2-3">},
     "The IUT answers OBJ_GET_NAME of an object with a name with OBJECT.",
     with<VmProbe>([](VmProbe& peer) { name_from_number(peer, rule<"UMSP-6.6.5.2-3">); })},
    {"name/of-no-object",
     {&rule<"UMSP-6.6.5.2-6">},
     "The IUT refuses OBJ_GET_NAME of an object that does not exist.",
     with<missing_number_is_refused>()},
    {"name/is-found",
     {&rule<"UMSP-6.6.5.1-3">},
     "The IUT answers OBJ_SEEK of an existing object with OBJECT.",
     with<seek_is_answered>()},
    {"name/is-not-found",
     {&rule<"UMSP-6.6.5.1-4">},
     "The IUT refuses OBJ_SEEK of an object that does not exist.",
     with<missing_name_is_refused>()},
    {"name/is-found-by-datagram",
     {&rule<"UMSP-6.6.5.1-6">},
     "The IUT answers OBJ_SEEK by UDP without a session.",
     with<datagram_is_taken>()},
    {"name/of-a-job-needs-its-session",
     {&rule<"UMSP-6.6.5.1-7">},
     "The IUT finds no object of a job for OBJ_SEEK without a session.",
     with<found_without_session>()},
    {"name/req-id-of-a-datagram",
     {&rule<"UMSP-6.6.5.1-8">},
     "The IUT repeats the REQ_ID in its answer to OBJ_SEEK by UDP.",
     with<datagram_req_id_is_repeated>()},
    {"name/datagram-gets-no-refusal",
     {&rule<"UMSP-6.6.5.1-9">},
     "The IUT does not answer OBJ_SEEK by UDP of an object that does not exist.",
     with<datagram_gets_no_refusal>()},
};

}  // namespace

std::vector<Case> object_names_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
