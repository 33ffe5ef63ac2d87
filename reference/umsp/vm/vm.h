// SPDX-License-Identifier: Apache-2.0
// A virtual machine of UMSP (RFC 3018 6): it executes the instructions of exchange in the memory of tasks, with objects
// and threads, and forms the responses. It is sans I/O and bounded: whatever the requests, it holds no more than its
// options allow. Overriding a step changes its behaviour.
//
// - Each task has its own memory; a task that has not begun has none. Task 0 is that of the zero-session (5.8).
// - execute() checks and schedules transfers of control, which run in advance() (7.4).
// - A refused instruction changes nothing.
#pragma once

#include <deque>
#include <map>
#include <tl/expected.hpp>
#include <vector>

#include "reference/umsp/execution.h"
#include "reference/umsp/vm/memory.h"
#include "reference/umsp/vm/options.h"
#include "reference/umsp/vm/request.h"
#include "reference/umsp/vm/thread.h"

namespace wirelaw::umsp {

class VirtualMachine : public Executor {
 public:
  explicit VirtualMachine(VmOptions options = {});

  void begin_task(std::uint64_t task) override;
  void end_task(std::uint64_t task) override;
  void forget_node(std::uint64_t task, Octets node) override;

  bool can_execute(const Instruction& instruction, const Circumstances& at) const override;
  Execution execute(const Instruction& instruction, const Circumstances& at, Instant now) override;
  bool grants_buffer(std::uint32_t octets, const Circumstances& at) override;
  void on_response(const Instruction& response, const Circumstances& at) override;

  bool next_response(FromVm& out) override;
  bool next_request(FromVm& out) override;
  void advance(Instant now) override;
  std::optional<Instant> deadline() const override;

  // --- state
  const VmOptions& options() const { return options_; }
  const TaskMemory* memory(std::uint64_t task) const;  // nullptr if the task does not exist
  const ObjectTable& objects() const { return objects_; }
  std::size_t threads() const { return threads_.size(); }
  std::size_t watches() const { return watches_.size(); }
  std::size_t octets_allocated() const { return allocated_; }
  std::size_t octets_queued() const { return queued_; }

 protected:
  struct Task {
    TaskMemory memory;
    std::size_t allocated = 0;  // octets of its memory, objects and watched data
    std::size_t areas = 0;      // number of memory areas
    std::size_t objects = 0;
  };
  using Tasks = std::map<std::uint64_t, Task>;
  template <class Value>
  using Either = tl::expected<Value, Refusal>;
  // Empty: no error.
  using Check = std::optional<Refusal>;
  // The check of an instruction, and its execution.
  struct Service {
    Opcode first, last;
    Check (VirtualMachine::*check)(const Request&) const;
    Execution (VirtualMachine::*perform)(const Request&);
  };

  // --- reading an instruction (request.cc)
  virtual Either<Request> read(const Instruction& instruction, const Circumstances& at) const;
  virtual OperandView place(const Instruction& instruction) const;
  // The task whose memory and objects are used.
  virtual std::uint64_t task_of(const Circumstances& at) const { return at.task; }
  virtual Either<std::uint64_t> local_address(Octets field, const Circumstances& at) const;  // 6
  Either<std::uint64_t> complete_address(const Address& address) const;                      // 2.1
  virtual Either<std::uint64_t> short_address(std::uint64_t given, const Circumstances& at) const;
  virtual Either<std::uint64_t> object_offset(Octets field) const;  // 6.6
  // 9: code for this VM.
  virtual bool runs(std::uint16_t type, std::uint16_t version) const {
    return type == options_.vm_type && version != 0 && version <= options_.vm_version;
  }
  virtual Either<WordOrder> format_of(std::uint16_t type, std::uint16_t version) const;  // 6: the sender's VM
  virtual const Object* find_object(std::uint32_t number) const { return objects_.find(number); }
  virtual bool is_visible(const Object& object, std::uint64_t task) const;
  virtual Octets data_of(const Request& request) const;  // without padding
  Check read_addresses(Request& request) const;
  Check read_data(Request& request) const;
  Check read_vm(Request& request) const;
  Check read_object(Request& request) const;
  void read_name(Request& request) const;

