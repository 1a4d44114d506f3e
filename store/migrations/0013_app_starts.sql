-- When the server last started the deployed version again. A start is no deploy, but it shows like one that the app runs.
alter table apps add column started_at bigint;
