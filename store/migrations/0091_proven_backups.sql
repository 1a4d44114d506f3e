-- What a restore of the backup's own file into a throw-away PostgreSQL showed. Null: this backup was not tried.
alter table console_backups
  add column proof text check (proof in ('proven', 'failed', 'skipped')),
  add column proof_at bigint,
  -- Why it failed, or could not be tried, in words for the owner.
  add column proof_note text,
  add constraint console_backups_proof check ((proof is null) = (proof_at is null) and (proof_note is null) = (coalesce(proof, 'proven') = 'proven'));
