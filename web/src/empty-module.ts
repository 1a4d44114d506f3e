/** Replaces Node's `crypto`. tweetnacl requires that module by name, but never uses it in a browser. */
export {};
