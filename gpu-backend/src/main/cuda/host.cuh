/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
#pragma once

// HOST_CONSTANT(NAME, VALUE): a number with which the host plans or launches too. build.sh finds NAME and VALUE in the debug
// information and collects them in kernels.interface, where KernelInterfaceTest compares them with the constants of the host.
// Otherwise it is nothing, because a bench includes several modules that share a constant.
#ifdef PROXIMA_INTERFACE
#define HOST_CONSTANT(NAME, VALUE) [[maybe_unused]] constexpr long long host_constant_##NAME = VALUE;
#else
#define HOST_CONSTANT(NAME, VALUE)
#endif
