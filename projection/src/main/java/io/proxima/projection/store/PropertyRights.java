// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.kernel.api.security.AccessMode;

/**
 * The right to read properties of relationships. The two lines of Neo4j have no method in common that returns it
 * without a relationship. The method of the running line is therefore looked up by its name.
 */
final class PropertyRights {

    /** {@code boolean allowsReadPropertyAllRelTypes(int property)} of Neo4j 5; null if there is none. */
    private static final MethodHandle OF_ALL_TYPES = find("allowsReadPropertyAllRelTypes", int.class);

    /**
     * {@code boolean allowsTraverseAndReadAllMatchingRelProperties(int[] types, int[] properties)}; null if there is
     * none.
     */
    private static final MethodHandle OF_TYPES =
            find("allowsTraverseAndReadAllMatchingRelProperties", int[].class, int[].class);

    private PropertyRights() {}

    /** Whether a mode certainly hides none of these properties of any relationship. */
    static boolean readsAll(AccessMode mode, TokenRead tokens, int[] properties) {
        if (OF_ALL_TYPES != null) {
            return Arrays.stream(properties).allMatch(property -> call(OF_ALL_TYPES, mode, property));
        }
        return properties.length == 0
                || (OF_TYPES != null
                        && types(tokens).allMatch(type -> call(OF_TYPES, mode, new int[] {type}, properties)));
    }

    private static IntStream types(TokenRead tokens) {
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(
                                tokens.relationshipTypesGetAllTokens(), Spliterator.NONNULL),
                        false)
                .mapToInt(token -> token.id());
    }

    private static MethodHandle find(String name, Class<?>... parameters) {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(AccessMode.class, name, MethodType.methodType(boolean.class, parameters));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    private static boolean call(MethodHandle method, Object... arguments) {
        try {
            return (boolean) method.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the rights to read properties are unknown: mode=" + arguments[0], e);
        }
    }
}
