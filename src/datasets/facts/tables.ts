/**
 * Figures that companies reported in XBRL, from the SEC's files of all facts of a company. Stores each value of each
 * filing under the tags that `parse-tags.ts` names. The archive keeps all other values.
 */
import { accession, cik, date, decimal, integer, table, text } from '../../declare/table.ts'

export const company = table(
  'facts.company',
  'One row per company of which facts are there',
  [],
  {
    cik: cik('CIK of the company'),
    entity_name: text('Name of the company as the file has it').nullable(),
  },
  { record: 'cik' },
)

export const filing = table(
  'facts.filing',
  'One row per company and filing that reports a value of it which is stored',
  ['accession'],
  {
    cik: cik('CIK of the company'),
    accession: accession('SEC accession number of the filing'),
    form: text('Form of the filing'),
    filed_date: date('Day on which it was filed'),
  },
  { record: 'cik', indexes: ['(accession)'] },
)

export const fact = table(
  'facts.fact',
  'One row per value that a filing of a company reports under one of the tags that figures are made of; restated values have separate rows',
  [],
  {
    cik: cik('CIK of the company'),
    taxonomy: text('Taxonomy of the tag: us-gaap, ifrs-full or dei'),
    tag: text('Tag, for example NetIncomeLoss'),
    unit: text('Unit of the value: a currency (USD), a currency for one share (USD/shares), shares'),
    start_date: date('First day of the period; null for a value of one day').nullable(),
    end_date: date('Last day of the period, or the day'),
    value: decimal('What is reported, in that unit', { unit: 'stated' }),
    accession: accession('SEC accession number of the filing that reports it'),
    form: text('Form of that filing'),
    filed_date: date('Day on which it was filed'),
    fy: integer('Fiscal year of the filing, which is not that of the period').nullable(),
    fp: text('Fiscal period of the filing, which may be another: FY, Q1, Q2, Q3').nullable(),
    frame: text('Calendar period in which the SEC compares the value with those of other companies').nullable(),
  },
  { record: 'cik', numbered: true },
)
