"""Who holds an address: this host, or others on the link."""

from __future__ import annotations

import ipaddress
import socket
import struct
import time

from ansible_collections.playsmith.host.plugins.module_utils.host import listed


def written(mac):
    return ":".join("%02x" % byte for byte in mac)


def addresses_of(link):
    return [each["local"] for each in link.get("addr_info", []) if "local" in each]


def interface_of(address, links):
    holders = [link["ifname"] for link in links if str(address) in addresses_of(link)]
    return holders[0] if holders else ""


def device(address, links):
    """Where the address is held, or would be; behind a router nobody can be asked."""
    routes = listed("route", "get", str(address))
    is_here = routes and "gateway" not in routes[0] and "via" not in routes[0]
    return interface_of(address, links) or (routes[0].get("dev", "") if is_here else "")


def by_arp(address, link, mac):
    """Asked from an address of this host, since some networks drop a question that has none."""
    others = [each for each in addresses_of(link) if ":" not in each and each != str(address)]
    source = socket.inet_aton((others + ["0.0.0.0"])[0])
    header = struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1)
    frame = b"\xff" * 6 + mac + b"\x08\x06" + header + mac + source + bytes(6) + address.packed
    line = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0806))
    line.bind((link["ifname"], 0x0806))

    def sender(packet):
        is_answer = packet[20:22] == b"\0\2" and packet[28:32] == address.packed and packet[22:28] != mac
        return written(packet[22:28]) if is_answer else ""

    return line, lambda: line.send(frame), sender


def by_discovery(address, link, mac):
    line = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, link["ifname"].encode())
    line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
    line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 0)
    group = ipaddress.ip_address(b"\xff\x02" + bytes(9) + b"\x01\xff" + address.packed[-3:])
    question = struct.pack("!BBHI", 135, 0, 0, 0) + address.packed + b"\x01\x01" + mac
    where = (str(group), 0, 0, socket.if_nametoindex(link["ifname"]))

    def sender(packet):
        is_answer = packet[:1] == b"\x88" and packet[8:24] == address.packed and packet[26:32] != mac
        return (written(packet[26:32]) or "one that hides its address") if is_answer else ""

    return line, lambda: line.sendto(question, where), sender


def answers(address, link):
    mac = bytes.fromhex(link["address"].replace(":", ""))
    line, ask, sender = (by_arp if address.version == 4 else by_discovery)(address, link, mac)
    heard = set()
    # The last question has the longest time, for an answer that is slow.
    for seconds in (0.25, 0.25, 0.5):
        ask()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            line.settimeout(max(end - time.monotonic(), 0.01))
            try:
                heard.add(sender(line.recv(2048)))
            except OSError:
                break
    return sorted(heard - {""})


def holding(text, is_asked):
    """Whether this host holds an address, its own MAC addresses, and those of others who answer at it, where they are asked."""
    address, links = ipaddress.ip_address(text), listed("address")
    where = device(address, links) if is_asked else ""
    chosen = [link for link in links if link["ifname"] == where and link.get("link_type") == "ether"]
    interface = interface_of(address, links)
    return {
        "held": interface != "",
        "interface": interface,
        "own": sorted({link["address"] for link in links if "address" in link}),
        "answers": answers(address, chosen[0]) if chosen else [],
    }
