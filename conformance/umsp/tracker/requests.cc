// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/requests.h"

#include <algorithm>
#include <optional>

#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

// The kind of request that a response may answer.
struct Wanted {
  bool management = false;
  std::optional<bool> chained = {};  // only a request of a chain, or only one outside chains; empty: either
};

FoundRequest find_in(Requests& requests, const Seen& seen, const Wanted& wanted, std::uint64_t session) {
  const auto found = requests.find({wanted.management, session, seen.header().req_id});
  const bool is_wanted = found != requests.end() && (!wanted.chained || *wanted.chained == found->second.chained);
  return is_wanted ? FoundRequest{&requests, found} : FoundRequest{};
}

FoundRequest find_elsewhere(const Seen& seen, const Wanted& wanted, std::uint64_t session, Side owner) {
  FoundRequest found;
  look_elsewhere(seen.connection, [&](Connection& there, bool is_turned) {
    std::optional<std::uint64_t> number = session;
    if (session != kNoSession)
      number = there.find_session_number(turned(owner, is_turned), *seen.membership.session_id);
    if (!number) return false;
    found = find_in(there.of(turned(other(seen.message.sender), is_turned)).requests, seen, wanted, *number);
    return static_cast<bool>(found);
  });
  return found;
}

bool has_guess(const Direction& direction, std::uint32_t req_id) {
  return direction.guesses_forgotten ||
         std::ranges::any_of(direction.guesses, [req_id](const auto& one) { return one.second == req_id; });
}

bool has_left(const Direction& direction, const Seen& seen) {
  const auto& named = seen.membership.session_id;
  return named && direction.left.contains({*named, seen.header().req_id});
}

// The requests of a session no longer wait under its identifier.
void keep_left(Direction& direction, std::uint64_t session, std::uint32_t id) {
  for (auto next = direction.requests.begin(); next != direction.requests.end();) {
    const auto one = next++;
    if (one->first.session != session) continue;
    if (direction.left.size() < kMostRequests)
      direction.left.emplace(id, one->first.req_id);
    else
      direction.guesses_forgotten = true;
    direction.requests.erase(one);
  }
}

bool has(const Direction& direction, Opcode opcode) {
  return std::ranges::any_of(
      direction.requests, [opcode](const auto& one) { return one.second.opcode == static_cast<std::uint8_t>(opcode); });
}

}  // namespace

bool is_rsp(const Seen& seen) {
  return seen.is(Opcode::rsp) || seen.is(Opcode::rsp_p);
}

std::optional<std::uint64_t> session_of(const Seen& seen, Side owner) {
  if (seen.header().pck == Pck::no_session) return kNoSession;
  if (!seen.membership.session_id) return std::nullopt;
  if (*seen.membership.session_id == kZeroSession) return kNoSession;
  return seen.connection.find_session_number(owner, *seen.membership.session_id);
}

FoundRequest find_request(const Seen& seen, Side owner) {
  const auto session = session_of(seen, owner);
  if (!session || !seen.header().has_req_id()) return {};
  const auto find = [&](const Wanted& wanted) {
    const FoundRequest here = find_in(seen.to().requests, seen, wanted, *session);
    return here ? here : find_elsewhere(seen, wanted, *session, owner);
  };
  // The protocol layer and the VM choose their REQ_IDs independently. A response answers a request of the other class
  // only if none of its own class waits on any connection.
  const bool management = seen.is_of(OpcodeClass::management);
  if (!is_rsp(seen) || *session == kNoSession) return find({.management = management});
  // If both wait, RSP_P answers a chain of the window and RSP a request outside chains (7.5).
  const Wanted rows[] = {{.management = management, .chained = management ? std::nullopt : std::optional(false)},
                         {.management = management},
                         {.management = !management, .chained = true},
                         {.management = !management}};
  for (const Wanted& wanted : rows)
    if (const FoundRequest found = find(wanted)) return found;
  return {};
}

FoundRequest find_request(const Seen& seen) {
  return find_request(seen, other(seen.message.sender));
}

