#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Adds a part to the GPU kit; Maven's profile gpu-kit calls it in each module that has one.
#
# usage: make-kit.sh JAVA_HOME KIT_FOLDER WANTED PART INPUT...
#   WANTED    the parts to make, with commas between; of another part nothing is made
#   PART and its INPUT:
#     backend FOLDER_OF_JARS
#     neo4j BUILD_FOLDER KIT_JARS    what the class Installation describes, from both; with the folder peers if there is one
#     spark CLASS_PATH_OF_SPARK PROXIMA_SPARK_JAR FOLDER_OF_TEST_CLASSES...
# An archive, split into files NAME.tar.xz.part-NN, unpacks to a folder of its name. A part has one archive; what a change of
# Proxima does not replace, and the Java that all parts run on, have their own.
set -eu
java_home=$1
kit=$2
wanted=$3
part=$4
shift 4
case ",$wanted," in *",$part,"*) ;; *) exit 0 ;; esac
here=$(cd "$(dirname "$0")" && pwd)
work=$kit.work
rm -rf "$work"
mkdir -p "$work" "$kit"

# pack NAME: the archive of a folder of that name. The same input gives the same bytes. A file and the tree of this repository
# together stay below the 64 MiB that some hosts take at once.
pack() {
    rm -f "$kit/$1".tar.xz.part-*
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$1" | xz -2 --threads=2 |
        split -b 36m -d - "$kit/$1.tar.xz.part-"
}

# jdk.zipfs: scanning a jar; jdk.unsupported: byte code tools of the test libraries; jdk.jcmd, jdk.attach: the soak looks into a
# server; jdk.security.auth: Hadoop's login; the others: what Neo4j and Spark may load
jre() {
    "$java_home/bin/jlink" \
        --add-modules java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.management.rmi,java.naming,java.net.http,java.rmi,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.transaction.xa,java.xml,jdk.attach,jdk.charsets,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs \
        --strip-debug --no-header-files --no-man-pages --compress=0 --output "$work/jre"
    pack jre
}

backend() {
    mkdir "$work/backend" "$work/natives"
    cp "$1"/*.jar "$work/backend"
    # of JCuda's natives the driver's binding is used, as in the plugin
    (
        cd "$work/natives"
        "$java_home/bin/jar" xf "$work"/backend/jcuda-natives-*.jar
        rm -f lib/libJNv* lib/libJCudaRuntime*
        "$java_home/bin/jar" cf "$work/backend/natives.jar" lib
    )
    rm "$work"/backend/jcuda-natives-*.jar
    pack backend
}

neo4j() {
    mkdir "$work/neo4j"
    cp -r "$1/plugins" "$1/test-driver" "$2/tests" "$2/server.classpath" "$work/neo4j"
    [ ! -d "$1/peers" ] || cp -r "$1/peers" "$work/neo4j"
    pack neo4j
    cp -r "$2/server" "$work/neo4j-server"
    pack neo4j-server
}

# store JAR AS: stored classes compress better together than one by one; without what no job of the kit loads
store() {
    mkdir "$work/unpacked"
    (
        cd "$work/unpacked"
        "$java_home/bin/jar" xf "$1"
        find . -type f \( -name '*.dll' -o -name '*.dylib' -o -name '*.jnilib' \) -delete
        # natives of other platforms
        find . -type d \( -ipath '*/aix' -o -ipath '*/freebsd' -o -ipath '*/sunos' -o -ipath '*/win' -o -ipath '*/darwin' \
            -o -ipath '*/linux/aarch64' -o -ipath '*/linux/arm*' -o -ipath '*/linux/i386' -o -ipath '*/linux/loongarch64' \
            -o -ipath '*/linux/mips64' -o -ipath '*/linux/ppc64*' -o -ipath '*/linux/riscv64' -o -ipath '*/linux/s390x' \
            -o -ipath '*/linux/x86' -o -ipath '*/linux/android*' -o -ipath '*/linux-musl' \) -prune -exec rm -r {} +
        # Hadoop's cluster: HDFS, YARN, web servers and clients
        shaded=org/apache/hadoop/shaded
        rm -rf org/apache/hadoop/yarn org/apache/hadoop/hdfs/protocol* org/apache/hadoop/mapreduce/v2 webapps \
            $shaded/org/eclipse $shaded/org/jline $shaded/org/checkerframework $shaded/org/xbill $shaded/javax \
            $shaded/org/apache/http $shaded/org/apache/curator $shaded/org/apache/zookeeper $shaded/org/apache/kerby \
            $shaded/org/apache/avro $shaded/org/apache/commons/math3 $shaded/com/sun $shaded/com/nimbusds \
            $shaded/com/fasterxml $shaded/com/jcraft $shaded/net META-INF/maven
        "$java_home/bin/jar" cf0M "$2" .
    )
    rm -r "$work/unpacked"
}

spark() {
    class_path=$1
    mkdir -p "$work/spark/tests" "$work/spark-home/jars"
    store "$2" "$work/spark/proxima-spark.jar"
    shift 2
    for classes in "$@"; do
        cp -r "$classes/." "$work/spark/tests"
    done
    "$java_home/bin/jar" cf0M "$work/spark/benchmarks.jar" -C "$work/spark/tests" io
    rm -r "$work/spark/tests"
    pack spark
    IFS=:
    for jar in $class_path; do
        case $(basename "$jar") in
            # state stores, ORC, Arrow, ZooKeeper, the UI and its REST, Python, mathematics, encryption
            rocksdbjni-* | leveldbjni-* | orc-* | arrow-* | flatbuffers-* | aircompressor-* | hive-storage-* | zookeeper-* | \
                curator-* | jersey-* | hk2-* | jakarta.ws* | javassist-* | protobuf-java-* | gson-* | netty-codec-http* | \
                netty-tcnative-* | netty-transport-native-kqueue-* | netty-transport-native-epoll-*-linux-aarch_64* | \
                py4j-* | pickle-* | univocity-parsers-* | datasketches-* | commons-math3-* | commons-compress-* | tink-* | \
                avro-* | joda-time-* | threeten-* | guava-16* | scala-parallel-collections_*) ;;
            *) store "$jar" "$work/spark-home/jars/$(basename "$jar")" ;;
        esac
    done
    unset IFS
    pack spark-home
}

[ -f "$kit/jre.tar.xz.part-00" ] || jre
"$part" "$@"
cp "$here/run.sh" "$here/$part.sh" "$kit"
rm -rf "$work"
ls -l "$kit"
