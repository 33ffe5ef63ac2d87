// SPDX-License-Identifier: Apache-2.0
// Makes a virtual machine that conforms or commits deviations.
#pragma once

#include <memory>

#include "reference/umsp/vm/faults/vm_deviations.h"
#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {

std::unique_ptr<VirtualMachine> make_vm(VmOptions options = {}, const VmDeviations& deviations = {});

}  // namespace wirelaw::umsp
