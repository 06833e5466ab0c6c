// SPDX-License-Identifier: MIT
// Phase function, 1/sr, of the cosine of the scattering angle
// (Henyey, Greenstein, Diffuse radiation in the galaxy, 1941):
//   p = (1 - g^2) / (4 pi (1 + g^2 - 2 g cos)^(3/2))
float phase_henyey_greenstein(float cosine, float g)
{
    float d = 1.0 + g * g - 2.0 * g * cosine;
    return (1.0 - g * g) / (12.566370614 * d * sqrt(d));
}

// Forward and backward lobe, with mean cosines `ahead` and `back`. share: weight of the backward
// lobe.
float phase_two_lobes(float cosine, float ahead, float back, float share)
{
    return (1.0 - share) * phase_henyey_greenstein(cosine, ahead)
           + share * phase_henyey_greenstein(cosine, back);
}
