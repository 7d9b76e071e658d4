// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.Prints;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints the ends of the logs of the servers of a test that fails. */
@Prints
public final class LogsOfServers implements TestExecutionListener {

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            ServerProcess.forgetEnded();
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            ServerProcess.logTails()
                    .forEach(tail ->
                            System.out.println(test.getDisplayName() + " failed while this server ran: " + tail));
        }
    }
}
