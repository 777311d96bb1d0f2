-- Deletes the links of the touched advisers, before each method makes its own.
--
-- reads touched

delete from link where crd in (select crd from touched);
