// SPDX-License-Identifier: Apache-2.0
// The one answer to a chain (RFC 3018 7.5), sent when all of the chain has been executed. It is the most informative
// response of the VM: a refusal has precedence over data, an address and the like, and those over RSP.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/umsp/chains/refusal.h"
#include "reference/umsp/draft.h"

namespace wirelaw::umsp {

struct Answer {
  std::optional<std::uint32_t> req_id = {};    // the first instruction's REQ_ID
  std::optional<std::uint32_t> executed = {};  // REQ_ID of EXEC_TR
  std::optional<Draft> best = {};
  std::uint32_t outstanding = 0;  // number of responses that the VM will give later
  bool given = false;

  bool is_asked() const { return req_id || executed; }
  // The REQ_ID for the response of the VM.
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
