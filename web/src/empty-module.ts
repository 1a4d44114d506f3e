/** Stands in for Node's `crypto`, which tweetnacl asks for by name and never uses where the browser's own is present. */
export {};
