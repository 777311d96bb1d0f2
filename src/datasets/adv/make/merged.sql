-- merged: the newest known facts of each touched firm, one row per firm. Each column comes from the first source that
-- states it.
--
-- reads source
--
--   crd, day   the firm, and the day of its newest filing
--   filing_id, form     that filing if the data files have it, and its kind: IA or ERA
--   shown_by, shown_as  the first feed that shows the firm, and the firm's kind in it: IA or ERA
--   sources    the source of each column: {"legal_name": "filing 2107670"}
--   all other columns have the names of columns of adviser

drop table if exists pg_temp.merged;

create temporary table merged on commit drop as
select
  a.crd, a.day,
  coalesce(a.filing_id, b.filing_id, c.filing_id, d.filing_id) as filing_id,
  coalesce(a.form, b.form, c.form, d.form) as form,
  coalesce(a.shown_by, b.shown_by, c.shown_by, d.shown_by) as shown_by,
  coalesce(a.shown_as, b.shown_as, c.shown_as, d.shown_as) as shown_as,
  coalesce(a.legal_name, b.legal_name, c.legal_name, d.legal_name) as legal_name,
  coalesce(a.business_name, b.business_name, c.business_name, d.business_name) as business_name,
  coalesce(a.sec_file_number, b.sec_file_number, c.sec_file_number, d.sec_file_number) as sec_file_number,
  coalesce(a.lei, b.lei, c.lei, d.lei) as lei,
  coalesce(a.form_version, b.form_version, c.form_version, d.form_version) as form_version,
  coalesce(a.street1, b.street1, c.street1, d.street1) as street1,
  coalesce(a.street2, b.street2, c.street2, d.street2) as street2,
  coalesce(a.city, b.city, c.city, d.city) as city,
  coalesce(a.state, b.state, c.state, d.state) as state,
  coalesce(a.country, b.country, c.country, d.country) as country,
  coalesce(a.postal_code, b.postal_code, c.postal_code, d.postal_code) as postal_code,
  coalesce(a.phone, b.phone, c.phone, d.phone) as phone,
  coalesce(a.fax, b.fax, c.fax, d.fax) as fax,
  coalesce(a.mailing_address, b.mailing_address, c.mailing_address, d.mailing_address) as mailing_address,
  coalesce(a.web_addresses, b.web_addresses, c.web_addresses, d.web_addresses) as web_addresses,
  coalesce(a.social_addresses, b.social_addresses, c.social_addresses, d.social_addresses) as social_addresses,
  coalesce(a.primary_website, b.primary_website, c.primary_website, d.primary_website) as primary_website,
  coalesce(a.has_web_addresses, b.has_web_addresses, c.has_web_addresses, d.has_web_addresses) as has_web_addresses,
  coalesce(a.employees, b.employees, c.employees, d.employees) as employees,
  coalesce(
    a.advisory_employees, b.advisory_employees,
    c.advisory_employees, d.advisory_employees) as advisory_employees,
  coalesce(
    a.gives_continuous_supervision, b.gives_continuous_supervision,
    c.gives_continuous_supervision, d.gives_continuous_supervision) as gives_continuous_supervision,
  coalesce(a.discretionary_aum, b.discretionary_aum, c.discretionary_aum, d.discretionary_aum) as discretionary_aum,
  coalesce(
    a.non_discretionary_aum, b.non_discretionary_aum,
    c.non_discretionary_aum, d.non_discretionary_aum) as non_discretionary_aum,
  coalesce(a.latest_raum, b.latest_raum, c.latest_raum, d.latest_raum) as latest_raum,
  coalesce(
    a.accounts_discretionary, b.accounts_discretionary,
    c.accounts_discretionary, d.accounts_discretionary) as accounts_discretionary,
  coalesce(
    a.accounts_non_discretionary, b.accounts_non_discretionary,
    c.accounts_non_discretionary, d.accounts_non_discretionary) as accounts_non_discretionary,
  coalesce(a.total_accounts, b.total_accounts, c.total_accounts, d.total_accounts) as total_accounts,
  coalesce(a.clients, b.clients, c.clients, d.clients) as clients,
  coalesce(a.comp_pct_aum, b.comp_pct_aum, c.comp_pct_aum, d.comp_pct_aum) as comp_pct_aum,
  coalesce(a.comp_hourly, b.comp_hourly, c.comp_hourly, d.comp_hourly) as comp_hourly,
  coalesce(a.comp_subscription, b.comp_subscription, c.comp_subscription, d.comp_subscription) as comp_subscription,
  coalesce(a.comp_fixed, b.comp_fixed, c.comp_fixed, d.comp_fixed) as comp_fixed,
  coalesce(a.comp_commissions, b.comp_commissions, c.comp_commissions, d.comp_commissions) as comp_commissions,
  coalesce(a.comp_performance, b.comp_performance, c.comp_performance, d.comp_performance) as comp_performance,
  coalesce(a.comp_other, b.comp_other, c.comp_other, d.comp_other) as comp_other,
  coalesce(
    a.advises_private_funds, b.advises_private_funds,
    c.advises_private_funds, d.advises_private_funds) as advises_private_funds,
  coalesce(
    a.private_fund_assets, b.private_fund_assets,
    c.private_fund_assets, d.private_fund_assets) as private_fund_assets,
  coalesce(a.total_assets, b.total_assets, c.total_assets, d.total_assets) as total_assets,
  coalesce(a.has_disciplinary, b.has_disciplinary, c.has_disciplinary, d.has_disciplinary) as has_disciplinary,
  -- The operator || keeps the value of its right side for a key that both sides have.
  coalesce(d.labels, '{}') || coalesce(c.labels, '{}') || coalesce(b.labels, '{}') || coalesce(a.labels, '{}') as sources
from source a
left join source b on b.crd = a.crd and b.slot = 2
left join source c on c.crd = a.crd and c.slot = 3
left join source d on d.crd = a.crd and d.slot = 4
where a.slot = 1;

analyze merged;
