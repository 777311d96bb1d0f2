-- Marks every adviser, and firms that have links but are no longer advisers.
--
-- fills touched; reads pub.adv_adviser, link

insert into touched
select crd from pub.adv_adviser
union
select crd from link;
