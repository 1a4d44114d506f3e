import {
  databaseMemoryMb,
  imageVersionMalformed,
  imageVersionPattern,
} from '@homeport/contract/databases/facts';
import type { CreateDatabase } from '@homeport/contract/databases/schema';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { nameProblem } from '@homeport/contract/fields/facts';
import type { PluginNeed } from './plugin-need.ts';

/** The form as typed. */
export interface DatabaseDraft {
  name: string;
  type: DatabaseTypeName | null;
  serverId: string | null;
  /** Empty: the plugin's default. */
  imageVersion: string;
  /** In MB of 1024 × 1024 bytes. Empty: no limit. */
  memoryMb: string;
  installPlugin: boolean;
}
export type DraftField = keyof DatabaseDraft;
export type DraftProblems = Partial<Record<DraftField, string>>;

export const emptyDraft: DatabaseDraft = {
  name: '',
  type: null,
  serverId: null,
  imageVersion: '',
  memoryMb: '',
  installPlugin: false,
};

type Reading = { ok: true; body: CreateDatabase } | { ok: false; problems: DraftProblems };

/** Finds faults before the page calls the console. The console's answer names all other faults. */
export function readDraft(draft: DatabaseDraft, need: PluginNeed): Reading {
  const { type, serverId, installPlugin } = draft;
  const problems: DraftProblems = {};
  const wrong = (field: DraftField, problem: string | null) => {
    if (problem !== null) problems[field] = problem;
  };
  const name = draft.name.trim();
  const imageVersion = draft.imageVersion.trim();
  wrong('name', nameProblem(name));
  wrong('type', type === null ? 'Choose a type.' : null);
  wrong('serverId', serverId === null ? 'Choose a server.' : null);
  wrong(
    'imageVersion',
    imageVersion === '' || imageVersionPattern.test(imageVersion) ? null : imageVersionMalformed,
  );
  wrong('memoryMb', memoryProblem(draft.memoryMb.trim()));
  wrong('installPlugin', consentProblem(need, installPlugin));
  if (type === null || serverId === null || Object.keys(problems).length > 0) return { ok: false, problems };
  const memoryMb = draft.memoryMb.trim();
  return {
    ok: true,
    body: {
      name,
      type,
      serverId,
      ...(imageVersion === '' ? {} : { imageVersion }),
      ...(memoryMb === '' ? {} : { memoryMb: Number(memoryMb) }),
      // A plugin that the server has is not installed, so nobody agrees to it.
      installPlugin: installPlugin && need.kind !== 'present',
    },
  };
}

function memoryProblem(text: string): string | null {
  if (text === '') return null;
  const { least, most } = databaseMemoryMb;
  if (!/^\d{1,9}$/.test(text)) return 'Enter a whole number of MB, such as 512.';
  if (Number(text) < least) return `Give it at least ${least} MB.`;
  return Number(text) > most ? `Give it at most ${most} MB.` : null;
}

function consentProblem(need: PluginNeed, agreed: boolean): string | null {
  if (need.kind === 'refused')
    return 'Choose a server that has the plugin, or have it installed there first.';
  return need.kind === 'missing' && !agreed ? 'Agree to the installation, or choose another server.' : null;
}
