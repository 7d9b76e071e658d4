// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/**
 * The peak memory of a part of some work, and its components. If the figure is not known exactly, it lies between two
 * bounds, and some input reaches each of them.
 *
 * @param name the name of the component, as shown to users
 * @param minBytes the minimum, in bytes
 * @param maxBytes the maximum, in bytes, at least {@code minBytes}
 * @param parts the components; empty for a leaf
 */
public record MemoryTree(String name, long minBytes, long maxBytes, List<MemoryTree> parts) {

    /** No memory. */
    public static final MemoryTree NONE = exactly("nothing", 0);

    private static final String[] UNITS = {"Bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final String INDENT = "    ";
    private static final String BRANCH = "|-- ";

    /** Checks the bounds. */
    public MemoryTree {
        if (minBytes < 0 || maxBytes < minBytes) {
            throw new IllegalArgumentException("bounds must not be negative, the smaller first: name=" + name
                    + ", minBytes=" + minBytes + ", maxBytes=" + maxBytes);
        }
        parts = List.copyOf(parts);
    }

    /** A leaf of a known size. */
    public static MemoryTree exactly(String name, long bytes) {
        return new MemoryTree(name, bytes, bytes, List.of());
    }

    /** A leaf whose size lies between two bounds, both inclusive. */
    public static MemoryTree between(String name, long minBytes, long maxBytes) {
        return new MemoryTree(name, minBytes, maxBytes, List.of());
    }

    /** Components that are held at the same time; components of no size are left out. */
    public static MemoryTree together(String name, MemoryTree... parts) {
        return combined(name, Math::addExact, parts);
    }

    /** Consecutive steps, each of which frees its memory: the largest counts. */
    public static MemoryTree oneByOne(String name, MemoryTree... steps) {
        return combined(name, Math::max, steps);
    }

    private static MemoryTree combined(String name, LongBinaryOperator operator, MemoryTree... parts) {
        return new MemoryTree(
                name,
                Arrays.stream(parts).mapToLong(MemoryTree::minBytes).reduce(0, operator),
                Arrays.stream(parts).mapToLong(MemoryTree::maxBytes).reduce(0, operator),
                Arrays.stream(parts).filter(part -> part.maxBytes > 0).toList());
    }

    /** One of two alternatives; which one is not known yet. */
    public static MemoryTree either(String name, MemoryTree one, MemoryTree other) {
        return new MemoryTree(
                name,
                Math.min(one.minBytes, other.minBytes),
                Math.max(one.maxBytes, other.maxBytes),
                List.of(one, other));
    }

    /**
     * This tree as the maximum and {@code least}, the same work on a smaller input, as the minimum. Parts are matched
     * by name.
     */
    public MemoryTree downTo(MemoryTree least) {
        List<MemoryTree> spread = new ArrayList<>();
        for (MemoryTree part : parts) {
            MemoryTree same = least.parts.stream()
                    .filter(other -> other.name.equals(part.name))
                    .findFirst()
                    .orElse(NONE);
            spread.add(part.downTo(same));
        }
        return new MemoryTree(name, Math.min(minBytes, least.minBytes), maxBytes, spread);
    }

    /** The larger of two trees as the maximum and the other one as the minimum, for work that is one of them. */
    public MemoryTree orMore(MemoryTree other) {
        return maxBytes < other.maxBytes ? other.downTo(this) : downTo(other);
    }

    /** The same tree under another name. */
    public MemoryTree named(String newName) {
        return new MemoryTree(newName, minBytes, maxBytes, parts);
    }

    /** Several copies of this tree at the same time. */
    public MemoryTree times(int count) {
        List<MemoryTree> counted = new ArrayList<>();
        parts.forEach(part -> counted.add(part.times(count)));
        return new MemoryTree(
                name, Math.multiplyExact(minBytes, (long) count), Math.multiplyExact(maxBytes, (long) count), counted);
    }

    /** The bounds in readable form: {@code [75 MiB ... 115 MiB]}, or one size if they are equal. */
    public String range() {
        return minBytes == maxBytes
                ? humanReadable(minBytes)
                : "[" + humanReadable(minBytes) + " ... " + humanReadable(maxBytes) + "]";
    }

    /** One line for this tree and one for each part, indented below it, each with its range and a line end. */
    public String render() {
        StringBuilder text = new StringBuilder();
        render(text, 0);
        return text.toString();
    }

    /**
     * Name, range and the maps of the parts, under the keys {@code name}, {@code memoryUsage} and {@code components}.
     */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", name);
        map.put("memoryUsage", range());
        map.put("components", parts.stream().map(MemoryTree::toMap).toList());
        return map;
    }

    /** Bytes in readable form, as in "12 MiB". */
    public static String humanReadable(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 || value >= 100
                ? (long) value + " " + UNITS[unit]
                : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    private void render(StringBuilder text, int depth) {
        if (depth > 0) {
            text.append(INDENT.repeat(depth - 1)).append(BRANCH);
        }
        text.append(name).append(": ").append(range()).append('\n');
        for (MemoryTree part : parts) {
            part.render(text, depth + 1);
        }
    }
}
