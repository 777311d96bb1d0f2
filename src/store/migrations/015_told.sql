-- Period and acceptance time of a filing now come from files of companies too, not only from its header.

comment on column edgar.filing.period_of_report is 'End of the period that it reports: of the header, else of a file of the company; null until one of them is read';
comment on column edgar.filing.accepted_at is 'When EDGAR accepted it: of the header, else of a file of the company; null until one of them is read';
