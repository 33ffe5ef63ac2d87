// SPDX-License-Identifier: Apache-2.0
// A page that needs no network, fonts or images. Its content may come from peers and captures. So all of it is escaped,
// and a content security policy forbids everything that the page does not contain.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace wirelaw::html {

// Escapes text for an element or a quoted attribute: printable() first, then the five characters of markup.
std::string escaped(std::string_view text);

// Markup that is composed of escaped text.
struct Markup {
  std::string text;
};

// Adds `text` to the page. Escapes every argument, except numbers and markup.
template <class T>
auto safe(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return value;
  else if constexpr (std::is_same_v<T, Markup>)
    return value.text;
  else
    return escaped(value);
}
void put_args(std::string& page, fmt::string_view text, fmt::format_args args);
template <class... Args>
void put(std::string& page, fmt::format_string<decltype(safe(std::declval<Args>()))...> text, const Args&... args) {
  [&page, &text](const auto&... all) { put_args(page, text, fmt::make_format_args(all...)); }(safe(args)...);
}

// "<a href=… >RFC 5040 4.8</a>", or only the section if it has no address.
Markup section(std::string_view section);
// A verdict, or another word with a colour in style.cc: "<b class=v-fail>fail</b>".
Markup badge(std::string_view verdict);

// Adds a text field that filters by words, and a box for each of these values of data-v. `kinds` is a hint for the
// words.
void put_filter(std::string& page, std::string_view kinds, std::span<const std::string_view> values);

void begin(std::string& page, std::string_view title);  // up to <main>
void end(std::string& page, std::string_view version);

extern const std::string_view kStyle, kScript;

}  // namespace wirelaw::html
