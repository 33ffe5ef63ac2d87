// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/stated.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/json_values.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::size_t kMostRuns = 100'000, kMostFiles = 2 * kMostRuns + 10;

class StatementReader {
 public:
  explicit StatementReader(const Json& document) : document_(document) {}

  bool read() {
    return read_program() && read_certificate() && read_declaration() && read_provenance() && read_runs() &&
           read_files();
  }
  Stated take_stated() { return std::move(stated_); }

 private:
  const Json* object(const char* key) const {
    const auto found = document_.find(key);
    return found != document_.end() && found->is_object() ? &*found : nullptr;
  }
  const Json* list(const char* key, std::size_t most) const {
    const auto found = document_.find(key);
    return found != document_.end() && found->is_array() && found->size() <= most ? &*found : nullptr;
  }

  bool read_program() {
    const Json* const one = object("program");
    JudgedBy& by = stated_.program.judged_by;
    return one && take(*one, "version", stated_.program.version) && take(*one, "commit", stated_.program.commit) &&
           take(*one, "rules_sha256", by.rules) && take(*one, "cases_sha256", by.cases) &&
           take(*one, "rulings_sha256", by.rulings);
  }
  bool read_certificate() {
    const Json* const one = object("certificate");
    std::string profile;
    if (!one || !take(*one, "profile", profile)) return false;
    stated_.evidence.profile = find_profile(profile);
    return stated_.evidence.profile != nullptr;
  }
  bool read_declaration() {
    const Json* const one = object("declaration");
    return one && take(*one, "tested_role", stated_.role) && take(*one, "selected_cases", stated_.evidence.cases);
  }
  bool read_provenance() {
    const Json* const one = object("provenance");
    Provenance& to = stated_.evidence.provenance;
    return one && take(*one, "id", to.id) && take(*one, "issued", to.issued) &&
           take(*one, "laboratory", to.laboratory) && take(*one, "issuer", to.issuer) &&
           take(*one, "machine", to.machine) && take(*one, "peer", to.peer) && day_of(to.issued).has_value();
  }

  bool read_runs() {
    const Json* const runs = list("runs", kMostRuns);
    return runs && std::ranges::all_of(*runs, [&](const Json& one) { return one.is_object() && read_run(one); });
  }
  bool read_run(const Json& from) {
    CertifiedRun run;
    std::uint64_t number = 0, seed = 0;
    const auto has_seed = from.find("seed");
    if (!take(from, "run", number) || !take(from, "result", run.result_file) ||
        !take(from, "capture", run.capture_file) || !take(from, "why_no_capture", run.why_no_capture))
      return false;
    if (has_seed != from.end() && !has_seed->is_null()) {
      if (!take(from, "seed", seed)) return false;
      run.seed = seed;
    }
    run.number = static_cast<unsigned>(number);
    stated_.evidence.runs.push_back(std::move(run));
    const CertifiedRun& last = stated_.evidence.runs.back();
    return number == stated_.evidence.runs.size() && is_file_name(last.result_file) &&
           (last.capture_file.empty() || is_file_name(last.capture_file));
  }

  bool read_files() {
    const Json* const files = list("evidence", kMostFiles);
    return files && std::ranges::all_of(*files, [&](const Json& one) {
             EvidenceFile file;
             if (!one.is_object() || !take(one, "file", file.name) || !take(one, "octets", file.digest.octets) ||
                 !take(one, "sha256", file.digest.sha256) || !is_file_name(file.name))
               return false;
             stated_.has_waivers |= file.name == kWaiversFile;
             stated_.evidence.files.push_back(std::move(file));
             return true;
           });
  }

  const Json& document_;
  Stated stated_;
};

}  // namespace

tl::expected<Stated, std::string> parse_statement(const std::string& name, const std::string& text) {
  const auto error = [&](std::string_view what) {
    return tl::make_unexpected(
        fmt::format("{}: {}; a statement is what `wirelaw certify` wrote", printable(name), what));
  };
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) return error("is not JSON");
  if (!document.is_object()) return error("is not a statement");
  const auto schema = document.find("schema");
  if (schema == document.end() || *schema != kStatementSchema)
    return error(fmt::format("does not contain \"schema\": \"{}\"", kStatementSchema));
  StatementReader reader(document);
  if (!reader.read()) return error("does not have the form of a statement");
  Stated stated = reader.take_stated();
  stated.document = StatementJson::parse(text, nullptr, false);
  return stated;
}

}  // namespace wirelaw
