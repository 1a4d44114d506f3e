/** Why the gate lets nobody connect to an address. */
export type Refusal = {
  /**
   * - `not_an_address`: the text is no address in the usual spelling
   * - `never`: nobody's website or server has this address, whatever the operator allows
   * - `console`: the console itself answers at this port
   * - `own_port`: this machine's own address, at a port that may be open to the machine alone
   * - `private`: not on the public internet, and no exception holds the address
   * - `own_name`: the console's own name
   */
  kind: 'not_an_address' | 'never' | 'console' | 'own_port' | 'private' | 'own_name';
  /** The address or name as it was asked for. */
  text: string;
  port: number;
};

/** A destination that the gate refuses. No byte left for it. */
export class RefusedDestination extends Error {
  readonly code = 'private_address';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`${refusal.text} is refused (${refusal.kind}).`);
    this.refusal = refusal;
  }
}
