// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/operands.h"

#include <algorithm>
#include <array>

#include "reference/umsp/address.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kMostPadding = 3;

std::uint64_t padded(std::uint64_t octets) {
  return (octets + 3) / 4 * 4;
}

// A possible length of an operand, and the offset of the next operand.
struct Candidate {
  std::uint64_t length;
  std::uint64_t reach;
};

// The lengths to try, the most likely first.
class Candidates {
 public:
  void add(std::uint64_t length) { add(length, length); }
  void add(std::uint64_t length, std::uint64_t reach) {
    for (const Candidate& known : *this)
      if (known.length == length) return;
    if (count_ < all_.size()) all_[count_++] = {length, reach};
  }
  const Candidate* begin() const { return all_.data(); }
  const Candidate* end() const { return all_.data() + count_; }

 private:
  std::array<Candidate, 6> all_{};
  std::size_t count_ = 0;
};

std::uint8_t known_length(Owner owner, const Lengths& lengths) {
  switch (owner) {
    case Owner::address:
      return lengths.address;
    case Owner::ctid:
      return lengths.ctid;
    case Owner::ltid:
      return lengths.ltid;
    case Owner::none:
      break;
  }
  return 0;
}

// Places the rows of a form one after the other, and backtracks if a length does not let all operands fit.
class Placing {
 public:
  Placing(FormRow rows, Octets octets, const Lengths& lengths, std::size_t most_padding)
      : rows_(rows), octets_(octets), lengths_(lengths), most_padding_(most_padding) {}

  bool fits() { return place(0); }
  // If all fit. Else as far as they do.
  const OperandView& view() const { return fits_ ? view_ : best_; }

 private:
  bool place(std::size_t at) {
    if (view_.operands.size() == rows_.size()) return finish(at);
    const OperandRow& row = rows_[view_.operands.size()];
    if (const auto flaw = cannot_begin(row, at)) return note(*flaw, at, &row);
    for (const Candidate& candidate : candidates(row, at)) {
      if (candidate.reach > octets_.size() - at) {
        const bool counted = row.width == Width::counted || row.width == Width::words;
        note(counted ? OperandFlaw::count : OperandFlaw::too_short, at, &row);
        continue;
      }
      view_.operands.push_back({&row, at, static_cast<std::size_t>(candidate.length)});
      if (place(at + static_cast<std::size_t>(candidate.reach))) return true;
      view_.operands.pop_back();
    }
    return false;
  }

  bool finish(std::size_t at) {
    if (octets_.size() - at <= most_padding_) {
      view_.padding_offset = at;
      view_.padding = octets_.size() - at;
      fits_ = true;
      return true;
    }
    const OperandRow* last = rows_.empty() ? nullptr : &rows_.back();
    const bool counted = last != nullptr && last->width == Width::words;
    return note(counted ? OperandFlaw::count : OperandFlaw::too_long, at, counted ? last : nullptr);
  }

  // Keeps the attempt that got furthest. Always returns false.
  bool note(OperandFlaw flaw, std::size_t at, const OperandRow* row) {
    if (best_.flaw && view_.operands.size() <= best_.operands.size()) return false;
    best_ = view_;
    best_.flaw = flaw;
    best_.flaw_offset = at;
    best_.flaw_operand = row != nullptr ? describe(row->operand).name : std::string_view{};
    best_.padding_offset = at;
    best_.padding = octets_.size() - at;
    return false;
  }

  std::optional<OperandFlaw> cannot_begin(const OperandRow& row, std::size_t at) const {
    if (row.width != Width::identifier) return std::nullopt;
    if (at >= octets_.size()) return OperandFlaw::too_short;
    if (flaw_of(decode_format(octets_[at]))) return OperandFlaw::identifier;
    return std::nullopt;
  }

  Candidates candidates(const OperandRow& row, std::size_t at) const {
    Candidates all;
    const std::size_t left = octets_.size() - at;
    switch (row.width) {
      case Width::fixed:
        all.add(row.octets);
        break;
      case Width::local:
        add_local(all, row, at);
        break;
      case Width::identifier:
        all.add(decode_format(octets_[at]).octets());
        break;
      case Width::counted:
        all.add(count_in_front(), padded(count_in_front()));
        break;
      case Width::words:
        all.add(count_in_front() * 4);
        break;
      case Width::half:
        all.add(left / 2);
        break;
      case Width::rest:
        all.add(left);
        break;
    }
    return all;
  }

  // Tries a complete address if possible, then the node's known length, then the others (UMSP/A29).
  void add_local(Candidates& all, const OperandRow& row, std::size_t at) const {
    const bool complete = std::ranges::count(row.lengths, kAddressOctets) != 0 && lengths_.complete_addresses;
    const std::uint8_t known = known_length(row.owner, lengths_);
    const bool valid = at < octets_.size() && is_assigned(decode_format(octets_[at]));
    if (complete && valid && known != 0) all.add(kAddressOctets);
    for (const std::uint8_t length : row.lengths)
      if (known != 0 && length == field_octets(known)) all.add(length);
    for (const std::uint8_t length : row.lengths)
      if (length != kAddressOctets || complete) all.add(length);
  }

