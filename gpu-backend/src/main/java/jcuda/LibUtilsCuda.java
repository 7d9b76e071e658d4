// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package jcuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Stands in for JCuda's class of this name, which unpacks native libraries into the shared folder for temporary files
 * under a fixed name and trusts what lies there. This one unpacks into a folder that only this process's user can
 * enter, loads, and removes both. JCuda's own class must not be packed; decision record 6 says more.
 */
public final class LibUtilsCuda {

    private LibUtilsCuda() {}

    /**
     * Loads a library of the natives jar into the class loader of this class. JCuda's classes call this.
     *
     * @param libraryName platform's name without prefix and extension, as {@code LibUtils.createPlatformLibraryName}
     *     gives
     * @param dependentLibraryNames libraries to be loaded before; JCuda's driver binding has none
     * @throws UnsatisfiedLinkError if the library or one that it needs is missing
     */
    public static void loadLibrary(String libraryName, String... dependentLibraryNames) {
        for (String dependent : dependentLibraryNames) {
            loadLibrary(dependent);
        }
        String file = "lib" + libraryName + ".so";
        Path folder = null;
        Path library = null;
        try (InputStream packed = LibUtilsCuda.class.getResourceAsStream("/lib/" + file)) {
            if (packed == null) {
                throw new UnsatisfiedLinkError("Proxima's jar has no native library " + file + " for this platform");
            }
            folder = Files.createTempDirectory("proxima-cuda-");
            library = folder.resolve(file);
            Files.copy(packed, library);
            System.load(library.toAbsolutePath().toString());
        } catch (IOException e) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError("cannot unpack " + file + ": " + e);
            error.initCause(e);
            throw error;
        } finally {
            // a loaded library stays mapped without its file
            delete(library);
            delete(folder);
        }
    }

    private static void delete(Path path) {
        try {
            if (path != null) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }
}
