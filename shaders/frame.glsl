// SPDX-License-Identifier: MIT
// What every pass knows of the frame. src/render/frame_block.c fills it in; its C declaration is made
// from this one. Lengths in metres, directions of unit length, colours linear.

layout(std140) uniform Frame
{
    mat4 view_projection;
    vec4 camera_origin;  // w: 1 for a transparent picture
    vec4 camera_right;   // from the picture's centre to its right edge, at distance 1
    vec4 camera_up;      // likewise to its upper edge
    vec4 camera_forward; // w: angle of one pixel, rad
    vec4 box_min;        // w: edge of a cell
    vec4 box_max;        // w: longest edge of the box
    vec4 grid;           // cells per axis; w: extinction over one cell at density 1
    vec4 light_grid;     // cells that the light volume spans per axis; w: density that counts as none
    vec4 occupied_min;   // in cells: bounds of what is not empty; w: transmittance at which the rest no
                         // longer shows
    vec4 occupied_max;   // w: 1 when there is any smoke at all
    vec4 sun_direction;  // towards the sun; w: share of it that no ground hides
    vec4 sun_irradiance; // w: glow
    vec4 lamp_place[4];  // in cells; w: how near its light still grows
    vec4 lamp_light[4];  // irradiance at a distance of one cell; w: radius of the ball that shows
    vec4 lamps;          // x: how many; y: 3 where their light goes by colour; what of their light is scattered off after it was ahead: z:
                         // a factor on it, w: its mean cosine
    vec4 sky_zenith;     // radiance
    vec4 sky_horizon;
    vec4 sky_light;      // mean radiance of the upper hemisphere
    vec4 ground_light;   // mean radiance of the lower one
    vec4 ground_color;   // albedo; w: 1 when the ground is drawn
    vec4 extinction_color; // factor on the extinction; w: 1 when light goes by colour
    vec4 albedo;         // of the smoke, over the share of extinction that is kept
    vec4 albedo_spread;  // of what is kept, scattered to all sides; w: that share (lighting.h)
    vec4 film;           // exposure; share of light that blooms; zw: pixels to one of the backdrop
    vec4 picture;        // width and height, pixels; zw: those of the marched picture
    vec4 tile;           // the part of it that is drawn: lower left corner; zw: width and height
    vec4 tile_clip;      // factor on a place in the picture's clip space, and what is then added
    vec4 march;          // step in cells; y: added to the jitter of all rays; z: 1/T at the
                         // cold end of the blackbody table, w: 1 over what it spans of that
    vec4 slice;          // axis, 0 to 2; where along it, m; value of the first colour, and from there
                         // to the last
    vec4 slice_look;     // lines of equal value; y: share that what is in front hides
    vec4 solid_low;      // bounds of the solids, in cells
    vec4 solid_high;
    vec4 solid_color;    // albedo
    vec4 shade_grid;     // cells that the solids' shade volume spans per axis
    vec4 fire;           // x: density that a unit of flame counts as; y: 1 when what is hot lights
                         // the ground; z: excess extinction of what smoke does not reflect; w: 1
                         // when it has colours
    vec4 tracer_color;   // w: glow
    vec4 tracer_look;    // size, m; opacity
    vec4 detail;         // x: tiles of noise per cell; y: half its mean square; zw: factors of both sets
    vec4 texture_grid;      // cells that the texture coordinates span per axis
    vec4 ambient_grid;   // and the ambient light
    mat4 previous;       // view_projection of the picture that the history holds
    vec4 history;        // where in their pixels the rays are, from the middle; least share of what is
                         // new; w: seconds simulated since
    vec4 history_size;   // pixels of the history; zw: 1 over these
    vec4 lobes;          // mean cosines of the phase function's two lobes, and the second one's share
};

// The optical depth to the sun in a texel of the light volume.
vec3 sun_depth(vec4 texel)
{
    return extinction_color.w > 0.0 ? texel.rgb : texel.rrr;
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
