/** Typed and read facts of current reports: officers, results, notices, other facts, votes. */
import path from 'node:path'
import { factsOf as statedIn } from '../../src/datasets/eightk/facts.ts'
import { parse } from '../../src/datasets/eightk/filing.ts'
import { noticesOf } from '../../src/datasets/eightk/notices.ts'
import { type Officer, officersOf } from '../../src/datasets/eightk/officers.ts'
import { type CurrentReport, type ItemSection, inMarkdown } from '../../src/datasets/eightk/sections.ts'
import { votesOf } from '../../src/datasets/eightk/votes.ts'
import type { DocumentEntry } from '../../src/read/sgml/document.ts'
import { type CorpusReport, markdownOf, reportIn } from '../support/eightk/corpus-reports.ts'
import { isSameNotice } from '../support/eightk/same-notice.ts'
import { casesIn, type SentenceCase } from '../support/eightk/sentence-cases.ts'
import { headerWith } from '../support/filing-made.ts'
import { type Compared, type Fact, factsOf, type Pile, type Places, type SetName, textIn, truthIn } from './pile.ts'
import type { Rules } from './score.ts'

type Event = readonly [
  name: string,
  title: string | null,
  event: string,
  event_date: string | null,
  effective_date: string | null,
]
type Named = readonly (readonly [name: string, value: string])[]

/** `filer` and `filed` are present only for documents that are in the corpus without their submission. */
interface OfFile {
  file: string
  filer?: string
  filed?: string
}
interface Results extends OfFile {
  period: string
  /** Null if the item and the release state no last day. */
  period_end: string | null
  /** If the document states a dollar figure with several roundings, all of them are here, separated by `|`. */
  revenue: string | null
  net_income: string | null
  eps_diluted: string | null
}
interface Truth {
  officers: (OfFile & { officers: Event[] })[]
  results: Results[]
  facts: (OfFile & { item: string; facts: Named })[]
  notices: (OfFile & { item: string; facts: Named })[]
}
interface Newest extends Omit<Truth, 'notices'> {
  /** Results of press releases whose report is missing. */
  releases: Results[]
  votes: (OfFile & { votes: [number: string, nominee: string | null, counts: Record<string, string>][] })[]
}

/** Reports of 2003 to 2025 that no earlier truth names. */
interface Further extends Pick<Newest, 'officers' | 'results' | 'releases'> {
  /** Reports that were first read after the misses in `officers` had led to rules. */
  last: Newest['officers']
}

const SENTENCES = 'eightk/eightk-sentences'

export function eightkPiles(places: Places): Pile[] {
  const truth = truthIn<Truth>(places, 'eightk/eightk-truth.json')
  const newest = truthIn<Newest>(places, 'eightk/eightk-newest.json')
  const folder = places.corpus ?? ''
  const further = truthIn<Further>(places, 'eightk/eightk-further.json')
  const sentences = (file: string) => casesIn(textIn(places.truths, `${SENTENCES}/${file}.txt`))
  const people = ['coming', 'going', 'persons', 'nothing'].flatMap(sentences)
  const pay = sentences('pay')
  const [facts, notices] = [sentences('facts'), sentences('notices')]
  return [
    madeUp('officers', () => [...people.map((one) => ofEvents(one)), ...pay.map((one) => ofEvents(one, true))]),
    madeUp('facts', () => facts.map(ofFacts)),
    madeUp('notices', () => notices.map(ofNotices)),
    real('development', 'officers', () => officersIn(folder, truth.officers), EVENTS),
    real('development', 'results', () => resultsIn(folder, truth.results, true), FIGURES),
    real('development', 'facts', () => factsIn(folder, truth.facts)),
    ...noticePiles(folder, truth.notices),
    { ...real('held out', 'officers', () => officersIn(folder, further.officers), EVENTS), name: '38 items 5.02' },
    { ...real('held out', 'officers', () => officersIn(folder, further.last), EVENTS), name: '18 items 5.02, last' },
    { ...real('held out', 'results', () => resultsIn(folder, further.results), FIGURES), name: '14 items 2.02' },
    { ...real('held out', 'results', () => resultsIn(folder, further.releases), FIGURES), name: '18 releases' },
    real('newest', 'officers', () => officersIn(folder, newest.officers), EVENTS),
    real('newest', 'results', () => resultsIn(folder, newest.results), FIGURES),
    { ...real('newest', 'results', () => resultsIn(folder, newest.releases), FIGURES), name: 'releases' },
    real('newest', 'facts', () => factsIn(folder, newest.facts)),
    real('newest', 'votes', () => votesIn(folder, newest.votes)),
  ]
}

