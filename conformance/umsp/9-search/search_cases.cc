// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 9: the search for virtual machines.
#include <algorithm>
#include <string>
#include <utility>

#include "conformance/umsp/9-search/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/datagram_session.h"
#include "conformance/umsp/probes/header_variants.h"
#include "conformance/umsp/probes/search_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kGreatest = 0xffff;
constexpr std::uint16_t kOneTcp = 0x0100, kSeveralTcp = 0x0101, kOneTcpAndUdp = 0x0102, kSeveralTcpAndUdp = 0x0103;

// A group of the IUT. Skips the case if it has none.
std::optional<Notice> own_group(SearchProbe& peer) {
  const auto has_members = [](const Notice& one) { return one.is_group() && one.vms.size() > 2; };
  for (Notice& notice : peer.ask(request_for({}), one_that(has_members)))
    if (has_members(notice)) return std::move(notice);
  peer.skip("the IUT lists no group of VMs");
  return std::nullopt;
}

Wanted list_of_group(VmKind group) {
  return one_that(
      [group](const Notice& one) { return one.is_group() && one.vms.front() == group && one.vms.size() > 1; });
}

// -------------------------------------------------------------------------------------------------------------- VM_REQ

void vm_req_is_answered(SearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm) return;
  const Notices notices = peer.ask(request_for({*vm}), list_of(*vm));
  peer.require(rule<"UMSP-9.1-1">, lists(notices, *vm), "VM_NOTIF of the requested VM", to_text(notices));
}

void vm_req_without_ask_is_answered(SearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm) return;
  if (!lists(peer.ask(request_for({*vm})), *vm)) return peer.inconclusive("VM_REQ with ASK 1 was not answered");
  const Notices notices = peer.ask_without_id(request_for({*vm}), list_of(*vm));
  peer.require(rule<"UMSP-9.1-4">, lists(notices, *vm), "VM_NOTIF, as with ASK 1", to_text(notices));
}

template <auto kChange>
void vm_req_with_headers_is_answered(SearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm) return;
  if (!lists(peer.ask(request_for({*vm})), *vm)) return peer.inconclusive("a plain VM_REQ was not answered");
  Draft draft = request_for({*vm});
  kChange(draft);
  const Notices notices = peer.ask(std::move(draft), list_of(*vm));
  peer.require(rule<"UMSP-9.1-5">, lists(notices, *vm), "VM_NOTIF, as without extension headers", to_text(notices));
}

void greatest_version_is_named(SearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm) return;
  const Wanted is_named = one_that([&vm](const Notice& one) {
    return one.is_about(*vm) && one.vms.front().version >= vm->version && one.vms.front().version != kGreatest;
  });
  const Notices notices = peer.ask(request_for({{vm->type, kGreatest}}), is_named);
  peer.require(rule<"UMSP-9.1-10">, is_named(notices), "VM_NOTIF with the greatest version of the VM",
               to_text(notices));
}

void all_are_listed(SearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm) return;
  if (!lists(peer.ask(request_for({*vm})), *vm)) return peer.inconclusive("VM_REQ for one VM was not answered");
  const Notices notices = peer.ask(request_for({}), list_of(*vm));
  peer.require(rule<"UMSP-9.1-12">, lists(notices, *vm), "VM_NOTIF of each VM, including this one", to_text(notices));
}

void one_is_listed_alone(SearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm) return;
  const Notices notices = peer.ask(request_for({*vm}));
  if (notices.empty()) return peer.inconclusive("VM_REQ for one VM was not answered");
  const bool alone = std::ranges::all_of(notices, [&vm](const Notice& one) { return one.is_about(*vm); });
  peer.require(rule<"UMSP-9.1-13">, alone, "VM_NOTIF of only the requested VM", to_text(notices));
}

// The IUT sends a separate VM_NOTIF for each group and VM.
void each_has_its_notice(SearchProbe& peer) {
  const Notices notices = peer.ask(request_for({}));
  if (notices.empty()) return peer.skip("the IUT lists no VM");
  const bool apart = std::ranges::all_of(notices, [](const Notice& one) {
    return one.is_group() ? std::ranges::count(one.vms, 0, &VmKind::type) == 1 : one.vms.size() == 1;
  });
  peer.require(rule<"UMSP-9.2-19">, apart, "a VM_NOTIF for each VM and each group", "one of several");
}

