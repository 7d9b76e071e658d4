// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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
