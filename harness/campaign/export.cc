// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "conformance/stack.h"
#include "harness/campaign/trace_seed.h"
#include "reference/octets/hex.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;

std::string in_one_line(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return out;
}

// Writes a literal. A finding comes from a file, so none of its text may end the literal.
std::string literal_of(std::string_view text) {
  std::string out = "\"";
  for (const char c : in_one_line(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Writes a paragraph as a comment, in lines of at most 120 columns. A backslash at the end of a line would continue the
// comment, so no line ends with one.
std::string comment(std::string_view from) {
  constexpr std::size_t kWidth = 116;
  std::string text = in_one_line(from), out, line;
  std::ranges::replace(text, '\\', '/');
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) out += "// " + std::exchange(line, {}) + "\n";
    if (!word.empty()) line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + "// " + line + "\n";
}

// The octets as an expression, whose lines begin in column `indent`.
std::string octets_expression(Octets octets, std::size_t indent) {
  constexpr std::size_t kOctetsALine = 32;
  std::string lines;
  for (std::size_t at = 0; at < octets.size(); at += kOctetsALine) {
    if (at > 0) lines += "\n" + std::string(indent, ' ');
    lines += '"' + to_hex(octets.subspan(at, std::min(kOctetsALine, octets.size() - at))) + '"';
  }
  return fmt::format("*from_hex({})", octets.empty() ? "\"\"" : lines);
}

std::string row_of(const Edit& edit) {
  constexpr std::size_t kColumn = 38;  // for the argument of from_hex(…)
  std::string out = fmt::format("              {{\n                  .op = edits::Op::{},\n", word_of(edit.op));
  const auto number = [&](const char* name, std::uint32_t value) {
    if (value != 0) out += fmt::format("                  .{} = {},\n", name, value);
  };
  number("message", edit.message);
  number("copy", edit.copy);
  number("offset", edit.offset);
  number("count", edit.count);
  if (has_octets(edit.op))
    out += fmt::format("                  .octets = {},\n", octets_expression(edit.octets, kColumn));
  if (edit.repair) out += "                  .repair = true,\n";
  return out + "              },\n";
}

std::string identifier_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (std::isalnum(octet) != 0)
      out += static_cast<char>(std::tolower(octet));
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

}  // namespace

std::string export_name(const KeptFinding& finding) {
  constexpr std::size_t kMost = 60;
  const std::string what = identifier_of(finding.rule.empty() ? finding.signature : finding.rule);
  return fmt::format("{}_{:04x}", what.substr(0, kMost), seed_of(finding.input) & 0xffff);
}

std::string unit_of(const KeptFinding& finding) {
  const std::string name = export_name(finding);
  std::string id = name;
  std::ranges::replace(id, '_', '-');
  std::string edits;
  for (const Edit& one : finding.input.edits) edits += row_of(one);
  std::string out = "// SPDX-License-Identifier: Apache-2.0\n";
  out += comment(fmt::format("A campaign has found {} broken: expected {}, got {}.", finding.rule, finding.expected,
                             finding.actual));
  for (const Edit& one : finding.input.edits) out += comment("  " + to_text(one));
  out += "//\n" + comment(fmt::format("Its row belongs in the suite of conformance/{}/cases.cc, after the sections.",
                                      finding.protocol));
  out += fmt::format(
      "#include \"conformance/edited_case.h\"\n#include \"reference/octets/hex.h\"\n\n"
      "namespace wirelaw::{0} {{\n\n"
      "edits::FoundCase found_{1}() {{\n"
      "  return {{\n"
      "      .protocol = \"{0}\",\n"
      "      .id = \"found/{2}\",\n"
      "      .purpose = {3},\n"
      "      .like = {4},\n"
      "      .rule = {5},\n",
      finding.protocol, name, id,
      literal_of(fmt::format("The IUT does not break {} after the messages that a campaign has found.", finding.rule)),
      literal_of(finding.input.test_case), literal_of(finding.rule));
  if (edits.empty())
    out += "      .edits = {},\n";
  else
    out += fmt::format("      .edits =\n          {{\n{}          }},\n", edits);
  return out + fmt::format("  }};\n}}\n\n}}  // namespace wirelaw::{}\n", finding.protocol);
}

tl::expected<std::vector<std::string>, std::string> export_finding(const std::string& path, const std::string& folder) {
  const auto finding = read_finding(path);
  if (!finding) return tl::unexpected(finding.error());
  const Protocol* const protocol = find_protocol(finding->protocol);
  if (protocol == nullptr) return tl::unexpected(fmt::format("{}: there is no protocol '{}'", path, finding->protocol));
  const auto layers = stack_of(*protocol, protocols());
  const bool has_rule =
      std::ranges::any_of(layers, [&](const Protocol* one) { return one->catalogue().find(finding->rule) != nullptr; });
  if (is_captured(finding->input.test_case))
    return tl::unexpected(
        fmt::format("{}: changes the conversation of a capture, which is no case; --replay repeats it", path));
  if (!finding->rule.empty() && !has_rule)
    return tl::unexpected(fmt::format("{}: there is no rule '{}'", path, finding->rule));
  const std::string name = export_name(*finding);
  std::error_code failed;
  const fs::path capture = fs::is_directory(path, failed) ? fs::path(path) / "capture.pcapng"
                                                          : fs::path(path).replace_filename("capture.pcapng");
  std::vector<std::string> written;
  const auto write = [&](const fs::path& file, std::string_view text) -> tl::expected<void, std::string> {
    std::error_code unmade;
    fs::create_directories(file.parent_path(), unmade);
    if (unmade) return tl::unexpected(fmt::format("{}: {}", file.parent_path().string(), unmade.message()));
    written.push_back(file.string());
    return write_text(written.back(), text);
  };
  if (!finding->rule.empty())
    if (auto done = write(fs::path(folder) / (name + ".cc"), unit_of(*finding)); !done)
      return tl::unexpected(done.error());
  if (!fs::exists(capture, failed)) return written;  // the peer had gone and was not tried again
  auto seed = trace_seed_of(capture.string(), *protocol);
  if (!seed) return tl::unexpected(seed.error());
  const std::string_view octets(reinterpret_cast<const char*>(seed->octets.data()), seed->octets.size());
  if (auto done = write(fs::path(folder) / seed->target / name, octets); !done) return tl::unexpected(done.error());
  for (const auto& [file, suffix] :
       {std::pair{capture, ".pcapng"}, std::pair{fs::path(capture).replace_filename(kFindingScript), ".wirelaw"}}) {
    if (!fs::exists(file, failed)) continue;  // scripts cannot say every carrier
    written.push_back((fs::path(folder) / (name + suffix)).string());
    fs::copy_file(file, written.back(), fs::copy_options::overwrite_existing, failed);
    if (failed) return tl::unexpected(fmt::format("{}: {}", written.back(), failed.message()));
  }
  return written;
}

}  // namespace wirelaw::campaign
