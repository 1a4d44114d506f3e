import { z } from 'zod';
import { linesOf } from '../output.ts';

/** What Dokku keeps of an app's types of process. */
export type ProcessTypes = {
  /** In the order of the Procfile, `web` first. */
  readonly types: readonly {
    readonly type: string;
    /** Null where the last deploy had no Procfile: the image's own command runs then. */
    readonly command: string | null;
    readonly quantity: number;
    /** Limits of this type alone; null: it has the app's. */
    readonly memoryMb: number | null;
    readonly cpus: number | null;
  }[];
  /** False: a formation in app.json sets the numbers, and Dokku refuses `ps:scale`. */
  readonly scalable: boolean;
  /** For containers that are made from now on. */
  readonly restartPolicy: string;
  readonly stopSeconds: number | null;
};

export const processTypesSchema = z.object({
  processesOf: z.string(),
  /** `web=1`, as Dokku keeps them. */
  scale: z.array(z.string()),
  /** The lines of the Procfile; null without one. */
  procfile: z.array(z.string()).nullable(),
  /** `worker.limit.memory=256`; the app's own limits (`_default_`) are among the properties. */
  limits: z.array(z.string()),
});
export type ProcessTypesLine = z.output<typeof processTypesSchema>;

/** Longer commands are cut: the page shows one line. */
const commandCharacters = 300;
const typeAndCommand = /^([A-Za-z0-9][\w-]{0,62}): {0,10}(\S.*)$/;
const typeAndQuantity = /^([A-Za-z0-9][\w-]{0,62})=(\d{1,9})$/;
const limitOfType = /^([A-Za-z0-9][\w-]{0,62})\.limit\.(memory|cpu)=(\d{1,9}(?:\.\d{1,9})?)m?$/;

/** `property`: a value of the app's own, or of the server's, or the empty text. */
export function processTypesOf(line: ProcessTypesLine, property: (key: string) => string): ProcessTypes {
  const quantities = new Map(rowsOf(line.scale, typeAndQuantity).map(([type, many]) => [type, Number(many)]));
  const commands = new Map(
    rowsOf(linesOf((line.procfile ?? []).join('\n')), typeAndCommand).map(([type, command]) => [
      type,
      command.slice(0, commandCharacters),
    ]),
  );
  const limits = new Map(
    line.limits.flatMap((text) => {
      const [, type, kind, value] = limitOfType.exec(text) ?? [];
      return type === undefined ? [] : [[`${type} ${kind}`, Number(value)] as const];
    }),
  );
  const types = [...new Set([...commands.keys(), ...quantities.keys()])].toSorted(webFirst);
  return {
    types: types.map((type) => ({
      type,
      command: commands.get(type) ?? null,
      quantity: quantities.get(type) ?? 0,
      memoryMb: limits.get(`${type} memory`) ?? null,
      cpus: limits.get(`${type} cpu`) ?? null,
    })),
    scalable: property('ps.can-scale') !== 'false',
    restartPolicy: property('ps.restart-policy') || defaults.restartPolicy,
    stopSeconds: Number(property('ps.stop-timeout-seconds') || defaults.stopSeconds) || null,
  };
}

/** Dokku's own, where nothing is set. */
const defaults = { restartPolicy: 'on-failure:10', stopSeconds: 30 };

const rowsOf = (lines: readonly string[], pattern: RegExp) =>
  lines.flatMap((text) => {
    const [, key, value] = pattern.exec(text) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value] as const];
  });

/** Stable otherwise, so that the order of the Procfile stays. */
const webFirst = (a: string, b: string) => Number(b === 'web') - Number(a === 'web');
