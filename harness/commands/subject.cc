// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/subject.h"

#include <set>
#include <string_view>

#include "conformance/protocol.h"
#include "reports/coverage.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

void note_roles(const std::vector<CaseResult>& cases, std::set<std::string_view>& roles) {
  for (const CaseResult& one : cases)
    if (const Protocol* const protocol = find_protocol(one.protocol))
      for (const Case& known : protocol->cases())
        if (known.id == one.id) roles.insert(known.iut == Role::initiator ? protocol->initiator : protocol->responder);
}

}  // namespace

std::string subject_of(const Results& results) {
  std::string text;
  const auto add = [&](std::string_view before, std::string_view what) {
    if (!what.empty()) text.append(text.empty() ? "" : before).append(what);
  };
  for (const std::string& name : protocols_seen(results)) {
    const Protocol* const one = find_protocol(name);
    add(" and ", one == nullptr ? name : one->title);
  }
  std::set<std::string_view> roles;
  note_roles(results.cases, roles);
  for (const RecordedRun& run : results.runs) note_roles(run.cases, roles);
  if (roles.size() == 1) add(", ", *roles.begin());
  const auto& inputs = results.inputs;
  if (!inputs.empty()) add(": ", inputs.size() == 1 ? inputs.front().name : counted(inputs.size(), "input"));
  return text;
}

}  // namespace wirelaw
