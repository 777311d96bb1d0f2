-- Meanings of every table and column of filings and editions, for people who read the database itself.

comment on schema core is 'How this service runs: keys, runs, definitions. Not for analysts';
comment on schema edgar is 'The spine: what EDGAR lists, who filed it, and what was read of it';
comment on schema bulk is 'Files of publishers with many records each, and which of them were loaded';

comment on table core.dataset is 'What the tables of each slice were built from';
comment on table core.key is 'API keys, without their secrets';
comment on table core.meta is 'Settings of the database that the service keeps for itself';
comment on table core.migration is 'Numbered changes of the schemas core, edgar and bulk that were made';
comment on table core.partition is 'Partitions that were made';

comment on table edgar.coverage is 'One row per form code: how many filings are listed, and how many were read into rows';
comment on column edgar.coverage.form_type is 'Form code, as EDGAR has it';
comment on column edgar.coverage.filings is 'Filings that are listed';
comment on column edgar.coverage.extracted is 'Filings that were read into rows';

comment on column edgar.filer.accession is 'SEC accession number';
comment on column edgar.filer.cik is 'CIK of the filer, ten digits';
comment on column edgar.filer.name_id is 'Its name in that filing: edgar.filer_name';
comment on column edgar.filer.filed_date is 'Filing date';

comment on table edgar.filer_name is 'One row per name under which a filer has filed';
comment on column edgar.filer_name.name_id is 'Number of the name';
comment on column edgar.filer_name.cik is 'CIK of the filer, ten digits';
comment on column edgar.filer_name.name is 'The name, as the index has it';
comment on column edgar.filer_name.name_key is 'The name as it is compared: accents stripped, lower case';

comment on column edgar.filer_search.name_id is 'Number of the name: edgar.filer_name';
comment on column edgar.filer_search.cik is 'CIK of the filer, ten digits';
comment on column edgar.filer_search.words is 'The words by which the name is found';

comment on column edgar.filer_word.word is 'The word';
comment on column edgar.filer_word.names is 'In how many names it is';
comment on column edgar.filer_word.near is 'Keys that it shares with words of which it is a mistake';

comment on column edgar.filing.accession is 'SEC accession number, dashed';
comment on column edgar.filing.form_type is 'Form code, as EDGAR has it';
comment on column edgar.filing.filed_date is 'Filing date';
comment on column edgar.filing.company_name is 'Name of the first filer, as the index has it';
comment on column edgar.filing.name_key is 'That name as it is compared: accents stripped, lower case';
comment on column edgar.filing.filer_count is 'How many filers the index lists with it: edgar.filer';
comment on column edgar.filing.has_text is 'Whether the filing can be had as text: false for all, until a release makes text of documents';

comment on column edgar.filing_item.accession is 'SEC accession number';
comment on column edgar.filing_item.item is 'Code of the item';
comment on column edgar.filing_item.filed_date is 'Filing date';

comment on table edgar.index_problem is 'Lines of indexes that could not be read';
comment on column edgar.index_problem.index_url is 'Address of the index';
comment on column edgar.index_problem.line is 'Number of the line, from 1';
comment on column edgar.index_problem.content is 'The line';
comment on column edgar.index_problem.reason is 'Why it could not be read';
comment on column edgar.index_problem.seen_at is 'When it was met first';

comment on column edgar.submission.accession is 'SEC accession number';
comment on column edgar.submission.sha256 is 'SHA-256 of the submission, which names it in the archive';
comment on column edgar.submission.bytes is 'Size of the submission, bytes';
comment on column edgar.submission.fetched_at is 'When it was fetched';
comment on column edgar.submission.source_url is 'Address that it was fetched from';
comment on column edgar.submission.header is 'Its header as JSON';
comment on column edgar.submission.documents is 'Its documents as JSON: sequence, type, file name, place in the submission';

