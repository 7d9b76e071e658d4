// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

/* A libcuda.so.1 for tests of the binding: device memory is host memory and a launch does nothing. The variable STUB says
 * what kind of driver it is: "device" (one Hopper) or "none" (no device). */
#include <stdlib.h>
#include <string.h>

static int stub_is(const char *kind) {
    const char *stub = getenv("STUB");
    return stub != NULL && strcmp(stub, kind) == 0;
}

int cuInit(unsigned flags) { return stub_is("none") ? 100 : 0; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetName(char *name, int length, int device) { strncpy(name, "Stub", length); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = (size_t)5 << 30; return 0; }

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    switch (attribute) {
        case 16: *value = 132; return 0; /* multiprocessors */
        case 75: *value = 9; return 0;   /* compute capability */
        case 76: *value = 0; return 0;
        case 95: *value = 1; return 0;   /* cooperative launch */
        case 97: *value = 232448; return 0; /* shared memory of a block */
        default: return 1;
    }
}

int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)0x1000; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
int cuDevicePrimaryCtxRelease(int device) { return 0; }
int cuCtxPushCurrent_v2(void *context) { return context == (void *)0x1000 ? 0 : 201; }
int cuCtxPopCurrent_v2(void **context) { *context = (void *)0x1000; return 0; }
int cuMemGetInfo_v2(size_t *free, size_t *total) { *free = (size_t)4 << 30; *total = (size_t)5 << 30; return 0; }

int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
    if (bytes > (size_t)4 << 30) {
        return 2;
    }
    *address = (unsigned long long)malloc(bytes);
    return 0;
}

int cuMemFree_v2(unsigned long long address) { free((void *)address); return 0; }
int cuMemHostAlloc(void **host, size_t bytes, unsigned flags) {
    if (bytes > 1ull << 36) {
        return 2;
    }
    *host = malloc(bytes);
    return flags == 3 ? 0 : 1;
}
int cuMemFreeHost(void *host) { free(host); return 0; }

int cuMemHostGetDevicePointer_v2(unsigned long long *address, void *host, unsigned flags) {
    *address = (unsigned long long)host;
    return 0;
}

int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *stream) {
    memcpy((void *)to, from, bytes);
    return stream == (void *)0x2000 ? 0 : 400;
}

int cuMemcpyAsync(unsigned long long to, unsigned long long from, size_t bytes, void *stream) {
    memcpy((void *)to, (void *)from, bytes);
    return stream == (void *)0x2000 ? 0 : 400;
}

int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream) {
    memcpy(to, (void *)from, bytes);
    return stream == (void *)0x2000 ? 0 : 400;
}

int cuMemsetD8Async(unsigned long long address, unsigned char value, size_t bytes, void *stream) {
    memset((void *)address, value, bytes);
    return 0;
}

int cuStreamCreate(void **stream, unsigned flags) { *stream = (void *)0x2000; return flags == 1 ? 0 : 1; }
int cuStreamDestroy_v2(void *stream) { return 0; }
int cuEventCreate(void **event, unsigned flags) { *event = (void *)0x3000; return 0; }
int cuEventDestroy_v2(void *event) { return 0; }
int cuEventRecord(void *event, void *stream) { return 0; }
int cuEventQuery(void *event) { return 0; }
int cuEventSynchronize(void *event) { return 0; }
int cuEventElapsedTime(float *millis, void *from, void *to) { *millis = 1.5f; return 0; }
int cuEventElapsedTime_v2(float *millis, void *from, void *to) { *millis = 1.5f; return 0; }
int cuModuleLoadData(void **module, const void *image) { *module = (void *)0x4000; return 0; }
int cuModuleUnload(void *module) { return 0; }

int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = (void *)0x5000;
    return strcmp(name, "store_sum") == 0 ? 0 : 500;
}

static int dynamic_shared_limit = 0;

int cuFuncSetAttribute(void *function, int attribute, int value) {
    dynamic_shared_limit = value;
    return attribute == 8 ? 0 : 1; /* the most dynamic shared memory */
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
    *blocks = 2048 / threads;
    if (shared > 0) {
        *blocks = shared <= (size_t)dynamic_shared_limit ? 232448 / (int)shared : 0;
    }
    return 0;
}

/* store_sum({long *out; int a; int b}): the sum of the scalars and of the shape, so that the order of arguments is seen */
int cuLaunchCooperativeKernel(
        void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
        unsigned shared, void *stream, void **arguments) {
    const struct { long *out; int a; int b; } *argument = arguments[0];
    *argument->out = 1000000L * argument->a + 10000L * argument->b + 100L * gridX + blockX;
    return stream == (void *)0x2000 && gridY * gridZ * blockY * blockZ == 1 && shared == 0 ? 0 : 1;
}

/* store_sum({long *out; int a; float b}), with all shared memory that was allowed */
int cuLaunchKernel(
        void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
        unsigned shared, void *stream, void **arguments, void **extra) {
    const struct { long *out; int a; float b; } *argument = arguments[0];
    *argument->out = 1000000L * argument->a + (long)(1000000 * argument->b) + 100L * gridX + blockX;
    return stream == (void *)0x2000 && gridY * gridZ * blockY * blockZ == 1 && shared == (unsigned)dynamic_shared_limit
                    && extra == NULL
            ? 0
            : 1;
}
