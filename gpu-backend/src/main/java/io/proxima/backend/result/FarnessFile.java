// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunObserver;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.file.CompleteFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;

/**
 * The sums of chosen vertices that a run has finished, in a file, so that the run can be continued after the end of its
 * JVM. A header says of which graph, vertices and measures the sums are. Ranges of sums follow in the order of the
 * vertices, each with a checksum, and each flushed to disk before the next one is computed. A range that was not
 * written completely is discarded. Only the owner may read the file.
 */
public final class FarnessFile implements AutoCloseable {

    private static final long MAGIC = 0x50524F585253554DL;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 2 * Integer.BYTES + 3 * Long.BYTES + 3 * Integer.BYTES;
    private static final int RANGE_HEADER_BYTES = 2 * Integer.BYTES;

    private static final int FIRST_RANGE = 1 << 12;
    private static final int MOST_OF_A_RANGE = 1 << 18;

    /** Target duration of a range, in seconds: the work that is lost if the JVM ends. */
    private static final double SECONDS_OF_A_RANGE = 30;

    private static final String IN_USE = "another run is using it";

    /** Files that runs of this JVM use: opening one of them again would end its lock against other JVMs. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    /** Held to add a path to {@link #OPEN}, and while a file is opened that is not in it. */
    private static final Lock OPENING = new ReentrantLock();

    private final Path path;
    private final FileChannel channel;
    private final int[] sources;
    private final long[] farness;
    private final long[] reach;
    private final double[] harmonic;
    private int done;
    private long end = HEADER_BYTES;

    /** The file cannot be used for a run: it belongs to another one, or another one is using it. */
    public static final class OtherRunException extends Exception {
        private static final long serialVersionUID = 1;

        OtherRunException(String message) {
            super(message);
        }
    }

    private FarnessFile(Path path, FileChannel channel, int[] sources, boolean withHarmonic) {
        this.path = path;
        this.channel = channel;
        this.sources = sources;
        farness = new long[sources.length];
        reach = new long[sources.length];
        harmonic = withHarmonic ? new double[sources.length] : null;
    }

    /**
     * Opens the file of a run, and reads what is finished; creates it if it does not exist.
     *
     * @param path the file; its folder exists
     * @param graph vertex id space
     * @param sources vertices without repeats; not modified
     * @param measures of the optional measures, at most {@link DistanceMeasure#HARMONIC}
     * @throws OtherRunException if the file has sums of another graph, other vertices or other measures, or if a run
     *     uses it, of this JVM or of another
     * @throws IOException if the file system fails
     */
    public static FarnessFile open(
            Path path, Csc graph, int[] sources, Set<DistanceMeasure> measures, RunContext control)
            throws IOException, OtherRunException {
        Path real = path.toAbsolutePath().getParent().toRealPath().resolve(path.getFileName());
        real = Files.exists(real) ? real.toRealPath() : real;
        control.stop().lock(OPENING);
        try {
            if (!OPEN.add(real)) {
                throw new OtherRunException(IN_USE);
            }
        } finally {
            OPENING.unlock();
        }
        FileChannel channel = null;
        try {
            boolean withHarmonic = measures.contains(DistanceMeasure.HARMONIC);
            ByteBuffer header = header(graph, sources, withHarmonic, control);
            channel = FileChannel.open(
                    real,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    CompleteFile.ofItsOwner(real));
            if (channel.tryLock() == null) {
                throw new OtherRunException(IN_USE);
            }
            FarnessFile file = new FarnessFile(real, channel, sources, withHarmonic);
            file.read(header, control.stop());
            return file;
        } catch (IOException | OtherRunException | RuntimeException | Error e) {
            OPEN.remove(real);
            if (channel != null) {
                try {
                    channel.close();
                } catch (IOException suppressed) {
                    e.addSuppressed(suppressed);
                }
            }
            throw e;
        }
    }

