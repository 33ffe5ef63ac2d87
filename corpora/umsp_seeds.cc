// SPDX-License-Identifier: Apache-2.0
// Seeds generated from the table of layouts: an instruction of every code with few and with many fields, every
// extension header, and a datagram whose instructions inherit from each other. Also the dictionary.
#include <fmt/format.h>

#include <cctype>
#include <set>

#include "corpora/seed.h"
#include "reference/umsp/example.h"
#include "reference/umsp/layout.h"

namespace wirelaw::corpora {
namespace {

constexpr const char* kTarget = "fuzz_umsp_instruction";

// Returns "begin-sq" for "_BEGIN_SQ". Dictionaries use "begin_sq", because their names may not contain "-".
std::string lower(std::string_view name, char between) {
  std::string word;
  for (const char c : name) {
    if (c != '_')
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!word.empty())
      word += between;
  }
  return word;
}
std::string file_name(std::string_view name) {
  return lower(name, '-');
}
std::string entry_name(std::string_view name) {
  return lower(name, '_');
}

// Instructions in a chain of a session, in the same chain, in the same session, and in no session.
OctetBuffer datagram() {
  OctetBuffer octets;
  Writer(octets).octet(156).octet(0x70).big_endian(std::uint16_t{3}).big_endian(std::uint16_t{0});
  Writer(octets).big_endian(std::uint32_t{7}).octet(156).octet(0x50).octet(156).octet(0x20).octet(156).octet(0);
  return octets;
}

// An instruction with `count` extension headers.
OctetBuffer extensions(std::size_t count) {
  OctetBuffer octets{156, 0x08};
  for (std::size_t i = 1; i <= count; ++i) Writer(octets).octet(0).octet(i == count ? 0x88 : 0x08);
  return octets;
}

std::string quoted(Octets octets) {
  std::string text;
  for (const Octet octet : octets) text += fmt::format("\\x{:02x}", octet);
  return text;
}

}  // namespace

std::vector<Seed> umsp_seeds() {
  using umsp::ExampleShape;
  std::vector<Seed> seeds;
  for (const umsp::Layout& layout : umsp::all_layouts()) {
    const std::string name = fmt::format("{}-{}", file_name(layout.name), layout.code());
    seeds.push_back({kTarget, name, example_instruction(layout, ExampleShape::bare)});
    seeds.push_back({kTarget, name + "-full", example_instruction(layout, ExampleShape::full)});
  }
  for (const umsp::ExtensionLayout& layout : umsp::all_extensions())
    seeds.push_back({kTarget, "header-" + file_name(layout.name), example_extension(layout)});
  seeds.push_back({kTarget, "datagram", datagram()});
  seeds.push_back({kTarget, "headers-30", extensions(umsp::kMostExtensionHeaders)});
  seeds.push_back({kTarget, "headers-31", extensions(umsp::kMostExtensionHeaders + 1)});
  return seeds;
}

std::string umsp_dictionary() {
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# UMSP, from the table of layouts: instructions, heads of extension headers, addresses, and values that are\n"
      "# reserved.\n";
  std::set<std::string> words;
  const auto add = [&](const std::string& name, Octets octets) {
    std::string word = quoted(octets);
    if (words.insert(word).second) text += fmt::format("{}=\"{}\"\n", name, word);
  };
  for (const umsp::Layout& layout : umsp::all_layouts())
    add(fmt::format("{}_{}", entry_name(layout.name), layout.code()),
        example_instruction(layout, umsp::ExampleShape::bare));
  for (const umsp::ExtensionLayout& layout : umsp::all_extensions()) {
    const unsigned flags = layout.code() | (layout.hob ? 0x40u : 0u);
    const auto words_of_data = static_cast<Octet>(layout.length.least);
    const Octet brief[] = {words_of_data, static_cast<Octet>(flags | 0x80)};
    const Octet extended[] = {0x80, 0, 0, words_of_data, static_cast<Octet>(flags & 0xe0), layout.code(), 0, 0};
    add("head_" + entry_name(layout.name), brief);
    add("extended_" + entry_name(layout.name), extended);
  }
  for (const unsigned header : {0x40u, 0x41u, 0x42u, 0x13u, 0xd0u}) {
    const Octet octet[] = {static_cast<Octet>(header), 10, 0, 0, 1};
    add(fmt::format("address_{:02x}", header), octet);
  }
  const Octet ones[] = {0xff, 0xff, 0xff, 0xff};
  for (const std::size_t count : {2u, 3u, 4u}) add(fmt::format("ones_{}", count), Octets(ones).first(count));
  return text;
}

}  // namespace wirelaw::corpora
