import { z } from 'zod';
import { type Answer, type Asked, accessTo, notFound, refuse } from '../answer.ts';
import type { DeployKey, Repository } from '../state.ts';
import { pageOf } from './page-of.ts';
import { fullName } from './shapes.ts';

const bodySchema = z.object({ title: z.string(), key: z.string(), read_only: z.boolean().default(false) });

export function listKeys(asked: Asked, repository: Repository): Answer {
  if (!accessTo(asked, repository)?.admin) return notFound();
  const { shown, headers } = pageOf(asked, repository.deployKeys);
  return { status: 200, headers, body: shown.map((key) => keyFacts(asked, repository, key)) };
}

export function readKey(asked: Asked, repository: Repository, id: number): Answer {
  const key = repository.deployKeys.find((each) => each.id === id);
  if (!accessTo(asked, repository)?.admin || !key) return notFound();
  return { status: 200, body: keyFacts(asked, repository, key) };
}

export function addKey(asked: Asked, repository: Repository): Answer {
  if (!accessTo(asked, repository)?.admin) return notFound();
  const { title, key, read_only: readOnly } = bodySchema.parse(asked.body);
  const blob = key.split(' ').slice(0, 2).join(' ');
  // What GitHub says where the organisation's policy forbids them.
  if (repository.forbidsDeployKeys) return refuse(422, 'Deploy keys are disabled for this repository');
  const known = asked.state.repositories.some((each) => each.deployKeys.some((held) => held.key === blob));
  if (known) return refuse(422, 'key is already in use');
  const made = { id: asked.state.nextId++, title, key: blob, readOnly };
  repository.deployKeys.push(made);
  return { status: 201, body: keyFacts(asked, repository, made) };
}

export function removeKey(asked: Asked, repository: Repository, id: number): Answer {
  if (!accessTo(asked, repository)?.admin) return notFound();
  const at = repository.deployKeys.findIndex((key) => key.id === id);
  if (at < 0) return notFound();
  repository.deployKeys.splice(at, 1);
  return { status: 204 };
}

const keyFacts = (asked: Asked, repository: Repository, { id, title, key, readOnly }: DeployKey) => ({
  id,
  key,
  url: `${asked.api}/repos/${fullName(repository)}/keys/${id}`,
  title,
  verified: true,
  created_at: new Date().toISOString(),
  read_only: readOnly,
});
