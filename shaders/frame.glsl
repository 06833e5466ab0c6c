// SPDX-License-Identifier: MIT
// The uniform block that all passes share. src/render/frame/frame.c fills it in; its C declaration
// is made from this one. Lengths in metres, directions of unit length, colours linear.

layout(std140) uniform Frame
{
    mat4 view_projection;
    vec4 camera_origin;    // w: 1 for a transparent picture
    vec4 camera_right;     // from the picture's centre to its right edge, at distance 1
    vec4 camera_up;        // from the picture's centre to its upper edge, at distance 1
    vec4 camera_forward;   // to the picture's centre, at distance 1; w: angle of one pixel, rad
    vec4 box_min;          // w: edge of a cell
    vec4 box_max;          // w: longest edge of the box
    vec4 home;             // of the box at first, before it grew: xz: middle; y: floor, where the ground
                           // lies; w: longest edge
    vec4 grid;             // cells per axis; w: extinction over one cell at density 1
    vec4 light_grid;       // cells that the light volume spans per axis; w: density that counts as
                           // empty
    vec4 occupied_min;     // bounds of the smoke, in cells; w: transmittance at which a ray ends
    vec4 occupied_max;     // w: 1 when there is any smoke at all
    vec4 sun_direction;    // towards the sun; w: share of the sun's disc above the ground's horizon
    vec4 sun_irradiance;   // w: factor on the glow of hot soot
    vec4 lamp_place[4];    // in cells; w: distance within which the light no longer grows, cells
    vec4 lamp_light[4];    // irradiance at a distance of one cell; w: radius of the visible ball,
                           // cells
    vec4 lamp_aim[4];      // direction in which the lamp shines; w: cosine of the edge of a spot's cone
    vec4 lamp_shape[4];    // x: kind: 0 to all sides, 1 spot, 2 area; y: 1 over the difference of the
                           // cosines between which a spot fades; z: square of an area's radius, cells
    vec4 lamps;            // x: number of lamps; y: 3 where their dimming is stored by colour, else
                           // 1; z: factor c of their light in lighting.h
    vec4 sky_zenith;       // radiance
    vec4 sky_horizon;      // radiance
    vec4 sky_light;        // mean radiance of the upper hemisphere
    vec4 sky_map;          // x: kind of the surroundings: 0 gradient, 1 sky, 2 studio, 3 panorama; y:
                           // turn of the map around y, turns; z: factor on its radiance; w: distance
                           // at which the ground fades into it, m
    vec4 sky_bands[9];     // spherical harmonics of the map's light, with the ground
    vec4 ground_light;     // mean radiance of the lower hemisphere; w: roughness of the ground
    vec4 ground_color;     // albedo; w: 1 when the ground is drawn
    vec4 extinction_color; // factor on the extinction; w: 1 when smoke dims colours differently
    vec4 albedo;           // albedo of the smoke; w: share f of scattering that goes ahead
                           // (lighting.h)
    vec4 albedo_gray;      // of smoke without colours: albedo over the similarity factor; w: this
                           // factor
    vec4 film;             // x: exposure; y: share of light that blooms; zw: picture pixels per
                           // pixel of the backdrop
    vec4 picture;          // width and height, pixels; zw: those of the marched picture
    vec4 tile;             // the part of the picture that is drawn: lower left corner; zw: size,
                           // pixels
    vec4 tile_clip;        // xy: factor on a position in the picture's clip space; zw: offset after
                           // it
    vec4 march;            // x: step, cells; y: added to the jitter of all rays; z: 1/T at the cold
                           // end of the blackbody table, 1/K; w: 1 over the range of 1/T in the
                           // table, K
    vec4 slice;            // x: axis of the normal, 0 to 2; y: position along it, m; z: value of
                           // the first colour; w: value of the last colour less that
    vec4 slice_style;      // x: number of contour lines; y: share of the dimming by what is in
                           // front
    vec4 solid_low;        // bounds of the solids, in cells; w: edge of the cells that have distances
    vec4 solid_high;
    vec4 solid_color;      // albedo
    vec4 shade_grid;       // cells that the solids' shade volume spans per axis
    vec4 fire;             // x: density that a unit of flame counts as; y: 1 when hot soot lights
                           // the ground; z: extra extinction of light that coloured smoke does not
                           // reflect, as a share; w: 1 when the smoke has colours
    vec4 tracer_color;     // w: glow
    vec4 tracer_style;     // x: size, m; y: opacity
    vec4 tracer_spark;     // x: temperature of a new spark, K; y: its exposure, s
    vec4 haze;             // x: factor on refraction by hot air
    vec4 ambient_grid;     // cells that the ambient light spans per axis
    vec4 fade_low[2];      // share of the smoke that is seen near the low face across each axis: at 0,
                           // and per cell; see fade.glsl
    vec4 fade_high[2];     // the same of the high faces
    mat4 previous;         // view_projection of the picture that the history holds
    vec4 history;          // xy: offset of the rays from their pixels' centres; z: least share of a
                           // new ray; after the march 1 if the history is shown, else 0; w: simulated
                           // time since the history's picture, s
    vec4 history_size;     // pixels of the history; zw: 1 over these
    vec4 lobes;            // xy: mean cosines of the phase function's two lobes; z: share of the
                           // second; w: factor c of the sun's light in lighting.h
    vec4 shutter;          // x: time since that of the view, s; y: this over the edge of a cell, s/m
    vec4 slab;             // x: first plane in the volumes of the fields; y: number of their planes;
                           // zw: rays are marched between these two planes
    vec4 slab_rays;        // x: 1 marches rays that rise along z, -1 all others; y: 1 marches the smoke
                           // behind the edges of solids, 0 that in front; zw: lower left corner of
                           // the band of rays in the target, pixels
    vec4 ramp_stops[16];   // colours of the smoke's ramp, and from 8 of the glow's; w: value of the
                           // field
    vec4 ramp_style;       // xy: stops of the smoke's ramp and of the glow's; zw: 1 where the field
                           // is to be divided by the density
    vec4 grade_slope;      // w: contrast
    vec4 grade_offset;     // w: saturation
    vec4 grade_power;
    vec4 grain;            // x: standard deviation in mid grey, as a share of white; y: size, pixels;
                           // z: seed, a whole number
};

// The optical depth to the sun in a texel of the light volume, which holds its square root.
vec3 sun_depth(vec4 texel)
{
    vec3 root = extinction_color.w > 0.0 ? texel.rgb : texel.rrr;
    return root * root;
}

// A fragment's place in the whole picture, pixels.
#define PICTURE_PIXEL (gl_FragCoord.xy + tile.xy)

// A place in the whole picture, 0..1, as one in the part that is drawn.
vec2 drawn_place(vec2 point)
{
    return (point * picture.xy - tile.xy) / tile.zw;
}

// Direction of the camera's ray; point runs from (0, 0) at the lower left to (1, 1).
vec3 camera_ray(vec2 point)
{
    vec2 offset = point * 2.0 - 1.0;
    return normalize(camera_forward.xyz + offset.x * camera_right.xyz + offset.y * camera_up.xyz);
}

// Interleaved gradient noise, 0..1 (Jimenez, Next Generation Post Processing in Call of Duty, 2014).
float gradient_noise(vec2 pixel)
{
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}
