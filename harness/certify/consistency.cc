// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/consistency.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "harness/certify/digest.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using std::chrono::sys_seconds;

// Two correct runs with fewer frames or octets may be equal by chance.
constexpr std::uint64_t kFewFrames = 8, kFewOctets = 100;
// The clocks of two machines may differ by this much.
constexpr std::chrono::minutes kClocks{10};
// `certify` issues a statement when its last run has ended; its last cases may have waited in silence.
constexpr std::chrono::hours kMostDelay{24};

std::string digest_of(const EvidenceSet& evidence, std::string_view file) {
  const auto found = std::ranges::find(evidence.files, file, &EvidenceFile::name);
  return found == evidence.files.end() ? std::string() : found->digest.sha256;
}

std::string in_words(std::int64_t time_ns) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(time_ns / 1'000'000'000)));
}

class Consistency {
 public:
  Consistency(const EvidenceSet& evidence, std::span<const std::optional<CaptureFacts>> captures,
              const std::function<void(std::string)>& fault)
      : evidence_(evidence), captures_(captures), fault_(fault) {}

  void check(sys_seconds now) {
    for (std::size_t at = 0; at < evidence_.runs.size(); ++at) {
      const CertifiedRun& run = evidence_.runs[at];
      if (run.seed && !is_in_memory(evidence_))
        fault("the statement has a seed for run {}, which only a peer in memory has", run.number);
      check_identity(run);
      if (!captures_[at]) continue;
      check_recording(run, *captures_[at]);
      check_frames(run, *captures_[at]);
    }
    check_number_of_runs();
    for (std::size_t a = 0; a < evidence_.runs.size(); ++a)
      for (std::size_t b = a + 1; b < evidence_.runs.size(); ++b) compare(a, b);
    check_dates(now);
  }

 private:
  template <class... Args>
  void fault(fmt::format_string<Args...> text, Args&&... args) {
    fault_(fmt::format(text, std::forward<Args>(args)...));
  }

  // --- each result is of this certification
  void check_identity(const CertifiedRun& run) {
    const std::string name = printable(run.result_file);
    if (!run.result.identity)
      return fault("{} does not say which certification it is from; `wirelaw certify` writes that", name);
    const RunIdentity& is = *run.result.identity;
    if (is.number != run.number)
      fault("{} is the result of run {}, but the statement has it as run {}", name, is.number, run.number);
    if (is.certification != evidence_.provenance.id) fault("{} is from another certification: its id differs", name);
    const Declaration& declared = evidence_.declaration;
    if (is.product != declared.product || is.version != declared.version)
      fault("{} is about {} {}, but {} declares {} {}", name, printable(is.product), printable(is.version),
            kDeclarationFile, printable(declared.product), printable(declared.version));
    if (is.declaration_sha256 != digest_of(evidence_, kDeclarationFile))
      fault("{} was made with another {}", name, kDeclarationFile);
    if (is.waivers_sha256 != digest_of(evidence_, kWaiversFile))
      fault("{} was made with {} {}", name, is.waivers_sha256.empty() ? "no" : "another", kWaiversFile);
    if (is.scripts_sha256 != scripts_sha256(evidence_.files)) fault("{} was made with other scripts", name);
    if (is.profile != evidence_.profile->name)
      fault("{} was made for profile {}, but the statement has {}", name, printable(is.profile),
            evidence_.profile->name);
    if (is.machine != evidence_.provenance.machine)
      fault("{} was made on the machine {}, but the statement has {}", name, printable(is.machine),
            printable(evidence_.provenance.machine));
  }

  // Only a lost peer ends a certification early.
  void check_number_of_runs() {
    if (evidence_.runs.empty() || !evidence_.runs.back().result.identity) return;
    const std::uint64_t planned = evidence_.runs.back().result.identity->runs, there = evidence_.runs.size();
    if (planned == there || (planned > there && evidence_.runs.back().result.end == "peer-lost")) return;
    fault("{} planned, but the statement has {}", planned == 1 ? "1 run was" : fmt::format("{} runs were", planned),
          there);
  }

  // --- each recording is of its run
  void check_recording(const CertifiedRun& run, const CaptureFacts& facts) {
    if (!run.result.identity) return;
    const RunIdentity& is = *run.result.identity;
    if (facts.run != is.run)
      fault("{} is the recording of another run than {}: its run id is '{}', not '{}'", printable(run.capture_file),
            printable(run.result_file), printable(facts.run), printable(is.run));
    else if (fmt::format("run={} certification={}", facts.run, facts.certification) != mark_of(is))
      fault("{} was recorded for other values of \"certification\" than {} has", printable(run.capture_file),
            printable(run.result_file));
  }

