// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/rdmacm_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace wirelaw {
namespace {

struct Loaded {
  RdmacmLibrary library;
  std::string missing;  // the first function that no library has
};

Loaded load() {
  static_cast<void>(::dlopen("librdmacm.so.1", RTLD_NOW | RTLD_GLOBAL));
  Loaded loaded;
  RdmacmLibrary& to = loaded.library;
#define WIRELAW_LOOK_UP(name)                                                          \
  to.name = reinterpret_cast<decltype(to.name)>(::dlsym(RTLD_DEFAULT, "rdma_" #name)); \
  if (to.name == nullptr && loaded.missing.empty()) loaded.missing = "rdma_" #name;
  WIRELAW_RDMA_FUNCTIONS(WIRELAW_LOOK_UP)
#undef WIRELAW_LOOK_UP
  return loaded;
}

}  // namespace

tl::expected<const RdmacmLibrary*, TransportError> rdmacm_library() {
  static const Loaded loaded = load();
  if (!loaded.missing.empty())
    return tl::unexpected(TransportError{fmt::format("librdmacm is not there ({} is missing)", loaded.missing),
                                         "install it (Debian: librdmacm1)"});
  return &loaded.library;
}

}  // namespace wirelaw
