// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// HOST_CONSTANT(NAME, VALUE): a number with which the host plans or launches too. build.sh finds NAME and VALUE in the debug
// information and writes them to KernelConstants.java. Otherwise it is nothing, because a bench includes several modules that share a constant.
#ifdef PROXIMA_INTERFACE
#define HOST_CONSTANT(NAME, VALUE) [[maybe_unused]] constexpr long long host_constant_##NAME = VALUE;
#else
#define HOST_CONSTANT(NAME, VALUE)
#endif
