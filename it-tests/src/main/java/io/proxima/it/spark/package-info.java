/** Apache Spark beside a server, in the profile spark. */
package io.proxima.it.spark;
