// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Counts the test methods tagged gpu or gpu-fault that ran and that were skipped in this JVM, and writes the counts to
 * a file in the folder that the system property {@code proxima.gpu.tests} names. {@code gpu-summary.sh} adds up the
 * files of all JVMs.
 */
public final class GpuTestSummary implements TestExecutionListener {

    private static final String FOLDER = System.getProperty("proxima.gpu.tests");
    private static final Set<TestTag> GPU = Set.of(TestTag.create("gpu"), TestTag.create("gpu-fault"));

    /** Unique ids of methods. */
    private final Set<String> methods = new HashSet<>();

    private final Set<String> ran = new HashSet<>();
    private String reason = "";
    private TestPlan plan;

    @Override
    public synchronized void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        started.getRoots().forEach(root -> started.getDescendants(root).forEach(this::add));
    }

    @Override
    public synchronized void dynamicTestRegistered(TestIdentifier test) {
        add(test);
    }

    private void add(TestIdentifier test) {
        if (needsGpu(test)) {
            methodOf(test).ifPresent(methods::add);
        }
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String why) {
        if (needsGpu(test)) {
            reason = why;
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!needsGpu(test)) {
            return;
        }
        if (result.getStatus() == Status.ABORTED) {
            reason = result.getThrowable().map(Throwable::getMessage).orElse("");
        } else if (test.isTest()) {
            methodOf(test).ifPresent(ran::add);
        }
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan finished) {
        if (FOLDER == null || methods.isEmpty()) {
            return;
        }
        Set<String> skipped = new HashSet<>(methods);
        skipped.removeAll(ran);
        String counts = ran.size() + " " + skipped.size() + " " + reason.replaceFirst("^Assumption failed: ", "");
        try {
            Path folder = Files.createDirectories(Path.of(FOLDER));
            Files.writeString(folder.resolve(ProcessHandle.current().pid() + ".txt"), counts.strip() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean needsGpu(TestIdentifier test) {
        return test.getTags().stream().anyMatch(GPU::contains);
    }

    /** The outermost method that a test belongs to: the template of a parameterized test. */
    private Optional<String> methodOf(TestIdentifier test) {
        Optional<String> parent = plan.getParent(test).flatMap(this::methodOf);
        return parent.isPresent()
                ? parent
                : test.getSource().filter(MethodSource.class::isInstance).map(source -> test.getUniqueId());
    }
}
