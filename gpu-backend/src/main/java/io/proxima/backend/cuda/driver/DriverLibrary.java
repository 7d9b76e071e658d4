// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds out whether the driver's library can be loaded, without loading it: searches LD_LIBRARY_PATH, the linker's
 * cache and the system's folders, as the dynamic linker of Linux does (ld.so(8)).
 */
record DriverLibrary(String osName, String osArch, String libraryPath, Path linkerCache, List<Path> systemFolders) {

    private static final String FILE = "libcuda.so.1";

    static DriverLibrary ofThisHost() {
        String libraryPath = System.getenv("LD_LIBRARY_PATH");
        return new DriverLibrary(
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                libraryPath == null ? "" : libraryPath,
                Path.of("/etc/ld.so.cache"),
                List.of(Path.of("/lib64"), Path.of("/usr/lib64"), Path.of("/lib"), Path.of("/usr/lib")));
    }

    /** Why the library cannot be loaded, and the remedy; empty if it was found. */
    String missing() {
        if (!osName.toLowerCase(Locale.ROOT).startsWith("linux") || !osArch.equals("amd64")) {
            return "The CUDA backend runs on Linux on x86-64 only; this is " + osName + " on " + osArch
                    + ". Use backend: 'cpu' or 'auto'.";
        }
        List<Path> folders = new ArrayList<>();
        for (String folder : libraryPath.split(":", -1)) {
            if (!folder.isEmpty()) {
                folders.add(Path.of(folder));
            }
        }
        folders.addAll(systemFolders);
        for (Path folder : folders) {
            if (Files.exists(folder.resolve(FILE))) {
                return "";
            }
        }
        if (inLinkerCache()) {
            return "";
        }
        return "The NVIDIA driver's library " + FILE + " is not installed here (looked in LD_LIBRARY_PATH, "
                + linkerCache + " and " + systemFolders + "). Install the NVIDIA driver, version 525 or newer; in a"
                + " container, start it with GPU access (docker run --gpus all). Or use backend: 'cpu'.";
    }

    private boolean inLinkerCache() {
        try {
            // the cache is binary; its names are ASCII and end with a zero byte
            String cache = new String(Files.readAllBytes(linkerCache), StandardCharsets.ISO_8859_1);
            return cache.contains("/" + FILE + "\0");
        } catch (IOException e) {
            return false;
        }
    }
}
