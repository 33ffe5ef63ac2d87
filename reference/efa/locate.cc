// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/locate.h"

#include "reference/efa/parser.h"

namespace wirelaw::efa {
namespace {

struct Collect {
  Octets octets;
  const Packet& packet;
  std::size_t most_elements;
  Location& out;

  void field(const FieldRow& row, std::size_t base) {
    const bool is_padding = row.multiuse && !packet.has(flag::kConnid);
    add(is_padding ? Field::padding : row.field, row, base, Array::none, 0);
  }
  void array(Array array, std::size_t offset, Octets elements) {
    const ArrayInfo& info = describe(array);
    const std::size_t size = array == Array::raw_address ? elements.size() : info.element;
    for (std::size_t i = 0, base = offset; size != 0 && i < most_elements && base + size <= offset + elements.size();
         ++i, base += size)
      for (const FieldRow& row : info.fields)
        if (std::size_t{row.offset} + row.width <= size) add(row.field, row, base, array, i);
  }
  void rest(std::size_t offset, Octets) { out.payload = offset; }

 private:
  void add(Field field, const FieldRow& row, std::size_t base, Array array, std::size_t element) {
    const FieldKind kind = describe(field).kind;
    const std::size_t offset = base + row.offset;
    out.fields.push_back({.field = field,
                          .name = dissector_name(field, array),
                          .kind = kind,
                          .offset = offset,
                          .width = row.width,
                          .value = kind == FieldKind::array ? 0 : load(octets.data() + offset, row.width),
                          .array = array,
                          .element = element});
  }
};

}  // namespace

Location locate(Octets octets, std::size_t elements) {
  Location location;
  Packet packet;
  Collect collect{octets, packet, elements, location};
  if (auto done = Parser(octets, packet, collect).run(); !done) location.error = done.error();
  return location;
}

std::string dissector_name(Field field, Array array) {
  std::string name(kDissector);
  // A member of extra_info has the name of its array.
  if (array != Array::none && array != Array::extra_info) name.append(".").append(describe(array).name);
  return name.append(".").append(describe(field).name);
}

}  // namespace wirelaw::efa
