// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.svg;

import java.util.Locale;

/**
 * A picture in SVG, drawn shape by shape. Text is never measured, so a picture depends neither on fonts nor on the
 * machine that draws it. Colours are classes of the style sheet within, which also has a dark scheme.
 */
public final class Svg {

    private static final String STYLE = """
            .proxima{font:13px system-ui,sans-serif}
            .proxima .ink{fill:#1c2530}
            .proxima .quiet{fill:#5b6875;font-size:11px}
            .proxima .title{fill:#1c2530;font-size:15px;font-weight:600}
            .proxima .grid{stroke:#d8dee4}
            .proxima .span{stroke:#b4bec9;stroke-width:3}
            @media (prefers-color-scheme:dark){
            .proxima .ink,.proxima .title{fill:#e6edf3}
            .proxima .quiet{fill:#9aa7b4}
            .proxima .grid{stroke:#30363d}
            .proxima .span{stroke:#57606a}
            }
            """;

    private final StringBuilder text = new StringBuilder();

    /** Where a text is relative to its position. */
    public enum Anchor {
        START,
        MIDDLE,
        END
    }

    /**
     * An empty picture.
     *
     * @param width in pixels
     * @param height in pixels
     * @param title what the picture shows, for readers who cannot see it
     */
    public Svg(int width, int height, String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"proxima\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\""
                        + " height=\"%2$d\" role=\"img\">\n<title>%3$s</title>\n<style>\n%4$s</style>",
                width, height, escaped(title), STYLE);
    }

    /** Draws a line of the class {@code style} between two points. */
    public Svg line(String style, double x1, double y1, double x2, double y2) {
        return add("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", style, x1, y1, x2, y2);
    }

    /**
     * Draws a disc.
     *
     * @param colour as SVG takes it
     * @param x of the centre
     * @param y of the centre
     * @param radius in pixels
     * @param tooltip what a reader sees who points at it
     */
    public Svg disc(String colour, double x, double y, double radius, String tooltip) {
        return add(
                "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>%s</title></circle>",
                colour, x, y, radius, escaped(tooltip));
    }

    /** Writes a text of the class {@code style} on the base line {@code y}. */
    public Svg text(String style, Anchor anchor, double x, double y, String words) {
        return add(
                "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
                style, anchor.name().toLowerCase(Locale.ROOT), x, y, escaped(words));
    }

    private Svg add(String shape, Object... values) {
        text.append(String.format(Locale.ROOT, shape, values)).append('\n');
        return this;
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** The document, to be saved as a file or put into a page of HTML. */
    @Override
    public String toString() {
        return text + "</svg>\n";
    }
}