  // --- memory (memory_instructions.cc)
  Check check_req_data(const Request& request) const;
  Check check_write(const Request& request) const;
  Check check_cmp(const Request& request) const;
  Check check_mem_alloc(const Request& request) const;
  Check check_mvcode(const Request& request) const;
  Check check_free(const Request& request) const;
  Check check_syn(const Request& request) const;
  Check check_nothing(const Request&) const { return std::nullopt; }
  Execution perform_req_data(const Request& request);
  Execution perform_write(const Request& request);
  Execution perform_cmp(const Request& request);
  Execution perform_mem_alloc(const Request& request);
  Execution perform_mvcode(const Request& request);
  Execution perform_free(const Request& request);
  Execution perform_syn(const Request& request);
  Execution perform_nothing(const Request& request) { return answer(request, draft_of(Opcode::rsp)); }  // 3.1
  int compare(Octets there, Octets given) const;  // 6.2.3: below, equal to or above 0
  virtual bool write_memory(std::uint64_t task, std::uint64_t address, Octets octets);
  virtual void free_memory(std::uint64_t task, std::uint64_t address) { release_area(task, address); }
  Draft address_of(std::uint64_t address) const;                   // ADDRESS
  virtual bool has_changed(const Watch& watch, Octets now) const;  // 6.5.1
  virtual void report(const Watch& watch, Octets now);
  virtual bool stays_watched(const Watch&) const { return false; }
  void watch_again(std::uint64_t task, std::uint64_t address, std::uint64_t octets);
  void unwatch(std::uint64_t task, const Area& area, std::uint64_t address);

  // --- control (control_instructions.cc)
  Check check_jump(const Request& request) const;
  Check check_mvrun(const Request& request) const;
  Check check_procedure(const Request& request) const;
  Execution perform_jump(const Request& request);
  Execution perform_mvrun(const Request& request);
  Execution perform_procedure(const Request& request);
  virtual const Procedure* find_procedure(const Request& request) const;
  Check check_thread(std::uint64_t task, std::size_t octets) const;
  // Begins a thread with parameters, and before them its code if it has its own.
  Execution begin_thread(const Request& request, std::optional<std::uint64_t> at, Octets code, Octets parameters);

  // --- threads (threads.cc)
  enum class Flow : std::uint8_t { on, yields, waits, ended };
  struct Line;
  using Step = Either<Flow> (VirtualMachine::*)(ThreadId, Thread&, const Line&);
  static const Step kSteps[kOperations];
  Either<Flow> run_one(ThreadId id, Thread& thread);
  Either<Flow> step_raise(ThreadId id, Thread& thread, const Line& line);
  Either<Flow> step_set(ThreadId id, Thread& thread, const Line& line);
  Either<Flow> step_compute(ThreadId id, Thread& thread, const Line& line);
  Either<Flow> step_load(ThreadId id, Thread& thread, const Line& line);
  Either<Flow> step_store(ThreadId id, Thread& thread, const Line& line);
  Either<Flow> step_branch(ThreadId id, Thread& thread, const Line& line);
  Either<Flow> step_return(ThreadId id, Thread& thread, const Line& line);
  Either<Flow> step_yield(ThreadId id, Thread& thread, const Line& line);
  Either<Flow> step_remote(ThreadId id, Thread& thread, const Line& line);
  void run_turn(ThreadId id, std::size_t operations);
  virtual void return_from(const Thread& thread, Octets data);       // 6.3.2
  virtual void raise_from(const Thread& thread, Refusal exception);  // 6.3.1
  void end_thread(ThreadId id);
  // Frees its own memory.
  virtual void release_thread(const Thread& thread) {
    if (thread.own_area) release_area(thread.task, *thread.own_area);
  }
  // Requests to another node (2.3).
  Either<Draft> remote_request(const Thread& thread, Operation operation, const Address& to, Octets data,
                               std::uint64_t octets) const;
  virtual void send_request(const Thread& thread, Draft request);
  // Handles the response for which a thread has waited.
  virtual Either<std::uint64_t> take_response(const Thread& thread, const Instruction& response);

