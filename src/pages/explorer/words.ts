/** Labels that people read without knowing the forms. The reference has the names of the members themselves. */
import type { z } from 'zod'
import { labelOf } from '../../declare/table.ts'

/** Words for members whose name is a form's or a program's own. */
const WORDS: Readonly<Record<string, string>> = {
  accession: 'Filing',
  acquired_disposed: 'Acquired or disposed',
  bdcs: 'Business development companies',
  code_meaning: 'What was done',
  drp: 'Disclosures',
  edgar_flags: 'Flags of EDGAR',
  ein: 'Employer number (EIN)',
  exercise_date: 'Exercisable from',
  fam_rows: 'What the filing says',
  filed_date: 'Filed',
  filing_date: 'Filed',
  form_type: 'Form',
  latest_raum: 'Assets under management',
  nmfp: 'Money market funds (N-MFP)',
  nport: 'Funds (N-PORT)',
  f13: 'Managers (Form 13F)',
  other_org_nm: 'Other firm',
  owner_org: 'Office of the SEC',
  part1a: 'Part 1A as filed',
  part1a_schedules: 'Schedules of Part 1A',
  period_of_report: 'Period',
  sec_id: 'Number here',
  seven_day_gross_yield: 'Seven-day gross yield',
  sic: 'Industry code (SIC)',
  sic_description: 'Industry',
  sma: 'Separately managed accounts',
  submission_type: 'Form',
  total_raum: 'Assets under management',
  transaction_date: 'Traded',
}

/** The label of a member: `is_director` is Director, `holder_count` Holders, `min_value` Value at least. */
export function wordsFor(name: string, type?: z.ZodType): string {
  const words = WORDS[name]
  if (words !== undefined) return words
  const label = labelOf(name, type)
  // A label that the declaration gives stays as it is.
  if (label !== labelOf(name)) return label
  if (/^(is|has)_/.test(name)) return capital(label.replace(/^(Is|Has) (an? |the )?/, ''))
  if (/^(min|max)_/.test(name)) return `${capital(label.slice(4))} at ${name.startsWith('min') ? 'least' : 'most'}`
  return /^[a-z]+_count$/.test(name) ? plural(label.replace(/ count$/, '')) : label
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

const plural = (word: string) =>
  /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : /(s|x|ch)$/.test(word) ? `${word}es` : `${word}s`