void members_find_their_group(SearchProbe& peer) {
  const auto group = own_group(peer);
  if (!group) return;
  const Wanted is_listed = list_of_group(group->vms.front());
  const Notices notices = peer.ask(request_for({group->vms.begin() + 1, group->vms.end()}), is_listed);
  peer.require(rule<"UMSP-9.1-14">, is_listed(notices), "VM_NOTIF of the group that includes them all",
               to_text(notices));
}

void group_is_listed_with_members(SearchProbe& peer) {
  const auto group = own_group(peer);
  if (!group) return;
  const Notices notices = peer.ask(request_for({group->vms.begin() + 1, group->vms.end()}));
  const bool several =
      !notices.empty() && std::ranges::all_of(notices, [](const Notice& one) { return one.vms.size() > 1; });
  peer.require(rule<"UMSP-9.2-23">, several, "VM_NOTIF with the group and its VMs", to_text(notices));
}

// --------------------------------------------------------------------------------------------------------------- names

bool names(const Notices& notices, const std::string& name) {
  return std::ranges::any_of(notices, [&name](const Notice& one) { return one.name == name; });
}

// An entry of the IUT that has a name. Skips the case if there is none.
std::optional<Notice> named_thing(SearchProbe& peer) {
  const auto has_name = [](const Notice& one) { return !one.name.empty(); };
  for (Notice& notice : peer.ask(request_for({}), one_that(has_name)))
    if (has_name(notice)) return std::move(notice);
  peer.skip("the IUT lists nothing that has a name");
  return std::nullopt;
}

void name_is_found(SearchProbe& peer) {
  const auto named = named_thing(peer);
  if (!named) return;
  const Wanted is_found = one_that([&named](const Notice& one) { return one.vms == named->vms; });
  const Notices notices = peer.ask(request_for({}, named->name), is_found);
  peer.require(rule<"UMSP-9-21">, is_found(notices), "VM_NOTIF of the VM or group that has the name", to_text(notices));
}

// The answer to the operands names the requested version, and the name belongs to another entry.
void name_is_answered_apart(SearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm) return;
  const auto is_other = [&vm](const Notice& one) { return !one.name.empty() && !one.is_about(*vm); };
  const Notices all = peer.ask(request_for({}), one_that(is_other));
  const auto other = std::ranges::find_if(all, is_other);
  if (other == all.end()) return peer.skip("the IUT lists nothing else that has a name");
  const Wanted are_both = [&vm, &other](const Notices& notices) {
    return lists(notices, *vm) && names(notices, other->name);
  };
  const Notices notices = peer.ask(request_for({*vm}, other->name), are_both);
  peer.require(rule<"UMSP-9.1-18">, are_both(notices), "VM_NOTIF of the VM, and of the VM or group that has the name",
               to_text(notices));
}

// ---------------------------------------------------------------------------------------------------------- transports

// True if the IUT's notices name UDP. Skips the case otherwise.
bool says_udp(const Notices& notices, SearchProbe& peer) {
  const bool says = std::ranges::any_of(notices, [](const Notice& one) { return one.transport >= kOneTcpAndUdp; });
  if (!says) peer.skip("the IUT does not notify of UDP");
  return says;
}

// Sends VM_REQ by UDP. Returns true if the result can be judged: silence counts only if the request is known to have
// arrived.
bool is_settled_by_udp(SearchProbe& datagrams, VmKind vm, Notices& notices) {
  notices = datagrams.ask(request_for({vm}), list_of(vm));
  if (!datagrams.ok() || lists(notices, vm)) return datagrams.ok();
  DatagramSession session(datagrams.run());
  Draft request = request_for({vm});
  request.req_id = session.new_request();
  return session.ready() && session.passes_over(request, Opcode::vm_notif);
}

void search_goes_over_udp(TcpSearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm) return;
  const Notices by_tcp = peer.ask(request_for({*vm}));
  if (!lists(by_tcp, *vm)) return peer.inconclusive("VM_REQ by TCP was not answered");
  if (!says_udp(by_tcp, peer)) return;
  SearchProbe datagrams(peer.run(), {.datagrams = true});
  Notices notices;
  if (is_settled_by_udp(datagrams, *vm, notices))
    datagrams.require(rule<"UMSP-9-17">, lists(notices, *vm), "VM_NOTIF, as by TCP", to_text(notices));
}

