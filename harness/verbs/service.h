// SPDX-License-Identifier: Apache-2.0
// A consumer of a device of this machine as a peer for others: the application of harness/verbs/application.h, at
// verbs://HOST:PORT[?device=NAME].
#pragma once

#include <memory>
#include <string>

#include "conformance/case.h"
#include "harness/serve.h"
#include "harness/uri.h"
#include "pcap/address.h"

namespace wirelaw {

class VerbsService {
 public:
  virtual ~VerbsService() = default;

  // It is the responder for all who connect; port 0: any, local() tells which.
  static tl::expected<std::unique_ptr<VerbsService>, CarriageError> listen(const Uri& at, Service application);
  // It connects there, and makes the rounds of the request.
  static tl::expected<std::unique_ptr<VerbsService>, CarriageError> connect(const Uri& to,
                                                                            const TriggerRequest& request);

  virtual pcap::Endpoint local() const = 0;
  // Ends without an error on SIGINT or SIGTERM, when idle, or when the rounds are done.
  virtual tl::expected<void, CarriageError> run(const ServeOptions& options) = 0;
  virtual std::uint64_t failed() const = 0;  // rounds
  virtual std::string state() const = 0;
};

}  // namespace wirelaw
