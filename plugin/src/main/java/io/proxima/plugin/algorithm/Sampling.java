// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import java.util.concurrent.ThreadLocalRandom;

/** The key of the seed of a random choice of sources. */
public final class Sampling {

    private static final Key<Long> SEED = Key.of("samplingSeed", "The seed of the random choice of the sources.");

    private Sampling() {}

    /** Reads the key of the seed, which is random if it is absent: the effective configuration repeats the choice. */
    public static long readSeed(ConfigReader reader) {
        return reader.readInteger(SEED, ThreadLocalRandom.current().nextLong(), "random");
    }
}
