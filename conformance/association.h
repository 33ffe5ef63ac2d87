// SPDX-License-Identifier: Apache-2.0
// What flows between the same two nodes, or all flows of a protocol, have in common: a protocol may lead one
// conversation over several of them, at once or one after the other, and between more than two nodes. An observer that
// joins its flow to the others may ask what those have shown. A capture file has one Associations, which outlives its
// observers. Each case of a run has one, and has it in the recording of the run: it is another beginning, whatever the
// one before has left open.
#pragma once

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <string_view>

#include "conformance/observer.h"
#include "reference/network/address.h"

namespace wirelaw {

// Of two nodes, or of all; what is in it is the protocol's.
class Association {
 public:
  virtual ~Association() = default;
  virtual bool has_flows() const = 0;  // that have not ended
};

class Associations {
 public:
  // Of another file; the observers of the one before have gone.
  void clear() { all_.clear(); }
  // Of the conversations of a case: the nodes may have had others before, and what one of them has sent on another
  // conversation is seen when the case looks there, which may be later than it came.
  void set_of_case(bool of_case) { of_case_ = of_case; }
  bool is_of_case() const { return of_case_; }
  std::size_t size() const { return all_.size(); }
  static constexpr std::size_t kMost = 256;  // that are looked after

  // That of these two nodes; nullptr where they cannot be told apart, or where there are more than are looked after.
  template <class Of>
  Of* of(std::string_view protocol, const Address& one, const Address& other) {
    return one == other ? nullptr : at<Of>(key_of(protocol, one, other));
  }
  // That of all nodes; likewise.
  template <class Of>
  Of* of_all(std::string_view protocol) {
    return at<Of>({.protocol = protocol, .nodes = {}});  // two nodes are never one and the same
  }

 private:
  struct Key {
    std::string_view protocol;
    std::array<std::array<Octet, 16>, 2> nodes;  // the lower first
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  template <class Of>
  Of* at(const Key& key) {
    if (!make_room(key)) return nullptr;
    std::unique_ptr<Association>& here = all_[key];
    if (!here) here = std::make_unique<Of>();
    return static_cast<Of*>(here.get());  // a protocol has one kind of each
  }
  static Key key_of(std::string_view protocol, const Address& one, const Address& other);
  bool make_room(const Key& key);

  bool of_case_ = false;
  std::map<Key, std::unique_ptr<Association>> all_;
};

// Whether the first of two nodes is the second one of their association: which of them has begun a flow says nothing.
bool is_turned(const std::array<Endpoint, 2>& addresses);

// An observer of flows that may belong together.
class JoiningObserver : public Observer {
 public:
  // Before the first message; `all` outlives this.
  virtual void join(Associations& all, const std::array<Endpoint, 2>& addresses) = 0;
  // Whether it joins the flows of other nodes, too.
  virtual bool joins_all_nodes() const { return false; }
};

}  // namespace wirelaw
