// SPDX-License-Identifier: Apache-2.0
#include "reports/html/page.h"

#include <iterator>

#include "reports/printable.h"
#include "reports/section_link.h"

namespace wirelaw::html {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void put_args(std::string& page, fmt::string_view text, fmt::format_args args) {
  fmt::vformat_to(std::back_inserter(page), text, args);
}

Markup section(std::string_view section) {
  const std::string link = section_link(section);
  if (link.empty()) return {escaped(section)};
  return {fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", escaped(link), escaped(section))};
}

Markup badge(std::string_view verdict) {
  return {fmt::format("<b class=\"v v-{0}\">{0}</b>", escaped(verdict))};
}

void put_filter(std::string& page, std::string_view kinds, std::span<const std::string_view> values) {
  put(page,
      "<form class=\"filter\" id=\"filter\" role=\"search\" hidden><input type=\"search\" name=\"q\" "
      "aria-label=\"Words to filter by\" placeholder=\"Filter: {}\">",
      kinds);
  for (const std::string_view one : values)
    put(page, "<label><input type=\"checkbox\" value=\"{0}\" checked> {0}</label>", one);
  page += "<span id=\"shown\" class=\"dim\" role=\"status\" aria-live=\"polite\"></span></form>";
}

void begin(std::string& page, std::string_view title) {
  put(page,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n",
      title);
  page.append(kStyle).append("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the results</a>\n");
  page += "<main id=\"main\">\n";
}

void end(std::string& page, std::string_view version) {
  page += "</main>\n";
  put(page, "<footer>Written by wirelaw {}. This file needs no network.</footer>\n<script>\n", version);
  page.append(kScript).append("</script>\n</body>\n</html>\n");
}

}  // namespace wirelaw::html
