/** Reads a current report: its items, their sections, and their facts. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { FilingHeader, Reads } from '../../declare/documents.ts'
import { isMainText, mayHaveText } from '../../read/readable.ts'
import { delistingOf } from './facts/delisting.ts'
import type { Fact, FactName } from './facts/fact.ts'
import { factsOf } from './facts.ts'
import { itemsOf } from './items.ts'
import { eventsOf } from './kinds.ts'
import type { LeftOut } from './notices/notice.ts'
import { noticesOf } from './notices.ts'
import { officersOf } from './officers.ts'
import { type Period, periodIn, spanIn } from './results/earnings.ts'
import { headlinesIn, headOf } from './results/headlines.ts'
import { hasResultsTable, lastDayIn, periodShownIn, statementOf } from './results/statements.ts'
import { type CurrentReport, excerptOf, exhibitsIn, type ItemSection, sectionsOf } from './sections.ts'
import { PERIODS } from './tables-words.ts'
import { COUNTS, type CountName } from './votes/counts.ts'
import { votesOf } from './votes.ts'

const TEXT_MAX = 20_000
/** Items that report results: 2.02, and 12 before 2004-08-23. */
const RESULTS = ['2.02', '12']
/** Items on officers and directors. Before 2004-08-23 item 6 covered the resignation of directors. */
const OFFICERS = ['5.02', '6']
const EXHIBIT_LISTS = ['9.01', '7']

interface Stated extends Fact {
  item: string
  sequence: number
  markdown: string
}

/**
 * Yields the rows of each table, and the filing's own row last. Long: it yields the rows of all tables in their order.
 */
export async function* parse(filing: CurrentReport): AsyncGenerator<ParsedRow> {
  const sections = await sectionsOf(filing)
  const { items, unknown } = itemsOf(
    filing.header.items,
    sections.map(({ item }) => item),
    filing.header,
  )
  for (const description of unknown) {
    filing.tell({ problems: [{ path: 'ITEM INFORMATION', value: description, reason: 'not an item of the form' }] })
  }
  for (const each of items) {
    const section = sections.find(({ item }) => item === each.item)
    const excerpt = section ? excerptOf(textOf(section)) : null
    yield ['item', { ...each, filed_date: filing.header.filedDate, sequence: section?.sequence ?? null, excerpt }]
  }
  for (const [i, section] of sections.entries()) yield ['section', { n: i + 1, ...rowOf(section) }]

  const { officers, leftOut, unread } = officersIn(sections, filing.header)
  for (const { item } of unread) {
    const reason = 'it names persons, but no event of an officer or director was read with certainty'
    filing.tell({ problems: [{ path: `item ${item}`, value: filing.header.form, reason }] })
  }
  for (const [i, { section, start, end, ...officer }] of officers.entries()) {
    const { sequence, markdown } = section
    yield ['officer', { n: i + 1, ...officer, sequence, start, stop: end, sentence: markdown.slice(start, end) }]
  }
  const { facts, unsure } = factsIn(sections, filing.header.name)
  const results = sections.find(({ item }) => RESULTS.includes(item))
  if (results) {
    const release = await releaseOf(filing, results)
    const own = resultsIn(results, release, filing.header.filedDate)
    facts.push(...own)
    if (isTableUnread(release, own))
      unsure.push({
        item: results.item,
        name: 'revenue',
        reason: 'no column of the table of results was read with certainty',
      })
    yield ['earnings', earningsOf(results, release, own)]
  }
  const listing = sections.find(({ item }) => item === '3.01')
  if (listing) yield ['delisting', { ...delistingOf(facts.filter(({ item }) => item === '3.01')) }]
  for (const [i, { item, name, value, period = null, sequence, start, end, markdown }] of facts.entries()) {
    yield [
      'fact',
      { n: i + 1, item, name, value, period, sequence, start, stop: end, sentence: markdown.slice(start, end) },
    ]
  }
  const { votes, leftOut: votesLeftOut } = votesIn(sections)
  for (const [i, vote] of votes.entries()) yield ['vote', { n: i + 1, ...vote }]
  for (const { kind, item } of eventsOf(facts, votes.length > 0)) {
    yield ['event', { kind, item, filed_date: filing.header.filedDate }]
  }
  const silent = withoutFacts(sections, facts)
  for (const { item, name } of silent) {
    filing.tell({
      problems: [
        { path: `item ${item}`, value: filing.header.form, reason: `${name} could not be read with certainty` },
      ],
    })
  }
  for (const { item, name, reason } of unsure) {
    filing.tell({
      problems: [{ path: `item ${item}`, value: filing.header.form, reason: `${name} is left out: ${reason}` }],
    })
  }
  yield* filersOf(filing.header)
  const header = items.filter(({ source }) => source !== 'text').map(({ item }) => item)
  const text = items.filter(({ source }) => source !== 'header').map(({ item }) => item)
  yield [
    'filing',
    {
      form: filing.header.form,
      cik: filing.header.cik,
      company_name: filing.header.name,
      period: filing.header.period,
      items: items.map(({ item }) => item),
      header_items: header,
      text_items: text,
      items_differ: header.length > 0 && items.some(({ source }) => source !== 'both'),
      officers: officers.length,
      facts: facts.length,
      left_out_count: leftOut + votesLeftOut + silent.length + unsure.length,
      left_out: [
        ...new Set([
          ...(leftOut > 0 ? ['officer'] : []),
          ...(votesLeftOut > 0 ? ['vote'] : []),
          ...[...silent, ...unsure].map(({ name }) => name),
        ]),
      ],
    },
  ]
}

