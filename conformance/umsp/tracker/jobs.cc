// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/jobs.h"

#include <algorithm>
#include <iterator>

#include "conformance/umsp/tracker/management_account.h"

namespace wirelaw::umsp {

std::optional<JobNode> job_node_of(const Identifier& identifier) {
  if (!is_assigned(identifier.format)) return std::nullopt;
  return JobNode::ipv4(identifier.node().data());
}

// ------------------------------------------------------------------------------------------------------- what is sent

void Jobs::lose(const JobNode& one, const JobNode& other) {
  for (const JobNode& node : {one, other})
    if (has_room(lost_.size())) lost_.insert(key(node));
}

void Jobs::note_pair(const JobNode& one, const JobNode& other) {
  if (!has_room(peers_.size())) return;
  for (const auto& [here, there] : {std::pair(one, other), std::pair(other, one)})
    if (std::set<NodeKey>& all = peers_[key(here)]; has_room(all.size())) all.insert(key(there));
}

void Jobs::note_job(const JobName& job, const JobNode& initiator, std::uint64_t ltid,
                    const std::optional<std::string>& name) {
  if (!has_room(begun_.size())) return;
  begun_[key(job)] = {.initiator = initiator, .codes = {}};
  note_task({.job = job, .node = initiator, .ltid = ltid, .ctid = job.task, .is_first = true, .name = name});
}

void Jobs::note_opening(const JobOpening& opening) {
  if (has_room(openings_.size())) openings_.push_back(opening);
}

void Jobs::note_asked(const JobNode& node) {
  if (has_room(asked_.size())) asked_.insert(key(node));
}

void Jobs::note_word_of(const JobNode& node, bool answers) {
  if (asked_.erase(key(node)) == 0 || answers) return;
  for (auto& [at, task] : tasks_)
    if (task.node == node) task.ended = true;
}

void Jobs::note_question(const JobName& job, const JobNode& node, std::uint64_t frame) {
  if (!has_room(questions_.size())) return;
  JobQuestion& question = questions_[{key(job), key(node)}];
  if (question.state != JobQuestion::State::confirmed) question = {.frame = frame};
}

void Jobs::note_answer(const JobName& job, const JobNode& node, bool confirmed) {
  const auto found = questions_.find({key(job), key(node)});
  if (found != questions_.end() && found->second.state == JobQuestion::State::waiting)
    found->second.state = confirmed ? JobQuestion::State::confirmed : JobQuestion::State::rejected;
}

void Jobs::note_task(const JobTask& task) {
  if (has_room(tasks_.size())) tasks_[{key(task.job.jcp), key(task.node), task.ltid}] = task;
}

void Jobs::end_tasks_of(const JobNode& jcp, const JobNode& node) {
  for (auto& [at, task] : tasks_)
    if (task.job.jcp == jcp && task.node == node) task.ended = true;
}

void Jobs::owe(const JobTask& to, const std::optional<JobTask>& of, std::int64_t now_ns, std::uint64_t frame) {
  if (asked_.contains(key(to.node)) || !has_room(notices_.size())) return;
  notices_.push_back({.job = to.job,
                      .to = to.node,
                      .of = of ? std::optional(of->node) : std::nullopt,
                      .ltid = of ? of->ltid : 0,
                      .since_ns = now_ns,
                      .frame = frame});
}

void Jobs::end_task(const JobNode& jcp, const JobNode& node, std::uint64_t ctid, const EndCodes& codes,
                    std::int64_t now_ns, std::uint64_t frame) {
  const auto found = std::ranges::find_if(tasks_, [&](const auto& one) {
    const JobTask& task = one.second;
    return !task.ended && task.ctid == ctid && task.job.jcp == jcp && task.node == node;
  });
  if (found == tasks_.end()) return;
  JobTask& ended = found->second;
  ended.ended = true;
  ended.end_codes = codes;
  ended.end_frame = frame;
  ended.end_ns = now_ns;
  questions_.erase({key(ended.job), key(node)});
  // A node whose own task is over is not notified.
  std::erase_if(notices_, [&](const JobNotice& one) { return one.to == node && one.job == ended.job; });
  if (codes.basic == 0) return;
  for (const auto& [at, task] : tasks_)
    if (!task.ended && task.job == ended.job && task.node != node) owe(task, ended, now_ns, frame);
}

void Jobs::end_job(const JobName& job, const JobNode& by, const std::optional<EndCodes>& codes, std::int64_t now_ns,
                   std::uint64_t frame) {
  const auto begun = begun_.find(key(job));
  if (begun != begun_.end() && begun->second.initiator == by) {
    // It is unknown which of two JOB_COMPLETED with different codes the JCP has accepted (UMSP/B53).
    const bool is_repeated = begun->second.completed.has_value();
    if (!is_repeated)
      begun->second.codes = codes;
    else if (begun->second.codes != codes)
      begun->second.codes.reset();
    begun->second.completed = JobEnd{frame, now_ns};
  }
  std::erase_if(notices_, [&](const JobNotice& one) { return one.job == job; });
  for (auto& [at, task] : tasks_) {
    if (task.ended || !(task.job == job)) continue;
    if (task.node != by) owe(task, std::nullopt, now_ns, frame);
    task.ended = true;
    questions_.erase({key(job), key(task.node)});
  }
}

void Jobs::begin_again(const JobNode& jcp, const JobNode& node, std::uint64_t ltid, std::int64_t now_ns,
                       std::uint64_t frame) {
  const auto found = tasks_.find({key(jcp), key(node), ltid});
  if (found == tasks_.end() || found->second.ended || !found->second.is_first) return;
  const JobTask first = found->second;
  for (auto& [at, task] : tasks_) {
    if (task.ended || !(task.job == first.job)) continue;
    const std::size_t owed = notices_.size();
    if (task.node != node) owe(task, first, now_ns, frame);
    if (notices_.size() > owed) notices_.back().begun_again = true;
    task.ended = true;
  }
}

void Jobs::notified_of_task(const JobNode& jcp, const JobNode& to, const JobNode& of, std::uint64_t ltid) {
  const auto is_same = [&](const JobNotice& one) { return one.job.jcp == jcp && one.of == of && one.ltid == ltid; };
  std::erase_if(notices_, [&](const JobNotice& one) { return one.to == to && is_same(one); });
  for (JobNotice& one : notices_) one.others_were |= is_same(one);
  const auto ended = tasks_.find({key(jcp), key(of), ltid});
  if (ended != tasks_.end()) ended->second.ended = true;  // because the JCP has reported it
}

void Jobs::notified_of_job(const JobName& job, const JobNode& to) {
  std::erase_if(notices_, [&](const JobNotice& one) { return one.to == to && one.job == job; });
  for (JobNotice& one : notices_) one.others_were |= !one.of && one.job == job;
  for (auto& [at, task] : tasks_)
    if (task.job == job) task.ended = true;
}

void Jobs::note_state(const JobNode& jcp, const JobNode& node, std::uint64_t ctid, const TaskReport& report) {
  for (auto& [at, task] : tasks_)
    if (!task.ended && task.job.jcp == jcp && task.node == node && task.ctid == ctid) task.report = report;
}

void Jobs::note_reload(const JobNode& jcp, const JobNode& node, std::uint64_t ltid, const TaskReport& report) {
  const auto found = tasks_.find({key(jcp), key(node), ltid});
  if (found != tasks_.end()) found->second.reload = report;
}

void Jobs::note_sent(const JobNode& node, std::int64_t now_ns) {
  if (has_room(sent_.size())) sent_[key(node)] = now_ns;
}

void Jobs::note_work(const JobNode& node, const SessionWork& work) {
  if (has_room(work_.size())) work_[key(node)] = work;
}

void Jobs::note_format(const JobNode& jcp, const AddressFormat& format) {
  if (!has_room(formats_.size())) return;
  const auto [known, is_new] = formats_.try_emplace(key(jcp), format);
  if (!is_new && known->second != format) known->second.reset();
}

void Jobs::note_told(const JobName& job, const JobNode& to, const JobEnd& end) {
  if (has_room(told_.size())) told_[{key(job), key(to)}] = end;
  // The JCP reports the end that the initiator has reported to it.
  const auto begun = begun_.find(key(job));
  if (begun == begun_.end() || !begun->second.completed) return;
  JobEnd& completed = *begun->second.completed;
  if (!completed.received_ns && completed.time_ns <= end.time_ns) completed.received_ns = end.time_ns;
}

void Jobs::note_received(const JobName& job, const JobNode& by, std::int64_t sent_ns, std::int64_t now_ns) {
  const auto note = [&](JobEnd& end) {
    if (end.time_ns == sent_ns && !end.received_ns) end.received_ns = now_ns;
  };
  const auto begun = begun_.find(key(job));
  if (by == job.jcp && begun != begun_.end() && begun->second.completed) note(*begun->second.completed);
  const auto told = told_.find({key(job), key(by)});
  if (told != told_.end()) note(told->second);
}

// ------------------------------------------------------------------------------------------------------ what is known

std::optional<JobEnd> Jobs::told(const JobName& job, const JobNode& node) const {
  const auto found = told_.find({key(job), key(node)});
  return found == told_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TaskReport> Jobs::report_of(const JobNode& node, const JobName& job) const {
  for (const auto& [at, task] : tasks_)
    if (!task.ended && task.node == node && task.job == job) return task.report;
  return std::nullopt;
}

std::optional<TaskReport> Jobs::reload_of(const JobNode& node, const JobName& job) const {
  for (const auto& [at, task] : tasks_)
    if (task.reload && task.node == node && task.job == job && !has_begun_since(job, node, task.reload->where.time_ns))
      return task.reload;
  return std::nullopt;
}

std::optional<std::int64_t> Jobs::latest_of(const JobNode& node) const {
  const auto found = sent_.find(key(node));
  return found == sent_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<SessionWork> Jobs::work_of(const JobNode& node) const {
  const auto found = work_.find(key(node));
  return found == work_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<AddressFormat> Jobs::format_of(const JobNode& jcp) const {
  const auto found = formats_.find(key(jcp));
  return found == formats_.end() ? std::nullopt : found->second;
}

bool Jobs::has_had_task(const JobName& job, const JobNode& node) const {
  return std::ranges::any_of(tasks_, [&](const auto& one) { return one.second.node == node && one.second.job == job; });
}

bool Jobs::has_begun_since(const JobName& job, const JobNode& node, std::int64_t time_ns) const {
  return std::ranges::any_of(tasks_, [&](const auto& one) {
    return one.second.node == node && one.second.job == job && one.second.begun_ns > time_ns;
  });
}

std::optional<JobEnd> Jobs::task_ended_by(const JobNode& node, const JobName& job) const {
  std::optional<JobEnd> end;
  for (const auto& [at, task] : tasks_) {
    if (task.node != node || !(task.job == job)) continue;
    if (!task.ended || !task.end_codes) return std::nullopt;
    end = JobEnd{task.end_frame, task.end_ns};
  }
  return end;
}

bool Jobs::have_met(const JobNode& one, const JobNode& other) const {
  const auto found = peers_.find(key(one));
  return found != peers_.end() && found->second.contains(key(other));
}

bool Jobs::has_peers(const JobNode& node, std::size_t least) const {
  const auto found = peers_.find(key(node));
  return found != peers_.end() && found->second.size() >= least;
}

std::vector<JobOpening> Jobs::openings_at(const JobNode& node, const JobNode& jcp) const {
  std::vector<JobOpening> all;
  std::ranges::copy_if(openings_, std::back_inserter(all),
                       [&](const JobOpening& one) { return one.to == node && one.job.jcp == jcp; });
  return all;
}

const JobQuestion* Jobs::question(const JobName& job, const JobNode& node) const {
  const auto found = questions_.find({key(job), key(node)});
  return found == questions_.end() ? nullptr : &found->second;
}

const JobTask* Jobs::active_elsewhere(const JobNode& jcp, std::uint64_t ctid, const JobNode& node) const {
  const auto found = std::ranges::find_if(tasks_, [&](const auto& one) {
    const JobTask& task = one.second;
    return !task.ended && task.ctid == ctid && task.job.jcp == jcp && task.node != node &&
           !asked_.contains(key(task.node));
  });
  return found == tasks_.end() ? nullptr : &found->second;
}

const JobTask* Jobs::task(const JobNode& jcp, const JobNode& node, std::uint64_t ltid) const {
  const auto found = tasks_.find({key(jcp), key(node), ltid});
  return found == tasks_.end() ? nullptr : &found->second;
}

bool Jobs::has_tasks(const JobNode& jcp, const JobNode& node) const {
  const auto first = tasks_.lower_bound({key(jcp), key(node), 0});
  return first != tasks_.end() && first->second.job.jcp == jcp && first->second.node == node;
}

std::optional<std::string> Jobs::name_of(const JobName& job) const {
  for (const auto& [at, task] : tasks_)
    if (task.job == job && !task.ended && task.name && !asked_.contains(key(task.node))) return task.name;
  return std::nullopt;
}

std::optional<JobNode> Jobs::initiator_of(const JobName& job) const {
  const auto found = begun_.find(key(job));
  return found == begun_.end() ? std::nullopt : std::optional(found->second.initiator);
}

std::optional<EndCodes> Jobs::completion(const JobName& job) const {
  const auto found = begun_.find(key(job));
  return found == begun_.end() ? std::nullopt : found->second.codes;
}

std::optional<JobEnd> Jobs::completed_by(const JobNode& node, const JobName& job) const {
  const auto found = begun_.find(key(job));
  return found == begun_.end() || found->second.initiator != node ? std::nullopt : found->second.completed;
}

bool Jobs::is_named(const JobName& job) const {
  const auto is_it = [&](const auto& one) { return one.job == job; };
  return has_begun(job) || std::ranges::any_of(openings_, is_it) ||
         std::ranges::any_of(tasks_, is_it, [](const auto& one) -> const JobTask& { return one.second; }) ||
         std::ranges::any_of(questions_, [&](const auto& one) { return one.first.first == key(job); });
}

const JobTask* Jobs::active_job(const JobName& job, const JobNode& node, std::uint64_t ltid) const {
  if (asked_.contains(key(node))) return nullptr;
  const auto found = std::ranges::find_if(tasks_, [&](const auto& one) {
    const JobTask& task = one.second;
    return task.is_first && !task.ended && task.job == job && task.node == node && task.ltid != ltid;
  });
  return found == tasks_.end() ? nullptr : &found->second;
}

std::vector<JobNotice> Jobs::notices(const JobNode& jcp, const JobNode& to) const {
  std::vector<JobNotice> all;
  std::ranges::copy_if(notices_, std::back_inserter(all),
                       [&](const JobNotice& one) { return one.job.jcp == jcp && one.to == to; });
  return all;
}

void Jobs::forget_notices(const JobNode& jcp, const JobNode& to) {
  std::erase_if(notices_, [&](const JobNotice& one) { return one.job.jcp == jcp && one.to == to; });
}

std::size_t Jobs::memory() const {
  constexpr std::size_t kNode = 4 * sizeof(void*);  // overhead of a map node
  std::size_t octets = sizeof *this + openings_.capacity() * sizeof(JobOpening) +
                       notices_.capacity() * sizeof(JobNotice) +
                       (asked_.size() + lost_.size()) * (sizeof(NodeKey) + kNode) +
                       tasks_.size() * (sizeof(JobTask) + kMostJobName + kNode + 48) +
                       (questions_.size() + told_.size()) * (sizeof(JobQuestion) + kNode + 48) +
                       begun_.size() * (64 + sizeof(Begun) + kNode) +
                       (sent_.size() + work_.size() + formats_.size()) * (sizeof(NodeKey) + 16 + kNode);
  for (const auto& [node, peers] : peers_) octets += (peers.size() + 1) * (sizeof(NodeKey) + kNode);
  return octets;
}

}  // namespace wirelaw::umsp
