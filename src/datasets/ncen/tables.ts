/**
 * Form N-CEN, the yearly census of registered investment companies: parts A and B, the attachments and the signature,
 * all about the registrant. The funds of the registrant, their providers, and parts D to F have separate files.
 */
import { z } from 'zod'
import { cik, count, date, fileNumber, json, table, text, texts, usd } from '../../declare/table.ts'
import { lei, MATTERS, numbering, place, SOURCES, yes } from './tables/columns.ts'

/** The postal address that the form asks for. */
const address = (item: string, of: string) => ({
  street1: text(`${item}: street of ${of}`).nullable(),
  street2: text(`${item}: second line of the street`).nullable(),
  city: text(`${item}: city of ${of}`).nullable(),
  ...place(of),
  zip: text(`${item}: postal code of ${of}`).nullable(),
  phone: text(`${item}: telephone of ${of}, as filed`).nullable(),
})

export const report = table(
  'ncen.report',
  'One row per filing: the registrant, and its answers for all its funds',
  [],
  {
    submission_type: text('N-CEN, or N-CEN/A for an amendment, which restates the whole report', {
      values: ['N-CEN', 'N-CEN/A'],
    }),
    cik: cik('CIK of the registrant', { named: 'registrant_name' }).nullable(),
    registrant_name: text('Item B.1.a: full name of the registrant').nullable(),
    period: date('Item A.1: last day of the reporting period, which is the fiscal year or a part of it').nullable(),
    is_short_period: yes('Item A.1: the report covers less than twelve months'),
    file_number: fileNumber('Item B.1.b: file number under the Investment Company Act, 811-').nullable(),
    lei: lei('Item B.1.d: LEI of the registrant').nullable(),
    classification: text(
      'Item B.6: form on which the registrant registered. N-1A: open-end; N-2: closed-end; N-3, N-4, N-6: separate accounts of insurers; N-5: small business investment company; S-6: unit investment trust',
    ).nullable(),
    ...address('Item B.2', 'the registrant'),
    websites: texts('Item B.2.g: addresses of the public websites'),
    is_first_filing: yes('Item B.4.a: this is the registrant’s first N-CEN'),
    is_last_filing: yes('Item B.4.b: this is the registrant’s last N-CEN'),
    is_in_family: yes('Item B.5.a: the registrant is part of a family of investment companies'),
    family_name: text('Item B.5.a.i: name of the family of investment companies, as filed, often shortened').nullable(),
    series_count: count('Item B.6.a.i: number of series of the registrant at the end of the period').nullable(),
    covers_all_series: yes(
      'The header of the form states that the report includes all series, and gives no identifiers of series',
    ),
    series_ids: texts('Series identifiers in the header of the form'),
    class_ids: texts('Class identifiers in the header of the form'),
    has_registered_securities: yes(
      'Item B.7: the registrant’s securities are registered under the Securities Act of 1933',
    ),
    has_vote: yes('Item B.10: the registrant submitted a matter to a vote of its security holders'),
    has_legal_proceedings: yes('Item B.11.a: there were material legal proceedings against the registrant'),
    has_ended_proceedings: yes('Item B.11.b: a legal proceeding that the registrant reported earlier has ended'),
    has_bond_claim: yes('Item B.12.a: a claim was made under the registrant’s fidelity bond'),
    bond_claims: usd('Item B.12.a.i: total amount of claims under the fidelity bond, US dollars').nullable(),
    is_insured: yes('Item B.13.a: directors and officers are insured for acts in their office'),
    has_insurance_claim: yes('Item B.13.a.i: a claim was made under the insurance of directors and officers'),
    has_financial_support: yes(
      'Item B.14: an affiliated person, promoter or principal underwriter gave the registrant financial support',
    ),
    is_exempted: yes('Item B.15.a: the registrant relied on exemptive orders of the SEC'),
    exemption_releases: texts('Item B.15.a.i: release numbers of the exemptive orders'),
    has_changed_underwriter: yes('Item B.16.b: a principal underwriter was hired or dismissed'),
    has_changed_accountant: yes('Item B.17.e: the independent public accountant changed'),
    has_material_weakness: yes('Item B.18: the accountant’s report on internal control names material weaknesses'),
    has_qualified_opinion: yes('Item B.19: the accountant issued an opinion other than an unqualified one'),
    has_changed_valuation: yes('Item B.20: methods of valuation changed materially'),
    has_changed_accounting: yes('Item B.21: accounting principles, or their application, changed'),
    has_nav_error: yes('Item B.22: payments were made because of an error in the net asset value'),
    has_dividend_statement: yes('Item B.23: dividends were paid that require a written statement under section 19(a)'),
    attachments: texts(
      'Item G.1: kinds of attachment that are ticked, in words of this API: internal_control_report, code_of_ethics …',
    ),
    signed_by: text('Signature: name of the registrant on whose behalf the form is signed').nullable(),
    signature: text('Signature, as filed').nullable(),
    signer_title: text('Signature: title of the signer').nullable(),
    signed: date('Signature: day of the signature').nullable(),
    source: text(
      'Source of the report. xml: the XML submission. set: a data set of the SEC. It lacks liquidity services (Item C.22) and the series and classes of the header; of the RSSD IDs, it has only those that were filed in place of an LEI',
      { values: SOURCES },
    ),
  },
  { indexes: ['(cik, period desc, filed_date, accession)', '(file_number) where file_number is not null'] },
)