function* filersOf({ cik: first, name: firstName, filers, filedDate }: FilingHeader): Generator<ParsedRow> {
  const names = new Map([...filers, { cik: first, name: firstName }].map(({ cik, name }) => [cik, name]))
  for (const [cik, name] of names) if (cik) yield ['filer', { cik, company_name: name, filed_date: filedDate }]
}

/**
 * The main facts of an item. If none of them was read from a section of the item, the words of the section were too
 * uncertain. The first name of the list is then recorded as left out.
 */
const EXPECTED: Readonly<Record<string, readonly [FactName, ...FactName[]]>> = {
  '1.03': ['court'],
  '1.05': ['incident_discovered', 'incident_determined'],
  '2.02': ['period_end'],
  '3.01': ['exchange'],
  '4.01': ['new_auditor', 'former_auditor'],
  '4.02': ['non_reliance_period'],
}

const withoutFacts = (sections: readonly ItemSection[], facts: readonly Stated[]) =>
  sections.flatMap(({ item }) => {
    const names = EXPECTED[item]
    if (!names || facts.some((fact) => fact.item === item && names.includes(fact.name))) return []
    return [{ item, name: names[0] }]
  })

const textOf = ({ markdown, textStart, stop }: ItemSection) => markdown.slice(textStart, stop)

function rowOf(section: ItemSection) {
  const { item, heading, sequence, start, textStart, stop } = section
  const text = textOf(section).trim()
  const exhibits = exhibitsIn(text.slice(0, TEXT_MAX), EXHIBIT_LISTS.includes(item))
  const row = { item, heading, sequence, start, text_start: textStart, stop, exhibits, excerpt: excerptOf(text) }
  return { ...row, text: text.slice(0, TEXT_MAX) }
}

function officersIn(sections: readonly ItemSection[], { name, filedDate }: FilingHeader) {
  const read = sections
    .filter(({ item }) => OFFICERS.includes(item))
    .map((section) => ({
      section,
      ...officersOf(section.markdown, { start: section.textStart, end: section.stop }, name, filedDate),
    }))
  return {
    officers: read.flatMap(({ section, officers }) => officers.map((officer) => ({ ...officer, section }))),
    leftOut: read.reduce((sum, { leftOut }) => sum + leftOut, 0),
    unread: read.filter(({ officers, leftOut }) => officers.length === 0 && leftOut > 0).map(({ section }) => section),
  }
}

/** Number of the item on votes of holders since 2010; before 2010, annual and quarterly reports stated the votes. */
const VOTES = '5.07'

function votesIn(sections: readonly ItemSection[]) {
  const section = sections.find(({ item }) => item === VOTES)
  if (!section) return { votes: [], leftOut: 0 }
  const { sequence, markdown, textStart, stop } = section
  const { votes, leftOut } = votesOf(markdown, { start: textStart, end: stop })
  return {
    leftOut,
    votes: votes.map(({ number, title, nominee, counts, start, end }) => {
      const count = (name: CountName) => counts[name] ?? null
      const row = { proposal: number, title, nominee, ...Object.fromEntries(COUNTS.map((name) => [name, count(name)])) }
      return { ...row, sequence, start, stop: end, sentence: markdown.slice(start, end) }
    }),
  }
}

/** Reads the facts of all sections, and the values of notices that were left out. */
function factsIn(sections: readonly ItemSection[], filer: string | null) {
  const facts: Stated[] = []
  const unsure: (LeftOut & { item: string })[] = []
  for (const { item, sequence, markdown, textStart, stop } of sections) {
    const span = { start: textStart, end: stop }
    const notices = noticesOf(item, markdown, span, filer)
    const all = [...factsOf(item, markdown, span), ...notices.facts]
    facts.push(...all.map((fact) => ({ ...fact, item, sequence, markdown })))
    unsure.push(...notices.leftOut.map((one) => ({ ...one, item })))
  }
  return { facts, unsure }
}

interface Release {
  sequence: number
  exhibit: string | null
  /** Text of the document that contains the release; null if it cannot be read. */
  markdown: string | null
  /** Offset at which the release begins in that document. */
  start: number
}

/** Selects the documents to read: the text of the form itself, and exhibits that may be a press release. */
export const isRead: Reads = (document) => isMainText(document) || isRelease(document)

