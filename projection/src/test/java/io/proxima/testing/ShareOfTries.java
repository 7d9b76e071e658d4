// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.testing;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Makes only the share of the tries of each property that {@code -Dproxima.tries.percent} names, 100 otherwise. */
public final class ShareOfTries implements AroundPropertyHook {

    private static final int PERCENT = Integer.getInteger("proxima.tries.percent", 100);
    private static final int DEFAULT_TRIES = 1000;

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        int tries = context.attributes().tries().orElse(DEFAULT_TRIES);
        context.attributes().setTries(Math.max(1, tries * PERCENT / 100));
        return property.execute();
    }

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }
}
