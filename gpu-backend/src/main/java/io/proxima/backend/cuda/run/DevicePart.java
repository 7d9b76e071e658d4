/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.run;

import io.proxima.backend.RunObserver;
import io.proxima.backend.cuda.device.SlotOrder;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/** What one device does in a run that several devices may share. It pins the graph there until it is closed. */
interface DevicePart extends AutoCloseable {

    /** The name of the device. */
    String deviceName();

    /** The order of the graph on the device. */
    SlotOrder order();

    /** The name of the kernels. */
    String kernel();

    @Override
    void close();

    /** Reports the devices of a run. */
    static void tell(RunObserver observer, List<? extends DevicePart> parts, String reason) {
        DevicePart first = parts.get(0);
        observer.runsOn(parts.stream().map(DevicePart::deviceName).collect(Collectors.joining(", ")), reason);
        observer.runsWith(first.order().name(), first.kernel(), first.order().reason());
    }

    /** Reports that a run goes on without a device. */
    static void tellLoss(
            RunObserver observer, List<? extends DevicePart> remaining, DevicePart lost, RuntimeException failure) {
        tell(
                observer,
                remaining,
                "Other GPUs repeat what " + lost.deviceName() + " has not finished: " + failure.getMessage());
    }

    /** Closes all, even if closing one of them fails. */
    static void closeAll(Collection<? extends DevicePart> parts) {
        closeAll(parts.iterator());
    }

    private static void closeAll(Iterator<? extends DevicePart> parts) {
        if (parts.hasNext()) {
            DevicePart next = parts.next();
            try {
                closeAll(parts);
            } finally {
                next.close();
            }
        }
    }
}