const isRelease: Reads = (document) => /^EX-99/i.test(document.type) && mayHaveText(document)

/**
 * Returns the press release: the exhibit that the section names, or the first exhibit 99, or the release after the
 * signatures in the report's own document.
 */
async function releaseOf(filing: CurrentReport, section: ItemSection): Promise<Release | null> {
  const numbers = exhibitsIn(textOf(section).slice(0, TEXT_MAX), false)
  const all = filing.documents.texts.filter(({ entry }) => isRelease(entry))
  const named = all.find(({ entry }) => numbers.includes(entry.type.slice('EX-'.length)))
  const document = named ?? all[0]
  if (!document) return releaseWithin(section)
  const { entry } = document
  const made = await document.text()
  if (made.format === null) {
    filing.tell({
      problems: [{ path: entry.filename ?? `document ${entry.seq}`, value: entry.type, reason: made.reason }],
    })
  }
  const markdown = made.format === null ? null : made.markdown.text
  return { sequence: entry.seq, exhibit: entry.type.slice('EX-'.length), markdown, start: 0 }
}

/** The heading of an exhibit that a filer put into the document of the report. */
const EXHIBIT_HEADING = /^(?:#{1,6} )?\*{0,3}exhibit {1,3}(99(?:\.\d{1,2})?)\*{0,3} {0,3}$/im

function releaseWithin({ markdown, sequence, stop }: ItemSection): Release | null {
  const signed = /^(?:#{1,6} )?\*{0,3}signatures?\b/im.exec(markdown.slice(stop))
  if (!signed) return null
  const from = stop + signed.index
  const heading = EXHIBIT_HEADING.exec(markdown.slice(from))
  return heading && { sequence, exhibit: heading[1]!, markdown, start: from + heading.index + heading[0].length }
}

/** Number of characters at the beginning of a release that are searched for the period. */
const RELEASE_HEAD = 5_000

function resultsIn(section: ItemSection, release: Release | null, filedDate: string): Stated[] {
  const { item, sequence, markdown, textStart, stop } = section
  const span = { start: textStart, end: stop }
  const here = (fact: Fact) => ({ ...fact, item, sequence, markdown })
  const own = periodIn(markdown, span).map(here)
  if (!release?.markdown) return own.length > 0 ? own : spanIn(markdown, span).map(here)
  const text = release.markdown.slice(release.start)
  const there = ({ start, end, ...fact }: Fact) => ({
    ...{ ...fact, start: start + release.start, end: end + release.start },
    ...{ item, sequence: release.sequence, markdown: release.markdown! },
  })
  const head = { start: 0, end: RELEASE_HEAD }
  const dated = own.length > 0 ? own : periodIn(text, head).map(there)
  const namedSpan = dated.length > 0 ? [] : [...spanIn(text, head).map(there), ...spanIn(markdown, span).map(here)]
  const period =
    dated.length > 0 ? dated : namedSpan.length > 0 ? namedSpan.slice(0, 1) : periodShownIn(text, filedDate).map(there)
  const value = valueIn(period)
  const kind = value('period') as Period | null
  const shownDay = kind && value('period_end') === null ? lastDayIn(text, { period: kind, filedDate }) : null
  const end = value('period_end') ?? shownDay?.value ?? null
  const lines = headOf(text)
  const said = headlinesIn(lines, { period: kind, periodEnd: end })
  const shown = kind ? statementOf(text, { period: kind, periodEnd: end, filedDate }, said) : []
  const others = kind ? PERIODS.filter((one) => one !== kind) : []
  const besides = others.flatMap((one) => {
    const words = headlinesIn(lines, { period: one, periodEnd: end, mustName: true })
    return [...words, ...(end ? statementOf(text, { period: one, periodEnd: end, filedDate }, words) : [])]
  })
  return [...period, ...[...(shownDay ? [shownDay] : []), ...said, ...shown, ...besides].map(there)]
}

const FIGURES: ReadonlySet<string> = new Set(['revenue', 'net_income', 'eps_diluted'])

/** Tests whether a release has a table of results, but no figure was read. */
const isTableUnread = (release: Release | null, facts: readonly Stated[]): boolean =>
  release?.markdown != null &&
  !facts.some(({ name }) => FIGURES.has(name)) &&
  hasResultsTable(release.markdown.slice(release.start))

const valueIn = (facts: readonly Stated[]) => (name: FactName) =>
  facts.find((fact) => fact.name === name)?.value ?? null

function earningsOf({ item }: ItemSection, release: Release | null, facts: readonly Stated[]) {
  const main = valueIn(facts)('period')
  const value = valueIn(facts.filter(({ period }) => (period ?? main) === main))
  return {
    item,
    period: value('period'),
    period_end: value('period_end'),
    release_sequence: release?.sequence ?? null,
    release_exhibit: release?.exhibit ?? null,
    revenue: value('revenue'),
    net_income: value('net_income'),
    eps_diluted: value('eps_diluted'),
  }
}
