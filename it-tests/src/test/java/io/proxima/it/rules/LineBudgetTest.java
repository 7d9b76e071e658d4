// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The line budgets of packages, in {@code line-budgets.txt}: a tenth above what a package had when its budget was last
 * set. Raise one only for what users gain by it. Blank lines, comments, imports and lines of brackets alone do not
 * count.
 */
class LineBudgetTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path BUDGETS = Path.of("src", "test", "resources", "line-budgets.txt");
    private static final List<String> MODULES = List.of("projection", "gpu-backend", "plugin", "spark");
    private static final Pattern COMMENTS = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern NO_CODE = Pattern.compile("|(import|package) .*|//.*|[\\[\\](){};,]+");
    private static final Pattern APOLOGY = Pattern.compile("class is long\\s+because");
    private static final Pattern LINE_OF_COMMENT = Pattern.compile("\\s*\\R\\s*\\*?\\s*");

    @Test
    void shouldKeepEveryPackageWithinItsBudget() throws IOException {
        Map<String, Integer> budgets = new TreeMap<>();
        for (String line : Files.readAllLines(BUDGETS)) {
            String[] fields = line.split(" ", -1);
            budgets.put(fields[0], Integer.valueOf(fields[1]));
        }
        Map<String, Integer> sizes = sizes();
        assertThat(budgets.keySet())
                .as("%s names each package; now %s", BUDGETS, sizes)
                .isEqualTo(sizes.keySet());
        assertThat(sizes)
                .allSatisfy((name, lines) ->
                        assertThat(lines).as("lines of code of %s", name).isLessThanOrEqualTo(budgets.get(name)));
    }

    @Test
    void shouldHaveNoClassThatApologizesForItsLength() throws IOException {
        for (Path file : sources(ROOT)) {
            String text = LINE_OF_COMMENT.matcher(Files.readString(file)).replaceAll(" ");
            assertThat(APOLOGY.matcher(text).find())
                    .as("%s explains its length", file)
                    .isFalse();
        }
    }

    private static Map<String, Integer> sizes() throws IOException {
        Map<String, Integer> sizes = new TreeMap<>();
        for (String module : MODULES) {
            Path base = ROOT.resolve(module).resolve(Path.of("src", "main", "java"));
            for (Path file : sources(base)) {
                String name = base.relativize(file.getParent()).toString().replace('/', '.');
                sizes.merge(name, linesOfCode(Files.readString(file)), Integer::sum);
            }
        }
        return sizes;
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/"))
                    .collect(Collectors.toList());
        }
    }

    private static int linesOfCode(String source) {
        return (int) COMMENTS.matcher(source)
                .replaceAll("")
                .lines()
                .map(String::strip)
                .filter(line -> !NO_CODE.matcher(line).matches())
                .count();
    }
}
