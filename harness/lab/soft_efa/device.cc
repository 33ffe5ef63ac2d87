// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "harness/lab/soft_efa/sysfs.h"

namespace wirelaw::soft_efa {
namespace {

struct Device : ibv_device {
  Device(Settings with, const std::string& sysfs) : ibv_device{}, settings(std::move(with)), record(settings.record) {
    node_type = IBV_NODE_UNSPECIFIED;
    transport_type = IBV_TRANSPORT_UNSPECIFIED;
    put(name, "soft_efa_0");
    put(dev_name, "uverbs0");
    put(dev_path, sysfs + "/class/infiniband_verbs/uverbs0");
    put(ibdev_path, device_folder(sysfs));
  }

  template <std::size_t N>
  static void put(char (&field)[N], const std::string& text) {
    std::strncpy(field, text.c_str(), N - 1);
  }

  Settings settings;
  Record record;
};

Device* make_device() {
  const auto settings = read_settings([](const char* name) { return std::getenv(name); });
  const auto sysfs = settings ? make_sysfs(*settings) : tl::unexpected(settings.error());
  if (!sysfs) {
    std::fprintf(stderr, "soft-efa: %s\n", sysfs.error().c_str());
    return nullptr;
  }
  setenv("SYSFS_PATH", sysfs->c_str(), 0);
  auto* device = new Device(*settings, *sysfs);
  if (!device->record.ok())
    std::fprintf(stderr, "soft-efa: cannot write %s: %s\n", settings->record.c_str(), std::strerror(errno));
  return device;
}

}  // namespace

// It is never destroyed: the engine's thread may run until the process has gone.
ibv_device* the_device() {
  static Device* const device = make_device();
  return device;
}

Context* open_device(ibv_device& device) {
  auto& opened = static_cast<Device&>(device);
  return new Context(opened, opened.settings, opened.record);
}

}  // namespace wirelaw::soft_efa
