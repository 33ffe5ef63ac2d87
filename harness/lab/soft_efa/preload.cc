// SPDX-License-Identifier: Apache-2.0
// The part of the library that acts when it is loaded before a program. Without it, libfabric's provider would treat
// peers on this machine's own addresses as neighbours, and reach them through shared memory instead of the device.
#include <cstdlib>

namespace {

[[gnu::constructor]] void prefer_the_device() {
  setenv("FI_EFA_ENABLE_SHM_TRANSFER", "0", 0);
}

}  // namespace
