#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Makes the GPU test kit; Maven's profile gpu-kit calls it.
# usage: make-kit.sh JAVA_HOME FOLDER_OF_JARS KIT_FOLDER
set -eu
java_home=$1
jars=$2
kit=$3
part_megabytes=60

work=$kit.work
rm -rf "$work" "$kit"
mkdir -p "$work/lib" "$kit"
# jdk.management: the heap; jdk.unsupported: byte code tools of the test libraries; jdk.zipfs: scanning a jar
"$java_home/bin/jlink" \
    --add-modules java.base,java.compiler,java.instrument,java.logging,java.management,java.xml,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs \
    --strip-debug --no-header-files --no-man-pages --compress=2 --output "$work/jre"
cp "$jars"/*.jar "$work/lib"
# of JCuda's natives the driver's binding is used, as in the plugin
mkdir "$work/natives"
(
    cd "$work/natives"
    "$java_home/bin/jar" xf "$work"/lib/jcuda-natives-*.jar
    rm -f lib/libJNv* lib/libJCudaRuntime*
    "$java_home/bin/jar" cf "$work/lib/natives.jar" lib
)
rm -r "$work/natives" "$work"/lib/jcuda-natives-*.jar
cp "$(dirname "$0")/run.sh" "$kit/run.sh"
# the same input gives the same bytes
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" -cf - jre lib | gzip -9n >"$work/kit.tar.gz"
split -b ${part_megabytes}m -d "$work/kit.tar.gz" "$kit/kit.tar.gz.part-"
rm -rf "$work"
ls -l "$kit"
