/** Reads one filing of a solicitation: its kind, the facts of its main document about the meeting, and tagged pay. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { FiledDocument, Filing, FilingHeader } from '../../declare/documents.ts'
import { textOf } from '../../read/encoding.ts'
import { foldedKey } from '../../read/fold.ts'
import { wordsOfNames } from '../../stored-names.ts'
import { CATEGORY_OF, isPreliminary } from './forms.ts'
import { type Statement, statementOf } from './statement.ts'

/** Tagging is required for fiscal years that end on or after this day, so the tags of earlier filings are not read. */
const TAGGED_SINCE = '2022-12-16'
/** Maximum size of a document whose tags are read. The largest real document has 3 MB. */
const TAGGED_MAX = 32 * 2 ** 20

type Solicitation = Filing<{ texts: readonly FiledDocument[] }>

/** Yields the facts, the proposals and the years of pay, and then the row of the filing. */
export async function* parse(filing: Solicitation): AsyncGenerator<ParsedRow> {
  const { markdown, sequence } = await textOfMain(filing)
  const { companies, ...company } = companyOf(filing.header)
  const isOfCompany = CATEGORY_OF[filing.header.form] !== 'dissident' && company.filed_by_cik === null
  const { filedDate, period } = filing.header
  for (const [cik, company_name] of companies) if (cik) yield ['company', { cik, company_name, filed_date: filedDate }]
  const statement = markdown === null ? NOTHING : statementOf(markdown, { filedDate, period, isOfCompany })
  for (const row of rowsOf(statement, markdown ?? '', sequence)) yield row
  let n = 0
  for (const year of await payOfMain(filing)) yield ['pay', { n: ++n, ...year }]
  const value = (name: string) => statement.facts.find((fact) => fact.name === name)?.value ?? null
  yield [
    'statement',
    {
      form: filing.header.form,
      category: CATEGORY_OF[filing.header.form]!,
      is_preliminary: isPreliminary(filing.header.form),
      is_amendment: filing.header.form.endsWith('/A'),
      ...company,
      meeting_date: value('meeting_date'),
      meeting_kind: value('meeting_kind'),
      record_date: value('record_date'),
      proposal_count: statement.proposals.length || null,
      left_out: statement.leftOut,
    },
  ]
}

const NOTHING: Statement = { facts: [], proposals: [], leftOut: [] }

async function textOfMain(filing: Solicitation): Promise<{ markdown: string | null; sequence: number }> {
  const [main] = filing.documents.texts
  const tell = (path: string, reason: string) =>
    filing.tell({ problems: [{ path, value: filing.header.form, reason }] })
  if (!main) {
    tell('documents', 'no document has text')
    return { markdown: null, sequence: 0 }
  }
  const made = await main.text()
  if (made.format === null) tell(main.entry.filename ?? `document ${main.entry.seq}`, made.reason)
  return { markdown: made.format === null ? null : made.markdown.text, sequence: main.entry.seq }
}

function* rowsOf({ facts, proposals }: Statement, markdown: string, sequence: number): Generator<ParsedRow> {
  let n = 0
  const place = ({ start, end }: { start: number; end: number }) => ({
    sequence,
    start,
    stop: end,
    sentence: markdown.slice(start, end),
  })
  for (const { name, value, ...span } of facts) yield ['fact', { n: ++n, name, number: null, value, ...place(span) }]
  for (const { number, title, recommendation } of proposals) {
    yield ['proposal', { number, title: title.value, recommendation: recommendation?.value ?? null }]
    for (const one of recommendation ? [title, recommendation] : [title]) {
      yield ['fact', { n: ++n, name: one.name, number, value: one.value, ...place(one) }]
    }
  }
}

async function payOfMain(filing: Solicitation) {
  const [main] = filing.documents.texts
  if (!main || filing.header.filedDate < TAGGED_SINCE || main.entry.size > TAGGED_MAX) return []
  if (!/^(?:text\/html|application\/xhtml\+xml)/.test(main.entry.mediaType)) return []
  // `pay.ts` and the reader of tags are loaded only for a document that can have tags.
  const { payOf } = await import('./pay.ts')
  const { rows, problems } = payOf(textOf(Buffer.concat(await Array.fromAsync(main.bytes()))))
  filing.tell({ problems })
  return rows
}

/**
 * Returns the company whose holders are asked: the subject company in the header, or else the filer. `companies` has
 * the CIKs and names of all of them, since a statement may be a joint one. Names the filer separately if it is another
 * party.
 */
function companyOf({ filers, cik, name }: FilingHeader) {
  const subject = filers.find(({ role }) => role === 'subject company')
  const by = filers.find(({ role }) => role === 'filed by')
  const company = subject ?? { cik, name }
  const asked = filers.filter(({ role }) => role === (subject ? 'subject company' : 'filer'))
  const companies = new Map([company, ...asked].map((one) => [one.cik, one.name]))
  const names = [...companies.values()].filter((one) => one !== null)
  const isOther = by !== undefined && by.cik !== company.cik
  return {
    companies,
    company_count: companies.size,
    cik: company.cik,
    company_name: company.name,
    name_key: company.name && foldedKey(company.name),
    name_words: names.length > 0 ? wordsOfNames(names) : null,
    filed_by_cik: isOther ? by.cik : null,
    filed_by_name: isOther ? by.name : null,
  }
}
