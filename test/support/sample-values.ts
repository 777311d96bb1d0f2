/** Reads the sample's real filings with their parsers, for comparison with their documents. */
import assert from 'node:assert/strict'
import { parse as parseNotice } from '../../src/datasets/form144/parse.ts'
import { coverRows } from '../../src/datasets/npx/parse-cover.ts'
import { parse as parseReport } from '../../src/datasets/ownership/parse.ts'
import { parse as parseSchedule } from '../../src/datasets/schedule13/parse.ts'
import { isWhole } from '../../src/declare/dataset.ts'
import { type Element, parse as parseXml } from '../../src/read/xml.ts'
import registry from '../../src/registry.ts'
import { headOf } from './submission-files.ts'

export type Row = Record<string, unknown>

/** Facts about a filing from outside its document. */
interface Head {
  form: string
  day: string
}

/** Datasets that read XML and text, or several documents: their parsers of one XML document, by form. */
const PARSERS: readonly (readonly [forms: RegExp, slug: string, parse: (doc: Element, head: Head) => unknown])[] = [
  // Schedules of both eras; test/datasets/schedule13/schedule13-text-corpus.test.ts compares those in text.
  [/^SCHEDULE 13/, 'schedule13', (doc) => parseSchedule(doc)],
  [/^[345](\/A)?$/, 'ownership', (doc, { form, day }) => parseReport(doc, { form, filedDate: day, cik: null, period: null })],
  [/^144(\/A)?$/, 'form144', (doc, { form }) => parseNotice(doc, { form, cik: null })],
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
  const whole = registry.filings.filter(isWhole).find(({ source }) => source.forms.includes(head.form))
  const [, slug, parse] = whole
    ? [null, whole.slug, whole.parse]
    : (PARSERS.find(([forms]) => forms.test(head.form)) ?? [])
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

/** Home addresses are left out. */
export const HOME = ['street1', 'street2', 'city', 'state', 'state_name', 'zip']

/** A sentence; shorter answers are names, titles and terms. */
export const SENTENCE = 60
