#!/bin/sh
# Copyright 2026 The Proxima authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

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
