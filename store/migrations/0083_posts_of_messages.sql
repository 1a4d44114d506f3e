-- How a service names the message that it took, so that the end of an incident can be written into its beginning.
alter table notice_messages add column posted text;
