// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/trouble.h"

namespace wirelaw::soft_efa {

Trouble& trouble() {
  static Trouble ours;
  return ours;
}

}  // namespace wirelaw::soft_efa

void wirelaw_soft_efa_trouble(int registers, int reaches) {
  auto& now = wirelaw::soft_efa::trouble();
  now.registers = registers != 0;
  now.reaches = reaches != 0;
}
