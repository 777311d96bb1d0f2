/**
 * Figures that companies reported in XBRL, from the SEC's files of all facts of a company. Stores each value of each
 * filing under the tags that `parse-tags.ts` names. The archive keeps all other values.
 */
import { accession, cik, date, decimal, integer, table, text } from '../../declare/table.ts'

export const company = table(
  'facts.company',
  'One row per company whose file of facts was read',
  [],
  {
    cik: cik('CIK of the company'),
    entity_name: text('Name of the company, from the SEC’s file of its facts').nullable(),
  },
  { record: 'cik' },
)

export const filing = table(
  'facts.filing',
  'One row per company and filing from which a value of the company is stored',
  ['accession'],
  {
    cik: cik('CIK of the company'),
    accession: accession('SEC accession number of the filing'),
    form: text('Form of the filing'),
    filed_date: date('Day on which the filing was filed'),
  },
  { record: 'cik', indexes: ['(accession)'] },
)

export const fact = table(
  'facts.fact',
  'One row per value that a filing of a company reports under one of the tags from which figures are computed; restated values have separate rows',
  [],
  {
    cik: cik('CIK of the company'),
    taxonomy: text('Taxonomy of the tag: us-gaap, ifrs-full or dei'),
    tag: text('Tag, for example NetIncomeLoss'),
    unit: text('Unit of the value: a currency (USD), a currency per share (USD/shares), or shares'),
    start_date: date('First day of the period; null for a value at one day, such as a balance').nullable(),
    end_date: date('Last day of the period, or the day of a value at one day'),
    value: decimal('Reported figure, in the unit that `unit` states', { unit: 'stated' }),
    accession: accession('SEC accession number of the filing that reports the value'),
    form: text('Form code of the filing that reports the value'),
    filed_date: date('Day on which the filing was filed'),
    fy: integer('Fiscal year of the filing, which may differ from the fiscal year of the period').nullable(),
    fp: text('Fiscal period of the filing (FY, Q1, Q2, Q3), which may differ from the value’s period').nullable(),
    frame: text(
      'Calendar period (frame) in which the SEC compares the value with those of other companies; null if the SEC gives none',
    ).nullable(),
  },
  { record: 'cik', numbered: true },
)
