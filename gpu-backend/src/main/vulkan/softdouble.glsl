// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// Doubles as their 64 bits, because many GPUs have none: sums and quotients that are not negative, rounded to nearest even as on
// the CPU.
const uint64_t HIDDEN_BIT = uint64_t(1) << 52;

uint highestBit(uint64_t x) {
    uint high = uint(x >> 32);
    return high != 0 ? 32 + uint(findMSB(high)) : uint(findMSB(uint(x)));
}

/** The double of a fraction with its highest bit at 62, where the bit of weight 2^exponent is; sticky if bits below are lost. */
uint64_t rounded(uint64_t fraction, int exponent, bool sticky) {
    uint64_t kept = fraction >> 10;
    uint rest = uint(fraction & uint64_t(1023));
    bool up = rest > 512 || (rest == 512 && (sticky || (kept & uint64_t(1)) != uint64_t(0)));
    // a carry out of the fraction raises the exponent
    return (uint64_t(exponent + 1023) << 52) + (kept - HIDDEN_BIT) + uint64_t(up ? 1 : 0);
}

/** count / level. */
uint64_t quotient(uint count, uint level) {
    if (count == 0) {
        return uint64_t(0);
    }
    // 62 bits of the quotient, in two steps
    uint shift = 31 - uint(findMSB(count));
    uint64_t dividend = uint64_t(count << shift) << 31;
    uint64_t first = dividend / uint64_t(level);
    uint64_t rest = dividend % uint64_t(level);
    uint more = 62 - highestBit(first);
    uint64_t both = rest << more;
    uint64_t fraction = (first << more) | (both / uint64_t(level));
    bool sticky = both % uint64_t(level) != uint64_t(0);
    return rounded(fraction, 62 - int(more) - 31 - int(shift), sticky);
}

/** a + b. */
uint64_t sum(uint64_t a, uint64_t b) {
    if (a == uint64_t(0) || b == uint64_t(0)) {
        return a | b;
    }
    uint64_t larger = max(a, b);
    uint64_t smaller = min(a, b);
    int exponent = int(larger >> 52) - 1023;
    uint behind = uint(exponent + 1023 - int(smaller >> 52));
    uint64_t fraction = ((larger & (HIDDEN_BIT - uint64_t(1))) | HIDDEN_BIT) << 10;
    uint64_t added = ((smaller & (HIDDEN_BIT - uint64_t(1))) | HIDDEN_BIT) << 10;
    bool sticky = false;
    if (behind > 62) {
        sticky = true;
        added = uint64_t(0);
    } else {
        sticky = (added & ((uint64_t(1) << behind) - uint64_t(1))) != uint64_t(0);
        added >>= behind;
    }
    fraction += added;
    if ((fraction >> 63) != uint64_t(0)) {
        sticky = sticky || (fraction & uint64_t(1)) != uint64_t(0);
        fraction >>= 1;
        exponent++;
    }
    return rounded(fraction, exponent, sticky);
}
