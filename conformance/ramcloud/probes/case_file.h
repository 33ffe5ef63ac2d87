// SPDX-License-Identifier: Apache-2.0
// Common headers of every <section>_cases.cc: the probes, the rules that a trace can show to be broken, and the two
// shapes that most sections have a case of.
#pragma once

#include <string_view>
#include <vector>

#include "conformance/case_rows.h"
#include "conformance/ramcloud/cases.h"
#include "conformance/ramcloud/probes/client_probe.h"
#include "conformance/ramcloud/probes/server_probe.h"
#include "conformance/section.h"

namespace wirelaw::ramcloud {

// RAMCLOUD/R23: by the specification a client repeats itself a fixed but unspecified number of times, so no number of
// repetitions proves that it never gives up.
inline constexpr unsigned kManyRepetitions = 5000;
inline constexpr std::string_view kEndIsOpen = "the specification gives no number: the client may give up later";

// A case for a packet that a server must not execute. The packet is sent in a session that works. The server must send
// nothing unwanted and must answer the good request that follows.
struct NotExecuted {
  std::string_view id;
  std::vector<const Rule*> rules;  // the first is the one that the case judges
  std::string_view purpose;
  std::string_view expected = "no response";
  Service needs = Service::none;
  bool (*unwanted)(const Received& packet, const ProbeSession& session) = is_data;
  Rpc good_rpc = {.channel = 0, .id = 0};
  std::string_view good_request = "a good request";
  std::string_view explanation = {};  // explanation for a finding about the good request
  void (*send)(ServerProbe& server, const ProbeSession& session);
};
CaseRow not_executed(const NotExecuted& row);

// A packet that a client must not accept as the response to its request. The case sends it, expects the client to keep
// waiting, and expects it to accept the correct response that follows. Needs an echo application.
struct NotTaken {
  std::string_view id;
  std::vector<const Rule*> rules;  // the first is the one that the case judges
  std::string_view purpose;
  TriggerRequest trigger = {.count = 2};
  // True if the packet is sent in the middle of a response. The client may then also drop the rest of that response
  // (RAMCLOUD/R45).
  bool may_spoil = false;
  void (*send)(ClientProbe& client, const ClientRequest& request);
};
CaseRow not_taken(const NotTaken& row);

}  // namespace wirelaw::ramcloud
