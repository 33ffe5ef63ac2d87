// SPDX-License-Identifier: Apache-2.0
// Whom reassembly gives the pieces of a connection's streams.
#pragma once

#include <memory>
#include <type_traits>

#include "reference/network/stream_piece.h"

namespace wirelaw::pcap {

// Refers to any callable that takes a piece; it must live as long as the call that it is given to.
class PieceSink {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, PieceSink>)
      PieceSink(Callable&& callable)  // NOLINT(google-explicit-constructor): takes the place of the callable
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
