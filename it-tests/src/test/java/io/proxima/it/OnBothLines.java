// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import io.proxima.it.server.Installation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * For test classes that are run against Neo4j's long-term line and, where the build laid it out, against its current
 * line, each in a JVM of its own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("both-lines")
@ExtendWith(OnBothLines.Condition.class)
public @interface OnBothLines {

    /** Skips the run against the current line where there is none. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Installation.isLaidOut()
                    ? ConditionEvaluationResult.enabled("the server is laid out")
                    : ConditionEvaluationResult.disabled("no Java was found for Neo4j's current line");
        }
    }
}
