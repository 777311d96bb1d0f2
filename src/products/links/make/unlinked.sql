-- Deletes the links of the touched advisers, before each method inserts new links.
--
-- reads touched

delete from link where crd in (select crd from touched);
