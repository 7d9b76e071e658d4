// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/** A share of memory that a system property limits outside Neo4j. */
public enum MemoryShare {
    /** Of device memory, that Proxima may hold. */
    DEVICE("proxima.device.memory-share", 0.8),
    /** Of free device memory, for the ball records of one graph. */
    RECORDS("proxima.device.records-share", 0.25),
    /** Of the host's free memory, that lists of neighbours may take. */
    MAPPED("proxima.device.mapped-share", 0.5);

    private final String property;
    private final double usual;

    MemoryShare(String property, double usual) {
        this.property = property;
        this.usual = usual;
    }

    /** The name of the system property. */
    public String property() {
        return property;
    }

    /** The share that the system property sets. */
    double ofThisHost() {
        return parse(System.getProperty(property));
    }

    /** The share that a value of the property means; the default if it is null. */
    double parse(String value) {
        try {
            return value == null ? usual : Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(property + " must be a number " + range() + ": " + value, e);
        }
    }

    /** Refuses a share that is out of range. */
    public void require(double share) {
        boolean valid = share >= 0 && share <= 1 && (share > 0 || this != DEVICE);
        if (!valid) {
            throw new IllegalArgumentException(property + " must be " + range() + ": " + share);
        }
    }

    private String range() {
        return this == DEVICE ? "above 0 and at most 1" : "from 0 to 1";
    }
}
