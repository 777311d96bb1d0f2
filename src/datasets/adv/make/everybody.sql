-- Marks every firm of any source as touched, and firms of adviser that are no longer in any source.
--
-- fills touched; reads firm, filing, withdrawal, adviser

insert into touched
select crd from firm
union
select crd from filing where crd is not null
union
select crd from withdrawal where crd is not null
union
select crd from adviser;
