// SPDX-License-Identifier: Apache-2.0
// Lets pugixml write a document to an Output.
#pragma once

#include <cstddef>
#include <pugixml.hpp>

#include "reports/output.h"

namespace wirelaw {

struct XmlWriter final : pugi::xml_writer {
  explicit XmlWriter(Output& to) : out(to) {}
  void write(const void* data, std::size_t size) override { out.put({static_cast<const char*>(data), size}); }
  Output& out;
};

}  // namespace wirelaw
