-- SPDX-License-Identifier: Apache-2.0
-- Wireshark dissector of the EFA RDM protocol, version 4: what libfabric's efa provider sends over SRD.
--
--   tshark -X lua_script:efa_rdm.lua -r trace.pcap          or: copy it into the personal Lua plugins folder
--                                                           (Help > About Wireshark > Folders)
--
-- Packets that are captured as exported PDUs (link type 252) name this dissector, `efa_rdm`. Those in UDP are recognised
-- by what certainly is EFA RDM (a request with a raw address, or a HANDSHAKE), or by Decode As.
-- Integers are little-endian. Wireshark 3.6 and later; Lua 5.2 to 5.4.

-- Tables: written by write_dissector, not to be edited.
local NAME = "efa_rdm"
local VERSION = 4
local BASE = {{"efa_rdm.type", 0, 1}, {"efa_rdm.version", 1, 1}, {"efa_rdm.flags", 2, 2}}
local RAW_ADDRESS = 32
local FIELDS = {  -- name, kind, most octets, what it is
  {"efa_rdm.type", "number", 1, "packet type ID (table 1.2)"},
  {"efa_rdm.version", "number", 1, "protocol version, 4"},
  {"efa_rdm.flags", "flags", 2, "flags of the packet type"},
  {"efa_rdm.msg_id", "id", 4, "message ID: the place of the message or atomic in the order of sending"},
  {"efa_rdm.send_id", "id", 4, "operation of the side that sends the data"},
  {"efa_rdm.recv_id", "id", 4, "operation of the side that receives the data"},
  {"efa_rdm.op_id", "id", 4, "operation or message of the packet's receiver, by ref_kind"},
  {"efa_rdm.ref_kind", "number", 4, "what op_id is the ID of"},
  {"efa_rdm.prov_errno", "number", 4, "cause: of the device below 4096, of the provider from 4096 on"},
  {"efa_rdm.rma_iov_count", "count", 4, "number of rma_iov"},
  {"efa_rdm.read_iov_count", "count", 4, "number of read_iov"},
  {"efa_rdm.credit_request", "number", 4, "CTSDATA packets that the sender would like to send"},
  {"efa_rdm.atomic_datatype", "number", 4, "datatype of fi_atomic"},
  {"efa_rdm.atomic_op", "number", 4, "operation of fi_atomic"},
  {"efa_rdm.padding", "reserved", 4, "padding or reserved"},
  {"efa_rdm.msg_length", "octets", 8, "length of the whole message or buffer"},
  {"efa_rdm.seg_length", "octets", 8, "length of the data in the packet (MEDIUM as deployed: of the message)"},
  {"efa_rdm.recv_length", "octets", 8, "octets that the receiver is ready for (READRSP: in the packet)"},
  {"efa_rdm.seg_offset", "octets", 8, "offset of the data in the message"},
  {"efa_rdm.runt_length", "octets", 8, "octets that go in RUNTREAD packets (as deployed: in all of them)"},
  {"efa_rdm.tag", "opaque", 8, "tag"},
  {"efa_rdm.connid", "id", 4, "connection ID of the sender of the packet"},
  {"efa_rdm.connid_padding", "reserved", 4, "padding of connid"},
  {"efa_rdm.nextra_p3", "count", 4, "number of extra_info members, plus 3"},
  {"efa_rdm.host_id", "number", 8, "identifier of the sender's host"},
  {"efa_rdm.device_version", "number", 4, "version of the sender's EFA device"},
  {"efa_rdm.device_reserved", "reserved", 4, "reserved"},
  {"efa_rdm.user_recv_qpn", "number", 4, "number of the queue pair for application buffers"},
  {"efa_rdm.user_recv_qkey", "id", 4, "qkey of the queue pair for application buffers"},
  {"efa_rdm.p2p_supported", "number", 1, "whether the device reaches all memory that the sender may name"},
  {"efa_rdm.hmem_reserved", "reserved", 7, "reserved"},
  {"efa_rdm.raw_addr_size", "count", 4, "octets of the raw address"},
  {"efa_rdm.cq_data", "opaque", 8, "CQ data"},
  {"efa_rdm.rma_iov.addr", "address", 8, "address of the buffer"},
  {"efa_rdm.read_iov.addr", "address", 8, "address of the buffer"},
  {"efa_rdm.rma_iov.len", "octets", 8, "length of the buffer"},
  {"efa_rdm.read_iov.len", "octets", 8, "length of the buffer"},
  {"efa_rdm.rma_iov.key", "address", 8, "memory registration key"},
  {"efa_rdm.read_iov.key", "address", 8, "memory registration key"},
  {"efa_rdm.raw_addr.gid", "array", 16, "GID, in the form of an IPv6 address"},
  {"efa_rdm.raw_addr.qpn", "number", 2, "queue pair number"},
  {"efa_rdm.raw_addr.pad", "reserved", 2, "padding"},
  {"efa_rdm.raw_addr.connid", "id", 4, "connection ID of the endpoint"},
  {"efa_rdm.raw_addr.reserved", "reserved", 8, "reserved"},
  {"efa_rdm.extra_info", "bits", 8, "extra features supported and extra requests made"},
}
local FLAGS = {  -- which packets have it, bit, name, the document's name
  {"universal", 0x8000, "connid_hdr", "CONNID_HDR"},
  {"request", 0x0001, "raw_addr_hdr", "REQ_OPT_RAW_ADDR_HDR"},
  {"request", 0x0002, "cq_data_hdr", "REQ_OPT_CQ_DATA_HDR"},
  {"request", 0x0004, "msg", "REQ_MSG"},
  {"request", 0x0008, "tagged", "REQ_TAGGED"},
  {"request", 0x0010, "rma", "REQ_RMA"},
  {"request", 0x0020, "atomic", "REQ_ATOMIC"},
  {"request", 0x2000, "read_nack", "REQ_READ_NACK"},
  {"handshake", 0x0001, "host_id_hdr", "HANDSHAKE_HOST_ID_HDR"},
  {"handshake", 0x0002, "device_version_hdr", "HANDSHAKE_DEVICE_VERSION_HDR"},
  {"handshake", 0x0004, "user_recv_qp_hdr", "HANDSHAKE_USER_RECV_QP_HDR"},
  {"handshake", 0x0008, "hmem_hdr", "HANDSHAKE_HMEM_HDR"},
  {"cts", 0x0080, "emulated_read", "CTS_EMULATED_READ"},
}
local EXTRAS = {  -- ID, name, what it is
  {0, "rdma_read", "extra feature: RDMA-Read based data transfer (4.1)"},
  {1, "delivery_complete", "extra feature: delivery complete (4.2)"},
  {2, "constant_header_length", "extra request: keep packet header length constant (4.3)"},
  {3, "connid_header", "extra request: sender connection ID in packet header (4.4)"},
  {4, "runting_read", "extra feature: runting read message protocol (4.5)"},
  {5, "rdma_write", "extra feature: RDMA-Write based data transfer (4.6)"},
  {6, "read_nack", "extra feature: read nack packets (4.7)"},
  {7, "user_recv_qp", "extra feature and request: user receive queue pair (4.8)"},
  {8, "unsolicited_write_recv", "extra feature: unsolicited receives of RDMA writes with immediate (4.9)"},
  {9, "peer_error", "extra feature: peer error packets (4.10)"},
}
local ATOMIC_OPS = {
  [0] = "FI_MIN",
  [1] = "FI_MAX",
  [2] = "FI_SUM",
  [3] = "FI_PROD",
  [4] = "FI_LOR",
  [5] = "FI_LAND",
  [6] = "FI_BOR",
  [7] = "FI_BAND",
  [8] = "FI_LXOR",
  [9] = "FI_BXOR",
  [10] = "FI_ATOMIC_READ",
  [11] = "FI_ATOMIC_WRITE",
  [12] = "FI_CSWAP",
  [13] = "FI_CSWAP_NE",
  [14] = "FI_CSWAP_LE",
  [15] = "FI_CSWAP_LT",
  [16] = "FI_CSWAP_GE",
  [17] = "FI_CSWAP_GT",
  [18] = "FI_MSWAP",
}
local DATATYPES = {
  [0] = "FI_INT8",
  [1] = "FI_UINT8",
  [2] = "FI_INT16",
  [3] = "FI_UINT16",
  [4] = "FI_INT32",
  [5] = "FI_UINT32",
  [6] = "FI_INT64",
  [7] = "FI_UINT64",
  [8] = "FI_FLOAT",
  [9] = "FI_DOUBLE",
  [10] = "FI_FLOAT_COMPLEX",
  [11] = "FI_DOUBLE_COMPLEX",
  [12] = "FI_LONG_DOUBLE",
  [13] = "FI_LONG_DOUBLE_COMPLEX",
}
local REF_KINDS = {
  [0] = "OPE_INDEX",
  [1] = "MSG_ID",
  [2] = "MSG_ID_SKIP",
}
local ARRAYS = {  -- the field that counts its elements, and what that says too much; octets of an element
  rma_iov = {count = "efa_rdm.rma_iov_count", bias = 0, element = 24, whole = false, fields = {{"efa_rdm.rma_iov.addr", 0, 8}, {"efa_rdm.rma_iov.len", 8, 8}, {"efa_rdm.rma_iov.key", 16, 8}}},
  read_iov = {count = "efa_rdm.read_iov_count", bias = 0, element = 24, whole = false, fields = {{"efa_rdm.read_iov.addr", 0, 8}, {"efa_rdm.read_iov.len", 8, 8}, {"efa_rdm.read_iov.key", 16, 8}}},
  extra_info = {count = "efa_rdm.nextra_p3", bias = 3, element = 8, whole = false, fields = {{"efa_rdm.extra_info", 0, 8}}},
  raw_addr = {count = "efa_rdm.raw_addr_size", bias = 0, element = 1, whole = true, fields = {{"efa_rdm.raw_addr.gid", 0, 16}, {"efa_rdm.raw_addr.qpn", 16, 2}, {"efa_rdm.raw_addr.pad", 18, 2}, {"efa_rdm.raw_addr.connid", 20, 4}, {"efa_rdm.raw_addr.reserved", 24, 8}}},
}
local OPTIONAL = {  -- flag, name, octets without the array, fields, array
  CTSDATA = {
    {0x8000, "connid", 8, {{"efa_rdm.connid", 0, 4}, {"efa_rdm.connid_padding", 4, 4}}, nil},
  },
  HANDSHAKE = {
    {0x8000, "connid", 8, {{"efa_rdm.connid", 0, 4}, {"efa_rdm.connid_padding", 4, 4}}, nil},
    {0x0001, "host_id", 8, {{"efa_rdm.host_id", 0, 8}}, nil},
    {0x0002, "device_version", 8, {{"efa_rdm.device_version", 0, 4}, {"efa_rdm.device_reserved", 4, 4}}, nil},
    {0x0004, "user_recv_qp", 8, {{"efa_rdm.user_recv_qpn", 0, 4}, {"efa_rdm.user_recv_qkey", 4, 4}}, nil},
    {0x0008, "hmem", 8, {{"efa_rdm.p2p_supported", 0, 1}, {"efa_rdm.hmem_reserved", 1, 7}}, nil},
  },
  REQUEST = {
    {0x0001, "raw address", 4, {{"efa_rdm.raw_addr_size", 0, 4}}, "raw_addr"},
    {0x0002, "CQ data", 8, {{"efa_rdm.cq_data", 0, 8}}, nil},
    {0x8000, "connid", 4, {{"efa_rdm.connid", 0, 4}}, nil},
  },
}
local LAYOUTS = {  -- by packet type
  [1] = {name = "RTS", full_name = "Request To Send", section = "1.3, table 1.2", standing = "deprecated", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
  [2] = {name = "CONNACK", full_name = "Connection Acknowledgement", section = "1.3, table 1.2", standing = "deprecated", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
  [3] = {name = "CTS", full_name = "Clear To Send", section = "3.2, table 3.6", standing = "defined", request = false,
    has_format = true, flags = "cts", allowed = 0x8080, data = "none",
    header = 24, short = 0, array = nil, behind = nil, optional = {},
    fields = {{"efa_rdm.connid", 4, 4, true}, {"efa_rdm.send_id", 8, 4}, {"efa_rdm.recv_id", 12, 4}, {"efa_rdm.recv_length", 16, 8}}},
  [4] = {name = "CTSDATA", full_name = "CTS Data", section = "3.2, table 3.7", standing = "defined", request = false,
    has_format = true, flags = "universal", allowed = 0x8000, data = "application",
    header = 24, short = 0, array = nil, behind = nil, optional = OPTIONAL.CTSDATA,
    fields = {{"efa_rdm.recv_id", 4, 4}, {"efa_rdm.seg_length", 8, 8}, {"efa_rdm.seg_offset", 16, 8}}},
  [5] = {name = "READRSP", full_name = "Read Response", section = "3.3, table 3.11", standing = "defined", request = false,
    has_format = true, flags = "universal", allowed = 0x8000, data = "application",
    header = 24, short = 0, array = nil, behind = nil, optional = {},
    fields = {{"efa_rdm.connid", 4, 4, true}, {"efa_rdm.recv_id", 8, 4}, {"efa_rdm.send_id", 12, 4}, {"efa_rdm.recv_length", 16, 8}}},
  [6] = {name = "RESERVED_6", full_name = "reserved for internal use", section = "1.3, table 1.2", standing = "reserved", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
  [7] = {name = "EOR", full_name = "End Of Read", section = "4.1, table 4.2", standing = "defined", request = false,
    has_format = true, flags = "universal", allowed = 0x8000, data = "none",
    header = 16, short = 12, array = nil, behind = nil, optional = {},
    fields = {{"efa_rdm.send_id", 4, 4}, {"efa_rdm.recv_id", 8, 4}, {"efa_rdm.connid", 12, 4, true}}},
  [8] = {name = "ATOMRSP", full_name = "Atomic Response", section = "3.3, table 3.15", standing = "defined", request = false,
    has_format = true, flags = "universal", allowed = 0x8000, data = "application",
    header = 24, short = 0, array = nil, behind = nil, optional = {},
    fields = {{"efa_rdm.connid", 4, 4, true}, {"efa_rdm.padding", 8, 4}, {"efa_rdm.recv_id", 12, 4}, {"efa_rdm.seg_length", 16, 8}}},
  [9] = {name = "HANDSHAKE", full_name = "Handshake", section = "2.1, table 2.2", standing = "defined", request = false,
    has_format = true, flags = "handshake", allowed = 0x800f, data = "none",
    header = 8, short = 0, array = "extra_info", behind = nil, optional = OPTIONAL.HANDSHAKE,
    fields = {{"efa_rdm.nextra_p3", 4, 4}}},
  [10] = {name = "RECEIPT", full_name = "Receipt", section = "4.2", standing = "defined", request = false,
    has_format = true, flags = "universal", allowed = 0x8000, data = "none",
    header = 16, short = 0, array = nil, behind = nil, optional = {},
    fields = {{"efa_rdm.send_id", 4, 4}, {"efa_rdm.msg_id", 8, 4}, {"efa_rdm.connid", 12, 4, true}}},
  [11] = {name = "READ_NACK", full_name = "Read Nack", section = "4.7, table 4.2", standing = "defined", request = false,
    has_format = true, flags = "universal", allowed = 0x8000, data = "none",
    header = 16, short = 0, array = nil, behind = nil, optional = {},
    fields = {{"efa_rdm.send_id", 4, 4}, {"efa_rdm.recv_id", 8, 4}, {"efa_rdm.connid", 12, 4, true}}},
  [12] = {name = "PEER_ERROR", full_name = "Peer Error", section = "4.10", standing = "defined", request = false,
    has_format = true, flags = "universal", allowed = 0x8000, data = "none",
    header = 20, short = 0, array = nil, behind = nil, optional = {},
    fields = {{"efa_rdm.op_id", 4, 4}, {"efa_rdm.ref_kind", 8, 4}, {"efa_rdm.prov_errno", 12, 4}, {"efa_rdm.connid", 16, 4, true}}},
  [64] = {name = "EAGER_MSGRTM", full_name = "Eager non-tagged Request To Message", section = "3.2, table 3.3", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8007, data = "application",
    header = 8, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}}},
  [65] = {name = "EAGER_TAGRTM", full_name = "Eager tagged Request To Message", section = "3.2, table 3.3", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x800f, data = "application",
    header = 16, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.tag", 8, 8}}},
  [66] = {name = "MEDIUM_MSGRTM", full_name = "Medium non-tagged Request To Message", section = "3.2, table 3.4", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8007, data = "application",
    header = 24, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.seg_length", 8, 8}, {"efa_rdm.seg_offset", 16, 8}}},
  [67] = {name = "MEDIUM_TAGRTM", full_name = "Medium tagged Request To Message", section = "3.2, table 3.4", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x800f, data = "application",
    header = 32, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.seg_length", 8, 8}, {"efa_rdm.seg_offset", 16, 8}, {"efa_rdm.tag", 24, 8}}},
  [68] = {name = "LONGCTS_MSGRTM", full_name = "Long-CTS non-tagged Request To Message", section = "3.2, table 3.5", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0xa007, data = "application",
    header = 24, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.credit_request", 20, 4}}},
  [69] = {name = "LONGCTS_TAGRTM", full_name = "Long-CTS tagged Request To Message", section = "3.2, table 3.5", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0xa00f, data = "application",
    header = 32, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.credit_request", 20, 4}, {"efa_rdm.tag", 24, 8}}},
  [70] = {name = "EAGER_RTW", full_name = "Eager Request To Write", section = "3.3, table 3.8", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8013, data = "application",
    header = 8, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.rma_iov_count", 4, 4}}},
  [71] = {name = "LONGCTS_RTW", full_name = "Long-CTS Request To Write", section = "3.3, table 3.9", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8013, data = "application",
    header = 24, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.rma_iov_count", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.credit_request", 20, 4}}},
  [72] = {name = "SHORT_RTR", full_name = "Short Request To Read", section = "3.3, table 3.10", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8013, data = "none",
    header = 24, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.rma_iov_count", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.recv_id", 16, 4}, {"efa_rdm.padding", 20, 4}}},
  [73] = {name = "LONGCTS_RTR", full_name = "Long-CTS Request To Read", section = "3.3, table 3.12", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8013, data = "none",
    header = 24, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.rma_iov_count", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.recv_id", 16, 4}, {"efa_rdm.recv_length", 20, 4}}},
  [74] = {name = "WRITE_RTA", full_name = "Write Request To Atomic", section = "3.3, table 3.13", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8023, data = "operands",
    header = 24, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.rma_iov_count", 8, 4}, {"efa_rdm.atomic_datatype", 12, 4}, {"efa_rdm.atomic_op", 16, 4}, {"efa_rdm.padding", 20, 4}}},
  [75] = {name = "FETCH_RTA", full_name = "Fetch Request To Atomic", section = "3.3, table 3.14", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8023, data = "operands",
    header = 24, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.rma_iov_count", 8, 4}, {"efa_rdm.atomic_datatype", 12, 4}, {"efa_rdm.atomic_op", 16, 4}, {"efa_rdm.recv_id", 20, 4}}},
  [76] = {name = "COMPARE_RTA", full_name = "Compare Request To Atomic", section = "3.3, table 3.14", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8023, data = "operands",
    header = 24, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.rma_iov_count", 8, 4}, {"efa_rdm.atomic_datatype", 12, 4}, {"efa_rdm.atomic_op", 16, 4}, {"efa_rdm.recv_id", 20, 4}}},
  [128] = {name = "LONGREAD_MSGRTM", full_name = "Long-read non-tagged Request To Message", section = "4.1, table 4.1", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8007, data = "none",
    header = 24, short = 0, array = nil, behind = "read_iov", optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.read_iov_count", 20, 4}}},
  [129] = {name = "LONGREAD_TAGRTM", full_name = "Long-read tagged Request To Message", section = "4.1, table 4.1", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x800f, data = "none",
    header = 32, short = 0, array = nil, behind = "read_iov", optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.read_iov_count", 20, 4}, {"efa_rdm.tag", 24, 8}}},
  [130] = {name = "LONGREAD_RTW", full_name = "Long-read Request To Write", section = "4.1, table 4.3", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8013, data = "none",
    header = 24, short = 0, array = "rma_iov", behind = "read_iov", optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.rma_iov_count", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.read_iov_count", 20, 4}}},
  [131] = {name = "RESERVED_131", full_name = "reserved", section = "1.3, table 1.2", standing = "reserved", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
  [132] = {name = "RESERVED_132", full_name = "reserved", section = "1.3, table 1.2", standing = "reserved", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
  [133] = {name = "DC_EAGER_MSGRTM", full_name = "DC Eager non-tagged Request To Message", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8007, data = "application",
    header = 16, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.send_id", 8, 4}, {"efa_rdm.padding", 12, 4}}},
  [134] = {name = "DC_EAGER_TAGRTM", full_name = "DC Eager tagged Request To Message", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x800f, data = "application",
    header = 24, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.send_id", 8, 4}, {"efa_rdm.padding", 12, 4}, {"efa_rdm.tag", 16, 8}}},
  [135] = {name = "DC_MEDIUM_MSGRTM", full_name = "DC Medium non-tagged Request To Message", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8007, data = "application",
    header = 32, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.send_id", 8, 4}, {"efa_rdm.padding", 12, 4}, {"efa_rdm.seg_length", 16, 8}, {"efa_rdm.seg_offset", 24, 8}}},
  [136] = {name = "DC_MEDIUM_TAGRTM", full_name = "DC Medium tagged Request To Message", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x800f, data = "application",
    header = 40, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.send_id", 8, 4}, {"efa_rdm.padding", 12, 4}, {"efa_rdm.seg_length", 16, 8}, {"efa_rdm.seg_offset", 24, 8}, {"efa_rdm.tag", 32, 8}}},
  [137] = {name = "DC_LONGCTS_MSGRTM", full_name = "DC long-CTS non-tagged Request To Message", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0xa007, data = "application",
    header = 24, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.credit_request", 20, 4}}},
  [138] = {name = "DC_LONGCTS_TAGRTM", full_name = "DC long-CTS tagged Request To Message", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0xa00f, data = "application",
    header = 32, short = 0, array = nil, behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.credit_request", 20, 4}, {"efa_rdm.tag", 24, 8}}},
  [139] = {name = "DC_EAGER_RTW", full_name = "DC Eager Request To Write", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8013, data = "application",
    header = 16, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.rma_iov_count", 4, 4}, {"efa_rdm.send_id", 8, 4}, {"efa_rdm.padding", 12, 4}}},
  [140] = {name = "DC_LONGCTS_RTW", full_name = "DC long-CTS Request To Write", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8013, data = "application",
    header = 24, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.rma_iov_count", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.credit_request", 20, 4}}},
  [141] = {name = "DC_WRITE_RTA", full_name = "DC Write Request To Atomic", section = "4.2", standing = "defined", request = true,
    has_format = true, flags = "request", allowed = 0x8023, data = "operands",
    header = 24, short = 0, array = "rma_iov", behind = nil, optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.rma_iov_count", 8, 4}, {"efa_rdm.atomic_datatype", 12, 4}, {"efa_rdm.atomic_op", 16, 4}, {"efa_rdm.send_id", 20, 4}}},
  [142] = {name = "RUNTCTS_MSGRTM", full_name = "Runting CTS non-tagged Request To Message", section = "1.3, table 1.2", standing = "later", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
  [143] = {name = "RUNTCTS_TAGRTM", full_name = "Runting CTS tagged Request To Message", section = "1.3, table 1.2", standing = "later", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
  [144] = {name = "RUNTCTS_RTW", full_name = "Runting CTS Request To Write", section = "1.3, table 1.2", standing = "later", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
  [145] = {name = "RUNTREAD_MSGRTM", full_name = "Runting read non-tagged Request To Message", section = "4.5, table 4.4", standing = "implied", request = true,
    has_format = true, flags = "request", allowed = 0x8007, data = "application",
    header = 40, short = 0, array = nil, behind = "read_iov", optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.read_iov_count", 20, 4}, {"efa_rdm.seg_offset", 24, 8}, {"efa_rdm.runt_length", 32, 8}}},
  [146] = {name = "RUNTREAD_TAGRTM", full_name = "Runting read tagged Request To Message", section = "4.5, table 4.4", standing = "implied", request = true,
    has_format = true, flags = "request", allowed = 0x800f, data = "application",
    header = 48, short = 0, array = nil, behind = "read_iov", optional = OPTIONAL.REQUEST,
    fields = {{"efa_rdm.msg_id", 4, 4}, {"efa_rdm.msg_length", 8, 8}, {"efa_rdm.send_id", 16, 4}, {"efa_rdm.read_iov_count", 20, 4}, {"efa_rdm.seg_offset", 24, 8}, {"efa_rdm.runt_length", 32, 8}, {"efa_rdm.tag", 40, 8}}},
  [147] = {name = "RUNTREAD_RTW", full_name = "Runting read Request To Write", section = "1.3, table 1.2", standing = "later", request = false,
    has_format = false, flags = "universal", allowed = 0x8000, data = "none",
    header = 4, short = 0, array = nil, behind = nil, optional = {},
    fields = {}},
}
-- End of the tables.

-- No packet needs more elements of an array than this to be understood; a hostile one may have thousands.
local MOST_ELEMENTS = 256

local proto = Proto(NAME, "EFA RDM Protocol")

-- --------------------------------------------------------------------------------------------------------- the fields

local has_words = {[NAME .. ".atomic_op"] = ATOMIC_OPS, [NAME .. ".atomic_datatype"] = DATATYPES,
  [NAME .. ".ref_kind"] = REF_KINDS}
local in_hex = {flags = true, address = true, opaque = true, bits = true, reserved = true}
local make_integer = {ProtoField.uint8, ProtoField.uint16, nil, ProtoField.uint32, nil, nil, nil, ProtoField.uint64}

local function type_names()
  local names = {}
  for id, layout in pairs(LAYOUTS) do names[id] = layout.name end
  return names
end
has_words[NAME .. ".type"] = type_names()

local fields = {}    -- ProtoField by name
local kinds = {}     -- by name
local registered = {}

local function register(name, field)
  fields[name] = field
  registered[#registered + 1] = field
end

-- "efa_rdm.rma_iov.addr" is labelled "addr".
local function label_of(name) return name:match("([^.]+)$") end

for _, row in ipairs(FIELDS) do
  local name, kind, octets, text = row[1], row[2], row[3], row[4]
  kinds[name] = kind
  if kind == "array" then
    register(name, ProtoField.ipv6(name, label_of(name), text))
  else
    local base = in_hex[kind] and base.HEX or base.DEC
    register(name, (make_integer[octets] or ProtoField.uint64)(name, label_of(name), base, has_words[name], nil, text))
  end
end
kinds[NAME .. ".padding"] = "reserved"

local function bit_name(field, bit) return NAME .. "." .. field .. "." .. bit end

for _, flag in ipairs(FLAGS) do
  local name = bit_name("flags", flag[3])
  register(name, ProtoField.bool(name, flag[3], 16, nil, flag[2], flag[4]))
end
-- All of them stand in the first two octets of extra_info.
for _, extra in ipairs(EXTRAS) do
  local name = bit_name("extra_info", extra[2])
  register(name, ProtoField.bool(name, extra[2], 16, nil, 2 ^ extra[1], extra[3]))
end

local PAYLOAD = NAME .. ".payload"
register(PAYLOAD, ProtoField.bytes(PAYLOAD, "payload", base.NONE, "application data, or octets after the headers"))

-- Table 3.11 has the two IDs of a READRSP in the other order than every deployed release sends them.
local AS_WRITTEN = {[5] = {{NAME .. ".as_written.send_id", 8, "send_id"}, {NAME .. ".as_written.recv_id", 12, "recv_id"}}}
for _, reading in pairs(AS_WRITTEN) do
  for _, row in ipairs(reading) do
    register(row[1], ProtoField.uint32(row[1], row[3], base.DEC, nil, nil, "by the document's order of the IDs"))
  end
end

proto.fields = registered

local experts = {
  malformed = ProtoExpert.new(NAME .. ".malformed", "Malformed packet", expert.group.MALFORMED, expert.severity.ERROR),
  unknown_type = ProtoExpert.new(NAME .. ".unknown_type", "Packet type without a format", expert.group.UNDECODED,
                                 expert.severity.WARN),
  version = ProtoExpert.new(NAME .. ".other_version", "Other protocol version", expert.group.PROTOCOL,
                            expert.severity.WARN),
  flags = ProtoExpert.new(NAME .. ".unexpected_flags", "Flags that the packet type does not have",
                          expert.group.PROTOCOL, expert.severity.NOTE),
  trailing = ProtoExpert.new(NAME .. ".trailing", "Octets after a packet that carries no data",
                             expert.group.PROTOCOL, expert.severity.NOTE),
  many = ProtoExpert.new(NAME .. ".many_elements", "More elements than are shown", expert.group.UNDECODED,
                         expert.severity.NOTE),
}
local proto_experts = {}
for _, one in pairs(experts) do proto_experts[#proto_experts + 1] = one end
proto.experts = proto_experts

proto.prefs.heuristic = Pref.bool("Recognise EFA RDM in UDP", true,
                                  "Take a UDP conversation for EFA RDM that begins with what certainly is")

-- ------------------------------------------------------------------------------------------------------------- reading

local function has(flags, bit) return math.floor(flags / bit) % 2 == 1 end

-- Reads a packet, and gives `see` each field, each array and what is left, in the order of the wire:
--   see.field(name, offset, octets)    see.array(array, name, offset, octets)    see.rest(offset)
-- Gives what it read, and what is wrong where a part does not fit. Nothing is read that is not there.
local function walk(tvb, see)
  local size = tvb:len()
  local packet = {values = {}, size = size}
  local at = 0

  local function fail(part, offset, needed)
    packet.error = {part = part, offset = offset, needed = needed, there = size - offset}
    return packet
  end
  local function read_fields(rows, first, finish)
    for _, row in ipairs(rows) do
      local offset, octets = first + row[2], row[3]
      if offset >= finish then break end
      local range = tvb(offset, octets)
      if octets == 8 then
        packet.values[row[1]] = range:le_uint64()
      elseif octets <= 4 then
        packet.values[row[1]] = range:le_uint()
      end
      see.field(row[4] and not packet.has_connid and NAME .. ".padding" or row[1], offset, octets)
    end
  end
  local function read_array(name)
    if name == nil then return true end
    local array = ARRAYS[name]
    local count = packet.values[array.count]
    local needed = count > array.bias and (count - array.bias) * array.element or 0
    if size - at < needed then
      fail(name, at, needed)
      return false
    end
    packet[name] = {offset = at, octets = needed}
    see.array(array, name, at, needed)
    at = at + needed
    return true
  end

  if size < 4 then return fail("base header", 0, 4) end
  packet.type = tvb(0, 1):uint()
  packet.version = tvb(1, 1):uint()
  packet.flags = tvb(2, 2):le_uint()
  packet.has_connid = has(packet.flags, 0x8000)
  packet.layout = LAYOUTS[packet.type]
  read_fields(BASE, 0, size)
  at = 4
  local layout = packet.layout
  if layout and layout.has_format then
    local header = layout.header
    if size == layout.short and not packet.has_connid then header = layout.short end
    if size < header then return fail("header", 0, header) end
    read_fields(layout.fields, 0, header)
    at = header
    if not read_array(layout.array) then return packet end
    for _, optional in ipairs(layout.optional) do
      if has(packet.flags, optional[1]) then
        if size - at < optional[3] then return fail(optional[2], at, optional[3]) end
        read_fields(optional[4], at, size)
        at = at + optional[3]
        if not read_array(optional[5]) then return packet end
      end
    end
    if not read_array(layout.behind) then return packet end
  end
  packet.payload = size - at
  see.rest(at)
  return packet
end

local function type_name(packet)
  return packet.layout and packet.layout.name or string.format("unassigned type %d", packet.type)
end

-- ---------------------------------------------------------------------------------------------------------- the summary

local SUMMARY = {"msg_id", "send_id", "recv_id", "msg_length", "seg_length", "seg_offset", "recv_length", "runt_length",
  "op_id", "ref_kind", "prov_errno"}

local function hex_of(value)
  if type(value) == "number" then return string.format("%x", value) end
  local digits = value:tohex():lower():match("^0*(.*)$")
  return digits == "" and "0" or digits
end

local function decimal_of(value)
  return type(value) == "number" and string.format("%d", value) or tostring(value)
end

local function announced(tvb, packet)
  local names = ""
  local info = packet.extra_info
  if info and info.octets >= 8 then
    local bits = tvb(info.offset, 2):le_uint()
    for _, extra in ipairs(EXTRAS) do
      if has(bits, 2 ^ extra[1]) then names = names .. " " .. extra[2] end
    end
  end
  return names == "" and " no extras" or names
end

-- The words of `wirelaw decode`.
local function summary_of(tvb, packet)
  if packet.size < 4 then return string.format("%d octets, too short for an EFA RDM base header", packet.size) end
  if packet.error then return type_name(packet) .. " cut short" end
  local text = type_name(packet)
  if packet.version ~= VERSION then text = text .. string.format(" version %d", packet.version) end
  for _, name in ipairs(SUMMARY) do
    local value = packet.values[NAME .. "." .. name]
    if value then text = text .. " " .. name .. " " .. decimal_of(value) end
  end
  local tag = packet.values[NAME .. ".tag"]
  if tag then text = text .. " tag 0x" .. hex_of(tag) end
  if packet.layout and packet.layout.name == "HANDSHAKE" then text = text .. announced(tvb, packet) end
  local connid = packet.values[NAME .. ".connid"]
  if connid and packet.has_connid then text = text .. string.format(" connid 0x%08x", connid) end
  return text .. string.format(" payload %d", packet.payload)
end

-- ------------------------------------------------------------------------------------------------------------- the tree

-- Integers are little-endian, a GID is in the order of the wire.
local function add_field(tree, tvb, name, offset, octets)
  if kinds[name] == "array" then return tree:add(fields[name], tvb(offset, octets)) end
  return tree:add_le(fields[name], tvb(offset, octets))
end

local function add_flags(tree, tvb, packet)
  local item = tree:add_le(fields[NAME .. ".flags"], tvb(2, 2))
  local set = packet.layout and packet.layout.flags or "universal"
  for _, flag in ipairs(FLAGS) do
    if flag[1] == set or flag[1] == "universal" then
      item:add_le(fields[bit_name("flags", flag[3])], tvb(2, 2))
    end
  end
  local allowed = packet.layout and packet.layout.allowed or 0x8000
  for power = 0, 15 do
    if has(packet.flags, 2 ^ power) and not has(allowed, 2 ^ power) then
      item:add_proto_expert_info(experts.flags, string.format("Flag 0x%04x is not one of this packet type", 2 ^ power))
    end
  end
end

local function add_array(tree, tvb, array, name, offset, octets)
  local element = array.whole and octets or array.element
  local count = element > 0 and octets / element or 0
  for i = 0, math.min(count, MOST_ELEMENTS) - 1 do
    local first = offset + i * element
    local branch = tree:add(tvb(first, element), array.whole and name or string.format("%s[%d]", name, i))
    for _, row in ipairs(array.fields) do
      if row[2] + row[3] <= element then
        local item = add_field(branch, tvb, row[1], first + row[2], row[3])
        if kinds[row[1]] == "bits" and i == 0 then
          for _, extra in ipairs(EXTRAS) do
            item:add_le(fields[bit_name("extra_info", extra[2])], tvb(first, 2))
          end
        end
      end
    end
  end
  if count > MOST_ELEMENTS then
    tree:add_proto_expert_info(experts.many, string.format("%d elements of %s, %d are shown", count, name, MOST_ELEMENTS))
  end
end

local function add_readings(tree, tvb, packet)
  local reading = AS_WRITTEN[packet.type]
  if reading == nil or packet.error then return end
  local branch = tree:add(tvb(reading[1][2], 8), "IDs in the order of table 3.11, which no release sends")
  branch:set_generated()
  for _, row in ipairs(reading) do branch:add_le(fields[row[1]], tvb(row[2], 4)):set_generated() end
end

local function add_findings(tree, packet)
  if packet.error then
    local e = packet.error
    tree:add_proto_expert_info(experts.malformed, string.format("%s at octet %d takes %.0f octets, %d are there",
                                                                e.part, e.offset, e.needed, e.there))
  end
  if packet.size < 4 then return end
  if packet.layout == nil or not packet.layout.has_format then
    local standing = packet.layout and packet.layout.standing or "unassigned"
    tree:add_proto_expert_info(experts.unknown_type, string.format("Packet type %d is %s", packet.type, standing))
  end
  if packet.version ~= VERSION then
    tree:add_proto_expert_info(experts.version, string.format("Version %d, not %d", packet.version, VERSION))
  end
end

local IGNORE = function() end
local SEE_NOTHING = {field = IGNORE, array = IGNORE, rest = IGNORE}

function proto.dissector(tvb, pinfo, root)
  local tree = root:add(proto, tvb())
  local see = {}
  function see.field(name, offset, octets)
    if name == NAME .. ".flags" then
      add_flags(tree, tvb, {layout = LAYOUTS[tvb(0, 1):uint()], flags = tvb(2, 2):le_uint()})
    else
      add_field(tree, tvb, name, offset, octets)
    end
  end
  function see.array(array, name, offset, octets) add_array(tree, tvb, array, name, offset, octets) end
  function see.rest(offset)
    if offset < tvb:len() then tree:add(fields[PAYLOAD], tvb(offset)) end
  end

  local packet = walk(tvb, see)
  add_readings(tree, tvb, packet)
  add_findings(tree, packet)
  if packet.payload and packet.payload > 0 and packet.layout and packet.layout.has_format and
      packet.layout.data == "none" then
    tree:add_proto_expert_info(experts.trailing, string.format("%d octets after the packet", packet.payload))
  end
  local summary = summary_of(tvb, packet)
  tree:append_text(", " .. summary)
  pinfo.cols.protocol = "EFA RDM"
  pinfo.cols.info = summary
  return tvb:len()
end

-- ----------------------------------------------------------------------------------------------------------------- UDP

-- What is certainly EFA RDM: no other packet is taken for the beginning of a conversation.
local function is_certain(tvb)
  local packet = walk(tvb, SEE_NOTHING)
  local layout = packet.layout
  if packet.error or packet.version ~= VERSION or layout == nil or not layout.has_format then return false end
  for power = 0, 15 do
    if has(packet.flags, 2 ^ power) and not has(layout.allowed, 2 ^ power) then return false end
  end
  if layout.request then return packet.raw_addr ~= nil and packet.raw_addr.octets >= RAW_ADDRESS end
  return layout.name == "HANDSHAKE" and packet.extra_info.octets > 0 and packet.payload == 0
end

local function recognise(tvb, pinfo, root)
  if not proto.prefs.heuristic or not is_certain(tvb) then return false end
  pinfo.conversation = proto
  proto.dissector(tvb, pinfo, root)
  return true
end

proto:register_heuristic("udp", recognise)
DissectorTable.get("udp.port"):add_for_decode_as(proto)
