// SPDX-License-Identifier: Apache-2.0
#if __has_include(<infiniband/efadv.h>)  // Debian: libibverbs-dev
#include "harness/transports/verbs/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace wirelaw {
namespace {

// Preloaded libraries are searched first, and those that are opened here last.
template <typename Function>
bool look_up(const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

struct Loaded {
  VerbsLibrary library;
  std::string missing;  // the first function that no library has
};

void open(const char* file) {
  static_cast<void>(::dlopen(file, RTLD_NOW | RTLD_GLOBAL));
}

Loaded load() {
  open("libibverbs.so.1");
  open("libefa.so.1");
  Loaded loaded;
  VerbsLibrary& to = loaded.library;
#define WIRELAW_LOOK_UP(name) \
  if (!look_up("ibv_" #name, to.name) && loaded.missing.empty()) loaded.missing = "ibv_" #name;
  WIRELAW_IBV_FUNCTIONS(WIRELAW_LOOK_UP)
#undef WIRELAW_LOOK_UP
  bool efa = true;
#define WIRELAW_LOOK_UP(name) efa = look_up("efadv_" #name, to.efa_##name) && efa;
  WIRELAW_EFADV_FUNCTIONS(WIRELAW_LOOK_UP)
#undef WIRELAW_LOOK_UP
  if (efa) look_up("efadv_query_device", to.efa_query_device);
  return loaded;
}

}  // namespace

tl::expected<const VerbsLibrary*, TransportError> verbs_library() {
  static const Loaded loaded = load();
  if (!loaded.missing.empty())
    return tl::unexpected(TransportError{fmt::format("libibverbs is not there ({} is missing)", loaded.missing),
                                         "install it (Debian: ibverbs-providers)"});
  return &loaded.library;
}

}  // namespace wirelaw
#endif
