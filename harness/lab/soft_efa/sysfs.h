// SPDX-License-Identifier: Apache-2.0
// The few files of /sys that a provider reads of a device: its PCI address, its driver, the version of the verbs ABI.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "harness/lab/soft_efa/settings.h"

namespace wirelaw::soft_efa {

// Creates the tree if it does not exist, and returns its root, for SYSFS_PATH. All devices of a user share one tree: it
// is small, always the same, and is kept. The error is one line of text.
tl::expected<std::string, std::string> make_sysfs(const Settings& settings);

// Returns the device's folder below that root (ibv_device::ibdev_path).
std::string device_folder(const std::string& root);

}  // namespace wirelaw::soft_efa
