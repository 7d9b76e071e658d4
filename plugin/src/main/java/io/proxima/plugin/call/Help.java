// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What {@code proxima.help} cannot derive of a procedure or function, or of all of a class that do not say otherwise.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Help {

    /** The page of the manual; empty for the one named like the procedure, and for estimates the one on memory. */
    String page() default "";

    /**
     * A query that calls it on the graph 'people' of the manual. Empty for a call without arguments; those of
     * algorithms are derived from their keys.
     */
    String example() default "";

    /** The property in the examples of an algorithm; empty for the name of the page. */
    String property() default "";
}
