// SPDX-License-Identifier: Apache-2.0
// What the library does when it is loaded before a program: libfabric's provider would take peers on this machine's own
// addresses for neighbours, and reach them through shared memory instead of the device.
#include <cstdlib>

namespace {

[[gnu::constructor]] void prefer_the_device() {
  setenv("FI_EFA_ENABLE_SHM_TRANSFER", "0", 0);
}

}  // namespace
