/** Reads the sample's real filings with their parsers, for comparison with their documents. */
import assert from 'node:assert/strict'
import { parse as cfportal } from '../../src/datasets/cfportal/parse.ts'
import { parse as crowdfunding } from '../../src/datasets/crowdfunding/parse.ts'
import { parse as parseRemoval } from '../../src/datasets/form25/parse.ts'
import { parse as parseNotice } from '../../src/datasets/form144/parse.ts'
import { parse as formd } from '../../src/datasets/formd/parse.ts'
import { coverRows } from '../../src/datasets/npx/parse-cover.ts'
import { parse as parseReport } from '../../src/datasets/ownership/parse.ts'
import { parse as rega } from '../../src/datasets/rega/parse.ts'
import { parse as parseSchedule } from '../../src/datasets/schedule13/parse.ts'
import { parse as x17a5 } from '../../src/datasets/x17a5/parse.ts'
import { type Element, parse as parseXml } from '../../src/read/xml.ts'
import { filingOf } from './filing-made.ts'
import { headOf } from './submission-files.ts'

export type Row = Record<string, unknown>

/** Facts about a filing that are not in its document. */
interface Head {
  form: string
  day: string
}

/** Parsers of one XML document, by form. */
const PARSERS: readonly (readonly [forms: RegExp, slug: string, parse: (doc: Element, head: Head) => unknown])[] = [
  [/^D(\/A)?$/, 'formd', (doc) => formd(filingOf(doc))],
  [/^1-[AKZ]|^DOS/, 'rega', (doc) => rega(filingOf(doc))],
  [/^C$|^C[-/]/, 'crowdfunding', (doc) => crowdfunding(filingOf(doc))],
  [/^CFPORTAL/, 'cfportal', (doc) => cfportal(filingOf(doc))],
  [/^X-17A-5/, 'x17a5', (doc) => x17a5(filingOf(doc))],
  // Schedules of both eras; schedule13-text-corpus.test.ts compares those in text.
  [/^SCHEDULE 13/, 'schedule13', (doc) => parseSchedule(doc)],
  [/^[345](\/A)?$/, 'ownership', (doc, { form, day }) => parseReport(filingOf(doc, { form, filedDate: day }))],
  [/^144(\/A)?$/, 'form144', (doc, { form }) => parseNotice(filingOf(doc, { form }))],
  [/^25-NSE(\/A)?$/, 'form25', (doc, { form }) => parseRemoval(filingOf(doc, { form }))],
  [/^N-PX(\/A)?$/, 'npx', (doc, { form }) => {
    const { report, rows } = coverRows(doc, { form, cik: null, name: null, period: null })
    return [['report', report], ...rows]
  }],
] // biome-ignore format: one parser a line

/**
 * Returns the values of a filing whose facts are in one document; null if no parser reads it. Form 13F is compared
 * separately.
 *
 * @param text a submission, or its document alone
 */
export function read(
  text: string,
  head: Head = headOf(text),
): { slug: string; rows: (readonly [string, Row])[] } | null {
  const [, slug, parse] = PARSERS.find(([forms]) => forms.test(head.form)) ?? []
  if (!slug || !parse) return null
  const doc = parseXml(/<XML>\s*([\s\S]*?)<\/XML>/.exec(text)?.[1] ?? text.trimStart())
  const rows = [...(parse(doc, head) as Iterable<[string, Row]>)]
  assert.deepEqual(doc.unread(), [], text.slice(0, 80))
  return { slug, rows }
}

/** Free text, which the sample rewords or leaves out. */
export const OWN_WORDS: Record<string, Record<string, readonly string[]>> = {
  formd: {
    issuer: ['entity_type_other'],
    person: ['relationship_note'],
    offering: ['sales_note', 'commissions_note', 'proceeds_note', 'business_combination_note'],
  },
  rega: { offering: ['fees_note', 'unregistered_exemption'], unregistered: ['consideration'], sale: ['note'] },
  crowdfunding: {
    submission: ['amendment_note', 'compensation', 'financial_interest', 'price_method', 'over_subscription_note'],
  },
  schedule13: { item: ['answer'], person: ['comment'], report: ['exhibits', 'signature_comment'] },
  ownership: { report: ['remarks'], footnote: ['footnote'] },
  form144: { notice: ['remarks'] },
  cfportal: { filing: ['compensation', 'amendment_explanation', 'other_business_note'] },
}

/** Columns of home addresses, which the sample leaves out. */
export const HOME = ['street1', 'street2', 'city', 'state', 'state_name', 'zip']

/** A longer text is a sentence; texts up to this length are names, titles and terms. */
export const SENTENCE = 60
