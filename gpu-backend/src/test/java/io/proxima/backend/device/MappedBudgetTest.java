// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendSettings;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MappedBudgetTest {

    private final long[] free = {100};
    private final MappedBudget budget = new MappedBudget(0.5, () -> free[0]);

    @Test
    void shouldCountBytesOnceWhileTheyAreBeingPageLocked() {
        assertThat(budget.take(30, 0)).isTrue();
        assertThat(budget.take(21, 0))
                .as("the host's free memory still contains the 30 bytes")
                .isFalse();
        assertThat(budget.take(20, 0)).isTrue();
        assertThat(budget.freeBytes()).isZero();
        free[0] = 70;
        budget.lock(30);
        assertThat(budget.bytes()).isEqualTo(50);
        assertThat(budget.take(1, 0)).isFalse();
        assertThat(budget.usedBytes()).isEqualTo(50);
    }

    @Test
    void shouldKeepAPromiseWhileTheHostHasTheMemory() {
        budget.promise(50);
        assertThat(budget.take(25, 25)).isTrue();
        free[0] = 80;
        assertThat(budget.freeBytes())
                .as("another device is page-locking what it has taken")
                .isLessThan(25);
        assertThat(budget.take(1, 0)).isFalse();
        assertThat(budget.take(25, 25)).isTrue();
        assertThat(budget.promisedBytes()).isZero();
        free[0] = 20;
        budget.promise(25);
        assertThat(budget.take(25, 25)).isFalse();
    }

    @Test
    void shouldLeaveWhatTheServerWillTake() {
        AtomicLong toCome = new AtomicLong();
        BackendSettings settings = BackendSettings.DEFAULTS.withHostMemoryToCome(toCome::get);
        MappedBudget ofHost = MappedBudget.ofThisHost(settings);
        assertThat(ofHost.bytes()).isPositive();
        toCome.set(Long.MAX_VALUE);
        assertThat(ofHost.bytes()).isZero();
        assertThat(MappedBudget.ofThisHost(settings.withHostMemoryToCome(() -> 0))
                        .bytes())
                .as("another server's")
                .isPositive();
    }

    @Test
    void shouldBeAShareOfTheFreeMemoryOfTheHost() {
        assertThat(budget.bytes()).isEqualTo(50);
        free[0] = -5;
        assertThat(budget.bytes()).isZero();
        assertThat(MappedBudget.none().freeBytes()).isZero();
    }
}
