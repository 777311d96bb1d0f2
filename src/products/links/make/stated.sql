-- link, method adv_cik: the adviser states the CIK in the newest filing that the data files have of the adviser. Item
-- 1.D(3) lists the adviser's CIKs; Item 1.N has the CIK of a public reporting company.
--
-- reads touched, pub.adv_stated_cik

insert into link (crd, cik, method, confidence, basis)
select crd, cik, 'adv_cik', 1, 'filing ' || filing_id
from touched join pub.adv_stated_cik using (crd);