  // --- objects (object_instructions.cc)
  Check check_obj_range(const Request& request) const;
  Check check_get_num_proc(const Request& request) const;
  Check check_new(const Request& request) const;
  Check check_delete(const Request& request) const;
  Check check_obj_seek(const Request& request) const;
  Check check_obj_get_name(const Request& request) const;
  Execution perform_obj_req_data(const Request& request);
  Execution perform_obj_write(const Request& request);
  Execution perform_obj_cmp(const Request& request);
  Execution perform_get_num_proc(const Request& request);
  Execution perform_new(const Request& request);
  Execution perform_delete(const Request& request);
  Execution perform_obj_seek(const Request& request);
  Execution perform_obj_get_name(const Request& request);
  virtual const Object* seek(const Request& request) const { return objects_.find(request.name, request.task); }
  virtual bool takes_name(const Request& request) const;  // for a new object
  virtual bool may_delete(const Object& object, std::uint64_t task) const { return object.maker == task; }
  // 6.6: the longest object.
  virtual bool can_number(std::size_t octets) const {
    return octets == 0 || octets - 1 <= TaskMemory(options_.format.memory_octets()).last_address();
  }
  virtual Object make_object(const Request& request) const;
  void write_object(Object& object, std::uint64_t offset, Octets octets);
  Octets object_data(const Object& object) const { return object.data; }
  virtual void delete_objects_of(std::uint64_t task);  // 6.6.4.1

  // --- answers
  virtual Execution answer(const Request& request, Draft response);
  Execution refuse(const Instruction& instruction, Refusal refusal) const;
  Draft negative(Refusal refusal) const;
  static Draft positive(std::uint16_t additional = 0);
  static Draft data_draft(Opcode opcode, Octets data);
  static Draft object_draft(const Object& object);
  void queue_response(std::uint32_t session, Draft response);
  static std::size_t octets_held(const Draft& draft);
  bool can_queue(std::size_t octets) const;
  bool fetch(std::deque<FromVm>& queue, FromVm& out);

  // --- memory and quotas
  Task* find_task(std::uint64_t task);
  const Task* find_task(std::uint64_t task) const;
  void furnish(TaskMemory& memory) const;  // objects and memory of a new task
  virtual void release_task(std::uint64_t task);
  Check check_room(std::uint64_t task, std::size_t octets) const;    // quotas
  Check check_memory(std::uint64_t task, std::size_t octets) const;  // and the address space
  std::uint64_t allocate(std::uint64_t task, AreaKind kind, OctetBuffer octets);
  void release_area(std::uint64_t task, std::uint64_t address);
  void charge(std::uint64_t task, std::size_t octets);
  void discharge(std::uint64_t task, std::size_t octets);
  std::size_t pending() const { return threads_.size() + watches_.size() + responses_.size(); }

  static const Service* find_service(std::uint8_t opcode);

  VmOptions options_;
  Tasks tasks_;
  ObjectTable objects_;
  std::map<ThreadId, Thread> threads_;
  std::vector<Watch> watches_;
  std::deque<FromVm> responses_;
  std::deque<FromVm> requests_;
  Instant now_{};
  std::size_t allocated_ = 0;  // by all tasks, in octets
  std::size_t queued_ = 0;     // responses and requests, in octets
  ThreadId last_thread_ = 0;
  ThreadId turn_ = 0;  // thread that ran last
  std::uint32_t last_req_id_ = 0;
};

}  // namespace wirelaw::umsp
