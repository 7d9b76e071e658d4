// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.file.CompleteFile;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.neo4j.configuration.Config;

/** The folder of exported graphs, which no file name leaves. */
public record ExportFolder(KeptFiles files) {

    private static final String SETTING = ProximaSettings.EXPORT_DIRECTORY.name();

    private static final String CSV = ".csv";

    /**
     * The folder of a server.
     *
     * @param stop requests listing to end
     * @throws ProximaException if none is set, or if it cannot be used
     */
    public static ExportFolder of(Config config, Stop stop) {
        try {
            Path folder = KeptFiles.exportFolder(config);
            if (folder == null) {
                throw ProximaException.failed("No folder for exported graphs is set. Set it in neo4j.conf, as in `"
                        + SETTING + "=graphs`, and restart the server.");
            }
            Files.createDirectories(folder);
            // without links, as the folder exists now
            return new ExportFolder(KeptFiles.of(config, stop));
        } catch (InvalidPathException | IOException e) {
            throw ProximaException.failed(
                    "The folder of the setting `" + SETTING + "` cannot be used: " + GraphFileException.reason(e)
                            + ". Set another folder.",
                    e);
        }
    }

    /**
     * The path of a file.
     *
     * @throws ProximaException if the name leads out of the folder, or into a folder that does not exist
     */
    private Path file(String fileName) {
        GraphName.requirePresent("fileName", fileName);
        try {
            Path name = Path.of(fileName);
            Path folder = files.exports();
            Path file = folder.resolve(name).normalize();
            if (name.isAbsolute()
                    || !name.normalize().equals(name)
                    || !file.startsWith(folder)
                    || file.equals(folder)) {
                throw refused(fileName, "must be the name of a file, or a path from the folder without `.` and `..`");
            }
            if (file.getFileName().toString().endsWith(CompleteFile.UNFINISHED)) {
                throw refused(fileName, "must not end with `" + CompleteFile.UNFINISHED + "`");
            }
            Path parent = file.getParent();
            if (!Files.isDirectory(parent)) {
                throw refused(fileName, "must be in a folder that exists");
            }
            Path real = parent.toRealPath();
            if (!real.equals(parent.toRealPath(LinkOption.NOFOLLOW_LINKS)) || isNoRegularFile(file)) {
                throw refused(fileName, "must not be a link or a folder, nor have a link in its path");
            }
            return real.resolve(file.getFileName());
        } catch (InvalidPathException e) {
            throw refused(fileName, "must be a valid path");
        } catch (IOException e) {
            throw ProximaException.failed(
                    "The file `" + Shown.text(fileName) + "` cannot be used: " + GraphFileException.reason(e) + ".", e);
        }
    }

    /**
     * The path of a file to read.
     *
     * @param fileName its name, or its path from this folder
     * @throws ProximaException if there is none, or as {@link #file} does
     */
    public Path existing(String fileName) {
        Path file = file(fileName);
        if (!Files.exists(file)) {
            throw ProximaException.failed("The file `" + Shown.text(fileName) + "` does not exist in " + files.exports()
                    + ". Use a name that `proxima.file.list` returns.");
        }
        return file;
    }