/** Returns a pile of sentences with invented names. */
const madeUp = (facts: string, compare: Pile['compare']): Pile => ({
  ...{ set: 'development', reader: `eightk ${facts}`, name: 'sentences', inCorpus: false, compare },
})

/** Returns a pile of reports of the corpus. */
const real = (set: SetName, facts: string, compare: Pile['compare'], rules: Rules = {}): Pile => ({
  ...{ set, reader: `eightk ${facts}`, name: 'reports', inCorpus: true, compare, rules },
})

/**
 * Sizes of the samples of notices, in the order of the truth; a person typed each sample before the reader had read it.
 */
const SAMPLES = [
  ['31 reports, first', 31],
  ['31 reports, second', 31],
  ['30 reports, third', 30],
] as const

function noticePiles(folder: string, notices: Truth['notices']): Pile[] {
  const files = [...new Set(notices.map(({ file }) => file))]
  return SAMPLES.map(([name, size], at) => {
    const before = SAMPLES.slice(0, at).reduce((sum, [, each]) => sum + each, 0)
    const own = new Set(files.slice(before, before + size))
    return {
      ...{ set: 'held out' as const, reader: 'eightk notices', name, inCorpus: true },
      compare: () =>
        noticesIn(
          folder,
          notices.filter(({ file }) => own.has(file)),
        ),
      // The first readings were counted by these rules.
      rules: {
        isSame: (typed: Fact, read: Fact) => isSameNotice([typed.kind, typed.value], [read.kind, read.value]),
        isRepeatable: true,
      },
    }
  })
}

const wholeOf = (text: string) => ({ start: 0, end: text.length })
const named = (facts: Named): Fact[] => facts.map(([kind, value]) => ({ kind, value }))
const valued = (facts: readonly { name: string; value: string }[]): Fact[] =>
  facts.map(({ name, value }) => ({ kind: name, value }))
const rowsOf = ({ rows }: SentenceCase): Named =>
  rows.map((row) => row.split(' | ')).map(([name, ...value]) => [name!, value.join(' | ')])

/** Four facts of one event of a person. */
const eventFacts = ([name, title, event, event_date, effective_date]: Event): Fact[] => [
  ...factsOf({ person: `${name} | ${event}` }),
  ...factsOf({ title, event_date, effective_date }, `${name} | ${event}`),
]
const eventOf = ({ name, title, event, event_date, effective_date }: Officer): Event => [
  ...([name, title, event, event_date, effective_date] as const),
]

/** Two names are the same if they differ only in the comma before Jr. */
const EVENTS: Rules = { isSame: (typed, read) => withoutComma(typed.value) === withoutComma(read.value) }
const withoutComma = (value: string) => value.replace(/, (?=(?:[JS]r\.|I{2,3}\b))/, ' ')

/**
 * @param isPay true to compare only events of pay, and false to leave them out: sentences of other cases have such
 * events too, but nobody typed these events
 */
function ofEvents(one: SentenceCase, isPay = false): Compared {
  const typed = one.rows.map((row) => row.split(' | ').map((value) => (value === '-' ? null : value)))
  const { officers } = officersOf(one.text, wholeOf(one.text), one.of, one.filed)
  return {
    of: one.text.slice(0, 60),
    // A row of the file has the five values of an event.
    typed: typed.flatMap((event) => eventFacts(event as unknown as Event)),
    read: officers
      .filter(({ event }) => (event === 'compensation') === isPay)
      .flatMap((each) => eventFacts(eventOf(each))),
  }
}

function ofFacts(one: SentenceCase): Compared {
  const read = statedIn(one.of, one.text, wholeOf(one.text))
  return { of: one.text.slice(0, 60), typed: named(rowsOf(one)), read: valued(read) }
}

function ofNotices(one: SentenceCase): Compared {
  const { facts } = noticesOf(one.of, one.text, wholeOf(one.text), 'ACME INC')
  const typed = named(rowsOf(one)).filter(({ kind }) => kind !== 'left out')
  return { of: one.text.slice(0, 60), typed, read: valued(facts) }
}

/**
 * @throws Error that names the file if the item is not found: otherwise its facts would count as misses of another
 * reader
 */
function sectionOf(folder: string, file: string, item: string): ItemSection {
  const { documents } = reportIn(folder, file)
  const main = documents.find(({ type }) => !type.startsWith('EX-'))
  const section = main && inMarkdown(markdownOf(main.text), 1).find((one) => one.item === item)
  if (!section) throw new Error(`${file} has no item ${item}`)
  return section
}
const spanOf = ({ textStart, stop }: ItemSection) => ({ start: textStart, end: stop })