void answer_goes_as_the_request(TcpSearchProbe& peer) {
  const auto vm = peer.own_vm();
  if (!vm || !says_udp(peer.ask(request_for({*vm})), peer)) return;
  SearchProbe datagrams(peer.run(), {.datagrams = true});
  if (!datagrams.ok()) return;
  const Notices by_udp = datagrams.ask(request_for({*vm}));
  const bool by_tcp = !peer.is_silent({Opcode::vm_notif});
  if (by_udp.empty() && !by_tcp) return peer.inconclusive("VM_REQ by UDP was not answered");
  peer.require(rule<"UMSP-9-20">, !by_udp.empty() && !by_tcp, "VM_NOTIF by UDP, like the VM_REQ", "VM_NOTIF by TCP");
}

// True if the IUT's notices list the VM with that transport. Skips the case otherwise.
bool says_transport(TcpSearchProbe& peer, VmKind vm, std::uint16_t transport) {
  const auto says = [vm, transport](const Notice& one) { return one.is_about(vm) && one.transport == transport; };
  const Notices notices = peer.ask(request_for({vm}), one_that(says));
  if (std::ranges::any_of(notices, says)) return true;
  peer.skip("the IUT does not notify of this transport");
  return false;
}

template <std::uint16_t kTransport>
std::optional<OpenSession> over_announced(TcpSearchProbe& peer, const Rule& judged) {
  const auto vm = peer.own_vm();
  if (!vm || !says_transport(peer, *vm, kTransport)) return std::nullopt;
  SessionOpen open = peer.good_open();
  open.required_vm = *vm;
  const std::uint32_t ours = peer.new_session();
  peer.send(peer.first_open(open, ours));
  auto answer = peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
  const bool taken = answer && !answer->is(Opcode::session_reject);
  if (!peer.require(judged, taken, "a session with the VM over TCP", umsp::to_text(answer))) return std::nullopt;
  return peer.finish_opening(open, ours, std::move(answer));
}

void one_tcp_connection(TcpSearchProbe& peer) {
  static_cast<void>(over_announced<kOneTcp>(peer, rule<"UMSP-9.2-9">));
}

template <std::uint16_t kTransport>
void several_tcp_connections(TcpSearchProbe& peer, const Rule& judged) {
  const auto session = over_announced<kTransport>(peer, judged);
  if (!session) return;
  peer.show_served(*session);
  ExecutorProbe beside(peer.run());
  const auto offered = peer.memory();
  if (!peer.ok() || !beside.ok() || !offered) return;
  Draft draft = ExecutorProbe::in(*session, peer.read_draft(offered->address, 2));
  draft.req_id = peer.new_request();
  beside.send(draft);
  auto response = ExecutorProbe::answer_on(beside, *session, *draft.req_id);
  if (!response) response = peer.answer_to(*session, *draft.req_id);
  peer.require(judged, ExecutorProbe::says_done(response),
               "a response to an instruction that came on another connection", umsp::to_text(response));
}

template <std::uint16_t kTransport>
void datagrams_beside(TcpSearchProbe& peer, const Rule& judged) {
  const auto vm = peer.own_vm();
  if (!vm || !says_transport(peer, *vm, kTransport)) return;
  SearchProbe datagrams(peer.run(), {.datagrams = true});
  Notices notices;
  if (is_settled_by_udp(datagrams, *vm, notices))
    datagrams.require(judged, lists(notices, *vm), "an answer to VM_REQ by UDP", to_text(notices));
}

void several_and_datagrams(TcpSearchProbe& peer) {
  datagrams_beside<kSeveralTcpAndUdp>(peer, rule<"UMSP-9.2-12">);
  if (peer.ok()) several_tcp_connections<kSeveralTcpAndUdp>(peer, rule<"UMSP-9.2-12">);
}

// ------------------------------------------------------------------------------------------------------------ VM_NOTIF

// A notice of our node about a VM that does not concern the IUT.
Draft notice_of_ours(std::uint16_t transport = kSeveralTcpAndUdp) {
  return VmNotif{transport, {{50000, 1}}}.draft();
}

