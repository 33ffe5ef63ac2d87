// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/visit.h"

#include <algorithm>
#include <utility>

#include "reference/octets/hex.h"
#include "reference/smb2/authentication.h"
#include "reference/smb2/client.h"

namespace wirelaw::smb2 {
namespace {

constexpr std::uint16_t kCredits = 256;
constexpr std::uint32_t kListing = 16'384;  // maximum length of a listing, as requested by Linux
constexpr std::uint8_t kIdFull = 38;        // FileIdFullDirectoryInformation

std::uint16_t charge_of(std::size_t octets) {
  return static_cast<std::uint16_t>(octets == 0 ? 1 : (octets - 1) / 65'536 + 1);
}

std::string hex_of(std::uint32_t status) {
  OctetBuffer octets;
  Writer(octets).big_endian(status);
  return to_hex(octets);
}

template <class Request>
OctetBuffer message_of(const Header& header, const Request& request) {
  Compound message;
  message.add(header, request);
  return message.finish();
}

}  // namespace

Header Visit::header(std::uint16_t command, std::uint16_t charge, std::uint32_t flags) {
  const bool charged = step_ != Step::negotiate && plan_.dialect > dialect::k202;
  ++requests_;
  return {.credit_charge = static_cast<std::uint16_t>(charged ? charge : 0),
          .command = command,
          .credits = kCredits,
          .flags = flags,
          .message_id = std::exchange(next_id_, next_id_ + (charged ? charge : 1)),
          .tree_id = tree_,
          .session_id = session_};
}

OctetBuffer Visit::begin() {
  return asked_ = request();
}

OctetBuffer Visit::session_setup(const OctetBuffer& token) {
  return message_of(header(command::kSessionSetup),
                    SessionSetupRequest{.buffer_offset = kHeaderOctets + 24,
                                        .buffer_length = static_cast<std::uint16_t>(token.size()),
                                        .rest = token});
}

OctetBuffer Visit::create(std::u16string_view path, std::uint32_t disposition, std::uint32_t options, bool lists) {
  OctetBuffer name = octets_of_text(path);
  CreateRequest request{.desired_access = 0x001f01ff,
                        .disposition = disposition,
                        .options = options,
                        .name_offset = kHeaderOctets + 56,
                        .name_length = static_cast<std::uint16_t>(name.size())};
  request.rest = name;
  Compound message;
  message.add(header(command::kCreate), request);
  if (lists) add_listing(message, kFileOfChain, flag::kRelated);
  return message.finish();
}

void Visit::add_listing(Compound& message, const FileId& folder, std::uint32_t flags) {
  const OctetBuffer pattern = octets_of_text(u"*");
  QueryDirectoryRequest request{.information_class = kIdFull,
                                .file = folder,
                                .name_offset = kHeaderOctets + 32,
                                .name_length = static_cast<std::uint16_t>(pattern.size()),
                                .output_length = kListing};
  request.rest = pattern;
  message.add(header(command::kQueryDirectory, 1, flags), request);
}

// Returns the descriptors of the data's memory, if the data move by RDMA.
OctetBuffer Visit::lend(std::uint16_t& offset, std::uint16_t& length, std::uint32_t& channel, std::size_t fixed,
                        bool server_writes) {
  if (lender_ == nullptr || memory_.size() < plan_.channel_from) return {};
  lent_ = lender_->lend(memory_, server_writes);
  if (lent_.empty()) return {};
  OctetBuffer described;
  for (const ChannelBuffer& one : lent_) encode(one, described);
  offset = static_cast<std::uint16_t>(kHeaderOctets + fixed);
  length = static_cast<std::uint16_t>(described.size());
  channel = plan_.dialect >= dialect::k302 ? channel::kRdmaV1Invalidate : channel::kRdmaV1;
  return described;
}

bool Visit::return_lent() {
  if (lent_.empty()) return true;
  ++moved_;
  return lender_->take_back(std::exchange(lent_, {}), plan_.dialect >= dialect::k302);
}

OctetBuffer Visit::write() {
  written_.resize(plan_.octets);
  for (std::size_t i = 0; i < written_.size(); ++i) written_[i] = static_cast<Octet>(rounds_ * 37 + i + i / 256 * 5);
  memory_ = written_;
  WriteRequest request{.file_id = file_};
  const OctetBuffer described = lend(request.channel_info_offset, request.channel_info_length, request.channel,
                                     WriteRequest::kFixedOctets, false);
  const auto octets = static_cast<std::uint32_t>(memory_.size());
  if (described.empty()) {
    request.data_offset = kHeaderOctets + WriteRequest::kFixedOctets;
    request.length = octets;
    request.rest = memory_;
  } else {
    request.remaining_octets = octets;
    request.rest = described;
  }
  return message_of(header(command::kWrite, charge_of(octets)), request);
}

OctetBuffer Visit::read() {
  memory_.assign(plan_.octets, 0);
  const auto octets = static_cast<std::uint32_t>(memory_.size());
  ReadRequest request{.padding = kHeaderOctets + ReadResponse::kFixedOctets, .length = octets, .file = file_};
  static constexpr Octet kNoInfo[1] = {};
  const OctetBuffer described =
      lend(request.channel_info_offset, request.channel_info_length, request.channel, ReadRequest::kFixedOctets, true);
  request.rest = described.empty() ? Octets(kNoInfo) : Octets(described);
  return message_of(header(command::kRead, charge_of(octets)), request);
}

OctetBuffer Visit::request() {
  requests_ = 0;
  switch (step_) {
    case Step::negotiate:
      ++requests_;
      ++next_id_;
      return Client().negotiate(plan_.dialect);
    case Step::first_token:
      return session_setup(ntlm_negotiate());
    case Step::second_token:
      return session_setup(ntlm_anonymous());
    case Step::tree_connect: {
      const OctetBuffer path = octets_of_text(u"\\\\wirelaw\\share");
      return message_of(
          header(command::kTreeConnect),
          TreeConnectRequest{
              .path_offset = kHeaderOctets + 8, .path_length = static_cast<std::uint16_t>(path.size()), .rest = path});
    }
    case Step::list:
      return create(u"many", CreateRequest::kOpen, CreateRequest::kDirectory, true);
    case Step::list_more: {
      Compound message;
      add_listing(message, file_, 0);
      return message.finish();
    }
    case Step::create:
      return create(u"visit", CreateRequest::kOverwriteIf, CreateRequest::kNonDirectory | CreateRequest::kDeleteOnClose,
                    false);
    case Step::write:
      return write();
    case Step::read:
      return read();
    case Step::close_folder:
    case Step::remove:
      return message_of(header(command::kClose), CloseRequest{.flags = CloseRequest::kWithFacts, .file = file_});
    case Step::tree_disconnect:
      return message_of(header(command::kTreeDisconnect), Echo{});
    case Step::logoff:
      return message_of(header(command::kLogoff), Echo{});
    case Step::over:
      break;
  }
  return {};
}

std::optional<std::string> Visit::look_at_data(const Element& element) {
  if (!return_lent()) return "the memory that was lent has not been invalidated";
  if (step_ == Step::write) {
    const auto response = body_of<WriteResponse>(element.body());
    if (!response || response->count != written_.size()) return "not all was written";
    return {};
  }
  const auto response = body_of<ReadResponse>(element.body());
  if (!response) return "the response to READ is cut";
  if (response->data_remaining == 0) {
    const auto data = part_of(element.octets, response->data_offset, response->data_length);
    if (!data) return "the data are outside the response";
    memory_.assign(data->begin(), data->end());
  }
  // The server returns as many octets as it has room for.
  const std::size_t octets = response->data_remaining + response->data_length;
  if ((octets == 0) != written_.empty() || octets > written_.size() ||
      !std::equal(written_.begin(), written_.begin() + static_cast<std::ptrdiff_t>(octets), memory_.begin()))
    return "what is read is not what was written";
  return {};
}

std::optional<std::string> Visit::look_at(const std::vector<Element>& elements) {
  if (elements.size() != requests_)
    return std::to_string(elements.size()) + " responses to " + std::to_string(requests_) + " requests";
  for (const Element& one : elements) {
    if (!one.header.is_response()) return "no response";
    listing_ends_ = step_ == Step::list_more && one.header.status == status::kNoMoreFiles;
    const std::uint32_t due = step_ == Step::first_token ? status::kMoreProcessingRequired
                              : listing_ends_            ? status::kNoMoreFiles
                                                         : 0;
    if (one.header.status != due) return "status 0x" + hex_of(one.header.status);
  }
  const Element& first = elements.front();
  const Element& last = elements.back();
  switch (step_) {
    case Step::first_token:
      session_ = first.header.session_id;
      break;
    case Step::tree_connect:
      tree_ = first.header.tree_id;
      break;
    case Step::list:
    case Step::create: {
      const auto response = body_of<CreateResponse>(first.body());
      if (!response) return "the response to CREATE is cut";
      file_ = response->file;
      if (step_ == Step::list) listed_ += last.octets.size();
      break;
    }
    case Step::list_more:
      listed_ += last.octets.size();
      break;
    case Step::write:
    case Step::read:
      return look_at_data(first);
    default:
      break;
  }
  return {};
}

void Visit::proceed() {
  const bool again = step_ == Step::list_more && !listing_ends_;
  if (step_ == Step::read && ++rounds_ < plan_.rounds) {
    step_ = Step::write;
  } else if (step_ == Step::create && plan_.rounds == 0) {
    step_ = Step::remove;
  } else if (!again) {
    step_ = static_cast<Step>(static_cast<unsigned>(step_) + 1);
  }
}

tl::expected<OctetBuffer, std::string> Visit::take(Octets response) {
  if (is_over()) return tl::unexpected(std::string("a response to nothing"));
  const auto elements = elements_of(response);
  if (!elements) return tl::unexpected(std::string("no message of SMB2"));
  if (auto wrong = look_at(*elements)) return tl::unexpected(std::move(*wrong));
  proceed();
  return asked_ = request();
}

}  // namespace wirelaw::smb2
