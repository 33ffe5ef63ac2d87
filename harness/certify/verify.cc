// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/certify/consistency.h"
#include "harness/certify/difference.h"
#include "harness/certify/evidence.h"
#include "harness/certify/recorded_capture.h"
#include "harness/certify/rejudge.h"
#include "harness/certify/stated.h"
#include "harness/certify/statement_page.h"
#include "harness/certify/unrecorded.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::size_t kMostFaults = 20;
constexpr std::string_view kResultHint = "a result is what `wirelaw certify` wrote";

class Verifier {
 public:
  Verifier(const std::string& path, Stated stated, std::string text, const VerifyOptions& options)
      : path_(path),
        folder_(std::filesystem::path(path).parent_path()),
        options_(options),
        stated_(std::move(stated)),
        text_(std::move(text)) {
    program_.version = options.version;
    program_.commit = options.commit;
  }

  Verification run() {
    hash_files();
    if (load_declaration() && load_waivers() && load_runs()) {
      compare_program();
      rejudge_runs();
      compare_statement();
    }
    check_signature();
    note_files_beside();
    return std::move(result_);
  }

 private:
  std::string path_of(const std::string& name) const { return (folder_ / name).string(); }
  bool fault(std::string what) {
    if (result_.faults.size() < kMostFaults)
      result_.faults.push_back(std::move(what));
    else
      ++result_.faults_left_out;
    return false;
  }

  void hash_files() {
    for (const EvidenceFile& one : stated_.evidence.files) {
      const auto digest = digest_of_file(path_of(one.name));
      if (digest) readable_.insert(one.name);
      if (!digest)
        fault(digest.error());
      else if (digest->sha256 != one.digest.sha256)
        fault(fmt::format("{}: its SHA-256 is {}, but the statement has {}", printable(one.name), digest->sha256,
                          printable(one.digest.sha256)));
      else
        ++result_.files;
    }
  }

  // Reads only files that the statement lists.
  tl::expected<std::string, std::string> text_of_file(const std::string& name) const {
    if (!readable_.contains(name)) return tl::make_unexpected(not_there(name));
    return read_file(path_of(name));
  }
  static std::string not_there(const std::string& name) {
    return fmt::format("{}: is missing, or the statement has no SHA-256 of it", printable(name));
  }

  bool load_declaration() {
    const auto text = text_of_file(kDeclarationFile);
    if (!text) return fault(text.error());
    auto declaration = parse_declaration(kDeclarationFile, *text);
    if (!declaration) return fault(declaration.error());
    const Protocol& protocol = *declaration->protocol;
    stated_.evidence.declaration = std::move(*declaration);
    if (stated_.role != protocol.responder && stated_.role != protocol.initiator)
      return fault(
          fmt::format("declaration tested_role: '{}' is not a role of {}", printable(stated_.role), protocol.name));
    stated_.evidence.role = stated_.role == protocol.responder ? Role::responder : Role::initiator;
    return true;
  }

  bool load_waivers() {
    if (!stated_.has_waivers) return true;
    const auto text = text_of_file(kWaiversFile);
    if (!text) return fault(text.error());
    auto waivers = parse_waivers(kWaiversFile, *text);
    if (!waivers) return fault(waivers.error());
    stated_.evidence.waivers = std::move(*waivers);
    return true;
  }

  bool load_runs() {
    for (CertifiedRun& run : stated_.evidence.runs) {
      const auto text = text_of_file(run.result_file);
      if (!text) return fault(text.error());
      auto result = parse_result(run.result_file, *text, kResultHint);
      if (!result) return fault(result.error());
      run.result = std::move(*result);
    }
    return true;
  }

  void compare_program() {
    program_.judged_by = judged_by(*stated_.evidence.declaration.protocol);
    const JudgedBy &here = program_.judged_by, &there = stated_.program.judged_by;
    const auto compare = [&](const std::string& one, const std::string& other, std::string_view what) {
      if (one != other)
        fault(
            fmt::format("the {} of this program differ from those that it was certified with: wirelaw {} (commit "
                        "{}) made the statement, and this is {} (commit {})",
                        what, printable(stated_.program.version), printable(stated_.program.commit), program_.version,
                        program_.commit));
    };
    compare(here.rules, there.rules, "rules");
    compare(here.cases, there.cases, "cases");
    compare(here.rulings, there.rulings, "rulings");
    if (stated_.program.version != program_.version || stated_.program.commit != program_.commit)
      result_.notes.push_back(fmt::format("made by wirelaw {} (commit {}), checked by {} (commit {})",
                                          printable(stated_.program.version), printable(stated_.program.commit),
                                          program_.version, program_.commit));
  }

