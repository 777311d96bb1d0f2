-- First look-ups of filings change served facts too. look_ups counts them, and data_version counts loads: a load holds
-- data_version until it commits, and no request waits for a load. The data version is the sum of both.
insert into core.meta values ('look_ups', '0');
