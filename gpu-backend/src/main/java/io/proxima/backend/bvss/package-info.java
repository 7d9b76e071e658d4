/** Binarized virtual slice sets (BVSS), the format of BLEST (arXiv:2512.21967, section 3). */
package io.proxima.backend.bvss;
