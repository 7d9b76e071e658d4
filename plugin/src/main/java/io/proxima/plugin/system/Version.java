// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.system;

import java.util.Locale;
import java.util.ResourceBundle;

/** The version of the jar, as written by the build. */
final class Version {

    static final String CURRENT =
            ResourceBundle.getBundle("io.proxima.plugin.version", Locale.ROOT).getString("version");

    private Version() {}
}
