// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MappedBudgetTest {

    private final long[] free = {100};
    private final MappedBudget budget = new MappedBudget(0.5, () -> free[0]);

    @Test
    void shouldCountBytesOnceWhileTheyAreBeingPageLocked() {
        assertThat(budget.take(30)).isTrue();
        assertThat(budget.take(21))
                .as("the host's free memory still contains the 30 bytes")
                .isFalse();
        assertThat(budget.take(20)).isTrue();
        assertThat(budget.freeBytes()).isZero();
        free[0] = 70;
        budget.lock(30);
        assertThat(budget.bytes()).isEqualTo(50);
        assertThat(budget.take(1)).isFalse();
        assertThat(budget.usedBytes()).isEqualTo(50);
    }

    @Test
    void shouldLeaveWhatOthersWillTake() {
        long[] toCome = {60};
        budget.leave(() -> toCome[0]);
        assertThat(budget.bytes()).isEqualTo(20);
        assertThat(budget.take(20)).isTrue();
        budget.lock(20);
        free[0] = 80;
        // they have taken as much as they may
        toCome[0] = 0;
        free[0] -= 60;
        assertThat(budget.bytes()).isEqualTo(20);
        toCome[0] = 1000;
        assertThat(budget.freeBytes()).isZero();
    }

    @Test
    void shouldBeAShareOfTheFreeMemoryOfTheHost() {
        assertThat(budget.bytes()).isEqualTo(50);
        free[0] = -5;
        assertThat(budget.bytes()).isZero();
        assertThat(MappedBudget.none().freeBytes()).isZero();
        for (double share : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> budget.limit(share)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
