/**
 * Traversal on NVIDIA GPUs through the CUDA driver API. {@link io.proxima.backend.cuda.JcudaDriver} is the only class that
 * refers to JCuda; it is linked only where a driver library lies.
 */
package io.proxima.backend.cuda;
