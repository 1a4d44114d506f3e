import type { App } from '@homeport/contract/apps/schema';
import { appSettingsRoutes } from '@homeport/contract/apps/settings-schema';

export type Repository = App['repository'];

export interface RepositoryFields {
  fullName: string;
  branch: string;
}

const repositorySchema = appSettingsRoutes['PUT /api/apps/:id/repository'].body.shape.repository.unwrap();

/** The form's fields for a linked repository. Without one, the branch that most repositories deploy from. */
export const fieldsOf = (repository: Repository): RepositoryFields => ({
  fullName: repository?.fullName ?? '',
  branch: repository?.branch ?? 'main',
});

export function differs(fields: RepositoryFields, repository: Repository): boolean {
  const known = fieldsOf(repository);
  return fields.fullName !== known.fullName || fields.branch !== known.branch;
}

/** The values to send, or the fault of each field. */
export function readRepository(
  fields: RepositoryFields,
): { ok: true; repository: NonNullable<Repository> } | { ok: false; problems: Partial<RepositoryFields> } {
  const read = repositorySchema.safeParse(fields);
  if (read.success) return { ok: true, repository: read.data };
  const { issues } = read.error;
  const problemOf = (field: keyof RepositoryFields) => issues.find(({ path }) => path[0] === field)?.message;
  const [fullName, branch] = [problemOf('fullName'), problemOf('branch')];
  return {
    ok: false,
    problems: { ...(fullName !== undefined && { fullName }), ...(branch !== undefined && { branch }) },
  };
}
