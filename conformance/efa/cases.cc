// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/cases.h"

#include <algorithm>
#include <vector>

#include "conformance/efa/efa.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {

std::vector<const Rule*> trace_rules(std::initializer_list<std::string_view> globs) {
  std::vector<const Rule*> some;
  for (const Rule* rule : kProtocol.catalogue().rules())
    if (rule->observable == Observable::trace &&
        std::ranges::any_of(globs, [&](std::string_view glob) { return matches_glob(glob, rule->id); }))
      some.push_back(rule);
  return some;
}

const CaseSuite& suite() {
  static const CaseSuite kSuite{
      {.cases = base_header_cases()},
      {.cases = handshake_cases()},
      {.cases = raw_address_header_cases()},
      {.cases = req_cases()},
      {.cases = msg_id_cases()},
      {.cases = eager_cases()},
      {.cases = medium_cases()},
      {.cases = longcts_cases()},
      {.cases = cts_cases()},
      {.cases = truncated_cases()},
      {.cases = requester_runs_cases()},
      {.cases = message_requester_cases()},
      {.cases = write_cases()},
      {.cases = read_cases()},
      {.cases = atomic_cases()},
      {.cases = one_sided_requester_cases()},
      {.cases = long_read_cases()},
      {.cases = delivery_complete_cases()},
      {.cases = receipt_to_requester_cases()},
      {.cases = connid_cases()},
      {.cases = runting_read_cases()},
      {.cases = direct_write_cases()},
      {.cases = read_nack_cases()},
      {.cases = user_recv_qp_cases()},
      {.cases = peer_error_cases()},
      {.cases = padding_cases()},
      {.cases = stray_answer_cases()},
      {.cases = application_endpoint_cases()},
      {.cases = application_message_cases()},
      {.cases = application_one_sided_cases()},
      {.cases = application_delivery_cases()},
      {.cases = application_rdma_cases()},
  };
  return kSuite;
}

std::span<const BreachList> breaches() {
  static const std::vector<Breach> kBreaches = breaches_of(kProtocol.catalogue().rules());
  static const BreachList kAll[] = {kBreaches};
  return kAll;
}

bool is_broken_by(const Breach& breach, wirelaw::Role role) {
  const wirelaw::Role who = breach.where.who == kEither ? breach.rule->subject : breach.where.who;
  return who == kEither || who == role;
}

}  // namespace wirelaw::efa
