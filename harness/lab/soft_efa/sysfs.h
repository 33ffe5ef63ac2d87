// SPDX-License-Identifier: Apache-2.0
// The few files of /sys that a provider reads of a device: its PCI address, its driver, the version of the verbs ABI.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "harness/lab/soft_efa/settings.h"

namespace wirelaw::soft_efa {

// Makes the tree if it is not there yet, and gives its root, for SYSFS_PATH. All devices of a user share one: it is
// small, always the same, and stays. The error is a line for people.
tl::expected<std::string, std::string> make_sysfs(const Settings& settings);

// The device's folder below that root (ibv_device::ibdev_path).
std::string device_folder(const std::string& root);

}  // namespace wirelaw::soft_efa
