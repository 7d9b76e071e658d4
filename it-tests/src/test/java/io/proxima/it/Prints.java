// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a program whose purpose is to print to standard output; everything else is forbidden to. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Prints {}