  void check_frames(const CertifiedRun& run, const CaptureFacts& facts) {
    constexpr int kMost = 3;  // where frames are missing, nearly all cases have lost theirs
    int wrong = 0;
    for (const ResultFile::Case& one : run.result.cases) {
      if (wrong == kMost) break;
      if (one.first_frame == 0 && one.last_frame == 0) continue;
      const std::string what = fmt::format("case {}: {} gives it the frames {} to {}", printable(one.id),
                                           printable(run.result_file), one.first_frame, one.last_frame);
      std::string but;
      if (one.first_frame == 0 || one.first_frame > one.last_frame || one.last_frame > facts.frames)
        but = fmt::format("{} has {}", printable(run.capture_file), counted(facts.frames, "frame"));
      else if (facts.is_synthetic)
        but = wrong_beginning(one, facts);
      if (but.empty()) continue;
      ++wrong;
      fault("{}, but {}", what, but);
    }
    for (const ResultFile::Finding& one : run.result.findings)
      if (one.frame > facts.frames)
        return fault("{}: {} gives a finding the frame {}, but {} has {}", printable(one.rule),
                     printable(run.result_file), one.frame, printable(run.capture_file),
                     counted(facts.frames, "frame"));
  }

  // Returns an error if the case's first frame does not begin it, or a later frame begins another case. Empty if all is
  // right.
  static std::string wrong_beginning(const ResultFile::Case& one, const CaptureFacts& facts) {
    const auto begun = facts.begins.find(one.first_frame);
    if (begun == facts.begins.end() || begun->second != one.id)
      return fmt::format("frame {} does not begin it", one.first_frame);
    const auto next = std::next(begun);
    if (next == facts.begins.end() || next->first > one.last_frame) return {};
    return fmt::format("frame {} begins another", next->first);
  }

  // --- each run is there once
  void compare(std::size_t a, std::size_t b) {
    const CertifiedRun &one = evidence_.runs[a], &other = evidence_.runs[b];
    if (one.result.identity && other.result.identity && one.result.identity->run == other.result.identity->run)
      fault("runs {} and {} are one run: both have the id {}", one.number, other.number,
            printable(one.result.identity->run));
    if (one.seed && one.seed == other.seed) fault("runs {} and {} have the same seed", one.number, other.number);
    if (is_in_memory(evidence_) || !captures_[a] || !captures_[b]) return;  // virtual time repeats itself
    const CaptureFacts &first = *captures_[a], &second = *captures_[b];
    const bool same_octets = first.octets == second.octets && first.frames >= kFewOctets && !first.is_rendered;
    if (first.frames >= kFewFrames && first.intervals == second.intervals)
      fault("{} and {} are one recording: their frames have the same intervals, to the nanosecond",
            printable(one.capture_file), printable(other.capture_file));
    else if (same_octets)
      fault("{} and {} are one recording: all {} frames have the same octets", printable(one.capture_file),
            printable(other.capture_file), first.frames);
    if (b == a + 1 && first.frames > 0 && second.frames > 0 && second.first_ns < first.last_ns)
      fault("run {} begins at {}, before run {} ends at {}; runs follow each other", other.number,
            in_words(second.first_ns), one.number, in_words(first.last_ns));
  }

  // --- the statement is later than its evidence
  void check_dates(sys_seconds now) {
    const auto issued = time_of(evidence_.provenance.issued);
    if (!issued) return;
    if (*issued > now + kClocks)
      fault("it was issued at {}, which is in the future: this machine's clock has {:%Y-%m-%dT%H:%M:%SZ}",
            evidence_.provenance.issued, fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
    if (is_in_memory(evidence_)) return;
    std::int64_t last_ns = 0;
    for (const auto& one : captures_) last_ns = std::max(last_ns, one ? one->last_ns : 0);
    if (last_ns == 0) return;
    const sys_seconds last{std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(last_ns))};
    if (*issued < last)
      fault("it was issued at {}, before the last frame of its captures ({})", evidence_.provenance.issued,
            in_words(last_ns));
    if (*issued > last + kMostDelay)
      fault("it was issued at {}, long after the last frame of its captures ({})", evidence_.provenance.issued,
            in_words(last_ns));
  }

  const EvidenceSet& evidence_;
  const std::span<const std::optional<CaptureFacts>> captures_;
  const std::function<void(std::string)>& fault_;
};

}  // namespace

std::string mark_of(const RunIdentity& identity) {
  return fmt::format("run={} certification={}", identity.run, sha256_of(json_of_identity(identity)));
}

bool is_in_memory(const EvidenceSet& evidence) {
  return evidence.provenance.peer.starts_with("memory:");
}

void check_consistency(const EvidenceSet& evidence, std::span<const std::optional<CaptureFacts>> captures,
                       sys_seconds now, const std::function<void(std::string)>& fault) {
  Consistency(evidence, captures, fault).check(now);
}

}  // namespace wirelaw
