// SPDX-License-Identifier: Apache-2.0
#include "corpora/dissector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "reference/efa/atomic.h"
#include "reference/efa/capability.h"
#include "reference/efa/layout.h"
#include "reference/efa/locate.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::corpora {
namespace {

using efa::Array;
using efa::FieldRow;
using efa::Layout;
using efa::OptionalHeader;

constexpr std::string_view kBegin = "-- Tables: written by write_dissector, not to be edited.\n";
constexpr std::string_view kEnd = "-- End of the tables.\n";

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

constexpr std::array<std::string_view, 9> kKinds{"number",  "flags",  "id",   "count", "octets",
                                                 "address", "opaque", "bits", "array"};
std::string_view word_of(efa::FieldKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < kKinds.size() ? kKinds[index] : "reserved";
}

std::string_view word_of(efa::FlagSet set) {
  constexpr std::array<std::string_view, 4> kSets{"universal", "request", "handshake", "cts"};
  return kSets[static_cast<std::size_t>(set)];
}

std::string_view word_of(efa::Assignment assignment) {
  constexpr std::array<std::string_view, 5> kWords{"defined", "implied", "deprecated", "reserved", "later"};
  return kWords[static_cast<std::size_t>(assignment)];
}

std::string_view word_of(efa::ExtraKind kind) {
  constexpr std::array<std::string_view, 3> kWords{"extra feature", "extra request", "extra feature and request"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string_view word_of(efa::Data data) {
  constexpr std::array<std::string_view, 3> kDatas{"none", "application", "operands"};
  return kDatas[static_cast<std::size_t>(data)];
}

constexpr Array kArrays[] = {Array::rma_iov, Array::read_iov, Array::extra_info, Array::raw_address};

// --- every field in the table, with its maximum size in octets

class Widths {
 public:
  Widths() {
    see(efa::base_fields());
    for (const Layout& layout : efa::all_layouts()) {
      see(layout.fields);
      for (const OptionalHeader& header : layout.optional) see(header.fields);
    }
    for (const Array array : kArrays) see(efa::describe(array).fields, array);
  }

  std::string text() const {
    std::string out = "local FIELDS = {  -- name, kind, most octets, what it is\n";
    for (const efa::FieldInfo& info : efa::all_fields())
      for (const Array array : {Array::none, Array::rma_iov, Array::read_iov, Array::extra_info, Array::raw_address}) {
        const auto found = widths_.find({info.field, array});
        if (found == widths_.end()) continue;
        out += fmt::format("  {{{}, {}, {}, {}}},\n", in_quotes(efa::dissector_name(info.field, array)),
                           in_quotes(word_of(info.kind)), found->second, in_quotes(info.text));
      }
    return out + "}\n";
  }

 private:
  void see(std::span<const FieldRow> rows, Array array = Array::none) {
    for (const FieldRow& row : rows) {
      std::uint8_t& width = widths_[{row.field, array}];
      width = std::max(width, row.width);
    }
  }

  std::map<std::pair<efa::Field, Array>, std::uint8_t> widths_;
};

// --- rows

std::string fields_of(std::span<const FieldRow> rows, Array array = Array::none) {
  std::string out;
  for (const FieldRow& row : rows)
    out += fmt::format("{}{{{}, {}, {}{}}}", out.empty() ? "" : ", ", in_quotes(efa::dissector_name(row.field, array)),
                       row.offset, row.width, row.multiuse ? ", true" : "");
  return '{' + out + '}';
}

std::string array_word(Array array) {
  return array == Array::none ? "nil" : in_quotes(efa::describe(array).name);
}

std::string arrays_text() {
  std::string out =
      "local ARRAYS = {  -- the field that counts its elements, and what that says too much; octets of an element\n";
  for (const Array array : kArrays) {
    const efa::ArrayInfo& info = efa::describe(array);
    out += fmt::format("  {} = {{count = {}, bias = {}, element = {}, whole = {}, fields = {}}},\n", info.name,
                       in_quotes(efa::dissector_name(info.count)), info.bias, info.element, array == Array::raw_address,
                       fields_of(info.fields, array));
  }
  return out + "}\n";
}

// Sets of optional headers, which packets share.
class OptionalSets {
 public:
  OptionalSets() {
    for (const Layout& layout : efa::all_layouts())
      if (!layout.optional.empty() && find(layout) == sets_.end())
        sets_.push_back({layout.is_request() ? "REQUEST" : std::string(layout.name), layout.optional});
  }

  std::string text() const {
    std::string out = "local OPTIONAL = {  -- flag, name, octets without the array, fields, array\n";
    for (const Set& set : sets_) {
      out += fmt::format("  {} = {{\n", set.name);
      for (const OptionalHeader& header : set.headers)
        out += fmt::format("    {{{:#06x}, {}, {}, {}, {}}},\n", header.flag, in_quotes(header.name), header.octets,
                           fields_of(header.fields), array_word(header.array));
      out += "  },\n";
    }
    return out + "}\n";
  }
  std::string word_of(const Layout& layout) const {
    return layout.optional.empty() ? "{}" : "OPTIONAL." + find(layout)->name;
  }

 private:
  struct Set {
    std::string name;
    std::span<const OptionalHeader> headers;
  };
  std::vector<Set>::const_iterator find(const Layout& layout) const {
    return std::ranges::find_if(sets_, [&](const Set& set) { return set.headers.data() == layout.optional.data(); });
  }

  std::vector<Set> sets_;
};

std::string layouts_text(const OptionalSets& sets) {
  std::string out = "local LAYOUTS = {  -- by packet type\n";
  for (const Layout& row : efa::all_layouts()) {
    out += fmt::format("  [{}] = {{name = {}, full_name = {}, section = {}, standing = {}, request = {},\n", row.id(),
                       in_quotes(row.name), in_quotes(row.full_name), in_quotes(row.section),
                       in_quotes(word_of(row.assignment)), row.is_request());
    out += fmt::format("    has_format = {}, flags = {}, allowed = {:#06x}, data = {},\n", row.has_format(),
                       in_quotes(word_of(row.flag_set)), row.allowed, in_quotes(word_of(row.data)));
    out += fmt::format("    header = {}, short = {}, array = {}, behind = {}, optional = {},\n", row.header_octets,
                       row.short_octets, array_word(row.array), array_word(row.behind), sets.word_of(row));
    out += fmt::format("    fields = {}}},\n", fields_of(row.fields));
  }
  return out + "}\n";
}

// --- names

std::string flags_text() {
  std::string out = "local FLAGS = {  -- which packets have it, bit, name, the document's name\n";
  for (const efa::FlagInfo& flag : efa::all_flags())
    out += fmt::format("  {{{}, {:#06x}, {}, {}}},\n", in_quotes(word_of(flag.set)), flag.bit,
                       in_quotes(flag.dissected), in_quotes(flag.name));
  return out + "}\n";
}

std::string extras_text() {
  std::string out = "local EXTRAS = {  -- ID, name, what it is\n";
  for (const efa::ExtraInfo& extra : efa::all_extras())
    out += fmt::format("  {{{}, {}, {}}},\n", static_cast<unsigned>(extra.id), in_quotes(extra.name),
                       in_quotes(fmt::format("{}: {} ({})", word_of(extra.kind), extra.text, extra.section)));
  return out + "}\n";
}

template <class Row, class Number>
std::string names_text(std::string_view name, std::span<const Row> rows, Number number) {
  std::string out = fmt::format("local {} = {{\n", name);
  for (const Row& row : rows)
    out += fmt::format("  [{}] = {},\n", static_cast<unsigned>(number(row)), in_quotes(row.name));
  return out + "}\n";
}

}  // namespace

std::string efa_dissector_tables() {
  const OptionalSets sets;
  return fmt::format("local NAME = {}\nlocal VERSION = {}\nlocal BASE = {}\nlocal RAW_ADDRESS = {}\n",
                     in_quotes(efa::kDissector), efa::kVersion, fields_of(efa::base_fields()),
                     efa::layout::kRawAddress) +
         Widths().text() + flags_text() + extras_text() +
         names_text("ATOMIC_OPS", efa::all_atomic_ops(), [](const efa::AtomicOpInfo& row) { return row.op; }) +
         names_text("DATATYPES", efa::all_datatypes(), [](const efa::DatatypeInfo& row) { return row.datatype; }) +
         names_text("REF_KINDS", std::span<const efa::RefKindInfo>(efa::kRefKinds),
                    [](const efa::RefKindInfo& row) { return row.kind; }) +
         arrays_text() + sets.text() + layouts_text(sets);
}

std::optional<std::string> with_tables(std::string_view script, std::string_view tables) {
  const std::size_t begin = script.find(kBegin), end = script.find(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin ||
      script.find(kBegin, begin + 1) != std::string_view::npos || script.find(kEnd, end + 1) != std::string_view::npos)
    return std::nullopt;
  std::string out(script.substr(0, begin + kBegin.size()));
  out += tables;
  out += script.substr(end);
  return out;
}

namespace {

tl::expected<void, pcap::Problem> renew(const std::filesystem::path& path, std::string_view tables) {
  std::ifstream in(path, std::ios::binary);
  const std::string script{std::istreambuf_iterator<char>(in), {}};
  const auto renewed = with_tables(script, tables);
  if (!renewed)
    return tl::unexpected(
        pcap::Problem{path, 0, 0, "the marks around the tables are not there", "give the root of the sources"});
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << *renewed;
  out.close();
  if (!out) return tl::unexpected(pcap::Problem{path, 0, 0, "the file cannot be written", "check the disk"});
  return {};
}

}  // namespace

tl::expected<void, pcap::Problem> write_dissectors(const std::filesystem::path& root) {
  if (auto written = renew(root / kEfaDissector, efa_dissector_tables()); !written) return written;
  return renew(root / kUmspDissector, umsp_dissector_tables());
}

}  // namespace wirelaw::corpora
