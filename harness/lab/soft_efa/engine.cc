// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/engine.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <vector>

#include "harness/lab/soft_efa/context.h"
#include "harness/lab/soft_efa/queue_pair.h"

namespace wirelaw::soft_efa {
namespace {

constexpr int kResendCheck = 50;  // milliseconds

// Signals are for the program's own threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

std::thread start_without_signals(auto body) {
  const SignalsBlocked blocked;
  return std::thread(body);
}

}  // namespace

Engine::Engine(Context& context) : context_(context), bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  thread_ = start_without_signals([this] { run(); });
}

Engine::~Engine() {
  {
    const Locked locked(context_.lock);
    stopping_ = true;
  }
  wake();
  thread_.join();
  ::close(bell_);
}

void Engine::wake() const {
  eventfd_write(bell_, 1);
}

void Engine::run() {
  std::vector<pollfd> waiting;
  while (true) {
    waiting.assign(1, {bell_, POLLIN, 0});
    bool busy = false;
    {
      const Locked locked(context_.lock);
      if (stopping_) return;
      for (QueuePair* queue_pair : context_.queue_pairs) {
        if (queue_pair->one_sided() == nullptr) continue;
        waiting.push_back({queue_pair->one_sided()->fd(), POLLIN, 0});
        busy |= queue_pair->one_sided()->busy();
      }
    }
    ::poll(waiting.data(), waiting.size(), busy ? kResendCheck : -1);
    eventfd_t rung = 0;
    eventfd_read(bell_, &rung);
    const Locked locked(context_.lock);
    for (QueuePair* queue_pair : context_.queue_pairs) {
      if (queue_pair->one_sided() == nullptr) continue;
      queue_pair->one_sided()->receive();
      queue_pair->one_sided()->pump(std::chrono::steady_clock::now());
    }
  }
}

}  // namespace wirelaw::soft_efa
