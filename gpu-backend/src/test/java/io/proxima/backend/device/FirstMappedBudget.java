// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.util.function.LongSupplier;

/** A budget of all free memory, in which lists lie as long as it has room, even if they would fit the device. */
public final class FirstMappedBudget extends MappedBudget {

    /** As of {@link MappedBudget}. */
    public FirstMappedBudget(LongSupplier free) {
        super(1, free);
    }

    @Override
    public boolean isFirst() {
        return true;
    }
}
