// SPDX-License-Identifier: Apache-2.0
// Asio's context, shared by the sockets of one thread that wait one at a time. A separate context would cost each
// socket three more file descriptors.
#pragma once

#include <asio/io_context.hpp>
#include <memory>

namespace wirelaw {

// Held by each socket, which may outlive the thread.
inline std::shared_ptr<asio::io_context> thread_context() {
  thread_local const auto context = std::make_shared<asio::io_context>(1);
  return context;
}

}  // namespace wirelaw
