// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// HOST_CONSTANT(NAME, VALUE): a constant that the host uses too. build.sh finds NAME and VALUE in the debug information and
// writes them to KernelConstants.java. In other builds the macro is empty, because a bench may include several modules that
// share a constant.
#ifdef PROXIMA_INTERFACE
#define HOST_CONSTANT(NAME, VALUE) [[maybe_unused]] constexpr long long host_constant_##NAME = VALUE;
#else
#define HOST_CONSTANT(NAME, VALUE)
#endif
