// SPDX-License-Identifier: Apache-2.0
// A conversation of the reference responder with a scripted peer; see rdmap_conversation.h.
#include "fuzz/rdmap_conversation.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::converse(wirelaw::Role::responder, {data, size});
  return 0;
}