  std::uint64_t count_in_front() const { return number_of(octets_of(view_.operands.back(), octets_)); }

  FormRow rows_;
  Octets octets_;
  const Lengths& lengths_;
  std::size_t most_padding_;
  bool fits_ = false;
  OperandView view_;  // this attempt's result
  OperandView best_;  // among the attempts that did not fit, the one that came furthest
};

bool all_zero(Octets octets) {
  return std::ranges::all_of(octets, [](Octet octet) { return octet == 0; });
}

// Checks that need values, once all operands have their place.
void judge(OperandView& view, Octets octets) {
  const auto flaw = [&](OperandFlaw what, std::size_t at, std::string_view operand) {
    if (view.flaw) return;
    view.flaw = what;
    view.flaw_offset = at;
    view.flaw_operand = operand;
  };
  std::size_t end = 0;
  const auto gap_before = [&](std::size_t next) {
    if (next > end && !all_zero(octets.subspan(end, next - end))) flaw(OperandFlaw::padding, end, {});
  };
  for (const Located& located : view.operands) {
    gap_before(located.offset);
    end = located.offset + located.length;
    const OperandInfo& info = describe(located.row->operand);
    if (info.kind == OperandKind::address && located.length == kAddressOctets &&
        flaw_of(decode_format(octets[located.offset])))
      flaw(OperandFlaw::address, located.offset, info.name);
  }
  gap_before(octets.size());
}

OperandView locate_in(std::span<const FormRow> forms, Octets octets, const Lengths& lengths,
                      std::initializer_list<std::size_t> paddings) {
  OperandView furthest;
  for (const std::size_t padding : paddings)
    for (const FormRow& form : forms) {
      Placing placing(form, octets, lengths, padding);
      if (placing.fits()) {
        OperandView view = placing.view();
        judge(view, octets);
        return view;
      }
      const OperandView& view = placing.view();
      if (!furthest.flaw || view.operands.size() >= furthest.operands.size()) furthest = view;
    }
  return furthest;
}

OperandView unknown(Octets octets) {
  OperandView view;
  view.padding = octets.size();
  view.flaw = OperandFlaw::unknown_code;
  return view;
}

}  // namespace

std::string_view explain(OperandFlaw flaw) {
  static constexpr std::array<std::string_view, 7> kTexts{"the operands end too early",
                                                          "octets that are not padding follow the last operand",
                                                          "ADDR_LENGTH and ADDR_CODE of the identifier cannot be",
                                                          "ADDR_LENGTH and ADDR_CODE of the address cannot be",
                                                          "the count does not agree with the octets that are there",
                                                          "the padding is not zero",
                                                          "the code is not assigned"};
  return kTexts[static_cast<std::size_t>(flaw)];
}

const Located* OperandView::find(Operand operand) const {
  for (const Located& located : operands)
    if (located.row->operand == operand) return &located;
  return nullptr;
}

const Layout* layout_of(const Instruction& instruction) {
  const Layout* layout = find_layout(instruction.opcode());
  if (layout == nullptr || layout->opcode != Opcode::control_confirm) return layout;
  const Layout& reject = describe(Opcode::control_reject);
  const auto misses = [&](const Layout& row) {
    const auto flaw = locate(row, instruction.operands).flaw;
    return flaw && *flaw != OperandFlaw::padding;
  };
  return misses(*layout) && !misses(reject) ? &reject : layout;
}

OperandView locate(const Instruction& instruction, const Lengths& lengths) {
  const Layout* layout = layout_of(instruction);
  return layout == nullptr ? unknown(instruction.operands) : locate(*layout, instruction.operands, lengths);
}

OperandView locate(const Layout& layout, Octets operands, const Lengths& lengths) {
  return locate_in(layout.forms, operands, lengths, {kMostPadding});
}

OperandView locate(const ExtensionHeader& header, const Lengths& lengths) {
  const ExtensionLayout* layout = find_extension(header.head_code);
  if (layout == nullptr) return unknown(header.data);
  return locate_in(layout->forms, header.data, lengths, {0, kMostPadding});
}

std::uint64_t number_of(Octets octets) {
  std::uint64_t value = 0;
  for (const Octet octet : octets) value = value << 8 | octet;
  return value;
}

std::optional<std::uint64_t> value_of(const OperandView& view, Operand operand, Octets operands) {
  const Located* located = view.find(operand);
  return located == nullptr ? std::nullopt : std::optional(number_of(octets_of(*located, operands)));
}

}  // namespace wirelaw::umsp