    /** Fails for a name that the file system does not allow, too, before the work for the file has begun. */
    private static boolean isNoRegularFile(Path file) throws IOException {
        try {
            return !Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isRegularFile();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /**
     * A CSV file, or the CSV files of a folder in the order of their names, without those whose names begin with `.` or
     * `_`, which programs write for themselves.
     *
     * @throws ProximaException if the name leads out of the folder, or if there are none
     */
    public List<Path> csvFiles(String fileName) {
        try {
            if (fileName != null
                    && !fileName.isBlank()
                    && Files.isDirectory(files.exports().resolve(fileName), LinkOption.NOFOLLOW_LINKS)) {
                // the same rules as for a file in it
                Path within = file(fileName + "/" + CSV).getParent();
                List<Path> found = new ArrayList<>();
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(within)) {
                    for (Path entry : entries) {
                        files.stop().check();
                        String name = entry.getFileName().toString();
                        if (name.endsWith(CSV) && !name.startsWith(".") && !name.startsWith("_")) {
                            // a link is refused, not left out
                            found.add(file(fileName + "/" + name));
                        }
                    }
                } catch (DirectoryIteratorException e) {
                    throw e.getCause();
                }
                if (found.isEmpty()) {
                    throw ProximaException.failed(
                            "The folder `" + Shown.text(fileName) + "` has no files that end with `" + CSV + "`.");
                }
                found.sort(Comparator.naturalOrder());
                return found;
            }
            return List.of(existing(fileName));
        } catch (InvalidPathException e) {
            throw refused(fileName, "must be a valid path");
        } catch (IOException e) {
            throw ProximaException.failed(
                    "The folder `" + Shown.text(fileName) + "` cannot be read: " + GraphFileException.reason(e) + ".",
                    e);
        }
    }

    private ProximaException refused(String fileName, String rule) {
        return ProximaException.invalidArgument("`fileName` " + rule + ", but it was `" + Shown.text(fileName)
                + "`. The folder is that of the setting `" + SETTING + "`.");
    }

    /** A file that one call is writing. */
    public static final class Target implements AutoCloseable {
        private final ExportFolder within;
        private final String fileName;
        private final boolean overwrite;
        private final Caller caller;
        private final Path path;
        private final KeptFiles.Claim claim;
        private DiskSpace space;

        private Target(ExportFolder within, String fileName, boolean overwrite, Caller caller) {
            this.within = within;
            this.fileName = fileName;
            this.overwrite = overwrite;
            this.caller = caller;
            path = within.file(fileName);
            claim = KeptFiles.claim(path);
            if (claim == null) {
                throw ProximaException.failed("Another call is exporting to the file `" + Shown.text(fileName)
                        + "`. Choose another name, or wait.");
            }
        }

        /** The place of the file. */
        public Path path() {
            return path;
        }

        /**
         * Checks that the file may get its place: before it is written, and again afterwards, because other servers and
         * programs may have written there meanwhile.
         *
         * @throws ProximaException if there is a file that must not be replaced
         */
        public void requireFreePlace() {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            if (!overwrite) {
                throw ProximaException.failed("The file `" + Shown.text(fileName)
                        + "` exists already. Choose another name, or set `overwrite: true` to replace it.");
            }
            requireOwn(path, fileName, caller);
        }

        /**
         * Reserves the space of the file. Half of the free space is left to others.
         *
         * @throws ProximaException with the figures if there is too little
         */
        public void reserveSpace(long bytes) {
            String remedy = "Drop files with `proxima.file.drop`, or set another folder.";
            space = DiskSpace.reserve(
                    within.files, path.getParent(), bytes, "The file `" + Shown.text(fileName) + "`", remedy);
        }

        @Override
        public void close() {
            claim.close();
            if (space != null) {
                space.close();
            }
        }
    }

    /**
     * Reserves a file for writing.
     *
     * @param overwrite whether the file may replace a file that the caller has exported, or any user if the caller is
     *     an admin
     * @return the reservation, to be closed when the file has been written
     * @throws ProximaException if another call writes the file, or if it exists and must not be replaced
     */
    public Target reserve(String fileName, boolean overwrite, Caller caller) {
        Target target = new Target(this, fileName, overwrite, caller);
        try {
            target.requireFreePlace();
            files.deleteAbandoned(target.path.getParent(), caller.log()::info);
            return target;
        } catch (RuntimeException | Error e) {
            target.close();
            throw e;
        }
    }

    private static void requireOwn(Path path, String fileName, Caller caller) {
        try (GraphFile existing = GraphFile.open(path)) {
            if (!existing.header().origin().owner().equals(caller.user()) && !caller.admin()) {
                throw ProximaException.failed("The file `" + Shown.text(fileName)
                        + "` was exported by another user, and only that user or an admin can replace it."
                        + " Choose another name.");
            }
        } catch (GraphFileException e) {
            throw ProximaException.failed(
                    "The existing file cannot be replaced, because it is not known to be an exported graph. "
                            + e.getMessage() + " Choose another name, or delete the file.",
                    e);
        }
    }
}