    /**
     * Whether a file begins as one of finished sums, as far as it has been written; if it cannot be read, it does not.
     * A file that a run of this JVM uses is not opened.
     *
     * @param path the path of the file without links
     * @param stop ends the wait for a run that is opening a file
     */
    public static boolean isMarked(Path path, Stop stop) {
        stop.lock(OPENING);
        try {
            return OPEN.contains(path) || beginsWithMagic(path);
        } finally {
            OPENING.unlock();
        }
    }

    private static boolean beginsWithMagic(Path path) {
        ByteBuffer magic = ByteBuffer.allocate(Long.BYTES).putLong(0, MAGIC);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer found = ByteBuffer.allocate((int) Math.min(channel.size(), Long.BYTES));
            CompleteFile.readFully(channel, found, 0);
            return found.flip().equals(magic.limit(found.limit()));
        } catch (ClosedByInterruptException e) {
            throw new StoppedException();
        } catch (IOException e) {
            return false;
        }
    }

    private static ByteBuffer header(Csc graph, int[] sources, boolean withHarmonic, RunContext control) {
        GraphFingerprint fingerprint = GraphFingerprint.of(graph, control.concurrency(), control.stop());
        ByteBuffer numbers = ByteBuffer.allocate(Math.min(sources.length, MOST_OF_A_RANGE) * Integer.BYTES);
        CRC32C ofSources = new CRC32C();
        for (int from = 0; from < sources.length; from += MOST_OF_A_RANGE) {
            control.stop().check();
            int count = Math.min(MOST_OF_A_RANGE, sources.length - from);
            numbers.clear();
            numbers.asIntBuffer().put(sources, from, count);
            ofSources.update(numbers.limit(count * Integer.BYTES));
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES)
                .putLong(MAGIC)
                .putInt(VERSION)
                .putInt(sources.length)
                .putLong(fingerprint.high())
                .putLong(fingerprint.low())
                .putInt((int) ofSources.getValue())
                .putInt(withHarmonic ? 1 : 0);
        return header.putInt(checksum(header.array(), header.position())).flip();
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    /** Reads the header and all complete ranges. What follows them is overwritten. */
    private void read(ByteBuffer header, Stop stop) throws IOException, OtherRunException {
        ByteBuffer found = ByteBuffer.allocate((int) Math.min(channel.size(), HEADER_BYTES));
        CompleteFile.readFully(channel, found, 0);
        if (found.position() < HEADER_BYTES) {
            // the JVM may have ended while the header was written
            if (!found.flip().equals(header.slice(0, found.limit()))) {
                throw new OtherRunException("it is not a file of finished sums");
            }
            CompleteFile.writeFully(channel, header.duplicate(), 0);
        } else if (!found.flip().equals(header)) {
            throw new OtherRunException("it has the sums of another graph, of other nodes or of another formula");
        }
        while (done < sources.length && readRange()) {
            stop.check();
        }
        channel.truncate(end);
    }

    private boolean readRange() throws IOException {
        ByteBuffer range = ByteBuffer.allocate(RANGE_HEADER_BYTES);
        try {
            CompleteFile.readFully(channel, range, end);
            int first = range.getInt(0);
            int count = range.getInt(Integer.BYTES);
            if (first != done || count < 1 || count > Math.min(MOST_OF_A_RANGE, sources.length - done)) {
                return false;
            }
            ByteBuffer bytes = ByteBuffer.allocate(bytesOf(count));
            CompleteFile.readFully(channel, bytes, end);
            int length = bytes.capacity() - Integer.BYTES;
            if (bytes.getInt(length) != checksum(bytes.array(), length)) {
                return false;
            }
            bytes.position(RANGE_HEADER_BYTES);
            bytes.asLongBuffer().get(farness, first, count).get(reach, first, count);
            if (harmonic != null) {
                bytes.position(RANGE_HEADER_BYTES + 2 * count * Long.BYTES);
                bytes.asDoubleBuffer().get(harmonic, first, count);
            }
            end += bytes.capacity();
            done += count;
            return true;
        } catch (EOFException e) {
            // the JVM ended while the range was written
            return false;
        }
    }

    private int bytesOf(int count) {
        return RANGE_HEADER_BYTES + count * (harmonic == null ? 2 : 3) * Long.BYTES + Integer.BYTES;
    }

    /** The maximum size of the file of a run. */
    public static long mostBytes(int sources, boolean withHarmonic) {
        // the first range and the last may be shorter than the shortest range
        long ranges = sources / FIRST_RANGE + 2L;
        return HEADER_BYTES
                + (long) sources * (withHarmonic ? 3 : 2) * Long.BYTES
                + ranges * (RANGE_HEADER_BYTES + Integer.BYTES);
    }

    /** Heap besides the sums and the search. */
    public static MemoryTree memory(int sources) {
        long range = Math.min(sources, MOST_OF_A_RANGE);
        return MemoryTree.between("range of finished sums", 0, range * (7 * Long.BYTES + Integer.BYTES));
    }

    /** Number of vertices whose sums are finished, the first ones. */
    public int done() {
        return done;
    }

    /**
     * Computes the sums that are not finished.
     *
     * @param graph the graph of the file
     * @return the sums of all sources, with the harmonic sums if the file has them
     * @throws IOException if the file system fails; finished sums remain in the file, also after a stop
     */
    public Farness complete(LoadedGraph graph, RunContext control) throws IOException {
        Set<DistanceMeasure> measures = EnumSet.noneOf(DistanceMeasure.class);
        if (harmonic != null) {
            measures.add(DistanceMeasure.HARMONIC);
        }
        control.progress().beginTask(BackendTask.FARNESS_OF_SOURCES, sources.length);
        control.progress().advance(done);
        RunObserver observer = control.observer();
        int size = FIRST_RANGE;
        while (done < sources.length) {
            int count = Math.min(size, sources.length - done);
            WithinTask progress = new WithinTask(control.progress());
            RunContext ofRange =
                    new RunContext(control.concurrency(), control.stop(), progress, observer, control.options());
            long begin = System.nanoTime();
            append(graph.farness(Arrays.copyOfRange(sources, done, done + count), measures, ofRange));
            double seconds = (System.nanoTime() - begin) / 1e9;
            // sources without edges may need no search
            control.progress().advance(count - progress.advanced.sum());
            size = (int) Math.max(FIRST_RANGE, Math.min(MOST_OF_A_RANGE, SECONDS_OF_A_RANGE / seconds * count));
            // every range would report the same
            observer = RunObserver.NONE;
        }
        return new Farness(farness, reach, harmonic, null, null);
    }

    private void append(Farness range) throws IOException {
        int count = range.farness().length;
        ByteBuffer bytes = ByteBuffer.allocate(bytesOf(count)).putInt(done).putInt(count);
        bytes.asLongBuffer().put(range.farness()).put(range.reach());
        if (harmonic != null) {
            bytes.position(RANGE_HEADER_BYTES + 2 * count * Long.BYTES);
            bytes.asDoubleBuffer().put(range.harmonic());
            System.arraycopy(range.harmonic(), 0, harmonic, done, count);
        }
        System.arraycopy(range.farness(), 0, farness, done, count);
        System.arraycopy(range.reach(), 0, reach, done, count);
        int length = bytes.capacity() - Integer.BYTES;
        bytes.putInt(length, checksum(bytes.array(), length));
        CompleteFile.writeFully(channel, bytes.position(0), end);
        channel.force(false);
        end += bytes.capacity();
        done += count;
    }

    /** Closes the file, which keeps the finished sums. */
    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            OPEN.remove(path);
        }
    }

    /** Advances the task of the whole run with the work of one range. */
    private static final class WithinTask implements Progress {

        private final Progress whole;
        private final LongAdder advanced = new LongAdder();

        WithinTask(Progress whole) {
            this.whole = whole;
        }

        @Override
        public void beginTask(Task task, long volume) {
            // the whole run has begun
        }

        @Override
        public void advance(long volume) {
            advanced.add(volume);
            whole.advance(volume);
        }
    }
}
