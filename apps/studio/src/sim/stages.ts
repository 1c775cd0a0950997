/** In every method this stage runs once per frame, all others once per step. */
export const per_frame = 'embed';
