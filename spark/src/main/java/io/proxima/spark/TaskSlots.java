// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/** The tasks that the cluster runs at the same time. */
final class TaskSlots {

    private TaskSlots() {}

    /** The slots of the executors that are registered now, and of those that the configuration expects, at least 1. */
    static int of(SparkSession session) {
        SparkContext context = session.sparkContext();
        SparkConf conf = context.getConf();
        // a fraction means that tasks share a GPU: then the processors are the limit
        int gpusOfTask = (int) conf.getDouble("spark.task.resource.gpu.amount", 0);
        if (gpusOfTask > 0) {
            int gpusOfExecutor = conf.getInt("spark.executor.resource.gpu.amount", gpusOfTask);
            // the driver is listed too
            int executors = Math.max(
                    context.statusTracker().getExecutorInfos().length - 1, conf.getInt("spark.executor.instances", 1));
            return Math.max(1, executors * (gpusOfExecutor / gpusOfTask));
        }
        return Math.max(1, context.defaultParallelism() / conf.getInt("spark.task.cpus", 1));
    }
}