const ObservedRequest* find_answered(const Seen& seen) {
  const FoundRequest found = find_request(seen);
  return found ? &found.request() : nullptr;
}

bool knows_requests(const Seen& seen) {
  const Direction& to = seen.to();
  return !seen.connection.datagrams && !seen.message.order_unknown && to.seen && to.unbroken && to.requests_known &&
         seen.from().unbroken;
}

bool is_over_other_transport(const Seen& seen) {
  const FoundRequest found = find_request(seen);
  if (!found || found.of == &seen.to().requests) return false;
  bool is_other = false, is_same = false;
  look_elsewhere(seen.connection, [&](Connection& there, bool is_turned) {
    const bool has_it = there.of(turned(other(seen.message.sender), is_turned)).requests.contains(found.key());
    (there.datagrams == seen.connection.datagrams ? is_same : is_other) |= has_it;
    return false;
  });
  return is_other && !is_same;
}

void note_guess(const Seen& seen) {
  const auto& id = seen.membership.session_id;
  if (!id || *id == kZeroSession) return;
  Direction& from = seen.from();
  if (from.guesses.size() < kMostRequests)
    from.guesses.emplace(*id, seen.header().req_id);
  else
    from.guesses_forgotten = true;
}

void name_session(Connection& connection, Side owner, std::uint32_t id, std::uint64_t number) {
  auto& ids = connection.session_by_id[owner == Side::a ? 0 : 1];
  const auto before = ids.find(id);
  if (before != ids.end() && before->second != number) {
    const auto session = connection.sessions.find(before->second);
    const bool was_left = session == connection.sessions.end() || session->second.ended_by != other(owner);
    if (was_left) keep_left(connection.of(owner), before->second, id);
  }
  ids[id] = number;
}

void forget_left(Connection& connection, Side owner, std::uint32_t id) {
  auto& left = connection.of(owner).left;
  left.erase(left.lower_bound({id, 0}), left.upper_bound({id, ~std::uint32_t{0}}));
}

bool was_guessed(const Seen& seen) {
  if (!seen.header().has_req_id()) return false;
  const Direction& to = seen.to();
  if (to.guesses_forgotten) return true;
  const std::uint32_t req_id = seen.header().req_id;
  if (has_left(to, seen)) return true;
  const std::optional<std::uint32_t> id =
      seen.session != nullptr ? seen.session->half(seen.message.sender).id : std::nullopt;
  // The identifier that it has assigned, or will assign, to the session is unknown.
  if (id ? to.guesses.contains({*id, req_id}) : has_guess(to, req_id)) return true;
  return look_elsewhere(seen.connection, [&](const Connection& there, bool is_turned) {
    const Direction& one = there.of(turned(other(seen.message.sender), is_turned));
    return has_guess(one, req_id) || has_left(one, seen);
  });
}

void note_answered(const Seen& seen) {
  const bool is_answer = seen.is(Opcode::vm_notif) || (seen.layout != nullptr && seen.layout->response);
  if (!is_answer || !seen.header().has_req_id() || seen.connection.datagrams || seen.message.order_unknown ||
      was_guessed(seen))
    return;
  const FoundRequest found = find_request(seen);
  const auto answers = [&](Opcode opcode) { return found.request().opcode == static_cast<std::uint8_t>(opcode); };
  // VM_NOTIF may come without a request.
  if (!found || !found.request().is_certain || (seen.is(Opcode::vm_notif) && !answers(Opcode::vm_req))) return;
  const bool is_here = found.of == &seen.to().requests;
  auto& received = seen.from().received_index;
  if (is_here) received = std::max(received.value_or(0), found.request().seen_index);
  // What passed at the same time may have come after the request.
  note_sent_after(seen.connection, seen.message.sender, found.request().seen_ns - 1, seen.message.time_ns, is_here);
}

bool has_request(const Seen& seen, Opcode opcode) {
  return has(seen.to(), opcode) || look_elsewhere(seen.connection, [&](const Connection& there, bool is_turned) {
           return has(there.of(turned(other(seen.message.sender), is_turned)), opcode);
         });
}

}  // namespace wirelaw::umsp
