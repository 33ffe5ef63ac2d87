// SPDX-License-Identifier: Apache-2.0
// Writes a difference as a page.
#include "reports/difference.h"

#include <array>

#include "reports/html/page.h"

namespace wirelaw {
namespace {

using html::put;

void put_side(std::string& page, std::string_view label, const ComparedResult& one) {
  put(page,
      "<tr><th scope=\"row\">{}</th><td class=\"wrap\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>\n",
      label, one.file, one.version, one.end, one.exit_status);
}

template <class Cells>
void put_row(std::string& page, Becoming becoming, bool fails, std::string_view kind, const Cells& cells) {
  put(page, "<tr data-v=\"{}\"><td>{}{}</td><td>{}</td>", to_string(becoming), html::badge(to_string(becoming)),
      fails ? " !" : "", kind);
  cells();
  page += "</tr>\n";
}

void put_changes(std::string& page, std::string_view kind, const std::vector<Change>& changes) {
  for (const Change& one : changes)
    put_row(page, one.becoming, one.fails, kind, [&] {
      put(page, "<td class=\"wrap\"><b>{}</b><br><span class=\"dim\">{}</span></td><td>{}</td><td>{}</td>", one.id,
          one.reason, html::badge(one.before), html::badge(one.after));
    });
}

void put_filter(std::string& page) {
  std::array<std::string_view, kBecomings - 1> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = to_string(static_cast<Becoming>(i));
  html::put_filter(page, "rule, case, word", words);
  page += "\n";
}

}  // namespace

void write_difference_html(const Difference& difference, std::string_view version, Output& out) {
  std::string page;
  html::begin(page, "Wirelaw: comparison of two results");
  put(page, "<h1>Comparison of two results</h1>\n<p class=\"verdict {}\">{}</p>\n", difference.fails() ? "bad" : "ok",
      bottom_line(difference));
  page +=
      "<div class=\"scroll\"><table><thead><tr><th></th><th>file</th><th>wirelaw</th><th>end</th><th class=\"n\">exit "
      "status</th></tr></thead><tbody>\n";
  put_side(page, "before", difference.before);
  put_side(page, "after", difference.after);
  page += "</tbody></table></div>\n";
  if (const std::string note = note_on_peers(difference); !note.empty()) put(page, "<p>Note: {}.</p>\n", note);
  put_filter(page);
  page +=
      "<div "
      "class=\"scroll\"><table><thead><tr><th>change</th><th>of</th><th>what</th><th>before</th><th>after</th></tr>"
      "</thead><tbody>\n";
  put_changes(page, "run", difference.run);
  put_changes(page, "rule", difference.rules);
  put_changes(page, "case", difference.cases);
  for (const FindingChange& one : difference.findings)
    put_row(page, one.becoming, one.fails, "finding", [&] {
      put(page, "<td class=\"wrap\"><b>{}</b>, {}<br><span class=\"dim\">{}</span></td><td>{}</td><td>{}</td>",
          one.rule, one.severity, one.reason, one.before, one.after);
    });
  page += "</tbody></table></div>\n<p class=\"dim\">! fails the gate.</p>\n";
  html::end(page, version);
  out.put(page);
}

}  // namespace wirelaw
