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
      base_header_cases(),
      handshake_cases(),
      raw_address_header_cases(),
      req_cases(),
      msg_id_cases(),
      eager_cases(),
      medium_cases(),
      longcts_cases(),
      cts_cases(),
      truncated_cases(),
      requester_runs_cases(),
      message_requester_cases(),
      write_cases(),
      read_cases(),
      atomic_cases(),
      one_sided_requester_cases(),
      long_read_cases(),
      delivery_complete_cases(),
      receipt_to_requester_cases(),
      connid_cases(),
      runting_read_cases(),
      direct_write_cases(),
      read_nack_cases(),
      user_recv_qp_cases(),
      peer_error_cases(),
      padding_cases(),
      stray_answer_cases(),
      application_endpoint_cases(),
      application_message_cases(),
      application_one_sided_cases(),
      application_delivery_cases(),
      application_rdma_cases(),
  };
  return kSuite;
}

std::span<const BreachList> breaches() {
  static const std::vector<Breach> kBreaches = breaches_of(kProtocol.catalogue().rules());
  static const BreachList kAll[] = {kBreaches};
  return kAll;
}

bool is_broken_by(const Breach& breach, Role role) {
  const Role who = breach.where.who == kEither ? breach.rule->subject : breach.where.who;
  return includes(who, role);
}

}  // namespace wirelaw::efa
