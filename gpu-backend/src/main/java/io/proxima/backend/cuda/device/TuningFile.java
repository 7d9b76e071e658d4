// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.device;

import io.proxima.backend.cuda.driver.Driver.DeviceFacts;
import io.proxima.backend.cuda.driver.KernelImages;
import io.proxima.backend.saved.SavedGraphs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The file that keeps the tuning of a device model between starts of a server, in the folder of saved graphs. After a header
 * that identifies device and kernels, each line has the form {@code key value}. An unusable file is ignored; the reason is
 * logged.
 *
 * <pre>
 * proxima-tuning 1
 * device NVIDIA H200
 * computeCapability 9.0
 * kernels f2a9…
 * smallGrid 2.0
 * </pre>
 *
 * Values measured with other kernels are not used: {@code kernels} is a hash of this jar's kernels.
 */
public final class TuningFile {

    private static final String FORMAT = "proxima-tuning 1";
    private static final String KERNEL_HASHES = KernelImages.FOLDER + "kernels.sha256";

    private final SavedGraphs folder;
    private final DeviceFacts facts;
    private final Tuning shipped;

    /** The file of a device in a folder; {@code shipped} applies if there is no usable file. */
    public TuningFile(SavedGraphs folder, DeviceFacts facts, Tuning shipped) {
        this.folder = folder;
        this.facts = facts;
        this.shipped = shipped;
    }

    private String name() {
        String device = facts.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return "tuning-" + device + "-sm" + facts.major() + facts.minor() + ".txt";
    }

    private List<String> head() {
        return List.of(
                FORMAT,
                "device " + facts.name(),
                "computeCapability " + facts.computeCapability(),
                "kernels " + KernelHash.VALUE);
    }

    /**
     * Writes the file, replacing an existing one.
     *
     * @return whether writing succeeded; otherwise the reason is logged
     */
    public boolean save(Tuning tuning) {
        List<String> lines = new ArrayList<>(head());
        for (TuningParameter parameter : tuning.parameters()) {
            lines.add(parameter.key() + " " + tuning.get(parameter));
        }
        return folder.saveText(name(), lines);
    }

    /** The values of the file, or the default values if there is no usable file. */
    public Tuning load() {
        return folder.loadText(name()).map(this::parse).orElse(shipped);
    }

    private Tuning parse(List<String> lines) {
        List<String> head = head();
        for (int i = 0; i < head.size(); i++) {
            if (i >= lines.size() || !lines.get(i).equals(head.get(i))) {
                String found = i < lines.size() ? "'" + lines.get(i) + "'" : "missing";
                return unusable("line " + (i + 1) + " must be '" + head.get(i) + "' but is " + found);
            }
        }
        Tuning tuning = shipped;
        Map<String, TuningParameter> missing = new LinkedHashMap<>();
        shipped.parameters().forEach(parameter -> missing.put(parameter.key(), parameter));
        for (String line : lines.subList(head.size(), lines.size())) {
            String[] words = line.split(" ", -1);
            TuningParameter parameter = missing.remove(words[0]);
            if (words.length != 2 || parameter == null) {
                return unusable("line '" + line + "' is invalid");
            }
            try {
                tuning = tuning.with(parameter, Double.parseDouble(words[1]), facts);
            } catch (IllegalArgumentException e) {
                return unusable("line '" + line + "' is invalid: " + e.getMessage());
            }
        }
        if (!missing.isEmpty()) {
            return unusable("these parameters are missing: " + List.copyOf(missing.keySet()));
        }
        return tuning;
    }

    private Tuning unusable(String why) {
        folder.report("The tuning parameters in " + name() + " are not used: " + why
                + ". The shipped parameters apply; call proxima.backend.calibrate() to measure again.");
        return shipped;
    }

    /** The hash of this jar's kernels. */
    private static final class KernelHash {

        static final String VALUE = read();

        private static String read() {
            try (InputStream hashes = TuningFile.class.getResourceAsStream(KERNEL_HASHES)) {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(hashes.readAllBytes());
                return String.format(Locale.ROOT, "%064x", new BigInteger(1, digest));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + KERNEL_HASHES, e);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JVM has SHA-256", e);
            }
        }
    }
}
