// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import io.proxima.backend.device.DriverException;
import java.util.Set;
import jcuda.driver.CUresult;

/** The CUDA driver reported an error. */
public final class CudaException extends DriverException {

    public static final int OUT_OF_MEMORY = 2;
    static final int NO_DEVICE = 100;

    private static final long serialVersionUID = 1L;

    // of CUDA 12.4 and 13, which the binding does not name
    private static final int CONTAINED = 226;
    private static final int TENSOR_MEMORY_LEAK = 721;

    /**
     * Errors after which no call in the same context can be trusted: CUDA's documentation demands another context or
     * process; the driver, the MPS server, the context or a handle in it has gone; memory or NVLink is corrupt; or what
     * has failed is unknown.
     */
    private static final Set<Integer> STICKY = Set.of(
            CUresult.CUDA_ERROR_NOT_INITIALIZED,
            CUresult.CUDA_ERROR_DEINITIALIZED,
            CUresult.CUDA_ERROR_INVALID_CONTEXT,
            CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
            CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
            CONTAINED,
            CUresult.CUDA_ERROR_INVALID_HANDLE,
            CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
            CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
            CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
            CUresult.CUDA_ERROR_ASSERT,
            CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
            CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
            CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
            CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
            CUresult.CUDA_ERROR_INVALID_PC,
            CUresult.CUDA_ERROR_LAUNCH_FAILED,
            TENSOR_MEMORY_LEAK,
            CUresult.CUDA_ERROR_MPS_CONNECTION_FAILED,
            CUresult.CUDA_ERROR_MPS_RPC_FAILURE,
            CUresult.CUDA_ERROR_MPS_SERVER_NOT_READY,
            CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED,
            CUresult.CUDA_ERROR_EXTERNAL_DEVICE,
            CUresult.CUDA_ERROR_UNKNOWN);

    private final int code;
    private final String name;

    /**
     * Creates the exception.
     *
     * @param call the driver's function
     * @param code the driver's code
     * @param name the code's name, as in CUDA_ERROR_OUT_OF_MEMORY
     */
    public CudaException(String call, int code, String name) {
        super(
                "The CUDA driver reported " + name + " (" + code + ") in " + call + ".",
                code == OUT_OF_MEMORY,
                isSticky(code));
        this.code = code;
        this.name = name;
    }

    public int code() {
        return code;
    }

    String codeName() {
        return name;
    }

    /** Whether the device must be opened again after an error with this code. */
    public static boolean isSticky(int code) {
        return STICKY.contains(code);
    }
}
