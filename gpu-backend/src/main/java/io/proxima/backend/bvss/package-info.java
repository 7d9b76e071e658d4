/** Binarized virtual slice sets (BVSS), the format of BLEST (arXiv:2606.05081, section 3). */
package io.proxima.backend.bvss;