function officersIn(folder: string, truths: Truth['officers']): Compared[] {
  return truths.map(({ file, filer, filed, officers }) => {
    const section = sectionOf(folder, file, '5.02')
    const name = filer ?? reportIn(folder, file).name
    const read = officersOf(section.markdown, spanOf(section), name, filed ?? null).officers
    return {
      of: path.basename(file),
      typed: officers.flatMap(eventFacts),
      read: read.flatMap((each) => eventFacts(eventOf(each))),
    }
  })
}

function factsIn(folder: string, truths: Truth['facts']): Compared[] {
  return truths.map(({ file, item, facts }) => {
    const section = sectionOf(folder, file, item)
    return {
      of: `${path.basename(file)} ${item}`,
      typed: named(facts),
      read: valued(statedIn(item, section.markdown, spanOf(section))),
    }
  })
}

function noticesIn(folder: string, truths: Truth['notices']): Compared[] {
  return truths.map(({ file, item, filer, facts }) => {
    const section = sectionOf(folder, file, item)
    const name = filer ?? reportIn(folder, file).name
    return {
      of: `${path.basename(file)} ${item}`,
      typed: named(facts),
      read: valued(noticesOf(item, section.markdown, spanOf(section), name).facts),
    }
  })
}

function votesIn(folder: string, truths: Newest['votes']): Compared[] {
  const whose = (number: string | null, nominee: string | null) => `${number ?? '-'} | ${nominee ?? '-'}`
  return truths.map(({ file, votes }) => {
    const section = sectionOf(folder, file, '5.07')
    const read = votesOf(section.markdown, spanOf(section)).votes
    return {
      of: path.basename(file),
      typed: votes.flatMap(([number, nominee, counts]) => factsOf(counts, whose(number, nominee))),
      read: read.flatMap(({ number, nominee, counts }) => factsOf({ ...counts }, whose(number, nominee))),
    }
  })
}

const RESULTS = ['period', 'period_end', 'revenue', 'net_income', 'eps_diluted']
const FIGURES: Rules = { isSame: (typed, read) => typed.value.split('|').includes(read.value) }

/**
 * @param inWords true if a person typed only what the words state: a figure that the reader takes from a table then
 * does not count if null was typed for it
 */
async function resultsIn(folder: string, truths: readonly Results[], inWords = false): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const { file, filer: _, filed, ...typed } of truths) {
    const read = await figuresOf(reportOf(folder, file), filed)
    const isTyped = (kind: string) => typed[kind as keyof typeof typed] !== null
    compared.push({
      of: path.basename(file),
      typed: factsOf(typed),
      read: read.filter(({ kind, isInTable }) => !(inWords && isInTable && !isTyped(kind))),
    })
  }
  return compared
}

/** A report for press releases whose own report is not in the corpus. */
const ALONE =
  '<html><body><p>Item 2.02 Results of Operations and Financial Condition.</p><p>A press release is furnished as Exhibit 99.1.</p></body></html>'

function reportOf(folder: string, file: string): CorpusReport {
  const report = reportIn(folder, file)
  if (!file.includes('EX-99')) return report
  return {
    ...report,
    documents: [
      { type: '8-K', text: ALONE },
      { type: 'EX-99.1', text: report.documents[0]!.text },
    ],
  }
}

/**
 * Reads the main figures of results as the program does: from the item, from the text of the release, and from its
 * financial statement.
 */
async function figuresOf(report: CorpusReport, filed?: string): Promise<(Fact & { isInTable: boolean })[]> {
  const texts = report.documents.map(({ type, text }, at) => ({
    // The reader of reports uses only these facts of an entry.
    entry: { seq: at + 1, type, filename: `${at + 1}.htm`, mediaType: 'text/html', size: text.length } as DocumentEntry,
    text: async () => ({ format: 'markdown' as const, markdown: markdownOf(text), pages: null }),
    bytes: () => assertUnused(),
  }))
  const header = headerWith({ form: '8-K', filedDate: filed ?? report.filedDate, items: report.header })
  const filing: CurrentReport = { documents: { texts }, header, tell() {} }
  const facts: { name: string; value: string; period: string | null; sentence: string }[] = []
  // Rows of this table have these columns.
  for await (const [table, row] of parse(filing)) if (table === 'fact') facts.push(row as (typeof facts)[number])
  const main = facts.find(({ name }) => name === 'period')?.value
  return facts
    .filter(({ name, period }) => RESULTS.includes(name) && (period === null || period === main))
    .map(({ name, value, sentence }) => ({ kind: name, value, isInTable: sentence.includes('|') }))
}

function assertUnused(): never {
  throw new Error('the reader of reports reads texts, not bytes')
}
