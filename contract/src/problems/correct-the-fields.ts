/** The recovery of refused fields. It stands apart, so that a page that compares with it loads no catalogue. */
export const correctTheFields = 'Correct the named fields and send again.';
