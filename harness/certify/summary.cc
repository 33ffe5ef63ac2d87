// SPDX-License-Identifier: Apache-2.0
// A statement for people.
#include <fmt/format.h>

#include <map>

#include "harness/certify/statement.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

std::string text_at(const StatementJson& object, const char* key) {
  return printable(object.at(key).get<std::string>());
}

std::string counts_of(const StatementJson& list) {
  std::map<std::string, std::size_t> counts;
  for (const StatementJson& one : list) ++counts[text_at(one, "verdict")];
  std::string text;
  for (const auto& [verdict, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
  return text;
}

std::string waivers_of(const StatementJson& statement) {
  std::string text;
  for (const StatementJson& one : statement.at("waivers"))
    text += fmt::format("waiver        {} {}: {}, until {}, by {}: {}\n", text_at(one, "kind"), text_at(one, "id"),
                        text_at(one, "state"), text_at(one, "until"), text_at(one, "owner"), text_at(one, "reason"));
  return text;
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
  text += fmt::format("rules         {}: {}\n", statement.at("rules").size(), counts_of(statement.at("rules")));
  text += fmt::format("cases         {}: {}\n", statement.at("cases").size(), counts_of(statement.at("cases")));
  for (const StatementJson& one : statement.at("features"))
    text += fmt::format("feature       {}: {}\n", text_at(one, "name"), text_at(one, "verdict"));
  text += waivers_of(statement);
  text += fmt::format("coverage      {} of {} applicable mandatory rules exercised; profile {} requires {} %\n",
                      coverage.at("exercised").get<std::size_t>(), coverage.at("applicable").get<std::size_t>(),
                      text_at(certificate, "profile"), certificate.at("requires").at("percent").get<unsigned>());
  text += fmt::format(
      "              also {} of {} rules that no case of this role is about; {} cannot be tested in this role\n",
      coverage.at("incidental").at("exercised").get<std::size_t>(),
      coverage.at("incidental").at("rules").get<std::size_t>(), coverage.at("not_testable").get<std::size_t>());
  text += fmt::format("certificate   {}\n", text_at(certificate, "verdict"));
  for (const StatementJson& one : certificate.at("reasons"))
    text += fmt::format("  {}\n", printable(one.get<std::string>()));
  return text;
}

}  // namespace wirelaw
