-- Items of a filing come from its header, its text, or both; each source is written independently.
alter table edgar.filing_item
  add column in_header boolean not null default true,
  add column in_text boolean not null default false;
comment on table edgar.filing_item is 'Items of a filing, by the header (ITEM INFORMATION) or by its text, as item codes: 8-K items (2.02), Form D exemptions (06b) and the like';
comment on column edgar.filing_item.in_header is 'The header of the submission names it';
comment on column edgar.filing_item.in_text is 'The dataset of its family found it in the text';
