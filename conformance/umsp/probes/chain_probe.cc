// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/chain_probe.h"

#include <algorithm>
#include <utility>

namespace wirelaw::umsp {
namespace {

Draft with_header(Draft draft, HeadCode code, OctetBuffer data = {}) {
  draft.extensions.push_back({code, std::move(data)});
  return draft;
}

OctetBuffer big_endian(std::uint64_t value, std::size_t octets) {
  OctetBuffer out(octets);
  for (std::size_t i = octets; i-- > 0; value >>= 8) out[i] = static_cast<Octet>(value);
  return out;
}

Draft buffer_draft(const ChainProbe::Chain& chain, std::vector<OwnedExtension> headers = {}) {
  Draft draft = draft_of(Opcode::req_buf, big_endian(ChainProbe::octets_of(chain), 4));
  draft.extensions = std::move(headers);
  return draft;
}

void number_as(std::vector<Draft>& drafts, std::uint16_t chain) {
  for (std::size_t i = 0; i < drafts.size(); ++i) drafts[i].chain = ChainPlace{chain, static_cast<std::uint16_t>(i)};
}

}  // namespace

// Names no VM, so that the IUT names its own in a SESSION_OPEN, which contains its window (UMSP/B7).
ChainProbe::ChainProbe(CaseRun& run) : ExecutorProbe(run) {
  memory_ = memory().value_or(OfferedMemory{});
  open_ = good_open();
  open_.required_vm = {};
  if (const auto opened = ok() ? open_session(open_) : std::nullopt) session_ = *opened;
  show_served(session_);
}

void ChainProbe::reopen() {
  if (const auto opened = ok() ? open_session(open_) : std::nullopt) session_ = *opened;
}

// -------------------------------------------------------------------------------------------------------------- memory

ChainProbe::Change ChainProbe::change() {
  const std::size_t octets = address_octets() == 2 ? 2 : 4;
  Change made{.address = memory_.address + next_, .before = fresh(octets), .after = fresh(octets), .draft = {}};
  next_ += 4;
  if (ok() && next_ > memory_.octets) skip("needs an IUT that offers more memory");
  if (ok() && !write(session_, made.address, made.before)) inconclusive("a WRITE to the offered memory failed");
  made.draft = in(session_, write_draft(made.address, made.after));
  return made;
}

ChainProbe::Change ChainProbe::again(const Change& first) {
  Change made{.address = first.address, .before = first.after, .after = fresh(first.after.size()), .draft = {}};
  made.draft = in(session_, write_draft(made.address, made.after));
  return made;
}

Draft ChainProbe::refused_write() {
  const std::size_t octets = memory_octets();
  const std::uint64_t last = octets >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << octets * 8) - 1;
  const Draft draft = in(session_, write_draft(last - 3, OctetBuffer(address_octets() == 2 ? 2 : 4)));
  if (ok() && !says_refused(request_good(session_, draft)))
    inconclusive("a WRITE to the end of the address space was not refused");
  return draft;
}

bool ChainProbe::is_changed(const Change& change) {
  return read(session_, change.address, static_cast<std::uint32_t>(change.after.size())) == change.after;
}

bool ChainProbe::expect_changed(const Rule& rule, const Change& change, std::string_view explanation) {
  return expect_written(rule, session_, change.address, change.after, explanation);
}

bool ChainProbe::expect_unchanged(const Rule& rule, const Change& change, std::string_view explanation) {
  return expect_unwritten(rule, session_, change.address, change.before, explanation);
}

// -------------------------------------------------------------------------------------------------------------- chains

ChainProbe::Chain ChainProbe::sequence(std::vector<Draft> drafts) {
  for (Draft& draft : drafts) draft = in(session_, std::move(draft));
  number_as(drafts, ++chain_);
  drafts.front() = with_header(std::move(drafts.front()), HeadCode::begin_sq);
  drafts.back() = with_header(std::move(drafts.back()), HeadCode::end_chain);
  return drafts;
}

ChainProbe::Chain ChainProbe::transaction(const TransactionTerms& terms, std::vector<Draft> drafts) {
  for (Draft& draft : drafts) draft = in(session_, std::move(draft));
  number_as(drafts, ++chain_);
  drafts.front() = with_header(std::move(drafts.front()), HeadCode::begin_tr, encode(terms));
  drafts.back() = with_header(std::move(drafts.back()), HeadCode::end_chain);
  return drafts;
}

