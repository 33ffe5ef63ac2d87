// SPDX-License-Identifier: Apache-2.0
// What the cases of section 6 speak through: a session with the IUT, and what its virtual machine offers there.
//
// It is not shown to serve yet, as many of these cases are about that: show_served(session()) is for the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/umsp/probes/executor_probe.h"
#include "reference/umsp/object_exchange.h"

namespace wirelaw::umsp {

// What is called with parameters, and what it returns then.
struct Formatted {
  std::uint64_t procedure = 0;
  VmKind sender = {};
  OctetBuffer parameters, returned;
};

class VmProbe : public ExecutorProbe {
 public:
  explicit VmProbe(CaseRun& run);
  VmProbe(CaseRun& run, const Route& route) : ExecutorProbe(run, route) {}  // without a session
  // Deletes what SYS_NEW has made, which would outlive the run. What NEW has made ends with its job.
  ~VmProbe() override;

  const OpenSession& session() const { return session_; }
  // Of another job, over the same connection.
  OpenSession other_session() { return open_session().value_or(OpenSession{}); }
  static OpenSession no_session() { return {}; }
  // The case is skipped where the IUT's side of the session does not provide this.
  bool provides(ProfileFlag flag);
  // What has to be so before the case can show anything.
  bool show(bool holds, std::string_view otherwise);
  std::optional<Received> ask(Draft draft) { return request(session_, std::move(draft)); }
  std::optional<Received> ask_good(Draft draft) { return request_good(session_, std::move(draft)); }
  // Ends the job of a session: its control point, which is ours, notifies of it.
  void end_job(const OpenSession& session);

  // --- memory
  std::uint64_t address() const { return memory_.address; }
  std::size_t octets() const { return memory_.octets; }
  std::size_t word() const { return address_octets() == 2 ? 2 : 4; }  // the least that WRITE takes
  OctetBuffer fresh_word() { return fresh(word()); }
  // The last one that an address can be: two octets there are no memory.
  std::uint64_t last_address() const;
  // A complete address of sixteen octets; the case is skipped where the IUT does not take them.
  std::optional<Address> complete(std::uint64_t address);
  std::optional<Received> compare(std::uint64_t address, Octets octets) { return ask(compare_draft(address, octets)); }
  std::optional<MemoryAddress> allocate(std::uint32_t octets);

  // --- code and objects that are declared; each is a skip where it is not
  std::string_view text(std::string_view parameter);
  OctetBuffer hexadecimal(std::string_view parameter);
  // Moves the code of a parameter: the address at which it is called.
  std::optional<MemoryAddress> move(std::string_view parameter);
  std::optional<Formatted> formatted(bool with_sender);
  ObjectKind object();
  std::uint32_t object_octets() { return static_cast<std::uint32_t>(number("object_octets").value_or(0)); }

  // --- objects that are made
  Draft new_draft(Opcode create_or_sys_new, std::string_view name = {});
  std::optional<Received> ask_new(const OpenSession& session, Opcode create_or_sys_new, std::string_view name = {});
  std::optional<Received> ask_new(Opcode create_or_sys_new, std::string_view name = {}) {
    return ask_new(session_, create_or_sys_new, name);
  }
  // The answer to SYS_NEW: its object is deleted when the case ends.
  void delete_later(const OpenSession& session, const std::optional<Received>& answer);
  // The number of the new object; nothing, and inconclusive, where none is made.
  std::optional<ObjectKind> make(const OpenSession& session, Opcode create_or_sys_new, std::string_view name = {});
  // No case has used it before.
  std::string new_name();
  static std::optional<ObjectKind> object_of(const std::optional<Received>& response);
  // Whether the object can be reached: it is asked for its data, of which it need not have any.
  bool reaches(const OpenSession& session, const ObjectKind& object);

  // Octets of data in an answer, wherever they are; nothing where it has none.
  static std::optional<OctetBuffer> data_of(const std::optional<Received>& response, Opcode opcode);

 private:
  OfferedMemory memory_;
  OpenSession session_;
  unsigned names_ = 0;
  std::vector<std::pair<OpenSession, std::uint32_t>> made_;  // by SYS_NEW
};

}  // namespace wirelaw::umsp
