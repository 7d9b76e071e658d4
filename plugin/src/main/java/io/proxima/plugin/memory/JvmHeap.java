// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.memory;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** The heap of a JVM. */
interface JvmHeap {

    /** The maximum size, in bytes. */
    long max();

    /** The heap in use, including garbage, in bytes. */
    long used();

    /**
     * Registers a listener for the heap in use after a garbage collection, in bytes. It is called for the last
     * collection, if there was one, and soon after each following one.
     */
    void onCollection(LongConsumer listener);

    /** The heap of this JVM. */
    static JvmHeap ofThisJvm() {
        return new JvmHeap() {
            @Override
            public long max() {
                return Runtime.getRuntime().maxMemory();
            }

            @Override
            public long used() {
                Runtime runtime = Runtime.getRuntime();
                return runtime.totalMemory() - runtime.freeMemory();
            }

            @Override
            public void onCollection(LongConsumer listener) {
                Set<String> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == MemoryType.HEAP)
                        .map(MemoryPoolMXBean::getName)
                        .collect(Collectors.toUnmodifiableSet());
                ManagementFactory.getPlatformMXBeans(com.sun.management.GarbageCollectorMXBean.class).stream()
                        .map(com.sun.management.GarbageCollectorMXBean::getLastGcInfo)
                        .filter(Objects::nonNull)
                        .max(Comparator.comparingLong(GcInfo::getEndTime))
                        .map(last -> usedAfter(last, pools))
                        .filter(used -> used > 0)
                        .ifPresent(listener::accept);
                for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                    if (collector instanceof NotificationEmitter emitter) {
                        emitter.addNotificationListener(
                                (notification, unused) -> {
                                    long used = usedAfter(
                                            GarbageCollectionNotificationInfo.from(
                                                            (CompositeData) notification.getUserData())
                                                    .getGcInfo(),
                                            pools);
                                    // the pauses of a concurrent collection report nothing
                                    if (used > 0) {
                                        listener.accept(used);
                                    }
                                },
                                notification -> notification
                                        .getType()
                                        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
                                null);
                    }
                }
            }
        };
    }

    private static long usedAfter(GcInfo collection, Set<String> pools) {
        return collection.getMemoryUsageAfterGc().entrySet().stream()
                .filter(pool -> pools.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
    }
}
