#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Makes the kit that measures Spark's executors on a host with GPUs; Maven's profile spark-gpu-kit calls it.
# usage: make-kit.sh JAVA_HOME SPARK_CLASS_PATH PROXIMA_SPARK_JAR KIT_FOLDER FOLDER_OF_TEST_CLASSES...
set -eu
java_home=$1
class_path=$2
proxima=$3
kit=$4
shift 4
part_megabytes=36

work=$kit.work
rm -rf "$work" "$kit"
mkdir -p "$work/lib" "$work/spark/jars" "$kit"
# java.desktop: Spark's encoders; jdk.security.auth: Hadoop's login
"$java_home/bin/jlink" \
    --add-modules java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.transaction.xa,java.xml,jdk.charsets,jdk.management,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs \
    --strip-debug --no-header-files --no-man-pages --compress=0 --output "$work/jre"
(cd "$work/jre/lib" && rm -f libawt* libfontmanager.so libfreetype.so libjavajpeg.so liblcms.so libmlib_image.so libsplashscreen.so)

# stored classes compress better together than one by one; without what no job of the kit loads
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
IFS=:
for jar in $class_path; do
    case $(basename "$jar") in
        # state stores, ORC, Arrow, ZooKeeper, the UI and its REST, Python, mathematics, encryption
        rocksdbjni-* | leveldbjni-* | orc-* | arrow-* | flatbuffers-* | aircompressor-* | hive-storage-* | zookeeper-* | \
            curator-* | jersey-* | hk2-* | jakarta.ws* | javassist-* | protobuf-java-* | gson-* | netty-codec-http* | \
            netty-tcnative-* | netty-transport-native-kqueue-* | netty-transport-native-epoll-*-linux-aarch_64* | \
            py4j-* | pickle-* | univocity-parsers-* | datasketches-* | commons-math3-* | commons-compress-* | tink-* | \
            avro-* | joda-time-* | threeten-* | guava-16* | scala-parallel-collections_*) ;;
        *) store "$jar" "$work/spark/jars/$(basename "$jar")" ;;
    esac
done
unset IFS
store "$proxima" "$work/lib/proxima-spark.jar"
mkdir "$work/lib/tests"
for classes in "$@"; do
    cp -r "$classes/." "$work/lib/tests"
done
"$java_home/bin/jar" cf0M "$work/lib/benchmarks.jar" -C "$work/lib/tests" io
rm -r "$work/lib/tests"
cp "$(dirname "$0")/run.sh" "$kit/run.sh"

# the same input gives the same bytes; the small archive is what a change of Proxima replaces
pack() {
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$@" | xz -9
}
pack jre spark >"$work/spark.tar.xz"
split -b ${part_megabytes}m -d "$work/spark.tar.xz" "$kit/spark.tar.xz.part-"
pack lib >"$kit/proxima.tar.xz"
rm -rf "$work"
ls -l "$kit"
