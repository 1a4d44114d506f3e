import type { OperationKind } from '@homeport/contract/operations/facts';
import type { OperationStep } from '@homeport/contract/operations/schema';
import type { Command } from '@homeport/dokku';
import type { Owner } from '@homeport/store';
import type { z } from 'zod';
import type { Ran, RunOptions } from '../remote/run-command.ts';

/** The part of a step that the person sees. */
type StepPlan = { key: string; title: string; percent?: number };

/** A command that changes something, as it is known before the operation begins. */
export type PlannedCommand = {
  work: 'apps' | 'root';
  command: Command;
  /** When it runs, in words that follow “if”; null: always. */
  onlyIf: string | null;
};

/** The result of a step; without one, the step is done. A note is one sentence for the person. */
export type StepOutcome = { state?: 'done' | 'warned' | 'skipped'; note?: string };

/**
 * What a step works with. Calling a step again must be safe: a step runs anew after a failure or a lost
 * connection.
 */
export type StepContext<Input> = {
  operationId: string;
  owner: Owner;
  input: Input;
  /** Facts that earlier steps found. They are stored with the operation, so they never hold a secret. */
  facts: Record<string, unknown>;
  signal: AbortSignal;
  /**
   * Runs a command on the operation’s server, and waits for a connection if there is none. The command and
   * its output go into the log. `apps`: as the console’s own account if the server has one. `root`: as the
   * account that the server was linked with.
   */
  run(work: 'apps' | 'root', command: Command, options?: RunOptions): Promise<Ran>;
  /** Adds output that did not come from `run`, such as the log of work that runs detached. */
  output(text: string): void;
  note(text: string): void;
  remember(facts: Record<string, unknown>): Promise<void>;
  progress(percent: number, title?: string): Promise<void>;
  toast(tone: 'ok' | 'info' | 'warning' | 'bad', text: string): Promise<void>;
  result(values: Record<string, unknown>): Promise<void>;
  attach(subject: {
    appId?: string | null;
    databaseId?: string | null;
    serverId?: string | null;
    longname?: string;
  }): Promise<void>;
};

/** A step as the person sees it, with its work. */
export type Step<Input> = StepPlan & {
  run(context: StepContext<Input>): Promise<StepOutcome | undefined>;
};

/**
 * One kind of long work. The engine runs the steps in order and keeps the finished ones. A repeated run
 * starts at the first unfinished step.
 */
export type OperationDefinition<Input> = {
  kind: OperationKind;
  input: z.ZodType<Input>;
  title(input: Input): string;
  steps(input: Input): readonly Step<Input>[];
  /**
   * Every command that may change something, for a person who decides whether the operation begins. A step builds its commands by the same
   * functions. Absent: nobody is shown them before.
   */
  commands?(input: Input): readonly PlannedCommand[];
  /**
   * Called before the first remote command of a repeated step: a command of the earlier try may still run
   * unseen on the server.
   */
  beforeRepeat?(context: StepContext<Input>): Promise<void>;
  /** Records what a failure means for the app or the server. The operation itself keeps the problem. */
  onFailure?(context: StepContext<Input>, failedStep: OperationStep): Promise<void>;
};

/** Definitions with different inputs stand in one table under this type. */
export type AnyOperationDefinition = {
  kind: OperationKind;
  parse(input: unknown): BoundOperation;
};

export type BoundOperation = {
  title: string;
  steps: readonly StepPlan[];
  /** null: the definition does not name its commands before they run. */
  commands: readonly PlannedCommand[] | null;
  run(step: string, context: StepContext<unknown>): Promise<StepOutcome | undefined>;
  beforeRepeat(context: StepContext<unknown>): Promise<void>;
  onFailure(context: StepContext<unknown>, failedStep: OperationStep): Promise<void>;
};

/** Hides an operation’s input type: `parse` checks the stored input. */
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
        commands: definition.commands?.(input) ?? null,
        async run(key, context) {
          const step = steps.find((each) => each.key === key);
          // An earlier version of the console began the operation.
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
