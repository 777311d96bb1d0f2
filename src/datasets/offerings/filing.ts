/** Reads the main document of a filing: the facts of its cover, each with its evidence. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { FiledDocument, Filing } from '../../declare/documents.ts'
import { KIND_OF, type Kind } from './forms.ts'
import type { Fact, FactName, Terms } from './terms/facts.ts'
import { effectiveOf, relatesTo, termsOf } from './terms.ts'

/** Kinds of filings whose text is read. For other kinds, the form and the header suffice. */
const WITH_TEXT: readonly Kind[] = ['registration', 'amendment', 'prospectus', 'listing', 'effectiveness']

type Offering = Filing<{ texts: readonly FiledDocument[] }>

/** Yields a row for each fact of the cover, and then the row of the filing. */
export async function* parse(filing: Offering): AsyncGenerator<ParsedRow> {
  const kind = KIND_OF[filing.header.form]!
  const { terms, markdown, sequence } = await read(filing, kind)
  for (const [i, { name, value, start, end }] of terms.facts.entries()) {
    yield ['fact', { n: i + 1, name, value, sequence, start, stop: end, sentence: markdown.slice(start, end) }]
  }
  const { form, cik, name, filers } = filing.header
  const names = new Map([...filers, { cik, name }].map((one) => [one.cik, one.name]))
  for (const [each, company_name] of names) if (each) yield ['filer', { cik: each, company_name }]
  yield ['filing', { form, kind, cik, company_name: name, ...columnsOf(terms.facts), left_out: terms.leftOut }]
}

const NOTHING: Terms = { facts: [], leftOut: [] }

async function read(filing: Offering, kind: Kind): Promise<{ terms: Terms; markdown: string; sequence: number }> {
  const [main] = filing.documents.texts
  const none = { terms: NOTHING, markdown: '', sequence: main?.entry.seq ?? 0 }
  if (!WITH_TEXT.includes(kind)) return none
  const tell = (place: string, reason: string) =>
    filing.tell({ problems: [{ path: place, value: filing.header.form, reason }] })
  if (!main) {
    tell('documents', 'no document has text')
    return none
  }
  const { entry } = main
  const place = entry.filename ?? `document ${entry.seq}`
  const made = await main.text()
  if (made.format === null) {
    tell(place, made.reason)
    return none
  }
  const { text: markdown } = made.markdown
  if (kind === 'listing') return { ...none, terms: { facts: relatesTo(markdown), leftOut: [] }, markdown }
  if (kind === 'effectiveness') return { ...none, terms: { facts: effectiveOf(markdown), leftOut: [] }, markdown }
  const terms = termsOf(markdown, filing.header.form)
  if (!terms) tell(place, 'no cover of a prospectus was found')
  for (const name of terms?.leftOut ?? []) tell(`${place}, cover`, `${name} could not be read with certainty`)
  return { ...none, terms: terms ?? NOTHING, markdown }
}

/** Returns the columns of a filing's row, from the facts of the filing. */
export function columnsOf(facts: readonly Fact[]) {
  const one = (name: FactName) => facts.find((fact) => fact.name === name)?.value ?? null
  const all = (name: FactName) => [...new Set(facts.filter((fact) => fact.name === name).map(({ value }) => value))]
  return {
    security: one('security'),
    shares: one('shares'),
    price: one('price'),
    price_low: one('price_low'),
    price_high: one('price_high'),
    gross: one('gross'),
    proceeds: one('proceeds'),
    underwriters: all('underwriter'),
    exchanges: all('exchange'),
    tickers: all('ticker'),
    says_initial: one('initial') !== null,
    says_no_market: one('no_market') !== null,
    says_listed: one('listed') !== null,
    says_spac: one('spac') !== null,
    registration_file_number: one('registration_file_number'),
    effective_of: one('effective_of'),
  }
}
