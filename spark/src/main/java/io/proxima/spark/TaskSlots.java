// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * The tasks that the cluster runs at the same time.
 *
 * @param count number of tasks, at least 1
 */
record TaskSlots(int count) {

    /** The slots of the executors that are registered now, and of those that the configuration expects. */
    static TaskSlots of(SparkSession session) {
        SparkContext context = session.sparkContext();
        SparkConf conf = context.getConf();
        int gpusOfTask = whole(conf.get("spark.task.resource.gpu.amount", "0"));
        if (gpusOfTask > 0) {
            int gpusOfExecutor = conf.getInt("spark.executor.resource.gpu.amount", gpusOfTask);
            // the driver is listed too
            int executors = Math.max(
                    context.statusTracker().getExecutorInfos().length - 1, conf.getInt("spark.executor.instances", 1));
            return new TaskSlots(Math.max(1, executors * (gpusOfExecutor / gpusOfTask)));
        }
        return new TaskSlots(Math.max(1, context.defaultParallelism() / conf.getInt("spark.task.cpus", 1)));
    }

    /** A fraction means that tasks share a GPU: then the processors are the limit. */
    private static int whole(String amount) {
        double gpus = Double.parseDouble(amount);
        return gpus < 1 ? 0 : (int) gpus;
    }
}
