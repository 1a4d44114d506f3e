interface Address {
  pathname: string;
}

/** Sections and filters of the same page keep what is unsaved. */
export const losesUnsaved = (current: Address, next: Address): boolean => current.pathname !== next.pathname;
