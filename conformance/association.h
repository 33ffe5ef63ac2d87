// SPDX-License-Identifier: Apache-2.0
// State that several flows share: all flows between the same two nodes, or all flows of a protocol. A protocol may
// use several flows for one conversation, in parallel or in sequence, and between more than two nodes. An observer
// that joins its flow to the others can read what they have shown. A capture file has one Associations object, which
// outlives its observers. A run has one for each case, because a case starts afresh whatever the case before it left
// open.
#pragma once

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <string_view>

#include "conformance/observer.h"
#include "reference/network/address.h"

namespace wirelaw {

// State shared by the flows of two nodes, or of all nodes. Each protocol derives its own.
class Association {
 public:
  virtual ~Association() = default;
  virtual bool has_flows() const = 0;  // True if at least one flow has not ended.
};

class Associations {
 public:
  // Starts another file. The observers of the file before it must be destroyed.
  void clear() { all_.clear(); }
  // True for the conversations of a case. The nodes may have had conversations before the case, and a message on
  // another conversation is only seen when the case receives there, possibly later than it arrived.
  void set_of_case(bool of_case) { of_case_ = of_case; }
  bool is_of_case() const { return of_case_; }
  std::size_t size() const { return all_.size(); }
  static constexpr std::size_t kMost = 256;  // associations that are kept

  // The association of these two nodes. nullptr if both addresses are the same, or if kMost others have
  // open flows.
  template <class Of>
  Of* of(std::string_view protocol, const Address& one, const Address& other) {
    return one == other ? nullptr : at<Of>(key_of(protocol, one, other));
  }
  // The association of all nodes. nullptr as above.
  template <class Of>
  Of* of_all(std::string_view protocol) {
    return at<Of>({.protocol = protocol, .nodes = {}});  // two nodes never have equal addresses
  }

 private:
  struct Key {
    std::string_view protocol;
    std::array<std::array<Octet, 16>, 2> nodes;  // the lower address first
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  template <class Of>
  Of* at(const Key& key) {
    if (!make_room(key)) return nullptr;
    std::unique_ptr<Association>& here = all_[key];
    if (!here) here = std::make_unique<Of>();
    return static_cast<Of*>(here.get());  // a protocol has one type for each key
  }
  static Key key_of(std::string_view protocol, const Address& one, const Address& other);
  bool make_room(const Key& key);

  bool of_case_ = false;
  std::map<Key, std::unique_ptr<Association>> all_;
};

// True if the first address is that of the second node in the association. Which node began a flow does not decide
// the order.
bool is_turned(const std::array<Endpoint, 2>& addresses);

// An observer of flows that may share an association.
class JoiningObserver : public Observer {
 public:
  // Called before the first message. `all` outlives the observer.
  virtual void join(Associations& all, const std::array<Endpoint, 2>& addresses) = 0;
  // True if the observer also joins the flows of other nodes.
  virtual bool joins_all_nodes() const { return false; }
};

}  // namespace wirelaw
