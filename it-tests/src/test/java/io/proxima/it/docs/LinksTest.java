// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every page, anchor, image, attachment and file that a text of the repository refers to exists. A name in code is a
 * reference if it is a path in the repository, or that of a raw file of docs/benchmarks. A file "of 0.2.0" is not in
 * this release.
 */
class LinksTest {

    private static final Path ROOT =
            Path.of(System.getProperty("proxima.it.directory"), "../..").normalize();
    private static final Path BENCHMARKS = ROOT.resolve("docs/benchmarks");
    private static final Path PAGES = ROOT.resolve("docs/modules/ROOT/pages");

    private static final Pattern MACRO =
            Pattern.compile("\\b(xref|image|link|include)::?([^\\s\\[\\]{}]+)\\[|<<([\\w-]+)[,>]");
    private static final Pattern MARKDOWN = Pattern.compile("]\\(([^()\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`\\+?([\\w./-]+?)\\+?`(?! of \\d)");
    private static final Pattern RAW_FILE = Pattern.compile("[a-z0-9-]+\\.(csv|txt|md)");
    private static final Pattern ANCHOR = Pattern.compile("(?m)^\\[(?:#|\\[)([\\w-]+)");
    private static final Pattern ALIASES = Pattern.compile("(?m)^:page-aliases: (.*)$");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^(----|```\\w*)$.*?^(----|```)$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    static List<Path> texts() throws IOException {
        List<Path> texts = new ArrayList<>();
        for (String folder :
                List.of("", "docs/benchmarks", "docs/decisions", "docs/modules/ROOT", "packaging/docker")) {
            addTexts(ROOT.resolve(folder), 1, texts);
        }
        addTexts(PAGES, 1, texts);
        addTexts(ROOT.resolve("examples"), 2, texts);
        addTexts(ROOT.resolve("it-tests/src/test/resources/airports"), 1, texts);
        addTexts(ROOT.resolve("it-tests/src/test/resources/graphs"), 1, texts);
        assertThat(texts).hasSizeGreaterThan(80);
        return texts;
    }

    private static void addTexts(Path folder, int depth, List<Path> texts) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            files.filter(file -> file.toString().matches(".*\\.(md|adoc)"))
                    .sorted()
                    .forEach(texts::add);
        }
    }

    @ParameterizedTest
    @MethodSource("texts")
    void shouldReferToWhatExists(Path text) throws IOException {
        assertThat(missing(text, Files.readString(text)))
                .as(ROOT.relativize(text).toString())
                .isEmpty();
    }

    @Test
    void shouldMissWhatDoesNotExist(@TempDir Path folder) throws IOException {
        Path page = PAGES.resolve("index.adoc");
        assertThat(missing(
                        page,
                        "xref:nope.adoc[] xref:bfs.adoc#nope[] xref:bfs.adoc#stream[] image::nope.svg[x] <<nope>>"
                                + " xref:attachment$nope.csv[] link:nope.html[] link:https://a.b/c[] xref:util.adoc[]"))
                .containsExactly("nope.adoc", "bfs.adoc#nope", "nope.svg", "#nope", "attachment$nope.csv", "nope.html");
        assertThat(missing(
                        ROOT.resolve("README.md"),
                        "[a](docs/nope.md) [b](CONTRIBUTING.md#nope) [c](CONTRIBUTING.md#releasing) [d](https://a.b)"
                                + " `nope.csv` `peers.csv` `orders.csv` of 0.2.0, `docs/nope`"))
                .containsExactly("docs/nope.md", "CONTRIBUTING.md#nope", "nope.csv", "docs/nope");
        Path dead = Files.createSymbolicLink(folder.resolve("dead"), folder.resolve("nope"));
        assertThat(missing(folder.resolve("text.md"), "[a](" + dead.getFileName() + ")"))
                .containsExactly("dead");
    }

    /** The references of a text that lead nowhere. */
    private static List<String> missing(Path file, String text) throws IOException {
        String prose = BLOCK.matcher(text).replaceAll("");
        List<String> missing = new ArrayList<>();
        if (file.toString().endsWith(".adoc")) {
            for (MatchResult macro : MACRO.matcher(prose).results().toList()) {
                boolean local = macro.group(3) != null;
                String target = local ? "#" + macro.group(3) : macro.group(2);
                if (!isElsewhere(target) && !(local ? anchors(text).contains(macro.group(3)) : leads(macro, file))) {
                    missing.add(target);
                }
            }
        } else {
            for (MatchResult link : MARKDOWN.matcher(prose).results().toList()) {
                String target = link.group(1);
                Path at = file.resolveSibling(target.replaceFirst("#.*", "")).normalize();
                boolean ofTheSite = file.startsWith(ROOT) && !at.startsWith(ROOT);
                if (!isElsewhere(target) && !ofTheSite && !exists(target.startsWith("#") ? file : at, target)) {
                    missing.add(target);
                }
            }
        }
        for (MatchResult code : CODE.matcher(prose).results().toList()) {
            if (!isReference(file, code.group(1))) {
                continue;
            }
            Path inRoot = ROOT.resolve(code.group(1));
            if (!Files.exists(inRoot) && !Files.exists(BENCHMARKS.resolve(code.group(1)))) {
                missing.add(code.group(1));
            }
        }
        return missing;
    }

    private static boolean isElsewhere(String target) {
        return target.contains("://") || target.startsWith("mailto:");
    }

    /** Whether code is the path of a file that is not built, or the name of a raw file. */
    private static boolean isReference(Path text, String code) {
        if (!code.contains("/")) {
            return RAW_FILE.matcher(code).matches()
                    && (text.startsWith(ROOT.resolve("docs")) || text.equals(ROOT.resolve("README.md")));
        }
        return code.matches("\\w.*")
                && Files.isDirectory(ROOT.resolve(code.substring(0, code.indexOf('/'))))
                && !code.contains("...")
                && !code.matches("(.*/)?target(/.*)?|docs/build/.*");
    }

    private static boolean leads(MatchResult macro, Path page) throws IOException {
        String target = macro.group(2);

        return switch (macro.group(1)) {
            case "image" -> Files.exists(PAGES.resolveSibling("images").resolve(target));
            case "xref" ->
                target.startsWith("attachment$")
                        ? Files.exists(PAGES.resolveSibling("attachments").resolve(target.substring(11)))
                        : exists(pageOf(target.replaceFirst("#.*", "")), target);
            default -> Files.exists(page.resolveSibling(target));
        };
    }

    /** The page of a name, or of a former name. */
    private static Path pageOf(String name) throws IOException {
        for (Path page : Manual.pages()) {
            Matcher aliases = ALIASES.matcher(Files.readString(page));
            if (aliases.find() && List.of(aliases.group(1).split(", *", -1)).contains(name)) {
                return page;
            }
        }
        return PAGES.resolve(name);
    }

    /** Whether a file exists and has the anchor of the target. */
    private static boolean exists(Path file, String target) throws IOException {
        int hash = target.indexOf('#');
        return Files.exists(file)
                && (hash < 0 || anchors(Files.readString(file)).contains(target.substring(hash + 1)));
    }

    private static Set<String> anchors(String text) {
        Set<String> anchors = new HashSet<>();
        ANCHOR.matcher(text).results().forEach(anchor -> anchors.add(anchor.group(1)));
        // as GitHub makes them; those of AsciiDoc differ there and on the site
        HEADING.matcher(text)
                .results()
                .forEach(heading -> anchors.add(heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-')));
        return anchors;
    }
}