export const person = table(
  'ncen.person',
  'One row per director (Item B.8) or chief compliance officer (Item B.9)',
  ['n'],
  {
    ...numbering,
    role: text('Role of the person: director or chief_compliance_officer', {
      values: ['director', 'chief_compliance_officer'],
    }),
    name: text('Name, as filed').nullable(),
    indvl_pk: text('CRD number of the person, without leading zeros', { entity: 'individual' }).nullable(),
    is_interested: yes('Item B.8: the director is an interested person'),
    director_of: texts('Item B.8: SEC file numbers of other investment companies of which the person is a director'),
    ...address('Item B.9', 'the officer'),
    is_changed: yes('Item B.9: the chief compliance officer changed since the last report'),
    employers: json(
      z.array(
        z
          .object({
            name: text('Name of the employer').nullable(),
            employer_id: text('IRS number of the employer').nullable(),
          })
          .meta({ id: 'NcenEmployer' }),
      ),
      'Item B.9: other persons who pay or employ the chief compliance officer, with their IRS numbers',
    ),
  },
  { indexes: ['(indvl_pk) where indvl_pk is not null'] },
)

export const office = table('ncen.office', 'One row per place where books and records are kept (Item B.3)', ['n'], {
  ...numbering,
  name: text('Item B.3: name of the person who keeps the books and records').nullable(),
  ...address('Item B.3', 'the office'),
  description: text('Item B.3: description of the books and records kept at the office').nullable(),
})

export const terminated_series = table(
  'ncen.terminated_series',
  'One row per series that ended during the period (Item B.6.a.ii)',
  ['n'],
  {
    ...numbering,
    fund: text('Key of the fund: CIK and series identifier: 0000081443-S000045542').nullable(),
    series_id: text('Item B.6.a.ii: series identifier').nullable(),
    series_name: text('Item B.6.a.ii: name of the series').nullable(),
    ended: text('Item B.6.a.ii: month in which the series ended, YYYY-MM').nullable(),
  },
  { indexes: ['(fund) where fund is not null'] },
)

export const series_matter = table(
  'ncen.series_matter',
  'One row per answer of part B and series to which it refers (Items B.10, B.11, B.14, B.19, B.22, B.23)',
  ['n'],
  {
    ...numbering,
    matter: text('Subject of the item of the form that concerns the series', { values: MATTERS }),
    series_id: text('Series identifier').nullable(),
    series_name: text('Name of the series').nullable(),
  },
)

export const valuation_change = table(
  'ncen.valuation_change',
  'One row per change of a method of valuation (Item B.20)',
  ['n'],
  {
    ...numbering,
    changed: date('Item B.20.a: day of the change').nullable(),
    explanation: text('Item B.20.b: explanation of the change').nullable(),
    asset_type: text('Item B.20.c: type of asset, in the words of the form').nullable(),
    asset_type_other: text('Item B.20.c: description of a type that is not in the form’s list').nullable(),
    investment_type: text('Item B.20.d: type of investment').nullable(),
    basis: text('Item B.20.e: statute or rule on which the change is based').nullable(),
    series: json(
      z.array(
        z
          .object({
            series_id: text('Series identifier of EDGAR').nullable(),
            series_name: text('Name of the series').nullable(),
          })
          .meta({ id: 'NcenSeriesConcerned' }),
      ),
      'Item B.20.f: series to which the change applies',
    ),
  },
)
