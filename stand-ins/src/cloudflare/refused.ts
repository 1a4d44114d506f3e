/** A refusal as the service tells it: a status, a code and, for some codes, a chain of causes below it. */
export class Refused extends Error {
  readonly status: number;
  readonly code: number;
  readonly chain: { code: number; message: string }[];

  constructor(
    status: number,
    code: number,
    message: string,
    chain: { code: number; message: string }[] = [],
  ) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.code = code;
    this.chain = chain;
  }
}
