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
package io.proxima.concurrent;

/**
 * A kind of work that is reported to a {@link Progress}. Each kind is one constant of the class that does the work.
 * The detail says how or where the work is done, and does not change the kind.
 *
 * @param kind the work, in the terms of the manual, such as "Order vertices"
 * @param detail how or where, such as "(rcm)" or "to cuda:0"; may be empty
 */
public record Task(String kind, String detail) {

    /** A kind of work. */
    public static Task of(String kind) {
        return new Task(kind, "");
    }

    /** Returns the same kind of work with a detail. */
    public Task with(String how) {
        return new Task(kind, how);
    }

    /** Returns whether both are the same kind of work. */
    public boolean isSameKind(Task other) {
        return kind.equals(other.kind);
    }

    /** Kind and detail, as shown to users. */
    public String name() {
        return detail.isEmpty() ? kind : kind + " " + detail;
    }
}
