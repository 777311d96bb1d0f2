-- First look-ups of filings change served facts too. They are counted apart from loads, which hold data_version until they
-- commit: no request waits for a load. The data version is the sum.
insert into core.meta values ('look_ups', '0');
