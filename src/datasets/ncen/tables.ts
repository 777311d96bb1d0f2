/**
 * Form N-CEN, the yearly census of registered investment companies: parts A and B, the attachments and the signature,
 * all about the registrant. Its funds, their providers, and parts D to F have separate files.
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
  'One row per filing: the registrant and what it answers for all its funds',
  [],
  {
    submission_type: text('N-CEN, or N-CEN/A for an amendment, which restates the whole report', {
      values: ['N-CEN', 'N-CEN/A'],
    }),
    cik: cik('CIK of the registrant', { named: 'registrant_name' }).nullable(),
    registrant_name: text('Item B.1.a: full name of the registrant').nullable(),
    period: date('Item A.1: last day of the fiscal year, or part of one, that is reported').nullable(),
    is_short_period: yes('Item A.1: the report covers less than twelve months'),
    file_number: fileNumber('Item B.1.b: file number under the Investment Company Act, 811-').nullable(),
    lei: lei('Item B.1.d: LEI of the registrant').nullable(),
    classification: text(
      'Item B.6: form on which it registered. N-1A: open-end; N-2: closed-end; N-3, N-4, N-6: separate accounts of insurers; N-5: small business investment company; S-6: unit investment trust',
    ).nullable(),
    ...address('Item B.2', 'the registrant'),
    websites: texts('Item B.2.g: public websites'),
    is_first_filing: yes('Item B.4.a: this is its first N-CEN'),
    is_last_filing: yes('Item B.4.b: this is its last N-CEN'),
    is_in_family: yes('Item B.5.a: it is part of a family of investment companies'),
    family_name: text('Item B.5.a.i: name of the family, as filed, often shortened').nullable(),
    series_count: count('Item B.6.a.i: series of the registrant at the end of the period').nullable(),
    covers_all_series: yes('The header of the form names all series, and none by its number'),
    series_ids: texts('Series that the header of the form names'),
    class_ids: texts('Classes of shares that the header of the form names'),
    has_registered_securities: yes('Item B.7: its securities are registered under the Securities Act of 1933'),
    has_vote: yes('Item B.10: it put a matter to a vote of its security holders'),
    has_legal_proceedings: yes('Item B.11.a: material legal proceedings against it'),
    has_ended_proceedings: yes('Item B.11.b: a legal proceeding that it reported before has ended'),
    has_bond_claim: yes('Item B.12.a: a claim was made under its fidelity bond'),
    bond_claims: usd('Item B.12.a.i: amount of those claims, US dollars').nullable(),
    is_insured: yes('Item B.13.a: directors and officers are insured'),
    has_insurance_claim: yes('Item B.13.a.i: a claim was made under that insurance'),
    has_financial_support: yes('Item B.14: somebody gave it financial support'),
    is_exempted: yes('Item B.15.a: it relied on orders of the SEC that exempt it'),
    exemption_releases: texts('Item B.15.a.i: release numbers of those orders'),
    has_changed_underwriter: yes('Item B.16.b: a principal underwriter was hired or dismissed'),
    has_changed_accountant: yes('Item B.17.e: the independent public accountant changed'),
    has_material_weakness: yes('Item B.18: the accountant found material weaknesses of internal control'),
    has_qualified_opinion: yes('Item B.19: an opinion of the accountant was not unqualified'),
    has_changed_valuation: yes('Item B.20: methods of valuation changed materially'),
    has_changed_accounting: yes('Item B.21: accounting principles changed, or how they are applied'),
    has_nav_error: yes('Item B.22: payments were made to correct an error of the net asset value'),
    has_dividend_statement: yes('Item B.23: dividends were paid that need a statement under section 19(a)'),
    attachments: texts(
      'Item G.1: attachments that are ticked, in words of this API: internal_control_report, code_of_ethics …',
    ),
    signed_by: text('Signature: registrant that is signed for').nullable(),
    signature: text('Signature, as signed').nullable(),
    signer_title: text('Signature: title of the person').nullable(),
    signed: date('Signature: day').nullable(),
    source: text(
      'Source of the report. xml: its submission. set: a data set of the SEC, which lacks liquidity services (Item C.22), the series and classes that the header names, and RSSD IDs, except in place of an LEI',
      { values: SOURCES },
    ),
  },
  { indexes: ['(cik, period desc, filed_date, accession)', '(file_number) where file_number is not null'] },
)

export const person = table(
  'ncen.person',
  'One row per director (Item B.8) or a chief compliance officer (Item B.9)',
  ['n'],
  {
    ...numbering,
    role: text('director or chief_compliance_officer', { values: ['director', 'chief_compliance_officer'] }),
    name: text('Name, as filed').nullable(),
    indvl_pk: text('CRD number of the person, without leading zeros', { entity: 'individual' }).nullable(),
    is_interested: yes('Item B.8: the director is an interested person'),
    director_of: texts('Item B.8: file numbers of other investment companies whose director this is'),
    ...address('Item B.9', 'the officer'),
    is_changed: yes('Item B.9: the officer is another one than in the report before'),
    employers: json(
      z.array(
        z
          .object({
            name: text('Name of the employer').nullable(),
            employer_id: text('IRS number of the employer').nullable(),
          })
          .meta({ id: 'NcenEmployer' }),
      ),
      'Item B.9: others who pay or employ the officer, with their IRS numbers',
    ),
  },
  { indexes: ['(indvl_pk) where indvl_pk is not null'] },
)

export const office = table('ncen.office', 'One row per place where books and records are kept (Item B.3)', ['n'], {
  ...numbering,
  name: text('Item B.3: who keeps them').nullable(),
  ...address('Item B.3', 'the office'),
  description: text('Item B.3: which books and records').nullable(),
})

export const terminated_series = table(
  'ncen.terminated_series',
  'One row per series that ended during the period (Item B.6.a.ii)',
  ['n'],
  {
    ...numbering,
    fund: text('Key of the fund: CIK and series').nullable(),
    series_id: text('Item B.6.a.ii: series identifier').nullable(),
    series_name: text('Item B.6.a.ii: name of the series').nullable(),
    ended: text('Item B.6.a.ii: month of its end, YYYY-MM').nullable(),
  },
  { indexes: ['(fund) where fund is not null'] },
)

export const series_matter = table(
  'ncen.series_matter',
  'One row per series that an answer of part B is about (Items B.10, B.11, B.14, B.19, B.22, B.23)',
  ['n'],
  {
    ...numbering,
    matter: text('Name of the answer', { values: MATTERS }),
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
    explanation: text('Item B.20.b: what changed').nullable(),
    asset_type: text('Item B.20.c: type of asset, in the words of the form').nullable(),
    asset_type_other: text('Item B.20.c: description of another type').nullable(),
    investment_type: text('Item B.20.d: type of investment').nullable(),
    basis: text('Item B.20.e: statute or rule that it rests on').nullable(),
    series: json(
      z.array(
        z
          .object({
            series_id: text('Series identifier of EDGAR').nullable(),
            series_name: text('Name of the series').nullable(),
          })
          .meta({ id: 'NcenSeriesConcerned' }),
      ),
      'Item B.20.f: series concerned',
    ),
  },
)
