// SPDX-License-Identifier: Apache-2.0
// A value that holds what a conversation offers beyond its wire: RDMA (conformance/rdma.h), verbs consumers
// (conformance/verbs.h), its own address, … A transport adds what it has. Decorators of the wire do not see it. A case
// looks for what it needs:
//
//   if (Rdma* const rdma = transport.offers().find(kRdma)) …
//
// A kind of offer is declared next to its interface, with a function that wraps the offer for a case. The wrapper has
// the same interface and goes through the runner (conformance/case_calls.h).
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "conformance/case_calls.h"

namespace wirelaw {

// The address of an OfferKind object is its identity.
template <class T>
struct OfferKind {
  // nullptr: a case gets the offer itself.
  std::unique_ptr<T> (*for_case)(T& offer, const CallHooks& hooks) = nullptr;
};

class Offers {
 public:
  // Calls `ask` at each look-up. `ask` returns nullptr if there is no offer. The offer lives as long as the
  // conversation.
  template <class T>
  void add(const OfferKind<T>& kind, std::function<T*()> ask) {
    Entry entry{.kind = &kind, .ask = ask};
    if (kind.for_case != nullptr)
      entry.for_case = [&kind, ask = std::move(ask)](const CallHooks& hooks) { return guarded(kind, ask, hooks); };
    entries_.push_back(std::move(entry));
  }
  // `offer` lives as long as the conversation.
  template <class T>
  void add_reference(const OfferKind<T>& kind, T& offer) {
    add<T>(kind, [&offer] { return &offer; });
  }
  template <class T>
  void add_value(const OfferKind<T>& kind, T offer) {
    add<T>(kind, [kept = std::make_shared<T>(std::move(offer))] { return kept.get(); });
  }

  // nullptr if there is none.
  template <class T>
  T* find(const OfferKind<T>& kind) const {
    for (const Entry& entry : entries_)
      if (entry.kind == &kind) return static_cast<T*>(entry.ask());
    return nullptr;
  }

  // The same offers, wrapped for a case. The result owns the wrappers.
  Offers for_case(const CallHooks& hooks) const {
    Offers offers;
    for (const Entry& entry : entries_)
      offers.entries_.push_back({entry.kind, entry.for_case ? entry.for_case(hooks) : entry.ask, {}});
    return offers;
  }

 private:
  using Ask = std::function<void*()>;
  struct Entry {
    const void* kind = nullptr;
    Ask ask;
    std::function<Ask(const CallHooks&)> for_case = {};
  };

  // The wrapper is made at the first look-up.
  template <class T>
  static Ask guarded(const OfferKind<T>& kind, std::function<T*()> ask, const CallHooks& hooks) {
    return [&kind, ask = std::move(ask), hooks, made = std::shared_ptr<T>()]() mutable -> void* {
      T* const offer = made ? nullptr : ask();
      if (offer != nullptr) made = kind.for_case(*offer, hooks);
      return made.get();
    };
  }

  std::vector<Entry> entries_;
};

}  // namespace wirelaw
