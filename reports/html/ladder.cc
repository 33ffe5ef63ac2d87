// SPDX-License-Identifier: Apache-2.0
#include "reports/html/ladder.h"

#include <algorithm>

#include "reports/html/page.h"
#include "reports/printable.h"

namespace wirelaw::html {
namespace {

constexpr std::size_t kBefore = 6, kBehind = 3;  // messages around a finding

bool touches(const ShownField& field, std::size_t from, std::size_t length) {
  return length > 0 && field.offset < from + length && from < field.offset + field.length;
}

// Returns the narrowest fields that contain wrong octets, since a whole header would show nothing.
std::vector<const ShownField*> fields_at(std::span<const ShownField> fields, std::size_t from, std::size_t length) {
  std::vector<const ShownField*> found;
  for (const ShownField& one : fields)
    if (touches(one, from, length)) found.push_back(&one);
  std::ranges::stable_sort(found, {}, [](const ShownField* one) { return one->length; });
  constexpr std::size_t kMost = 4;
  if (found.size() > kMost) found.resize(kMost);
  std::ranges::stable_sort(found, {}, [](const ShownField* one) { return one->offset; });
  return found;
}

void put_gap(std::string& page, const ShownMessage& last, const ShownMessage& next) {
  if (next.number <= last.number + 1 || next.protocol != last.protocol) return;
  put(page, "<li class=\"gap\">{} not shown</li>", counted(next.number - last.number - 1, "message"));
}

// Writes octets into elements; neighbours of one kind share an element.
class Marked {
 public:
  explicit Marked(std::string& page) : page_(page) {}
  void go(char kind) {
    if (kind == kind_) return;
    close();
    kind_ = kind;
    if (kind != 0) page_ += kind == 'm' ? "<mark>" : "<u>";
  }
  void close() {
    if (kind_ != 0) page_ += kind_ == 'm' ? "</mark>" : "</u>";
    kind_ = 0;
  }

 private:
  std::string& page_;
  char kind_ = 0;
};

}  // namespace

const ShownFlow* flow_of(const Finding& finding, const ShownInput& input) {
  const auto found = std::ranges::find_if(input.flows, [&](const ShownFlow& one) {
    return one.id == finding.flow && (finding.frame == 0 || message_of(finding, one) != nullptr);
  });
  return found == input.flows.end() ? nullptr : &*found;
}

const ShownMessage* message_of(const Finding& finding, const ShownFlow& flow) {
  const ShownMessage* best = nullptr;
  for (const ShownMessage& one : flow.messages) {
    if (one.frame != finding.frame) continue;
    if (one.number == finding.message && (best == nullptr || best->number != finding.message)) best = &one;
    if (best == nullptr) best = &one;
  }
  return best;
}

std::span<const ShownMessage> around(const ShownFlow& flow, const ShownMessage& wrong) {
  const auto at = static_cast<std::size_t>(&wrong - flow.messages.data());
  const std::size_t first = at - std::min(at, kBefore);
  return std::span(flow.messages).subspan(first, std::min(flow.messages.size(), at + kBehind + 1) - first);
}

void put_ladder(std::string& page, const ShownFlow& flow, std::span<const ShownMessage> messages,
                const ShownMessage* wrong) {
  if (messages.empty()) return;
  put(page, "<div class=\"ends ad\"><span>{}</span><span>{}</span></div>\n<ol class=\"lad\">", flow.a, flow.b);
  const std::int64_t start = messages.front().time_ns;
  const ShownMessage* last = nullptr;
  for (const ShownMessage& one : messages) {
    if (last != nullptr) put_gap(page, *last, one);
    put(page, "\n<li class=\"{}{}\"><span class=\"t\">{} · {:+.6f}</span><span class=\"m\">{} {}</span></li>",
        one.from_a ? "r" : "l", &one == wrong ? " x" : "", one.frame, static_cast<double>(one.time_ns - start) * 1e-9,
        one.protocol, one.summary.empty() ? counted(one.wire_length, "octet") : one.summary);
    last = &one;
  }
  page += "\n</ol>\n";
}

void put_octets(std::string& page, Octets octets, std::size_t first, std::size_t from, std::size_t length,
                std::span<const ShownField> fields) {
  if (octets.empty()) return;
  const auto shown = fields_at(fields, from, length);
  const auto kind_of = [&](std::size_t at) {
    if (at >= from && at - from < length) return 'm';
    const bool in_field = std::ranges::any_of(
        shown, [&](const ShownField* one) { return at >= one->offset && at - one->offset < one->length; });
    return in_field ? 'u' : '\0';
  };
  constexpr std::size_t kLine = 16;
  // Shows the first lines and those around the wrong octets; a long message is not shown whole.
  constexpr std::size_t kLinesAround = 4, kMostMarked = 16;
  const auto is_shown = [&](std::size_t line) {
    const std::size_t at = first / kLine + line, wrong = from / kLine, last = (from + length) / kLine;
    return line < 2 || (at + kLinesAround >= wrong && at <= std::min(last, wrong + kMostMarked) + kLinesAround);
  };
  page += "<pre>";
  bool left_out = false;
  for (std::size_t line = 0; line * kLine < octets.size(); ++line) {
    if (!is_shown(line)) {
      if (!left_out) page += "…\n";
      left_out = true;
      continue;
    }
    left_out = false;
    const std::size_t begin = line * kLine, end = std::min(octets.size(), begin + kLine);
    put(page, "{:04x}  ", first + begin);
    Marked marked(page);
    for (std::size_t i = begin; i < end; ++i) {
      marked.go(kind_of(first + i));
      put(page, "{:02x}", static_cast<unsigned>(octets[i]));
      if (i + 1 < end && kind_of(first + i + 1) != kind_of(first + i)) marked.close();
      if (i + 1 < end) page += ' ';
    }
    marked.close();
    page.append(3 * (kLine - (end - begin)) + 2, ' ');
    for (std::size_t i = begin; i < end; ++i) {
      const auto c = static_cast<char>(octets[i]);
      const bool plain = c >= ' ' && c <= '~';
      page += escaped(std::string_view(plain ? &c : ".", 1));
    }
    page += '\n';
  }
  page += "</pre>\n";
  if (shown.empty()) return;
  page += "<dl>";
  for (const ShownField* one : shown)
    put(page, "<dt><code>{}</code></dt><dd><code>{}</code> <span class=\"dim\">octets {} to {}</span></dd>", one->name,
        one->value, one->offset, one->offset + std::max<std::size_t>(one->length, 1) - 1);
  page += "</dl>\n";
}

}  // namespace wirelaw::html