  void rejudge_runs() {
    Rejudged all;
    for (CertifiedRun& run : stated_.evidence.runs) {
      auto& facts = captures_.emplace_back();
      if (run.capture_file.empty()) {
        ++result_.without_capture;
        const std::string& peer = stated_.evidence.provenance.peer;
        if (is_unrecorded(run.why_no_capture, peer))
          result_.notes.push_back(fmt::format("run {} cannot be judged again: {}", run.number, run.why_no_capture));
        else
          fault(fmt::format("run {} has no capture, and '{}' is not an accepted reason for {}", run.number,
                            printable(run.why_no_capture), printable(peer)));
        continue;
      }
      if (!readable_.contains(run.capture_file)) {
        fault(not_there(run.capture_file));
        continue;
      }
      const RecordedCapture capture = read_capture(path_of(run.capture_file));
      facts = capture.facts;
      run.features = capture.features;
      rejudge(run, capture, stated_.evidence.provenance.peer, all);
      ++result_.captures;
    }
    // First what belongs to another run: it also explains verdicts that differ.
    check_consistency(stated_.evidence, captures_, options_.now, [&](std::string what) { fault(std::move(what)); });
    for (std::string& one : all.faults) fault(std::move(one));
    result_.same = all.same;
    result_.not_judged = std::move(all.not_judged);
  }

  void check_signature() {
    result_.signature = signature_of(path_, options_.signers);
    if (result_.signature.state == Signature::State::bad) fault(result_.signature.said);
  }

  // Made again by the program that it names; differences in the program are reported already.
  void compare_statement() {
    const StatementJson again = statement_of(stated_.evidence, stated_.program);
    std::vector<std::string> lines;
    const std::size_t count = differences(stated_.document, again, kMostFaults, lines);
    result_.faults_left_out += count - lines.size();
    for (std::string& one : lines) fault(std::move(one));
    result_.summary = summary_of(again);
    result_.is_granted = again.at("certificate").at("verdict") != "refused";
    if (is_in_memory(stated_.evidence))
      result_.notes.push_back("the peer is Wirelaw's reference in memory: the statement says nothing about a product");
    compare_page(again);
  }

  // People may have read only the page. Another version of the program may write it differently.
  void compare_page(const StatementJson& statement) {
    const auto page = read_file(path_of(kPageFile));
    if (!page || *page == page_of(statement, kStatementFile, text_)) return;
    const bool same_program = stated_.program.version == program_.version && stated_.program.commit == program_.commit;
    std::string what = fmt::format("{} is not the page of this statement", kPageFile);
    if (same_program)
      fault(std::move(what));
    else
      result_.notes.push_back(what + " as this program writes it");
  }

  void note_files_beside() {
    std::error_code error;
    std::vector<std::string> beside;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.empty() ? "." : folder_, error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(kStatementFile) || name == kPageFile)
        continue;  // the statement, its signatures, and its page
      if (std::ranges::count(stated_.evidence.files, name, &EvidenceFile::name) == 0) beside.push_back(name);
    }
    std::ranges::sort(beside);
    constexpr std::size_t kMost = 10;
    for (std::size_t i = 0; i < std::min(kMost, beside.size()); ++i)
      result_.notes.push_back(
          fmt::format("{} is in the folder, but is not part of the evidence", printable(beside[i])));
  }

  const std::string path_;
  const std::filesystem::path folder_;
  const VerifyOptions& options_;
  Stated stated_;
  std::string text_;  // the statement file's text
  ProgramIdentity program_;
  std::vector<std::optional<CaptureFacts>> captures_;  // one for each run
  std::set<std::string> readable_;                     // files that exist and that the statement names
  Verification result_;
};

}  // namespace

tl::expected<Verification, std::string> verify(const std::string& statement_path, const VerifyOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(statement_path, ignored)) {
    const std::string inside = (std::filesystem::path(statement_path) / kStatementFile).string();
    return tl::make_unexpected(
        std::filesystem::exists(inside, ignored)
            ? fmt::format("{}: is a folder; name the statement in it, {}", printable(statement_path), printable(inside))
            : fmt::format("{}: is a folder without {}, the statement that `wirelaw certify` writes",
                          printable(statement_path), kStatementFile));
  }
  const auto text = read_file(statement_path);
  if (!text) return tl::make_unexpected(text.error());
  auto stated = parse_statement(statement_path, *text);
  if (!stated) return tl::make_unexpected(stated.error());
  return Verifier(statement_path, std::move(*stated), *text, options).run();
}

}  // namespace wirelaw