ChainProbe::Chain ChainProbe::fragments(Draft whole, std::size_t pieces, std::optional<ChainPlace> parent) {
  constexpr std::size_t kWord = 4;
  whole = in(session_, std::move(whole));
  const auto req_id = parent ? std::nullopt : whole.req_id;
  if (parent) whole.chain = parent;
  const OctetBuffer written = umsp::write(whole);
  Chain chain;
  auto instruction = decode(written);
  if (!instruction) return chain;
  instruction->header.form = Form::fragmented;
  OctetBuffer octets = encode(*instruction);
  octets.resize((octets.size() + kWord - 1) / kWord * kWord);
  const std::size_t piece = std::max(kWord, (octets.size() / pieces + kWord - 1) / kWord * kWord);
  for (std::size_t at = 0; at < octets.size(); at += piece) {
    const Octets part = Octets(octets).subspan(at, std::min(piece, octets.size() - at));
    chain.push_back(in(session_, draft_of(Opcode::nop, OctetBuffer(part.begin(), part.end()))));
  }
  number_as(chain, ++chain_);
  OctetBuffer data;
  if (parent) {
    data = big_endian(parent->chain_number, 2);
    for (const Octet octet : big_endian(parent->instr_number, 2)) data.push_back(octet);
  }
  chain.front() = with_header(std::move(chain.front()), HeadCode::begin_frg, data);
  chain.back() = with_header(std::move(chain.back()), HeadCode::end_chain);
  chain.front().req_id = req_id;
  return chain;
}

std::uint32_t ChainProbe::ask(Chain& chain) {
  const std::uint32_t req_id = new_request();
  chain.front().req_id = req_id;
  return req_id;
}

Draft ChainProbe::control(Opcode opcode, const Chain& chain) {
  Draft draft = in(session_, draft_of(opcode));
  draft.chain = ChainPlace{chain.front().chain->chain_number, 0};
  if (opcode == Opcode::exec_tr) draft.req_id = new_request();
  if (opcode == Opcode::snd_cancel) draft.operands = OctetBuffer(4);
  return draft;
}

void ChainProbe::send_all(std::span<const Draft> drafts) {
  for (const Draft& draft : drafts) send(draft);
}

void ChainProbe::send_apart(const Chain& chain, std::size_t rest) {
  const std::span<const Draft> all(chain);
  send_all(all.first(all.size() - rest));
  round_trip();
  send_all(all.last(rest));
}

std::optional<Received> ChainProbe::answer_within(std::uint32_t req_id, std::chrono::nanoseconds time) {
  const Instant deadline = now() + time;
  while (auto one = next(deadline))
    if (one->is_one_of({Opcode::rsp, Opcode::rsp_p}) && one->req_id() == req_id) return one;
  return std::nullopt;
}

std::uint64_t ChainProbe::octets_of(const Chain& chain) {
  std::uint64_t octets = 0;
  for (const Draft& draft : chain) octets += umsp::write(draft).size();
  return octets;
}

std::optional<Received> ChainProbe::request_buffer(const Chain& chain, std::vector<OwnedExtension> headers) {
  stimulates_own_rule();
  return request_good(session_, buffer_draft(chain, std::move(headers)));
}

bool ChainProbe::grant(const Chain& chain) {
  if (says_done(request_good(session_, buffer_draft(chain)))) return true;
  inconclusive("REQ_BUF granted no buffer");
  return false;
}

std::optional<std::uint64_t> ChainProbe::window() {
  constexpr std::uint64_t kBlock = 256;
  if (session_.window == 0) skip("needs an IUT that announces a window");
  if (!ok()) return std::nullopt;
  return session_.window * kBlock;
}

Draft ChainProbe::filler(std::size_t octets) {
  return draft_of(Opcode::nop, OctetBuffer(octets));
}

// ------------------------------------------------------------------------------------------------------------- between

void ChainProbe::round_trip() {
  if (ok() && !read(session_, memory_.address, address_octets() == 2 ? 2 : 4))
    inconclusive("the memory could not be read meanwhile");
}

void ChainProbe::wait(std::chrono::nanoseconds time) {
  const Instant until = now() + time;
  while (ok() && now() < until) static_cast<void>(next(until));
}

bool ChainProbe::is_broken_off() {
  return next_of({Opcode::session_abend}).has_value() || has_ended();
}

std::vector<OwnedExtension> harmless_headers() {
  return {text_extension(HeadCode::msg, "a message"), {HeadCode::alignment, OctetBuffer(2)}};
}

}  // namespace wirelaw::umsp
