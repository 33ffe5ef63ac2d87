// SPDX-License-Identifier: Apache-2.0
// The page of UMSP's format: instructions and extension headers by code, with their operands, generated from layout.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "corpora/format_page.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::corpora {
namespace {

using umsp::Layout;
using umsp::LengthRange;
using umsp::OperandRow;
using umsp::Width;

constexpr std::string_view kIntroduction = R"(<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by write_dissector from reference/umsp/layout.cc, not to be edited. -->
# UMSP: the format of its instructions

Each instruction of RFC 3018, sections 4 to 9, with the fields of its header and its operands in their order, and each
extension header. The codec, the dissector and the judge have the same table. Integers are big-endian; operands end on
a multiple of four octets, with zeros. Rulings on what the text leaves open are in
[INTERPRETATIONS.md](INTERPRETATIONS.md).

- "a or b" in the header: either value. PCK in two bits.
- OPR_LENGTH in words of four octets, by the operands that are listed; what is printed in the document is added where it
  is not the same.
- A form per line of operands: the first into which the operands fit is theirs.
)";

std::string header_values(std::uint8_t allowed, std::initializer_list<std::string_view> names) {
  std::vector<std::string_view> values;
  unsigned bit = 0;
  for (const std::string_view name : names)
    if ((allowed >> bit++ & 1) != 0) values.push_back(name);
  return fmt::format("{}", fmt::join(values, " or "));
}

std::string range(LengthRange length) {
  return length.least == length.most ? fmt::format("{}", length.least)
                                     : fmt::format("{} to {}", length.least, length.most);
}

std::string length_of(const Layout& layout) {
  const std::string text = range(layout.length);
  return layout.length == layout.printed ? text : fmt::format("{} (printed: {})", text, range(layout.printed));
}

std::string text_of(umsp::FormRow form);

std::string text_of(const OperandRow& row) {
  const std::string name(describe(row.operand).name);
  switch (row.width) {
    case Width::fixed:
      return fmt::format("{} {}", name, row.octets);
    case Width::local:
      return fmt::format("{} {}", name, fmt::join(row.lengths, "/"));
    case Width::identifier:
      return name + " 4-16";
    case Width::counted:
      return name + " (as many octets as counted, and zeros to four)";
    case Width::words:
      return name + " (as many words as counted)";
    case Width::half:
      return name + " (half of the rest)";
    case Width::rest:
      break;
  }
  return row.element.empty() ? name + " (the rest)" : fmt::format("pairs of {}", text_of(row.element));
}

std::string text_of(umsp::FormRow form) {
  std::vector<std::string> operands;
  for (const OperandRow& row : form) operands.push_back(text_of(row));
  return operands.empty() ? "none" : fmt::format("{}", fmt::join(operands, ", "));
}

std::string forms_of(std::span<const umsp::FormRow> forms) {
  std::vector<std::string> texts;
  for (const umsp::FormRow& form : forms) texts.push_back(text_of(form));
  return fmt::format("{}", fmt::join(texts, "<br>"));
}

std::string instructions() {
  std::string page =
      "\n## Instructions\n\n| code | name | section | ASK | PCK | CHN | EXT | OPR_LENGTH | operands, octets | "
      "extension headers |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Layout& layout : umsp::all_layouts()) {
    std::vector<std::string_view> extensions;
    for (const umsp::HeadCode code : layout.extensions) extensions.push_back(describe(code).name);
    page += fmt::format("| {} | {}{}{} | {} | {} | {} | {} | {} | {} | {} | {} |\n", layout.code(), layout.name,
                        layout.variant.empty() ? "" : ", ", layout.variant, layout.section,
                        header_values(layout.ask, {"0", "1"}), header_values(layout.pck, {"00", "01", "10", "11"}),
                        header_values(layout.chn, {"0", "1"}), header_values(layout.ext, {"0", "1"}), length_of(layout),
                        forms_of(layout.forms), fmt::join(extensions, ", "));
  }
  return page;
}

std::string extension_headers() {
  std::string page =
      "\n## Extension headers\n\nHEAD_LENGTH in words of two octets.\n\n| code | name | section | HOB | "
      "HEAD_LENGTH | data, octets |\n|---|---|---|---|---|---|\n";
  for (const umsp::ExtensionLayout& layout : umsp::all_extensions())
    page += fmt::format("| {} | {} | {} | {} | {} | {} |\n", layout.code(), layout.name, layout.section,
                        layout.hob ? 1 : 0, range(layout.length), forms_of(layout.forms));
  return page;
}

std::string operands() {
  std::string page = "\n## Operands\n\n| name | what it is |\n|---|---|\n";
  for (const umsp::OperandInfo& info : umsp::all_operands()) {
    page += fmt::format("| {} | {}", info.name, info.text);
    for (const umsp::BitRow& bits : info.bits)
      page += fmt::format("<br>{} {}: {}, {}", bits.width == 1 ? "bit" : "bits",
                          bits.width == 1 ? fmt::format("{}", bits.first)
                                          : fmt::format("{} to {}", bits.first, bits.first + bits.width - 1),
                          bits.name, bits.text);
    page += " |\n";
  }
  return page;
}

}  // namespace

std::string umsp_format_page() {
  return std::string(kIntroduction) + instructions() + extension_headers() + operands();
}

tl::expected<void, pcap::Problem> write_format_pages(const std::filesystem::path& root) {
  const std::filesystem::path path = root / kUmspFormatPage;
  std::ofstream out(path, std::ios::binary);
  out << umsp_format_page();
  out.close();
  if (out) return {};
  return tl::unexpected(pcap::Problem{.file = path.string(), .message = "cannot be written"});
}

}  // namespace wirelaw::corpora