comment on column edgar.task.accession is 'SEC accession number';
comment on column edgar.task.dataset is 'Dataset that reads the filing';
comment on column edgar.task.state is 'pending, done or failed';
comment on column edgar.task.filed_date is 'Filing date';
comment on column edgar.task.attempts is 'How often it was tried';
comment on column edgar.task.error is 'Why it failed';
comment on column edgar.task.unread_paths is 'Paths of those leaves';
comment on column edgar.task.finished_at is 'When it was last done or failed';

comment on column edgar.tombstone.accession is 'SEC accession number';
comment on column edgar.tombstone.form_type is 'Form code';
comment on column edgar.tombstone.filed_date is 'Filing date';
comment on column edgar.tombstone.cik is 'CIK of the first filer, ten digits';
comment on column edgar.tombstone.company_name is 'Name of the first filer';
comment on column edgar.tombstone.removed_at is 'When this service found it gone';
comment on column edgar.tombstone.index_url is 'The index that does not list it any more';

comment on column edgar.watermark.source is 'Kind of index';
comment on column edgar.watermark.through is 'Last day that was read';
comment on column edgar.watermark.sha256 is 'SHA-256 of the index as it was read';
comment on column edgar.watermark.moved_at is 'When it was read';

comment on column bulk.edition.series is 'Series of files';
comment on column bulk.edition.name is 'Name of the edition';
comment on column bulk.edition.from_day is 'First day that it tells about';
comment on column bulk.edition.to_day is 'Last day that it tells about';
comment on column bulk.edition.state is 'done or failed';
comment on column bulk.edition.records is 'Records in it';
comment on column bulk.edition.added is 'Records that were new';
comment on column bulk.edition.changed is 'Records that had changed';
comment on column bulk.edition.gone is 'Records of the edition before that it lacks';
comment on column bulk.edition.refused is 'Records that could not be read';
comment on column bulk.edition.problems is 'Values that could not be read: path, value, reason';
comment on column bulk.edition.problem_count is 'How many there are, the list being bounded';
comment on column bulk.edition.error is 'Why it failed';
comment on column bulk.edition.finished_at is 'When it was loaded or failed';

comment on column bulk.record.series is 'Series of files';
comment on column bulk.record.key is 'What the record is known by, such as a CRD number';
comment on column bulk.record.digest is 'Digest of the record as it last was';
comment on column bulk.record.edition is 'Edition in which that stands';
comment on column bulk.record.first_day is 'Day of the first edition that has the record';
comment on column bulk.record.changed_day is 'Day of the edition in which it last changed';
comment on column bulk.record.gone_day is 'Day of the first edition without it; null while it is there';

comment on column bulk.history.series is 'Series of files';
comment on column bulk.history.key is 'What the record is known by';
comment on column bulk.history.field is 'Column that the value is of';
comment on column bulk.history.value is 'The value';

comment on column bulk.filing_set.dataset is 'Dataset that reads the set';
comment on column bulk.filing_set.name is 'Name of the set';
comment on column bulk.filing_set.from_day is 'First filing date in it';
comment on column bulk.filing_set.to_day is 'Last filing date in it';
comment on column bulk.filing_set.bytes is 'Size of the file, bytes';
comment on column bulk.filing_set.source_url is 'Address that it was fetched from';
comment on column bulk.filing_set.state is 'begun, done or failed';
comment on column bulk.filing_set.filings is 'Filings in it';
comment on column bulk.filing_set.refused is 'Filings that could not be read';
comment on column bulk.filing_set.unread_paths is 'Columns that no parser read';
comment on column bulk.filing_set.problems is 'Values that could not be read: path, value, reason';
comment on column bulk.filing_set.problem_count is 'How many there are, the list being bounded';
comment on column bulk.filing_set.error is 'Why it failed';
comment on column bulk.filing_set.finished_at is 'When it was loaded or failed';

comment on column bulk.set_filing.dataset is 'Dataset of the filing';
comment on column bulk.set_filing.accession is 'SEC accession number';
comment on column bulk.set_filing.name is 'Set that its rows are of';
comment on column bulk.set_filing.to_day is 'Last filing date of that set';
comment on column bulk.set_filing.sha256 is 'SHA-256 of the set, which names it in the archive';
