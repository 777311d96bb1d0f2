-- Every firm of which something is known, and those in adviser of which nothing is known any more.
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
