// SPDX-License-Identifier: Apache-2.0
// The receiver of the pieces that TCP reassembly delivers.
#pragma once

#include <memory>
#include <type_traits>

#include "reference/network/stream_piece.h"

namespace wirelaw::pcap {

// Refers to any callable that takes a piece. The callable must live as long as the call that it is passed to.
class PieceSink {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, PieceSink>)
      PieceSink(Callable&& callable)  // NOLINT(google-explicit-constructor): replaces the callable
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, const StreamPiece& piece) {
          (*static_cast<std::remove_reference_t<Callable>*>(object))(piece);
        }) {}

  void operator()(const StreamPiece& piece) const { call_(callable_, piece); }

 private:
  void* callable_;
  void (*call_)(void*, const StreamPiece&);
};

}  // namespace wirelaw::pcap
