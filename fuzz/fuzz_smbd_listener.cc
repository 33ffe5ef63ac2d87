// SPDX-License-Identifier: Apache-2.0
// The reference listener of SMB Direct with a scripted peer; see smbd_conversation.h.
#include "fuzz/smbd_conversation.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_smbd_conversation(wirelaw::Role::responder, {data, size});
  return 0;
}
