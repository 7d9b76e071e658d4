// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs code for callers that handle neither an IOException nor an interrupt. */
public final class Unchecked {

    private Unchecked() {}

    /** Code with a result. */
    public interface Call<T> {
        T get() throws IOException, InterruptedException;
    }

    /** Code without a result. */
    public interface Action {
        void run() throws IOException, InterruptedException;
    }

    /** Returns the result of a call. */
    public static <T> T get(Call<T> call) {
        try {
            return call.get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs an action. */
    public static void run(Action action) {
        get(() -> {
            action.run();
            return null;
        });
    }

    /** Lists the entries of a folder. */
    public static List<Path> list(Path folder) {
        return get(() -> {
            try (Stream<Path> entries = Files.list(folder)) {
                return entries.toList();
            }
        });
    }
}
