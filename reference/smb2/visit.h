// SPDX-License-Identifier: Apache-2.0
// A client that uses a share like a mount: it negotiates, gets an anonymous session, connects to a share, lists a
// folder, creates a file, writes and reads it as often as requested, deletes it, and leaves. One request at a time; it
// takes and returns octets.
//
//   Visit visit({.octets = 200'000, .rounds = 4}, lender);
//   send(visit.begin());
//   while (auto next = visit.take(receive())) …   // an error: the fault of the response
//     if (next->empty()) break;                     // the visit is over
//
// Data of at least Plan::channel_from octets move by RDMA, as in Linux's cifs: the client lends its memory with
// SMB2_CHANNEL_RDMA_V1_INVALIDATE for dialect 3.0.2 or later, else with SMB2_CHANNEL_RDMA_V1.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reference/smb2/bodies.h"
#include "reference/smb2/compound.h"

namespace wirelaw::smb2 {

// Registers the client's memory.
class Lender {
 public:
  virtual ~Lender() = default;
  // Returns nothing if that is not possible.
  virtual std::vector<ChannelBuffer> lend(std::span<Octet> memory, bool server_writes) = 0;
  // `invalidated`: the server was asked to invalidate the tokens. Returns false if it has not.
  virtual bool take_back(const std::vector<ChannelBuffer>& buffers, bool invalidated) = 0;
};

class Visit {
 public:
  struct Plan {
    std::uint16_t dialect = dialect::k311;
    std::size_t octets = 100;  // size of each write
    unsigned rounds = 1;       // each is a write and a read
    std::size_t channel_from = 4096;
  };
  // `lender` outlives the visit; nullptr: no data move by RDMA.
  Visit(const Plan& plan, Lender* lender) : plan_(plan), lender_(lender) {}

  OctetBuffer begin();
  // Returns the next request; empty if the visit is over.
  tl::expected<OctetBuffer, std::string> take(Octets response);

  unsigned rounds() const { return rounds_; }     // number of rounds done
  std::size_t listed() const { return listed_; }  // total length of the listings
  unsigned moved() const { return moved_; }       // number of transfers by RDMA
  bool is_over() const { return step_ == Step::over; }
  const OctetBuffer& asked() const { return asked_; }  // latest request

 private:
  enum class Step : std::uint8_t {
    negotiate,
    first_token,
    second_token,
    tree_connect,
    list,
    list_more,
    close_folder,
    create,
    write,
    read,
    remove,
    tree_disconnect,
    logoff,
    over,
  };
  struct Does;

  Header header(std::uint16_t command, std::uint16_t charge = 1, std::uint32_t flags = 0);
  OctetBuffer request();  // for the current step
  OctetBuffer session_setup(const OctetBuffer& token);
  OctetBuffer create(std::u16string_view path, std::uint32_t disposition, std::uint32_t options, bool lists);
  void add_listing(Compound& message, const FileId& folder, std::uint32_t flags);
  OctetBuffer write();
  OctetBuffer read();
  OctetBuffer lend(std::uint16_t& offset, std::uint16_t& length, std::uint32_t& channel, std::size_t fixed,
                   bool server_writes);
  bool return_lent();
  // Returns the fault of the response; nothing if it is correct.
  std::optional<std::string> look_at(const std::vector<Element>& elements);
  std::optional<std::string> look_at_data(const Element& element);
  void proceed();

  Plan plan_;
  Lender* lender_;
  Step step_ = Step::negotiate;
  std::uint64_t next_id_ = 0;
  std::size_t requests_ = 0;  // number in the latest message
  std::uint64_t session_ = 0;
  std::uint32_t tree_ = 0;
  FileId file_ = {};
  unsigned rounds_ = 0;
  std::size_t listed_ = 0;
  unsigned moved_ = 0;
  bool listing_ends_ = false;
  OctetBuffer written_, memory_, asked_;
  std::vector<ChannelBuffer> lent_;
};

}  // namespace wirelaw::smb2
