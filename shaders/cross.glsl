// SPDX-License-Identifier: MIT
// A pixel and the four beside it.

const ivec2 CROSS[5] = ivec2[5](ivec2(0, 0), ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));