// Sends the notice by TCP, and returns the response.
std::optional<Received> response_to(SearchProbe& peer, const Draft& notice) {
  peer.send(notice);
  const Instant deadline = peer.in(peer.run().silence_time());
  while (auto one = peer.next(deadline))
    if (one->is_one_of({Opcode::rsp, Opcode::rsp_p})) return one;
  return std::nullopt;
}

// Sends the notice by UDP. The answer to a VM_REQ in the same datagram shows that it arrived.
std::optional<Received> response_by_udp_to(SearchProbe& peer, const Draft& notice) {
  bool has_come = false;
  for (unsigned tried = 0; tried < kDatagramTries && peer.ok() && !has_come; ++tried) {
    peer.send_together({notice, request_for({})});
    Instant deadline = peer.in(peer.run().answer_time());
    while (auto one = peer.next(deadline)) {
      if (one->is_one_of({Opcode::rsp, Opcode::rsp_p})) return one;
      if (!std::exchange(has_come, true)) deadline = peer.in(peer.run().silence_time());
    }
  }
  if (!has_come) peer.inconclusive("VM_REQ in the same datagram was not answered");
  return std::nullopt;
}

// The IUT neither responds nor ends the connection: only nodes that search for VMs use the notice.
void expect_taken(SearchProbe& peer, std::initializer_list<const Rule*> rules, const Draft& notice) {
  const auto response = peer.is_datagrams() ? response_by_udp_to(peer, notice) : response_to(peer, notice);
  if (!require_each(peer, rules, !response, "no response", umsp::to_text(response)) || peer.is_datagrams()) return;
  if (!require_each(peer, rules, !peer.has_ended(), "the connection continues", "it ended")) return;
  peer.send(peer.first_open(peer.good_open(), peer.new_session()));
  const auto answer = peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
  if (!answer) peer.inconclusive("a SESSION_OPEN after it was not answered");
}

void notice_is_not_answered(SearchProbe& peer) {
  expect_taken(peer, {&rule<"UMSP-9.2-4">}, notice_of_ours());
}
void notice_with_ask_is_taken(SearchProbe& peer) {
  Draft notice = notice_of_ours();
  notice.req_id = peer.new_request();
  expect_taken(peer, {&rule<"UMSP-9.2-3">}, notice);
}
template <auto kChange>
void notice_with_headers_is_taken(SearchProbe& peer) {
  Draft notice = notice_of_ours();
  kChange(notice);
  expect_taken(peer, {&rule<"UMSP-9.2-5">}, notice);
}
void reserved_is_not_looked_at(SearchProbe& peer) {
  Draft notice = notice_of_ours();
  notice.operands[2] = 0x5a;
  notice.operands[3] = 0xa5;
  expect_taken(peer, {&rule<"UMSP-9.2-15">}, notice);
}
// The notice names only TCP; it is sent by TCP and by UDP.
void notice_of_other_transport_is_taken(SearchProbe& peer) {
  expect_taken(peer, {&rule<"UMSP-9.2-28">}, notice_of_ours(kOneTcp));
  if (!peer.ok() || peer.is_datagrams()) return;
  SearchProbe datagrams(peer.run(), {.datagrams = true});
  if (datagrams.ok()) expect_taken(datagrams, {&rule<"UMSP-9.2-28">}, notice_of_ours(kOneTcp));
}

