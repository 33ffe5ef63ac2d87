// SPDX-License-Identifier: Apache-2.0
// The probe for cases of section 6: a session with the IUT, and the facilities of its virtual machine.
//
// The session is not shown to work yet, since many of these cases test that; the others call show_served(session()).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/umsp/probes/executor_probe.h"
#include "reference/umsp/object_exchange.h"

namespace wirelaw::umsp {

// The parameters of a call, and the data that it returns.
struct Formatted {
  std::uint64_t procedure = 0;
  VmKind sender = {};
  OctetBuffer parameters, returned;
};

class VmProbe : public ExecutorProbe {
 public:
  explicit VmProbe(CaseRun& run);
  VmProbe(CaseRun& run, const Route& route) : ExecutorProbe(run, route) {}  // without a session
  // Deletes objects of SYS_NEW, which would outlive the run. Objects of NEW end with their job.
  ~VmProbe() override;

  const OpenSession& session() const { return session_; }
  // A session of another job, on the same connection.
  OpenSession other_session() { return open_session().value_or(OpenSession{}); }
  static OpenSession no_session() { return {}; }
  // True if the IUT's side of the session provides this. The case is skipped otherwise.
  bool provides(ProfileFlag flag);
  // Requires a precondition; the case is inconclusive otherwise.
  bool show(bool holds, std::string_view otherwise);
  std::optional<Received> ask(Draft draft) { return request(session_, std::move(draft)); }
  std::optional<Received> ask_good(Draft draft) { return request_good(session_, std::move(draft)); }
  // Ends the job of a session: its control point, a node of ours, sends the notice.
  void end_job(const OpenSession& session);

  // --- memory
  std::uint64_t address() const { return memory_.address; }
  std::size_t octets() const { return memory_.octets; }
  std::size_t word() const { return address_octets() == 2 ? 2 : 4; }  // octets of the shortest data in WRITE
  OctetBuffer fresh_word() { return fresh(word()); }
  // The highest possible address. Two octets do not fit there.
  std::uint64_t last_address() const;
  // A complete address of 16 octets. The case is skipped if the IUT does not accept them.
  std::optional<Address> complete(std::uint64_t address);
  std::optional<Received> compare(std::uint64_t address, Octets octets) { return ask(compare_draft(address, octets)); }
  std::optional<MemoryAddress> allocate(std::uint32_t octets);

  // --- declared code and objects; each call skips the case if its parameter is not declared
  std::string_view text(std::string_view parameter);
  OctetBuffer hexadecimal(std::string_view parameter);
  // Moves the code of a parameter, and returns the address to call.
  std::optional<MemoryAddress> move(std::string_view parameter);
  std::optional<Formatted> formatted(bool with_sender);
  ObjectKind object();
  std::uint32_t object_octets() { return static_cast<std::uint32_t>(number("object_octets").value_or(0)); }

  // --- created objects
  Draft new_draft(Opcode create_or_sys_new, std::string_view name = {});
  std::optional<Received> ask_new(const OpenSession& session, Opcode create_or_sys_new, std::string_view name = {});
  std::optional<Received> ask_new(Opcode create_or_sys_new, std::string_view name = {}) {
    return ask_new(session_, create_or_sys_new, name);
  }
  // Notes the object in the answer to SYS_NEW, which is deleted when the case ends.
  void delete_later(const OpenSession& session, const std::optional<Received>& answer);
  // The new object; none, and inconclusive, if it is not created.
  std::optional<ObjectKind> make(const OpenSession& session, Opcode create_or_sys_new, std::string_view name = {});
  // A name that no case has used before.
  std::string new_name();
  static std::optional<ObjectKind> object_of(const std::optional<Received>& response);
  // True if the object can be reached: a request for its data gets a positive answer, though it need not have data.
  bool reaches(const OpenSession& session, const ObjectKind& object);

  // The data in an answer, in operands or a header; none if it has no data.
  static std::optional<OctetBuffer> data_of(const std::optional<Received>& response, Opcode opcode);

 private:
  OfferedMemory memory_;
  OpenSession session_;
  unsigned names_ = 0;
  std::vector<std::pair<OpenSession, std::uint32_t>> made_;  // objects of SYS_NEW with their sessions
};

}  // namespace wirelaw::umsp
