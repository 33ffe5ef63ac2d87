// SPDX-License-Identifier: Apache-2.0
// Makes the devices of this process refuse work from now on. A program that is linked only with libfabric finds
// wirelaw_soft_efa_trouble() by dlsym(), and calls it (README.md).
#pragma once

#include <atomic>

namespace wirelaw::soft_efa {

struct Trouble {
  std::atomic<bool> registers{true};
  std::atomic<bool> reaches{true};  // any receiver
};

Trouble& trouble();

}  // namespace wirelaw::soft_efa

extern "C" [[gnu::visibility("default")]] void wirelaw_soft_efa_trouble(int registers, int reaches);
