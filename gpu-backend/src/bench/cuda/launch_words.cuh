// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../../main/cuda/msbfs_words.cu"
#include "device.cuh"

// The launch of msbfs_words.cu, with its arguments by name.
namespace proxima {
namespace test {

inline decltype(&msbfs_words_k256_grid) wordsKernel(int width) {
    return width == 256 ? msbfs_words_k256_grid : width == 512 ? msbfs_words_k512_grid : msbfs_words_k1024_grid;
}

inline int wordsBlocks(int width) {
    return residentBlocks(reinterpret_cast<const void *>(wordsKernel(width)), proxima::BLOCK_THREADS);
}

/** One batch by msbfs_words.cu; the control block is zeroed before. */
inline void launchWords(int width, int blocks, const proxima::WordsArguments &a) {
    launch(wordsKernel(width), blocks, proxima::BLOCK_THREADS, 0, a);
}

}  // namespace test
}  // namespace proxima
