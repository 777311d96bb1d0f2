comment on column edgar.filing.has_text is 'Whether filings of its family can be had as text; follows the registry at start-up';
