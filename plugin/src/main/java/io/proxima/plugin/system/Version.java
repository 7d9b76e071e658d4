// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the jar, as written by the build. */
final class Version {

    static final String CURRENT = read();

    private Version() {}

    private static String read() {
        Properties properties = new Properties();
        try (InputStream file = Version.class.getResourceAsStream("/io/proxima/plugin/version.properties")) {
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
