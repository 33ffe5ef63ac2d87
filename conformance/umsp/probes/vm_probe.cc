// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/vm_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/umsp/probes/text.h"
#include "reference/octets/hex.h"

namespace wirelaw::umsp {

VmProbe::VmProbe(CaseRun& run) : ExecutorProbe(run) {
  memory_ = memory().value_or(OfferedMemory{});
  if (!ok()) return;
  if (auto opened = open_session()) session_ = *opened;
}

VmProbe::~VmProbe() {
  if (!connected()) return;
  for (const auto& [session, number] : made_) send_afterwards(in(session, delete_object(number)));
}

bool VmProbe::provides(ProfileFlag flag) {
  if (ok() && !has(session_.profile, flag))
    skip(fmt::format("needs an IUT that provides S{} of the profile", static_cast<unsigned>(flag)));
  return ok();
}

bool VmProbe::show(bool holds, std::string_view otherwise) {
  if (!holds) inconclusive(otherwise);
  return ok();
}

void VmProbe::end_job(const OpenSession& session) {
  stimulates_own_rule();
  std::erase_if(made_, [&](const auto& one) { return one.first.gjid == session.gjid; });
  abend(session);
  Draft ended = JobCompletedInfo{.codes = std::nullopt, .gjid = session.gjid}.draft();
  send(ended);
}

// -------------------------------------------------------------------------------------------------------------- memory

std::uint64_t VmProbe::last_address() const {
  const std::size_t octets = memory_octets();
  return octets >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * octets) - 1;
}

std::optional<Address> VmProbe::complete(std::uint64_t address) {
  if (!provides(ProfileFlag::long_addresses)) return std::nullopt;
  constexpr std::size_t kCodes[] = {2, 3, 4, 8};
  const auto* const code = std::ranges::find(kCodes, memory_octets());
  const AddressFormat form{4, 0, static_cast<std::uint8_t>(code - std::begin(kCodes))};
  const auto made = make_address(form, iut().ip, address);
  if (!made) {
    skip("needs an IUT whose addresses have a complete form over IPv4");
    return std::nullopt;
  }
  return *made;
}

std::optional<MemoryAddress> VmProbe::allocate(std::uint32_t octets) {
  const auto response = ask_good(mem_alloc(octets));
  auto at = response && response->is(Opcode::address) ? address_in(response->instruction) : std::nullopt;
  if (!at) inconclusive(fmt::format("MEM_ALLOC got no address: {}", to_text(response)));
  if (at && address_octets() == 2) at->octets = 2;
  return at;
}

// ---------------------------------------------------------------------------------------------------- what is declared

std::string_view VmProbe::text(std::string_view parameter) {
  const std::string_view value = run().parameter(parameter);
  if (value.empty()) skip(fmt::format("needs an IUT that declares '{}'", parameter));
  return value;
}

OctetBuffer VmProbe::hexadecimal(std::string_view parameter) {
  const std::string_view value = text(parameter);
  const auto octets = from_hex(value);
  if (ok() && !octets) skip(fmt::format("'{}' is not hexadecimal", parameter));
  return octets.value_or(OctetBuffer{});
}

std::optional<MemoryAddress> VmProbe::move(std::string_view parameter) {
  const OctetBuffer code = hexadecimal(parameter);
  if (!ok()) return std::nullopt;
  const auto response = ask_good(mvcode(session_.vm, code));
  const auto at = response && response->is(Opcode::address) ? address_in(response->instruction) : std::nullopt;
  if (!at) inconclusive(fmt::format("MVCODE of what '{}' declares got no address: {}", parameter, to_text(response)));
  return at;
}

std::optional<Formatted> VmProbe::formatted(bool with_sender) {
  Formatted one;
  one.procedure = number("formatted").value_or(0);
  if (with_sender && ok()) {
    one.sender.type = static_cast<std::uint16_t>(number("sender_vm").value_or(0));
    one.sender.version = static_cast<std::uint16_t>(number("sender_vm_version").value_or(0));
  }
  if (ok()) one.parameters = hexadecimal(with_sender ? "sender_parameters" : "own_parameters");
  if (ok()) one.returned = hexadecimal(with_sender ? "sender_returned" : "own_returned");
  return ok() ? std::optional(one) : std::nullopt;
}

// ------------------------------------------------------------------------------------------------------------- objects

ObjectKind VmProbe::object() {
  const auto declared = number("object");
  const auto optional = [this](std::string_view parameter) {
    return static_cast<std::uint16_t>(parse_number(run().parameter(parameter)).value_or(0));
  };
  return {static_cast<std::uint32_t>(declared.value_or(0)), optional("object_version"), optional("object_realization")};
}

Draft VmProbe::new_draft(Opcode create_or_sys_new, std::string_view name) {
  const std::string_view declared = run().parameter("object_data");
  const OctetBuffer data = from_hex(declared).value_or(OctetBuffer{});
  return new_object(create_or_sys_new, session_.vm, {}, data, name);
}

std::optional<ObjectKind> VmProbe::object_of(const std::optional<Received>& response) {
  return response && response->is(Opcode::object) ? object_in(response->instruction) : std::nullopt;
}

void VmProbe::delete_later(const OpenSession& session, const std::optional<Received>& answer) {
  if (const auto made = object_of(answer)) made_.emplace_back(session, made->number);
}

std::optional<Received> VmProbe::ask_new(const OpenSession& session, Opcode create_or_sys_new, std::string_view name) {
  auto answer = request(session, new_draft(create_or_sys_new, name));
  if (create_or_sys_new == Opcode::sys_new) delete_later(session, answer);
  return answer;
}

std::optional<ObjectKind> VmProbe::make(const OpenSession& session, Opcode create_or_sys_new, std::string_view name) {
  if (!provides(ProfileFlag::objects) || !provides(ProfileFlag::object_memory)) return std::nullopt;
  const auto response = request_good(session, new_draft(create_or_sys_new, name));
  const auto made = object_of(response);
  if (create_or_sys_new == Opcode::sys_new) delete_later(session, response);
  if (!made) inconclusive(fmt::format("no object was made: {}", to_text(response)));
  return made ? std::optional(ObjectKind{.number = made->number}) : std::nullopt;
}

// Other runs may have left objects, so every case uses its own names. In memory, the port makes them differ.
std::string VmProbe::new_name() {
  const auto ends = connected() ? transport().ends() : std::nullopt;
  return fmt::format("wirelaw.{:016x}.{}.{}", run().nonce(), ends ? ends->tester.port : 0, ++names_);
}

bool VmProbe::reaches(const OpenSession& session, const ObjectKind& object) {
  return says_done(request_good(session, obj_req_data(object, 0, 0)));
}

std::optional<OctetBuffer> VmProbe::data_of(const std::optional<Received>& response, Opcode opcode) {
  if (!response || !response->is(opcode)) return std::nullopt;
  const ExtensionHeader* const header =
      response->instruction.find_extension(static_cast<std::uint16_t>(HeadCode::data));
  const Octets there = header != nullptr ? header->data : response->instruction.operands;
  return OctetBuffer(there.begin(), there.end());
}

}  // namespace wirelaw::umsp
