// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/share_octets.h"

#include <array>
#include <concepts>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace wirelaw {
namespace {

// --- the members of each structure. A structured binding that leaves one out does not compile.

template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

auto members(Is<RunPlace> auto& all) {
  auto& [input, step] = all;
  return std::tie(input, step);
}
auto members(Is<SharedFinding> auto& all) {
  auto& [place, flow, kind] = all;
  return std::tie(place, flow, kind);
}
auto members(Is<SharedReason> auto& all) {
  auto& [rule, reason, place] = all;
  return std::tie(rule, reason, place);
}
auto members(Is<InputProblem> auto& all) {
  auto& [file, frame, offset, message, hint] = all;
  return std::tie(file, frame, offset, message, hint);
}
auto members(Is<SharedProblem> auto& all) {
  auto& [problem, stops] = all;
  return std::tie(problem, stops);
}
auto members(Is<Input> auto& all) {
  auto& [name, frames, octets, completeness, why] = all;
  return std::tie(name, frames, octets, completeness, why);
}
auto members(Is<RuleResult> auto& all) {
  auto& [rule, verdict, exercised, failed, warned, held_back, inconclusive, reason] = all;
  return std::tie(rule, verdict, exercised, failed, warned, held_back, inconclusive, reason);
}
auto members(Is<CaseResult> auto& all) {
  auto& [id, protocol, purpose, rules, verdict, reason, duration_ns, first_frame, last_frame] = all;
  return std::tie(id, protocol, purpose, rules, verdict, reason, duration_ns, first_frame, last_frame);
}
auto members(Is<FindingPlace> auto& all) {
  auto& [frame, frame_offset, length] = all;
  return std::tie(frame, frame_offset, length);
}
auto members(Is<Occasion> auto& all) {
  auto& [test_case, control] = all;
  return std::tie(test_case, control);
}
auto members(Is<Finding> auto& all) {
  auto& [rule, severity, evidence, held_back, flow, sender, message, unanswered, frame, time_ns, offset, length, octets,
         places, expected, actual, explanation, occasion, shown_by_case] = all;
  return std::tie(rule, severity, evidence, held_back, flow, sender, message, unanswered, frame, time_ns, offset,
                  length, octets, places, expected, actual, explanation, occasion, shown_by_case);
}
auto members(Is<FlowResult> auto& all) {
  auto& [id, protocol, above, messages, octets, state, note, completeness, missing] = all;
  return std::tie(id, protocol, above, messages, octets, state, note, completeness, missing);
}
auto members(Is<RecordedRun> auto& all) {
  auto& [file, peer, version, end, exit_status, rules, cases, findings, findings_dropped] = all;
  return std::tie(file, peer, version, end, exit_status, rules, cases, findings, findings_dropped);
}
auto members(Is<SharedInput> auto& all) {
  auto& [place, input, packets, cut, problems, problems_dropped, runs, fingerprint, is_live, shares, octets,
         associations] = all;
  return std::tie(place, input, packets, cut, problems, problems_dropped, runs, fingerprint, is_live, shares, octets,
                  associations);
}
auto members(Is<FlowKinds> auto& all) {
  auto& [one_sided, relayed_tcp, direct_tcp] = all;
  return std::tie(one_sided, relayed_tcp, direct_tcp);
}
auto members(Is<Share> auto& all) {
  auto& [rules, reasons, findings, found, findings_dropped, flows, flow_ends, flows_dropped, flows_dropped_as, cases,
         case_places, inputs, judged, iut_seen, kinds] = all;
  return std::tie(rules, reasons, findings, found, findings_dropped, flows, flow_ends, flows_dropped, flows_dropped_as,
                  cases, case_places, inputs, judged, iut_seen, kinds);
}

// --- values

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>;
template <class T>
concept List = requires(T& list) {
  list.resize(1);
};

class OctetWriter {
 public:
  explicit OctetWriter(std::string& out) : out_(out) {}

  template <class T>
  void put(const T& value) {
    if constexpr (Plain<T>) {
      out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else if constexpr (List<T>) {
      put(value.size());
      for (const auto& one : value) put(one);
    } else {
      std::apply([&](const auto&... each) { (put(each), ...); }, members(value));
    }
  }
  void put(const std::string& text) {
    put(text.size());
    out_ += text;
  }
  template <class T, std::size_t kSize>
  void put(const std::array<T, kSize>& values) {
    for (const T& one : values) put(one);
  }

 private:
  std::string& out_;
};

// Each get() returns false if the octets end early.
class OctetReader {
 public:
  explicit OctetReader(std::string_view left) : left_(left) {}
  bool is_done() const { return left_.empty(); }

  template <class T>
  bool get(T& value) {
    if constexpr (Plain<T>) {
      if (left_.size() < sizeof value) return false;
      std::memcpy(&value, left_.data(), sizeof value);
      left_.remove_prefix(sizeof value);
      return true;
    } else if constexpr (List<T>) {
      std::size_t size = 0;
      if (!get(size) || size > left_.size()) return false;  // each element takes an octet at least
      for (value.reserve(size); value.size() < size;)
        if (!get(value.emplace_back())) return false;
      return true;
    } else {
      return std::apply([&](auto&... each) { return (get(each) && ...); }, members(value));
    }
  }
  bool get(std::string& text) {
    std::size_t size = 0;
    if (!get(size) || size > left_.size()) return false;
    text = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }
  template <class T, std::size_t kSize>
  bool get(std::array<T, kSize>& values) {
    for (T& one : values)
      if (!get(one)) return false;
    return true;
  }

 private:
  std::string_view left_;
};

}  // namespace

std::string octets_of(const Share& share) {
  std::string octets;
  OctetWriter(octets).put(share);
  return octets;
}

std::optional<Share> share_of_octets(std::string_view octets) {
  OctetReader reader(octets);
  std::optional<Share> share(std::in_place);
  if (!reader.get(*share) || !reader.is_done()) share.reset();
  return share;
}

}  // namespace wirelaw
