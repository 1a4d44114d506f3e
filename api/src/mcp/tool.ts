import { proposalLimits } from '@homeport/contract/proposals/facts';
import { grants, type TokenScope } from '@homeport/contract/tokens/facts';
import { z } from 'zod';
import { checkInput } from '../http/validation.ts';
import type { Caller } from './caller.ts';

/** A tool of the table. Every text in it is constant: a description that held data could hold instructions. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  /** A token sees the tool if it has each of these. The routes that the tool calls decide about the call. */
  scopes: readonly TokenScope[];
  inputSchema: object;
  /** It keeps a proposal, or takes one back. Every other tool only reads. */
  proposes?: boolean;
  /** @throws ProblemError for input that does not fit, and as the routes answer */
  call: (caller: Caller, input: unknown) => Promise<object>;
};

export function defineTool<S extends z.ZodObject>({
  input,
  run,
  ...described
}: Omit<Tool, 'inputSchema' | 'call'> & {
  input: S;
  run: (caller: Caller, input: z.output<S>) => Promise<object>;
}): Tool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return {
    ...described,
    inputSchema,
    async call(caller, given) {
      const checked = checkInput<unknown>(input, given, 'body');
      if (checked.error) throw checked.error;
      // The compiler does not follow the output of a schema that it does not know.
      return run(caller, checked.value as z.output<S>);
    },
  };
}

/** The program's own words for its person. The route checks them. */
export const reason = z.string().min(1).max(proposalLimits.whyCharacters);

export const isShownTo = ({ scopes }: Pick<Tool, 'scopes'>, held: readonly string[]): boolean =>
  scopes.every((scope) => grants(held, scope));
