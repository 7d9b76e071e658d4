// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.memory;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** The heap of this JVM. */
final class JvmHeap {

    private JvmHeap() {}

    /** The heap in use, including garbage, in bytes. */
    static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /**
     * Registers a listener for the heap in use after a garbage collection, in bytes. It is called for the last
     * collection, if there was one, and soon after each following one.
     */
    static void onCollection(LongConsumer listener) {
        Set<String> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getName)
                .collect(Collectors.toUnmodifiableSet());
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
        collectors.stream()
                .map(GarbageCollectorMXBean::getLastGcInfo)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(GcInfo::getEndTime))
                .ifPresent(last -> report(last, pools, listener));
        for (GarbageCollectorMXBean collector : collectors) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(
                        (notification, unused) -> report(
                                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                                        .getGcInfo(),
                                pools,
                                listener),
                        notification -> notification
                                .getType()
                                .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
                        null);
            }
        }
    }

    private static void report(GcInfo collection, Set<String> pools, LongConsumer listener) {
        long used = collection.getMemoryUsageAfterGc().entrySet().stream()
                .filter(pool -> pools.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
        // the pauses of a concurrent collection report nothing
        if (used > 0) {
            listener.accept(used);
        }
    }
}
