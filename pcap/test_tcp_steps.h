// SPDX-License-Identifier: Apache-2.0
// For tests: TCP segments written as text, and their results as text.
//
//   "A syn"          A's SYN; "A syn+7": one whose number is greater by 7; "A syn mss=1460"; "A syn abc": with octets
//   "A 3 def"        A sends def at offset 3 of its stream; -1 is the number of its SYN
//   … "ack=5"        and acknowledges the other side's octets before offset 5; "noack": has no acknowledgment at all
//   … "fin", "rst"   and has these flags
//   … "wire=9"       and had 9 octets on the wire
//   "second"         a second passes; "ten seconds": TcpConnection::kPatience
//   "end"            the capture ends
//
// Steps are separated by semicolons. What is delivered: "A opened", "A 0 abc", "A gap 3+4", "A closed 7", "A reset 7";
// "A opened midway" if it was not seen from its start.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "pcap/tcp_connection.h"

namespace wirelaw::pcap::testing {

struct TcpSteps {
  TcpConnection connection;
  std::uint32_t isn_a = 1000, isn_b = 5000;
  std::vector<std::string> delivered;
  std::vector<std::uint64_t> frames;    // frames of the delivered pieces
  std::vector<StreamEvent> events;      // likewise
  std::vector<bool> received_is_known;  // likewise
  std::vector<std::uint64_t> received;  // likewise
  std::int64_t passed_ns = 0;           // capture time that has passed, in nanoseconds
  std::vector<std::uint16_t> mss;       // MSS in each `opened`
  bool taken = true;                    // false: the last segment was not taken
  std::uint64_t frame = 0;

  explicit TcpSteps(const TcpLimits& limits = {}) : connection(limits) {}

  TcpSteps& play(const std::string& steps) {
    std::istringstream in(steps);
    for (std::string step; std::getline(in, step, ';');) play_one(step);
    return *this;
  }
  // Returns the delivered pieces, separated by "; ".
  std::string text() const {
    std::string text;
    for (const std::string& line : delivered) text += (text.empty() ? "" : "; ") + line;
    return text;
  }

 private:
  void play_one(const std::string& step) {
    std::istringstream in(step);
    std::string word;
    in >> word;
    if (word == "end") {
      connection.finish([this](const StreamPiece& piece) { write(piece); });
      return;
    }
    if (word == "second" || word == "ten") {
      passed_ns += word == "ten" ? TcpConnection::kPatience : 1'000'000'000;
      return;
    }
    const bool from_a = word == "A";
    if (!from_a && word != "B") std::abort();
    const std::uint32_t isn = from_a ? isn_a : isn_b;
    Segment segment;
    segment.frame = ++frame;
    segment.time_ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(passed_ns) + frame * 1000);
    segment.frame_offset = 54;
    segment.flags.bits = TcpFlags::kAck;
    segment.window = 65535;
    segment.ack = (from_a ? isn_b : isn_a) + 1;
    in >> word;
    if (word.starts_with("syn")) {
      segment.flags.bits = from_a ? TcpFlags::kSyn : TcpFlags::kSyn | TcpFlags::kAck;
      segment.seq = isn + (word.size() > 3 ? static_cast<std::uint32_t>(std::stoll(word.substr(3))) : 0);
    } else {
      segment.seq = isn + 1 + static_cast<std::uint32_t>(std::stoll(word));
    }
    std::string octets;
    std::size_t wire = 0;
    const auto number = [&word] { return std::stoll(word.substr(word.find('=') + 1)); };
    while (in >> word) {
      if (word == "fin") {
        segment.flags.bits |= TcpFlags::kFin;
      } else if (word == "rst") {
        segment.flags.bits |= TcpFlags::kRst;
      } else if (word == "noack") {
        segment.flags.bits &= static_cast<std::uint8_t>(~TcpFlags::kAck);
      } else if (word.starts_with("ack=")) {
        segment.flags.bits |= TcpFlags::kAck;
        segment.ack = (from_a ? isn_b : isn_a) + 1 + static_cast<std::uint32_t>(number());
      } else if (word.starts_with("mss=")) {
        segment.mss = static_cast<std::uint16_t>(number());
      } else if (word.starts_with("window=")) {
        segment.window = static_cast<std::uint16_t>(number());
      } else if (word.starts_with("wire=")) {
        wire = static_cast<std::size_t>(number());
      } else {
        octets = word;
      }
    }
    // Exactly as long as the content, so that a sanitizer detects a reader that goes beyond it.
    const OctetBuffer payload(octets.begin(), octets.end());
    segment.payload = payload;
    segment.wire_length = static_cast<std::uint32_t>(std::max(wire, payload.size()));
    taken = connection.take(segment, from_a, [this](const StreamPiece& piece) { write(piece); });
  }

  void write(const StreamPiece& piece) {
    std::string line = piece.sender == Side::a ? "A " : "B ";
    switch (piece.event) {
      case StreamEvent::opened:
        line += piece.from_start ? "opened" : "opened midway";
        mss.push_back(piece.mss);
        break;
      case StreamEvent::octets:
        line += std::to_string(piece.offset) + " " + std::string(piece.octets.begin(), piece.octets.end());
        break;
      case StreamEvent::gap:
        line += "gap " + std::to_string(piece.offset) + "+" + std::to_string(piece.missing);
        break;
      case StreamEvent::closed:
        line += "closed " + std::to_string(piece.offset);
        break;
      case StreamEvent::reset:
        line += "reset " + std::to_string(piece.offset);
        break;
    }
    delivered.push_back(line);
    frames.push_back(piece.frame);
    events.push_back(piece.event);
    received_is_known.push_back(piece.received_is_known);
    received.push_back(piece.received);
  }
};

}  // namespace wirelaw::pcap::testing
