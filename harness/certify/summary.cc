// SPDX-License-Identifier: Apache-2.0
// A statement as text.
#include <fmt/format.h>

#include "harness/certify/demand_counts.h"
#include "harness/certify/statement.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

std::string text_at(const StatementJson& object, const char* key) {
  return printable(object.at(key).get<std::string>());
}

std::string rules_of(const StatementJson& statement) {
  std::string text;
  for (const DemandCount& one : demand_counts(statement.at("rules"))) {
    if (one.rules == 0) continue;
    const std::string verdicts = in_words(one.verdicts);
    text += fmt::format("{:<14}{} {}{}{}\n", text.empty() ? "rules" : "", one.rules, one.words,
                        verdicts.empty() ? "" : ": ", verdicts);
  }
  return text;
}

std::string waivers_of(const StatementJson& statement) {
  std::string text;
  for (const StatementJson& one : statement.at("waivers"))
    text += fmt::format("waiver        {} {}: {}, until {}, by {}: {}\n", text_at(one, "kind"), text_at(one, "id"),
                        text_at(one, "state"), text_at(one, "until"), text_at(one, "owner"), text_at(one, "reason"));
  return text;
}

std::string cases_of(const StatementJson& statement, bool own) {
  const StatementJson cases = cases_that_are(own, statement.at("cases"));
  if (own && cases.empty()) return {};
  return fmt::format("{:<14}{}: {}\n", own ? "own cases" : "cases", cases.size(), in_words(verdicts_of(cases)));
}

}  // namespace

std::string summary_of(const StatementJson& statement) {
  const StatementJson& who = statement.at("implementation");
  const StatementJson& declared = statement.at("declaration");
  const StatementJson& coverage = statement.at("coverage");
  const StatementJson& certificate = statement.at("certificate");
  std::string text =
      fmt::format("{} {}{}{}: {} {}, {}\n", text_at(who, "product"), text_at(who, "version"),
                  text_at(who, "vendor").empty() ? "" : " of ", text_at(who, "vendor"), text_at(declared, "protocol"),
                  text_at(declared, "tested_role"), counted(statement.at("runs").size(), "run"));
  text += rules_of(statement);
  text += cases_of(statement, false) + cases_of(statement, true);
  for (const StatementJson& one : statement.at("features"))
    text += fmt::format("feature       {}: {}\n", text_at(one, "name"), text_at(one, "verdict"));
  text += waivers_of(statement);
  text += fmt::format("coverage      {} of {} demanded rules exercised; profile {} requires {} %\n",
                      coverage.at("exercised").get<std::size_t>(), coverage.at("applicable").get<std::size_t>(),
                      text_at(certificate, "profile"), certificate.at("requires").at("percent").get<unsigned>());
  text += fmt::format("certificate   {}\n", text_at(certificate, "verdict"));
  for (const StatementJson& one : certificate.at("reasons"))
    text += fmt::format("  {}\n", printable(one.get<std::string>()));
  return text;
}

}  // namespace wirelaw
