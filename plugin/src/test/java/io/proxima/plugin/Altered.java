// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/** Objects of Neo4j of which one method does something else. */
public final class Altered {

    private Altered() {}

    /**
     * An object like another one.
     *
     * @param method the name of the method that is altered
     * @param before is called first; the method goes on if it returns null, and otherwise returns the same
     */
    public static <T> T of(Class<T> type, T given, String method, Supplier<?> before) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, args) -> {
            if (called.getName().equals("equals")) {
                return proxy == args[0];
            }
            Object result = called.getName().equals(method) ? before.get() : null;
            try {
                return result != null ? result : called.invoke(given, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
