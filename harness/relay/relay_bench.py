#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `wirelaw relay` over loopback, beside the direct path in the same run.

    harness/relay/relay_bench.py build/release/harness/commands/wirelaw

An initiator and a responder speak iWARP: each message is a Send of 64 octets, which the other side answers with one.
The lines give the round trips (median and 99th percentile), the octets per second of long Sends, and the memory of the
relay while many connections are open at once. The last ones are those of a transparent relay, which the peers reach
through a TAP each.
"""
import argparse
import asyncio
import os
import re
import resource
import shlex
import statistics
import struct
import subprocess
import sys
import tempfile
import time

CRC32C = [0] * 256
for _index in range(256):
    _value = _index
    for _ in range(8):
        _value = _value >> 1 ^ (0x82F63B78 if _value & 1 else 0)
    CRC32C[_index] = _value

REQUEST = b'MPA ID Req Frame' + bytes([0x40, 1, 0, 0])  # CRCs, revision 1, no private data
REPLY = b'MPA ID Rep Frame' + bytes([0x40, 1, 0, 0])


def crc32c(octets):
    value = 0xFFFFFFFF
    for one in octets:
        value = value >> 8 ^ CRC32C[(value ^ one) & 255]
    return value ^ 0xFFFFFFFF


def send_fpdu(msn, payload):
    """An FPDU with a Send of one segment (RFC 5044, 4; RFC 5041, 4.3; RFC 5040, 4.3)."""
    ulpdu = struct.pack('>BBIIII', 0x41, 0x43, 0, 0, msn, 0) + payload
    frame = struct.pack('>H', len(ulpdu)) + ulpdu
    frame += bytes(-len(frame) % 4)
    return frame + struct.pack('<I', crc32c(frame))


def memory_of(pid):
    """Octets of memory that this process and its children use."""
    total, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            with open(f'/proc/{one}/statm', encoding='ascii') as statm:
                total += int(statm.read().split()[1]) * resource.getpagesize()
            with open(f'/proc/{one}/task/{one}/children', encoding='ascii') as children:
                waiting += map(int, children.read().split())
        except OSError:
            pass
    return total


class Responder:
    """Answers each Send with one of the same MSN: all initiators send the same messages."""

    def __init__(self, messages):
        self.messages = messages

    async def serve(self, reader, writer):
        try:
            await reader.readexactly(len(REQUEST))
            writer.write(REPLY)
            for message in self.messages:
                await reader.readexactly(len(message))
                writer.write(message)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def connect(port, address='127.0.0.1'):
    reader, writer = await asyncio.open_connection(address, port)
    writer.write(REQUEST)
    await reader.readexactly(len(REPLY))
    return reader, writer


async def round_trips(port, messages, address='127.0.0.1'):
    reader, writer = await connect(port, address)
    times = []
    for message in messages:
        begin = time.perf_counter()
        writer.write(message)
        await reader.readexactly(len(message))
        times.append(time.perf_counter() - begin)
    writer.close()
    return times


async def throughput(port, messages, repeats, address='127.0.0.1'):
    """Octets per second in both directions together; several messages are under way at once."""
    octets = 0
    begin = time.perf_counter()
    for _ in range(repeats):
        reader, writer = await connect(port, address)
        writer.write(b''.join(messages))
        size = sum(map(len, messages))
        await reader.readexactly(size)
        writer.close()
        octets += 2 * size
    return octets / (time.perf_counter() - begin)


async def many(port, pid, count, message):
    """Opens connections in steps, uses each of them, and says the memory at each step."""
    connections, memory = [], []
    for step in range(1, 5):
        while len(connections) < count * step // 4:
            batch = min(200, count * step // 4 - len(connections))
            connections += await asyncio.gather(*(connect(port) for _ in range(batch)))
        for reader, writer in connections[-count // 4:]:
            writer.write(message)
            await reader.readexactly(len(message))
        memory.append((len(connections), memory_of(pid)))
    for _, writer in connections:
        writer.close()
    await asyncio.sleep(2)
    memory.append((0, memory_of(pid)))
    return memory


def microseconds(times):
    times = sorted(times)
    return f'median {statistics.median(times) * 1e6:.0f} us, p99 {times[len(times) * 99 // 100] * 1e6:.0f} us'


def sends(count):
    """Short Sends, and long ones."""
    return [[send_fpdu(msn, bytes(size)) for msn in range(1, count + 1)] for size in (64, 1400)]


def address_of(uri):
    found = re.fullmatch(r'tcp://(\S+):(\d+)', uri)
    return found[1], int(found[2])


async def respond(arguments):
    """A responder of the transparent relay: short Sends at its port, long ones at the next."""
    address, port = address_of(os.environ['WIRELAW_URI'])
    servers = [await asyncio.start_server(Responder(messages).serve, address, port + i)
               for i, messages in enumerate(sends(arguments.messages))]
    print('ready', flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


async def initiate(arguments):
    address, port = address_of(os.environ['WIRELAW_URI'])
    short, long = sends(arguments.messages)
    times = await round_trips(port, short, address)
    rate = await throughput(port + 1, long, 5, address)
    with open(os.environ['WIRELAW_BENCH'], 'w', encoding='ascii') as results:
        print(f'transparent round trip: {microseconds(times)}', file=results)
        print(f'transparent long Sends: {rate / 2**20:.0f} MiB/s', file=results)


def measure_transparent(arguments):
    own = f'exec {shlex.quote(sys.executable)} {shlex.quote(os.path.abspath(__file__))} --messages {arguments.messages}'
    with tempfile.NamedTemporaryFile('r', encoding='ascii') as results:
        command = [arguments.wirelaw, 'relay', 'rdmap', '--transparent', '--to', 'tcp://:7000', '--start',
                   own + ' --role responder', '--trigger', own + ' --role initiator']
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, 'WIRELAW_BENCH': results.name})
        print(results.read() or done.stderr, end='')
        print(f'exit status of the transparent relay: {done.returncode}')


async def measure(arguments):
    short, long = sends(arguments.messages)
    servers = [await asyncio.start_server(Responder(messages).serve, '127.0.0.1', 0, backlog=4096)
               for messages in (short, long)]
    for name, server in zip(('round trip', 'long Sends'), servers):
        direct = server.sockets[0].getsockname()[1]
        command = [arguments.wirelaw, 'relay', 'rdmap', '--listen', 'tcp://127.0.0.1:0', '--to',
                   f'tcp://127.0.0.1:{direct}', '--connections', str(arguments.connections + 10), '--for', '1h']
        relay = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        relayed = int(re.search(r'relaying \S+:(\d+) to', relay.stderr.readline())[1])
        try:
            if name == 'round trip':
                print(f'direct  {name}: {microseconds(await round_trips(direct, short))}')
                print(f'relayed {name}: {microseconds(await round_trips(relayed, short))}')
                for count, octets in await many(relayed, relay.pid, arguments.connections, short[0]):
                    print(f'{count} connections: {octets / 2**20:.0f} MiB')
            else:
                rates = [await throughput(port, long, 5) for port in (direct, relayed, direct, relayed)]
                print(f'direct  {name}: {max(rates[0::2]) / 2**20:.0f} MiB/s')
                print(f'relayed {name}: {max(rates[1::2]) / 2**20:.0f} MiB/s')
        finally:
            relay.terminate()
            relay.communicate()
            print(f'exit status of the relay: {relay.returncode}')
    for server in servers:
        server.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('wirelaw', nargs='?', help='the program')
    parser.add_argument('--role', choices=['responder', 'initiator'], help=argparse.SUPPRESS)  # of the transparent relay
    parser.add_argument('--connections', type=int, default=10_000, help='open at once (default 10000)')
    parser.add_argument('--messages', type=int, default=2000, help='Sends of one connection (default 2000)')
    arguments = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    if arguments.role:
        asyncio.run(respond(arguments) if arguments.role == 'responder' else initiate(arguments))
        return 0
    if not arguments.wirelaw:
        parser.error('which program?')
    os.environ.pop('WIRELAW_URI', None)
    asyncio.run(measure(arguments))
    measure_transparent(arguments)
    return 0


if __name__ == '__main__':
    sys.exit(main())
