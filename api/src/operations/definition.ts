import type { OperationKind } from '@homeport/contract/operations/facts';
import type { OperationStep } from '@homeport/contract/operations/schema';
import type { Command } from '@homeport/dokku';
import type { Owner } from '@homeport/store';
import type { z } from 'zod';
import type { Ran, RunOptions } from '../remote/run-command.ts';

/** What the person sees of a step. */
type StepPlan = { key: string; title: string; percent?: number };

/** What a step tells when it ends: by default that it is done. A note is one sentence for the person. */
export type StepOutcome = { state?: 'done' | 'warned' | 'skipped'; note?: string };

/** What a step may do. Everything in it survives being called again: a step runs anew after a failure or a lost connection. */
export type StepContext<Input> = {
  operationId: string;
  owner: Owner;
  input: Input;
  /** What earlier steps found out; kept with the operation, never a secret. */
  facts: Record<string, unknown>;
  signal: AbortSignal;
  /**
   * Runs a command on the operation’s server, waiting for a connection where there is none; output and command go into
   * the log. `apps`: as the console’s own account where the server has one; `root`: as the account it was linked with.
   */
  run(work: 'apps' | 'root', command: Command, options?: RunOptions): Promise<Ran>;
  /** Output that did not come from `run` itself, such as the log of work that runs detached. */
  output(text: string): void;
  note(text: string): void;
  remember(facts: Record<string, unknown>): Promise<void>;
  progress(percent: number, title?: string): Promise<void>;
  toast(tone: 'ok' | 'info' | 'warning' | 'bad', text: string): Promise<void>;
  result(values: Record<string, unknown>): Promise<void>;
  attach(subject: { appId?: string | null; serverId?: string | null; longname?: string }): Promise<void>;
};

/** What the person sees of a step, and what the step does. */
export type Step<Input> = StepPlan & {
  run(context: StepContext<Input>): Promise<StepOutcome | undefined>;
};

/**
 * One kind of long work. The engine walks the steps in order, keeps what is done, and starts again at the first one that
 * is not.
 */
export type OperationDefinition<Input> = {
  kind: OperationKind;
  input: z.ZodType<Input>;
  title(input: Input): string;
  steps(input: Input): readonly Step<Input>[];
  /**
   * Called before the first remote command of a step that began before: its earlier command may still run on the server,
   * without anybody who hears of it.
   */
  beforeRepeat?(context: StepContext<Input>): Promise<void>;
  /** Records what a failure means for the thing worked on; the operation keeps the problem itself. */
  onFailure?(context: StepContext<Input>, failedStep: OperationStep): Promise<void>;
};

/** The type under which definitions of different inputs stand in one table. */
export type AnyOperationDefinition = {
  kind: OperationKind;
  parse(input: unknown): BoundOperation;
};

export type BoundOperation = {
  title: string;
  steps: readonly StepPlan[];
  run(step: string, context: StepContext<unknown>): Promise<StepOutcome | undefined>;
  beforeRepeat(context: StepContext<unknown>): Promise<void>;
  onFailure(context: StepContext<unknown>, failedStep: OperationStep): Promise<void>;
};

/** Hides an operation’s input type behind a parse of what the store kept. */
export function defineOperation<Input>(definition: OperationDefinition<Input>): AnyOperationDefinition {
  return {
    kind: definition.kind,
    parse(stored) {
      const input = definition.input.parse(stored);
      const steps = definition.steps(input);
      const typed = (context: StepContext<unknown>): StepContext<Input> => ({ ...context, input });
      return {
        title: definition.title(input),
        steps,
        async run(key, context) {
          const step = steps.find((each) => each.key === key);
          // An operation that an earlier version of the console has begun.
          if (!step) throw new Error(`The operation ${definition.kind} has no step ${key}.`);
          return step.run(typed(context));
        },
        async beforeRepeat(context) {
          await definition.beforeRepeat?.(typed(context));
        },
        async onFailure(context, failedStep) {
          await definition.onFailure?.(typed(context), failedStep);
        },
      };
    },
  };
}
