/**
 * How far the clocks of two networks may be apart, in seconds. Signed times are claims that others
 * rely on, so a peer's has to be about ours; and of one head a peer may be asked again and again, so
 * that an answer kept from an earlier time must not pass for one that was given now.
 *
 * @module
 */

export const MAX_CLOCK_DIFFERENCE_SECONDS = 300;
