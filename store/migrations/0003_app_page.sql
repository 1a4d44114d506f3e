alter table apps add column https boolean not null default false;
-- Made elsewhere and taken over from its server.
alter table apps add column imported boolean not null default false;
-- `owner/name` and the branch whose pushes deploy; both or neither.
alter table apps add column repository text;
alter table apps add column repository_branch text;
alter table apps add constraint apps_repository_whole check ((repository is null) = (repository_branch is null));
