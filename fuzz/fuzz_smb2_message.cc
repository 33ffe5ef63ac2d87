// SPDX-License-Identifier: Apache-2.0
// Any octets as an SMB2 message. Oracles: encode(decode(x)) == x; the elements of a compound are within it, one after
// the other. A server answers each request with one response that its client can read, within the length limit, and
// keeps to its memory limit. A client accepts no response twice.
#include <algorithm>
#include <set>

#include "fuzz/target.h"
#include "reference/smb2/client.h"
#include "reference/smb2/server.h"
#include "reference/smb2/visit.h"

namespace wirelaw::fuzz {
namespace {

using namespace smb2;

template <class Message>
void round_trip(Octets octets, const Decoded<Message>& decoded) {
  if (!decoded) return require(decoded.error().offset <= octets.size(), "an error is within the octets");
  OctetBuffer again;
  encode(*decoded, again);
  require(again.size() <= octets.size() && std::equal(again.begin(), again.end(), octets.begin()),
          "encode(decode(x)) == x");
}

void walk(Octets octets) {
  const auto elements = elements_of(octets);
  if (!elements) return require(elements.error().offset <= octets.size(), "an error is within the message");
  const Octet* end = octets.data();
  for (const Element& one : *elements) {
    require(one.octets.data() == end && one.octets.size() >= kHeaderOctets, "an element is after the one before it");
    end = one.octets.data() + one.octets.size();
  }
  require(end == octets.data() + octets.size(), "the last element ends with the message");
}

// Decodes the message as each request and response of a session.
template <class... Body>
void round_trip_each(Octets octets) {
  (round_trip(octets, body_of<Body>(octets)), ...);
}

constexpr std::size_t kLongest = 4096, kTransfer = 65'536;

// A server on which a client has files open, and the context of the client's next request.
struct Visited {
  Server server;
  Header current;
};

Visited make_visited() {
  Visited made;
  made.server.limit(kLongest, kTransfer);
  Visit visit({.octets = 10, .rounds = 2}, nullptr);
  OctetBuffer message = visit.begin();
  for (int i = 0; i < 9; ++i) message = visit.take(made.server.answer(message)->message).value();
  made.current = decode_header(message).value();
  return made;
}

// Serves the octets as a message from the client.
void serve_within(Octets octets) {
  static const Visited kVisited = make_visited();
  Server server = kVisited.server;
  const Header& current = kVisited.current;
  OctetBuffer spoilt(octets.begin(), octets.end());
  std::uint64_t id = current.message_id;
  for (std::size_t at = 0; spoilt.size() - at >= kHeaderOctets;) {
    Octet* const header = spoilt.data() + at;
    store_little_endian(header + 24, id++);
    store_little_endian(header + 36, current.tree_id);
    store_little_endian(header + 40, current.session_id);
    const auto next = load_little_endian<std::uint32_t>(header + 20);
    if (next == 0 || next > spoilt.size() - at) break;
    at += next;
  }
  const auto answer = server.answer(spoilt);
  require(server.volume().octets() <= Volume::kMostOctets && server.volume().nodes() <= Volume::kMostNodes,
          "a volume keeps to its bounds");
  if (!answer) return;
  const std::size_t requests = elements_of(spoilt)->size();
  require(answer->message.size() <= kLongest + requests * 256, "an answer is no longer than it may be");
  for (const Movement& one : answer->movements) {
    require(one.octets <= kTransfer, "a transfer is no longer than it may be");
    if (one.is_fetch)
      server.keep(one, OctetBuffer(one.octets));
    else
      require(server.octets_of(one).size() == one.octets, "what is said to move is there");
  }
}

void read_lists(Octets octets) {
  if (octets.size() < kHeaderOctets) return;
  const auto request = decode_negotiate_request(octets.subspan(kHeaderOctets));
  if (!request) return;
  if (const auto dialects = dialects_of(*request))
    require(dialects->size() == request->dialect_count, "each dialect is there");
  const auto contexts = contexts_of(octets, request->context_offset, request->context_count);
  if (!contexts) return;
  require(contexts->size() == request->context_count, "each context is there");
  for (const NegotiateContext& one : *contexts) static_cast<void>(hash_algorithms_of(one));
}

void serve(Octets octets, Server& server) {
  const auto answer = server.answer(octets);
  if (!answer || answer->message.empty()) return;
  const auto asked = elements_of(octets), answered = elements_of(answer->message);
  require(asked && answered && answered->size() <= asked->size(), "a request has one response at most");
  std::set<std::uint64_t> ids;
  for (const Element& one : *answered) {
    require(one.header.is_response(), "what a server sends is a response");
    require(ids.insert(one.header.message_id).second, "of another request each");
    require(std::ranges::any_of(*asked,
                                [&](const Element& request) {
                                  return request.header.message_id == one.header.message_id &&
                                         request.header.command == one.header.command;
                                }),
            "and of one that was made");
  }
}

void take(Octets octets, Client& client) {
  const std::size_t before = client.under_way();
  if (!client.take(octets)) return;
  require(client.under_way() < before, "a response is of a request that was under way");
  require(!client.take(octets), "and not of two");
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  const Octets octets(data, size);
  fuzz::round_trip(octets, smb2::decode_header(octets));
  fuzz::round_trip(octets, smb2::decode_echo(octets));
  fuzz::round_trip(octets, smb2::decode_write_request(octets));
  fuzz::round_trip(octets, smb2::decode_negotiate_request(octets));
  fuzz::round_trip(octets, smb2::decode_negotiate_response(octets));
  fuzz::round_trip(octets, smb2::decode_error(octets));
  fuzz::round_trip_each<smb2::SessionSetupRequest, smb2::SessionSetupResponse, smb2::TreeConnectRequest,
                        smb2::TreeConnectResponse, smb2::CreateRequest, smb2::CreateResponse, smb2::CloseRequest,
                        smb2::CloseResponse, smb2::ReadRequest, smb2::ReadResponse, smb2::WriteResponse,
                        smb2::IoctlRequest, smb2::QueryDirectoryRequest, smb2::OutputResponse, smb2::QueryInfoRequest,
                        smb2::SetInfoRequest, smb2::SetInfoResponse>(octets);
  fuzz::walk(octets);
  fuzz::read_lists(octets);

  smb2::Server fresh, server;
  smb2::Client client;
  fuzz::serve(octets, fresh);
  fuzz::take(octets, client);
  fuzz::require(client.take(server.answer(client.negotiate())->message).has_value(), "an honest client is served");
  fuzz::require(client.take(server.answer(client.echo(1))->message).has_value(), "with credits of any number");
  fuzz::serve(octets, server);
  static_cast<void>(client.echo(3));
  fuzz::take(octets, client);
  fuzz::serve_within(octets);
  return 0;
}
