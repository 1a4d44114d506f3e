/** A part of the page is loaded when it is needed, and its file did not arrive. */
export const partMissing = 'A part of this page could not be loaded. Check your network, then try again.';
