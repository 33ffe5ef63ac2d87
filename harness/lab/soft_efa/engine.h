// SPDX-License-Identifier: Apache-2.0
// The part of the device that works without its user: a thread that answers RDMA reads and writes from others, as
// hardware does, and continues those of its own side. It does not handle packets: they move when a completion queue is
// polled.
#pragma once

#include <thread>

namespace wirelaw::soft_efa {

struct Context;

class Engine {
 public:
  explicit Engine(Context& context);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();  // without holding the context's lock

  void wake() const;  // looks at its queue pairs again

 private:
  void run();

  Context& context_;
  int bell_;  // eventfd
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace wirelaw::soft_efa
