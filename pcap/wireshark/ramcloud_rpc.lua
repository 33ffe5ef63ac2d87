-- SPDX-License-Identifier: Apache-2.0
-- Wireshark dissector of RAMCloud RPC over UDP.
--
--   tshark -X lua_script:ramcloud_rpc.lua -r trace.pcap     or: copy it into the personal Lua plugins folder
--                                                           (Help > About Wireshark > Folders)
--
-- A conversation in UDP is recognised by its session open request, or by Decode As: the protocol has no port of its own.
-- In exported PDUs (link type 252) the dissector's name is `ramcloud`. Integers are little-endian. Wireshark 3.6 and
-- later; Lua 5.2 to 5.4.

local NAME = "ramcloud"
local HEADER = 26
local FLAGS_AT = 25  -- the payload type in the high four bits, the flags in the low four
local ACK, SESSION_OPEN = 1, 2

local PAYLOAD_TYPES = {[0] = "DATA", "ACK", "SESSION_OPEN", "reserved 3", "BAD_SESSION"}
for i = 5, 15 do PAYLOAD_TYPES[i] = "reserved " .. i end

local proto = Proto(NAME, "RAMCloud RPC")

local function name_of(field) return NAME .. "." .. field end

-- The header, in the order of the wire: name, octet, octets, field.
local HEADER_FIELDS = {
  {"session_token", 0, 8, ProtoField.uint64, base.HEX, "what the server chose when the session was opened"},
  {"rpc_id", 8, 4, ProtoField.uint32, base.DEC, "RPC on the channel"},
  {"client_session_hint", 12, 4, ProtoField.uint32, base.HEX, "the client's name for the session"},
  {"server_session_hint", 16, 4, ProtoField.uint32, base.HEX, "the server's name for the session"},
  {"frag_number", 20, 2, ProtoField.uint16, base.DEC, "this fragment, from 0"},
  {"total_frags", 22, 2, ProtoField.uint16, base.DEC, "fragments of the message"},
  {"channel_id", 24, 1, ProtoField.uint8, base.DEC, "channel of the session"},
}
local FLAG_BITS = {
  {"direction", 1, "from the server to the client"},
  {"request_ack", 2, "an ACK is asked for"},
  {"please_drop", 4, "the receiver is to drop the packet, a test aid"},
  {"reserved1", 8, "reserved"},
}

