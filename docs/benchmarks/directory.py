#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a synthetic company directory as CSV for neo4j-admin: users, groups, computers, and who controls what.

    directory.py FOLDER [--scale 1.0] [--seed 57]

Scale 1 has 1,000,000 nodes (500,000 User, 100,000 Group, 400,000 Computer) and 5,000,000 relationships.
The files depend on scale and seed only. Without other packages than the standard library.

FOLDER/nodes.csv   id:ID,:LABEL,name,owned:boolean      ids are 0 .. nodes-1: users, groups, computers
FOLDER/rels.csv    :START_ID,:END_ID,:TYPE              no two of one type between the same nodes, no loops

    neo4j-admin database import full neo4j --nodes=FOLDER/nodes.csv --relationships=FOLDER/rels.csv \
        --id-type=integer --overwrite-destination=true

The import gives nodes other ids (elementId) than nodes.csv: look them up by name, or by the property id.

All relationships lead the way that control does, so that a NATURAL projection leads from an account to what it
controls. The group 'DOMAIN ADMINS@CORP.EXAMPLE' are the administrators; owned accounts have owned = true (100 at
scale 1). The directory consists of sites of about 1,000 users. Users are members of groups, which are nested to six
levels; groups administer the workstations of their site. Server administrators (4 a site) are in two groups apart,
which administer the servers, and have sessions on servers, a third of them at other sites. By mistake, 1 of 100
workstations has a session of a server administrator, and 1 of 4 domain administrators has one on a server. So an
owned account reaches the administrators over 11 to 19 hops at scale 1, and most of the graph is reachable from it.
"""
import argparse
import os
import random

DOMAIN = "@CORP.EXAMPLE"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("folder")
    options.add_argument("--scale", type=float, default=1.0)
    options.add_argument("--seed", type=int, default=57)
    given = options.parse_args()
    users = max(500, round(500_000 * given.scale))
    groups = max(100, round(100_000 * given.scale))
    computers = max(400, round(400_000 * given.scale))
    relationships = 5 * (users + groups + computers)
    os.makedirs(given.folder, exist_ok=True)
    rnd = random.Random(given.seed)

    sites = max(1, users // 1000)
    first_group, first_computer = users, users + groups
    domain_admins = first_group
    tier0 = max(4, users // 12_500)                      # users 0 .. tier0 - 1
    domain_controllers = max(2, computers // 4_000)      # the first computers

    def part(site, first, count):
        return range(first + count * site // sites, first + count * (site + 1) // sites)

    user_site = [part(s, 0, users) for s in range(sites)]
    group_site = [part(s, first_group, groups) for s in range(sites)]
    computer_site = [part(s, first_computer, computers) for s in range(sites)]

    # of the groups of a site, the first is left out (in site 0 it is Domain Admins), the last two are for servers
    levels = []
    tier1, servers = [], []
    for s in range(sites):
        nested = group_site[s][1:-2]
        cuts = [0, .5, .75, .875, .94, .98, 1]
        levels.append([nested[int(len(nested) * cuts[i]):int(len(nested) * cuts[i + 1])] for i in range(6)])
        ordinary = user_site[s][tier0:] if s == 0 else user_site[s]
        tier1.append(ordinary[:4])
        own = computer_site[s][domain_controllers:] if s == 0 else computer_site[s]
        servers.append(own[:max(2, len(own) // 20)])

    random_, choice, randrange = rnd.random, rnd.choice, rnd.randrange

    def pick(kinds):
        """One of the groups of a site, of these levels."""
        return choice(choice(kinds))

    owned = set()
    while len(owned) < max(3, users // 5_000):
        s = randrange(sites)
        owned.add(choice(user_site[s][len(user_site[s]) // 10:]))

    with open(os.path.join(given.folder, "nodes.csv"), "w", newline="\n") as out:
        out.write("id:ID,:LABEL,name,owned:boolean\n")
        for u in range(users):
            out.write(f"{u},User,U{u:06}{DOMAIN},{'true' if u in owned else 'false'}\n")
        for g in range(first_group, first_computer):
            name = "DOMAIN ADMINS" if g == domain_admins else f"G{g - first_group:06}"
            out.write(f"{g},Group,{name}{DOMAIN},false\n")
        for c in range(first_computer, first_computer + computers):
            out.write(f"{c},Computer,C{c - first_computer:06}{DOMAIN},false\n")

    with open(os.path.join(given.folder, "rels.csv"), "w", newline="\n") as out:
        out.write(":START_ID,:END_ID,:TYPE\n")
        written = 0

        def write(source, targets, kind):
            nonlocal written
            for target in sorted(targets):
                out.write(f"{source},{target},{kind}\n")
            written += len(targets)

        def write_to(sources, target, kind):
            nonlocal written
            for source in sorted(sources):
                out.write(f"{source},{target},{kind}\n")
            written += len(sources)

        for u in range(tier0):
            write(u, {domain_admins}, "MEMBER_OF")
        for c in range(first_computer, first_computer + domain_controllers):
            write(domain_admins, {c}, "ADMIN_TO")
            write(c, {randrange(tier0), randrange(tier0)}, "HAS_SESSION")
        for u in range(max(1, tier0 // 4)):
            write(choice(choice(servers)), {u}, "HAS_SESSION")
        for s in range(sites):
            level, privileged = levels[s], group_site[s][-2:]
            ordinary = user_site[s][tier0 + 4:] if s == 0 else user_site[s][4:]
            for u in tier1[s]:
                write(u, {choice(privileged), choice(level[0])}, "MEMBER_OF")
            for u in ordinary:
                write(u, {choice(level[0]) for _ in range(randrange(3, 6))}, "MEMBER_OF")
                write_to({pick(level[2:])}, u, "FORCE_CHANGE_PASSWORD")
            for i in range(5):
                for g in level[i]:
                    above = levels[s if random_() < .95 else randrange(sites)][i + 1]
                    write(g, {choice(above) for _ in range(1 + (random_() < .5))}, "MEMBER_OF")
                    if random_() < .01:
                        write(g, {choice(choice(levels)[i + 1])}, "ADD_MEMBER")
            for c in servers[s]:
                write_to({choice(privileged)}, c, "ADMIN_TO")
                sessions = {choice(tier1[s]) for _ in range(3)}
                if random_() < .33:
                    sessions.add(choice(choice(tier1)))
                write(c, sessions, "HAS_SESSION")
            for c in computer_site[s]:
                if s == 0 and c < first_computer + domain_controllers:
                    continue
                write(c, {choice(level[0])}, "MEMBER_OF")
                if c <= servers[s][-1]:
                    continue
                write_to({pick(level[1:]) for _ in range(2)}, c, "ADMIN_TO")
                write(c, {choice(ordinary) for _ in range(1 + (random_() < .5))}, "HAS_SESSION")
                if random_() < .01:
                    write(c, {choice(tier1[s])}, "HAS_SESSION")
        # the rest: who may log on from remote, on workstations of the own site
        rdp = set()
        while written + len(rdp) < relationships:
            s = randrange(sites)
            workstation = randrange(servers[s][-1] + 1, computer_site[s][-1] + 1)
            rdp.add((choice(user_site[s]), workstation))
        for source, target in sorted(rdp):
            out.write(f"{source},{target},CAN_RDP\n")
    print(f"{users + groups + computers} nodes, {written + len(rdp)} relationships, {len(owned)} owned,"
          f" administrators: node {domain_admins}")


if __name__ == "__main__":
    main()