const CaseRow kRows[] = {
    {"search/vm-is-found",
     {&rule<"UMSP-9.1-1">},
     "The IUT answers VM_REQ for a VM of the node with VM_NOTIF.",
     with<vm_req_is_answered>()},
    {"search/vm-is-found-without-ask",
     {&rule<"UMSP-9.1-4">},
     "The IUT answers VM_REQ with ASK 0 like one with ASK 1.",
     with<vm_req_without_ask_is_answered>()},
    {"search/request-with-a-message-is-answered",
     {&rule<"UMSP-9.1-5">},
     "The IUT answers VM_REQ with a _MSG like one without.",
     with<vm_req_with_headers_is_answered<with_message>>()},
    {"search/request-with-alignment-is-answered",
     {&rule<"UMSP-9.1-5">},
     "The IUT answers VM_REQ with an _ALIGNMENT like one without.",
     with<vm_req_with_headers_is_answered<with_alignment>>()},
    {"search/greatest-version-is-named",
     {&rule<"UMSP-9.1-10">},
     "The IUT answers VM_REQ for the greatest version with that version.",
     with<greatest_version_is_named>()},
    {"search/all-are-listed",
     {&rule<"UMSP-9.1-12">},
     "The IUT finds the same VM for VM_REQ without operands as for one by name.",
     with<all_are_listed>()},
    {"search/one-is-listed-alone",
     {&rule<"UMSP-9.1-13">},
     "The IUT finds only the requested VM for VM_REQ for one VM.",
     with<one_is_listed_alone>()},
    {"search/each-has-its-notice",
     {&rule<"UMSP-9.2-19">},
     "The IUT sends one VM_NOTIF for each VM and each group.",
     with<each_has_its_notice>()},
    {"search/members-find-their-group",
     {&rule<"UMSP-9.1-14">},
     "The IUT finds the group that includes the VMs of a VM_REQ for several.",
     with<members_find_their_group>()},
    {"search/group-is-listed-with-its-members",
     {&rule<"UMSP-9.2-23">},
     "The IUT lists the VMs of a group in its VM_NOTIF.",
     with<group_is_listed_with_members>()},
    {"search/name-is-found",
     {&rule<"UMSP-9-21">},
     "The IUT finds the VM or group that has the name for VM_REQ with _NAME.",
     with<name_is_found>()},
    {"search/name-is-answered-apart",
     {&rule<"UMSP-9.1-18">},
     "The IUT answers _NAME in addition to the operands.",
     with<name_is_answered_apart>()},
    {"search/goes-over-udp",
     {&rule<"UMSP-9-17">},
     "The IUT answers VM_REQ by UDP like one by TCP.",
     with<search_goes_over_udp>()},
    {"search/answer-goes-as-the-request",
     {&rule<"UMSP-9-20">},
     "The IUT answers VM_REQ by UDP over UDP.",
     with<answer_goes_as_the_request>()},
    {"search/one-tcp-connection",
     {&rule<"UMSP-9.2-9">},
     "The IUT serves a VM that it announces for one TCP connection over one.",
     with<one_tcp_connection>()},
    {"search/several-tcp-connections",
     {&rule<"UMSP-9.2-10">},
     "The IUT serves a VM that it announces for several TCP connections over two.",
     with<TcpSearchProbe>(
         [](TcpSearchProbe& peer) { several_tcp_connections<kSeveralTcp>(peer, rule<"UMSP-9.2-10">); })},
    {"search/datagrams-beside-tcp",
     {&rule<"UMSP-9.2-11">},
     "The IUT accepts datagrams if it announces TCP and UDP.",
     with<TcpSearchProbe>([](TcpSearchProbe& peer) { datagrams_beside<kOneTcpAndUdp>(peer, rule<"UMSP-9.2-11">); })},
    {"search/datagrams-beside-several-tcp-connections",
     {&rule<"UMSP-9.2-12">},
     "The IUT accepts several TCP connections and datagrams if it announces both.",
     with<several_and_datagrams>()},
    {"search/notice-is-not-answered",
     {&rule<"UMSP-9.2-4">},
     "The IUT sends no response to VM_NOTIF.",
     with<notice_is_not_answered>()},
    {"search/notice-with-ask-is-taken",
     {&rule<"UMSP-9.2-3">},
     "The IUT accepts VM_NOTIF with ASK 1, and sends no response.",
     with<notice_with_ask_is_taken>()},
    {"search/notice-with-a-message-is-taken",
     {&rule<"UMSP-9.2-5">},
     "The IUT accepts VM_NOTIF with a _MSG.",
     with<notice_with_headers_is_taken<with_message>>()},
    {"search/notice-with-alignment-is-taken",
     {&rule<"UMSP-9.2-5">},
     "The IUT accepts VM_NOTIF with an _ALIGNMENT.",
     with<notice_with_headers_is_taken<with_alignment>>()},
    {"search/reserved-operand-is-not-looked-at",
     {&rule<"UMSP-9.2-15">},
     "The IUT accepts VM_NOTIF whatever its reserved operand.",
     with<reserved_is_not_looked_at>()},
    {"search/notice-of-another-transport-is-taken",
     {&rule<"UMSP-9.2-28">},
     "The IUT accepts VM_NOTIF about a transport other than that on which it arrives.",
     with<notice_of_other_transport_is_taken>()},
};

}  // namespace

std::vector<Case> search_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