local fields, registered = {}, {}
local function register(name, field)
  fields[name] = field
  registered[#registered + 1] = field
end

for _, row in ipairs(HEADER_FIELDS) do
  register(row[1], row[4](name_of(row[1]), row[1], row[5], nil, nil, row[6]))
end
register("payload_type", ProtoField.uint8(name_of("payload_type"), "payload_type", base.DEC, PAYLOAD_TYPES, 0xf0))
register("flags", ProtoField.uint8(name_of("flags"), "flags", base.HEX, nil, 0x0f))
for _, bit in ipairs(FLAG_BITS) do
  local name = name_of("flags." .. bit[1])
  register("flags." .. bit[1], ProtoField.bool(name, bit[1], 8, nil, bit[2], bit[3]))
end
register("first_missing_frag", ProtoField.uint16(name_of("first_missing_frag"), "first_missing_frag", base.DEC, nil, nil,
                                                 "the receiver has every fragment before it"))
register("staging_vector", ProtoField.uint32(name_of("staging_vector"), "staging_vector", base.HEX, nil, nil,
                                             "bit i: fragment first_missing_frag + 1 + i is there"))
register("max_channel_id", ProtoField.uint8(name_of("max_channel_id"), "max_channel_id", base.DEC, nil, nil,
                                            "the largest channel ID; since 2010-08 the number of channels"))
register("payload", ProtoField.bytes(name_of("payload"), "payload"))
proto.fields = registered

local experts = {
  malformed = ProtoExpert.new(name_of("malformed"), "Malformed packet", expert.group.MALFORMED, expert.severity.ERROR),
  reserved = ProtoExpert.new(name_of("reserved_type"), "Reserved payload type", expert.group.UNDECODED,
                             expert.severity.WARN),
}
proto.experts = {experts.malformed, experts.reserved}

proto.prefs.heuristic = Pref.bool("Recognise RAMCloud RPC in UDP", true,
                                  "Take a UDP conversation for RAMCloud RPC that begins with a session open request")

local function has(flags, bit) return math.floor(flags / bit) % 2 == 1 end

local function read(tvb)
  local octet = tvb(FLAGS_AT, 1):uint()
  return {flags = octet % 16, payload_type = math.floor(octet / 16), rpc_id = tvb(8, 4):le_uint(),
          frag_number = tvb(20, 2):le_uint(), total_frags = tvb(22, 2):le_uint(), channel_id = tvb(24, 1):uint()}
end

-- The words of `wirelaw decode`.
local function summary_of(tvb, packet)
  local payload = tvb:len() - HEADER
  local text = string.format("%s %s channel %d rpc %d", has(packet.flags, 1) and "S>C" or "C>S",
                             PAYLOAD_TYPES[packet.payload_type], packet.channel_id, packet.rpc_id)
  if packet.payload_type == 0 then
    text = text .. string.format(" fragment %d/%d", packet.frag_number, packet.total_frags)
  elseif packet.payload_type == ACK and payload >= 6 then
    text = text .. string.format(" firstMissingFrag %d stagingVector 0x%08x", tvb(HEADER, 2):le_uint(),
                                 tvb(HEADER + 2, 4):le_uint())
  elseif packet.payload_type == SESSION_OPEN and payload >= 1 then
    text = text .. string.format(" maxChannelId %d", tvb(HEADER, 1):uint())
  end
  if has(packet.flags, 2) then text = text .. " requestAck" end
  if has(packet.flags, 4) then text = text .. " pleaseDrop" end
  return text .. string.format(" payload %d", payload)
end

local function add_payload(tree, tvb, packet)
  local payload = tvb:len() - HEADER
  if packet.payload_type == ACK and payload >= 6 then
    tree:add_le(fields.first_missing_frag, tvb(HEADER, 2))
    tree:add_le(fields.staging_vector, tvb(HEADER + 2, 4))
  elseif packet.payload_type == SESSION_OPEN and payload > 0 then
    tree:add(fields.max_channel_id, tvb(HEADER, 1))
  elseif payload > 0 then
    tree:add(fields.payload, tvb(HEADER))
  end
end

function proto.dissector(tvb, pinfo, root)
  local size = tvb:len()
  local tree = root:add(proto, tvb())
  pinfo.cols.protocol = "RAMCloud"
  if size < HEADER then
    local summary = string.format("%d octets, too short for a RAMCloud RPC header", size)
    tree:append_text(", " .. summary)
    pinfo.cols.info = summary
    tree:add_proto_expert_info(experts.malformed, string.format("a header takes %d octets", HEADER))
    return size
  end
  for _, row in ipairs(HEADER_FIELDS) do tree:add_le(fields[row[1]], tvb(row[2], row[3])) end
  local packet = read(tvb)
  tree:add(fields.payload_type, tvb(FLAGS_AT, 1))
  local flags = tree:add(fields.flags, tvb(FLAGS_AT, 1))
  for _, bit in ipairs(FLAG_BITS) do flags:add(fields["flags." .. bit[1]], tvb(FLAGS_AT, 1)) end
  add_payload(tree, tvb, packet)
  if packet.payload_type == 3 or packet.payload_type > 4 then
    tree:add_proto_expert_info(experts.reserved, string.format("Payload type %d is reserved", packet.payload_type))
  end
  local summary = summary_of(tvb, packet)
  tree:append_text(", " .. summary)
  pinfo.cols.info = summary
  return size
end

-- What certainly is a session open request.
local function is_certain(tvb)
  if tvb:len() ~= HEADER or tvb:reported_len() ~= HEADER then return false end
  local packet = read(tvb)
  return packet.payload_type == SESSION_OPEN and (packet.flags == 0 or packet.flags == 4) and packet.rpc_id == 0 and
             packet.frag_number == 0 and packet.total_frags <= 1 and packet.channel_id == 0
end

local function recognise(tvb, pinfo, root)
  if not proto.prefs.heuristic or not is_certain(tvb) then return false end
  pinfo.conversation = proto
  proto.dissector(tvb, pinfo, root)
  return true
end

proto:register_heuristic("udp", recognise)
DissectorTable.get("udp.port"):add_for_decode_as(proto)
