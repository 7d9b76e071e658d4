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
package io.proxima.plugin.config;

import java.util.regex.Pattern;

/**
 * The rules for names that outlive a call and are written to the log: of graphs and of jobs. Without them, such names
 * could fill the heap and the log, and imitate lines of the log.
 */
final class KeptName {

    static final int MAX_LENGTH = 256;

    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0080-\\u009F\\u2028\\u2029]");

    private KeptName() {}

    /**
     * What is wrong with a name; null if it may be kept.
     *
     * @param argument the key or argument that has the name
     */
    static String fault(String argument, String name) {
        if (name.length() > MAX_LENGTH) {
            return "`" + argument + "` must have at most " + MAX_LENGTH + " characters, but it had " + name.length()
                    + ".";
        }
        if (CONTROL.matcher(name).find()) {
            return "`" + argument + "` must not contain control characters such as line feeds, but it was `"
                    + CONTROL.matcher(name).replaceAll("?") + "`.";
        }
        return null;
    }
}
