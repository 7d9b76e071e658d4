#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Makes the kit that runs Neo4j with the packed plugin on a GPU host; Maven's profile neo4j-gpu-kit calls it.
# usage: make-kit.sh JAVA_HOME FOLDER KIT_FOLDER PEERS
#   FOLDER has plugins/, server/, test-driver/ and tests/ with jars and the file server.classpath: see the class Installation
#   PEERS is the folder with the jars of the Graph Data Science library; it exists with the profile full only
set -eu
java_home=$1
folder=$2
kit=$3
peers=$4
# a part and the tree of this repository together stay well below the 64 MiB that some hosts take at once
part_megabytes=48

rm -rf "$folder/jre" "$folder/peers" "$kit"
mkdir -p "$kit"
# the first kit's modules, those that a Neo4j server may load, and those with which the soak looks into a server
"$java_home/bin/jlink" \
    --add-modules java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.management.rmi,java.naming,java.net.http,java.rmi,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.transaction.xa,java.xml,jdk.attach,jdk.charsets,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs \
    --strip-debug --no-header-files --no-man-pages --compress=2 --output "$folder/jre"
cp "$(dirname "$0")/run.sh" "$kit/run.sh"
parts='jre plugins server server.classpath test-driver tests'
if [ -d "$peers" ]; then
    cp -r "$peers" "$folder/peers"
    parts="$parts peers"
fi
# the same input gives the same bytes
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$folder" \
    -cf - $parts | gzip -9n >"$folder/kit.tar.gz"
split -b ${part_megabytes}m -d "$folder/kit.tar.gz" "$kit/kit.tar.gz.part-"
rm -r "$folder/kit.tar.gz" "$folder/jre"
ls -l "$kit"
