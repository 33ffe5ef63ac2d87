// SPDX-License-Identifier: Apache-2.0
// The one answer to a chain (RFC 3018 7.5): it comes when all of the chain was executed, and is the response of the VM
// that tells most. A refusal comes before data, an address and the like, and those before RSP.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/umsp/chains/refusal.h"
#include "reference/umsp/draft.h"

namespace wirelaw::umsp {

struct Answer {
  std::optional<std::uint32_t> req_id = {};    // the first instruction's REQ_ID
  std::optional<std::uint32_t> executed = {};  // the REQ_ID of EXEC_TR
  std::optional<Draft> best = {};
  std::uint32_t outstanding = 0;  // responses that the VM will give later
  bool given = false;

  bool is_asked() const { return req_id || executed; }
  // The REQ_ID with which the VM is to respond.
  std::optional<std::uint32_t> asks() const { return req_id ? req_id : executed; }

  void add(Draft response) {
    if (!best || rank(response) >= rank(*best)) best = std::move(response);
  }

 private:
  static int rank(const Draft& response) {
    if (!response.is(Opcode::rsp) && !response.is(Opcode::rsp_p)) return 1;
    return codes_of(response).positive() ? 0 : 2;
  }
};

}  // namespace wirelaw::umsp
