// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

/** The JVM of these tests, of those that test beside each other. */
public final class Fork {

    private Fork() {}

    /** Its name: part of the name of what each has for itself. */
    public static String name() {
        return System.getProperty("proxima.it.fork", "jvm-1");
    }
}
