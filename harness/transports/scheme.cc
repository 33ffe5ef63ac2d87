// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/scheme.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wirelaw {

// Each is defined in the folder of its transport.
extern const Scheme kUdpScheme, kTcpScheme, kIwarpScheme, kSrdScheme, kVerbsScheme, kMemoryScheme;

std::span<const Scheme* const> schemes() {
  static constexpr const Scheme* kSchemes[] = {&kUdpScheme, &kTcpScheme,   &kIwarpScheme,
                                               &kSrdScheme, &kVerbsScheme, &kMemoryScheme};
  return kSchemes;
}

const Scheme* find_scheme(std::string_view name) {
  const auto found = std::ranges::find(schemes(), name, &Scheme::name);
  return found == schemes().end() ? nullptr : *found;
}

const Scheme* scheme_of(std::string_view text) {
  return find_scheme(text.substr(0, text.find_first_of(":?/")));
}

std::string_view first_transport(std::string_view transports) {
  return transports.substr(0, transports.find(' '));
}

bool travels_over(std::string_view transports, std::string_view scheme) {
  while (!transports.empty()) {
    const std::string_view next = first_transport(transports);
    if (next == scheme) return true;
    transports.remove_prefix(std::min(next.size() + 1, transports.size()));
  }
  return false;
}

namespace {

tl::unexpected<std::string> malformed(std::string_view text, std::string_view what, std::string_view form) {
  return tl::unexpected(fmt::format("'{}': {}; the form is {}", text, what, form));
}

// The URI forms of these transports: "udp://HOST:PORT or udp://[IPV6]:PORT". A peer to test may be the reference, too.
std::string forms_of(std::string_view transports, UriUse use) {
  constexpr std::string_view kComma = ", ";
  std::vector<std::string> forms;
  for (const Scheme* one : schemes()) {
    if (one->is_reference && use == UriUse::tested) forms.push_back(fmt::format("{}:", one->name));
    if (!one->is_reference && travels_over(transports, one->name)) forms.emplace_back(one->form);
  }
  std::string text = fmt::format("{}", fmt::join(forms, kComma));
  if (const std::size_t last = text.rfind(kComma); last != text.npos) text.replace(last, kComma.size(), " or ");
  return text;
}

// Moves the transport's parts of the query to the URI's options.
void split_options(Uri& uri, std::span<const Feature> options) {
  const auto is_option = [&](const Uri::Query::value_type& pair) {
    return std::ranges::find(options, pair.first, &Feature::name) != options.end();
  };
  std::ranges::copy_if(uri.query, std::back_inserter(uri.options), is_option);
  std::erase_if(uri.query, is_option);
}

// The first unknown parameter in the query; empty if all are known.
std::string unknown_in(const Uri& uri, std::span<const Feature> parameters) {
  for (const auto& pair : uri.query)
    if (std::ranges::find(parameters, pair.first, &Feature::name) == parameters.end())
      return parameters.empty() ? "nothing may follow the port" : fmt::format("'{}' is no parameter", pair.first);
  return {};
}

}  // namespace

tl::expected<Uri, std::string> parse_peer_uri(std::string_view text, std::string_view transports,
                                              std::span<const Feature> parameters, UriUse use) {
  auto uri = parse_uri(text);
  if (!uri) return malformed(text, uri.error(), forms_of(transports, use));
  const Scheme* const scheme = find_scheme(uri->scheme);
  if (scheme == nullptr || scheme->is_reference || !travels_over(transports, uri->scheme))
    return malformed(text, fmt::format("this protocol travels over {}", transports),
                     forms_of(first_transport(transports), use));
  if (!uri->has_place) return malformed(text, "no '//' after the scheme", forms_of(scheme->name, use));
  split_options(*uri, scheme->options);
  if (const std::string wrong = scheme->wrong(*uri, use); !wrong.empty())
    return malformed(text, wrong, forms_of(scheme->name, use));
  if (const std::string unknown = unknown_in(*uri, parameters); !unknown.empty()) {
    const std::string_view known = !parameters.empty()       ? parameters.front().name
                                   : scheme->options.empty() ? std::string_view()
                                                             : scheme->options.front().name;
    if (known.empty()) return malformed(text, unknown, forms_of(scheme->name, use));
    const std::string_view form = scheme->form.substr(0, scheme->form.find(','));
    return malformed(text, unknown, fmt::format("{}{}{}=…", form, form.find('?') == form.npos ? '?' : '&', known));
  }
  return std::move(*uri);
}

tl::expected<Uri, std::string> parse_listen_uri(std::string_view text, std::string_view transports,
                                                std::span<const Feature> parameters) {
  return parse_peer_uri(text, transports, parameters, UriUse::listen);
}

tl::expected<Uri, std::string> parse_reference_uri(std::string_view text) {
  const auto scheme = std::ranges::find(schemes(), true, &Scheme::is_reference);
  auto uri = parse_uri(text);
  if (!uri) return malformed(text, uri.error(), (*scheme)->form);
  if (const std::string wrong = (*scheme)->wrong(*uri, UriUse::peer); !wrong.empty())
    return malformed(text, wrong, (*scheme)->form);
  return std::move(*uri);
}

std::string wrong_host_and_port(const Uri& uri, UriUse use) {
  const auto at = parse_host_and_port(uri.place);
  if (!at) return std::string(at.error());
  if (use == UriUse::listen) return {};
  if (at->host.empty()) return "the host is missing";
  return at->port.value_or(0) == 0 ? "the port is missing" : "";
}

SocketPlace socket_place(const Uri& uri) {
  const HostPort at = parse_host_and_port(uri.place).value_or(HostPort{});
  return {.host = at.host.empty() ? "127.0.0.1" : at.host, .port = at.port.value_or(0)};
}

}  // namespace wirelaw
