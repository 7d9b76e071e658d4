// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import io.proxima.it.server.Installation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * For test classes that are run against Neo4j's long-term line and then, where the build laid it out, against its
 * current line.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith(OnBothLines.Lines.class)
public @interface OnBothLines {

    /** Runs the class once for each line. */
    final class Lines implements ClassTemplateInvocationContextProvider {

        @Override
        public boolean supportsClassTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(ExtensionContext context) {
            return Installation.linesLaidOut().stream().map(OfLine::new);
        }
    }

    /** The tests of a class against one line. */
    record OfLine(Installation.Line line) implements ClassTemplateInvocationContext {

        @Override
        public String getDisplayName(int index) {
            return line.toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            Installation.Line before = Installation.line();
            return List.of(
                    (BeforeClassTemplateInvocationCallback) context -> Installation.select(line),
                    (AfterClassTemplateInvocationCallback) context -> Installation.select(before));
        }
    }
}
