/**
 * Typed and read facts for the other readers of prose: proxies, offerings, registrations of funds, brokers, Schedules
 * 13, Form 13F.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { advisersOf } from '../../src/datasets/fundreg/advisers.ts'
import { PERIODS } from '../../src/datasets/fundreg/examples/amounts.ts'
import { examplesOf } from '../../src/datasets/fundreg/examples/written.ts'
import { feesOf } from '../../src/datasets/fundreg/fees/table.ts'
import { columnsOf } from '../../src/datasets/offerings/filing.ts'
import { termsOf } from '../../src/datasets/offerings/terms.ts'
import { statementOf } from '../../src/datasets/proxies/statement.ts'
import { readText, textRows } from '../../src/datasets/schedule13/filing-text.ts'
import { parse as parseThirteenf } from '../../src/datasets/thirteenf/filing.ts'
import { weaknessSentences } from '../../src/datasets/x17a5/weakness.ts'
import { textOf } from '../../src/read/encoding.ts'
import { markdownOf } from '../support/eightk/corpus-reports.ts'
import { headerWith } from '../support/filing-made.ts'
import { COVER, filedText, PERSON, stated } from '../support/schedule13-text.ts'
import { type Compared, type Fact, factsOf, type Pile, type Places, textIn, truthIn } from './pile.ts'

type Row = Record<string, unknown>

const development = { set: 'development' as const }

export function otherPiles(places: Places): Pile[] {
  const folder = places.corpus ?? ''
  const inCorpus = true
  return [
    { ...development, reader: 'proxies', name: 'statements', inCorpus, ...proxies(places, folder) },
    { ...development, reader: 'offerings', name: 'covers', inCorpus, compare: offerings(places, folder) },
    { ...development, reader: 'fundreg', name: 'fee tables', inCorpus, compare: fees(places, folder) },
    { ...development, reader: 'fundreg', name: 'expense examples', inCorpus, compare: examples(places, folder) },
    { ...development, reader: 'fundreg', name: 'advisers', inCorpus, compare: advisers(places, folder) },
    { ...development, reader: 'x17a5', name: 'sentences', inCorpus: false, compare: weaknesses(places) },
    { ...development, reader: 'schedule13 text', name: 'covers', inCorpus, compare: schedules(places, folder) },
    { ...development, reader: 'thirteenf text', name: 'fixture', inCorpus: false, compare: holdings },
  ]
}

/** Markdown of a main document, alone or in its submission. */
function markdownIn(folder: string, file: string): string {
  const whole = textOf(readFileSync(path.join(folder, file)))
  return markdownOf(
    file.startsWith('sec/') ? whole.slice(whole.indexOf('<TEXT>') + 6, whole.indexOf('</TEXT>')) : whole,
  ).text
}

interface Statement {
  filed: string
  meeting_date: string | null
  meeting_kind: string | null
  record_date: string | null
  /** Beginning of the title, and the recommendation of the board. */
  proposals: [title: string, recommendation: string | null][]
}

function proxies(places: Places, folder: string): Pick<Pile, 'compare' | 'rules'> {
  const truths = truthIn<Record<string, Statement>>(places, 'proxies/proxies-truth.json')
  const ofProposals = (all: readonly (readonly [title: string, recommendation: string | null])[]): Fact[] =>
    all.flatMap(([proposal, recommendation], at) => factsOf({ proposal, recommendation }, String(at + 1)))
  return {
    rules: {
      isSame: (typed, read) =>
        typed.value === read.value || (typed.kind === 'proposal' && read.value.startsWith(typed.value)),
    },
    compare: () =>
      Object.entries(truths).map(([file, { filed, proposals, meeting_date, meeting_kind, record_date }]) => {
        const read = statementOf(markdownIn(folder, file), { filedDate: filed })
        const facts = read.facts.filter(({ name }) => ['meeting_date', 'meeting_kind', 'record_date'].includes(name))
        const own = read.proposals.map((one) => [one.title.value, one.recommendation?.value ?? null] as const)
        return {
          of: path.basename(file),
          typed: [...factsOf({ meeting_date, meeting_kind, record_date }), ...ofProposals(proposals)],
          read: [...facts.map(({ name, value }) => ({ kind: name, value })), ...ofProposals(own)],
        }
      }),
  }
}

function offerings(places: Places, folder: string): Pile['compare'] {
  const truths = truthIn<{ file: string; form: string; terms: Row }[]>(places, 'offerings/offerings-truth.json')
  const filled = (terms: Row) => factsOf(terms).filter(({ value }) => value !== 'false')
  return () =>
    truths.map(({ file, form, terms }) => ({
      of: path.basename(file),
      typed: filled(terms),
      read: filled({ ...columnsOf(termsOf(markdownIn(folder, file), form)?.facts ?? []) }),
    }))
}

function fees(places: Places, folder: string): Pile['compare'] {
  const truths = truthIn<Record<string, { heads: (string | null)[]; rows: Record<string, (string | null)[]> }>>(
    places,
    'fundreg/fundreg-truth.json',
  )
  return () =>
    Object.entries(truths).map(([file, { heads, rows }]) => {
      const read = feesOf(markdownIn(folder, file))
      const columns = new Map(read.map(({ column, class_name }) => [column, class_name]))
      return {
        of: path.basename(file),
        typed: [
          ...heads.flatMap((head, at) => factsOf({ class: head }, String(at + 1))),
          ...Object.entries(rows).flatMap(([item, values]) =>
            values.flatMap((value, at) => factsOf({ [item]: value }, String(at + 1))),
          ),
        ],
        read: [
          ...[...columns].flatMap(([column, name]) => factsOf({ class: name }, String(column))),
          ...read.flatMap(({ item, column, value }) => factsOf({ [item]: value }, String(column))),
        ],
      }
    })
}

function examples(places: Places, folder: string): Pile['compare'] {
  const truths = truthIn<Record<string, [string | null, string | null, (number | null)[]][][]>>(
    places,
    'fundreg/fundreg-examples-truth.json',
  )
  const fact = (
    table: number,
    name: string | null,
    redemption: string | null,
    years: number,
    value: unknown,
  ): Fact => ({
    kind: `after ${years} years`,
    value: `${table} ${name} ${redemption} ${value}`,
  })
  return () =>
    Object.entries(truths).map(([file, tables]) => ({
      of: path.basename(file),
      typed: tables.flatMap((own, n) =>
        own.flatMap(([name, redemption, values]) =>
          values.map((value, at) => fact(n + 1, name, redemption, PERIODS[at]!, value)),
        ),
      ),
      read: examplesOf(markdownIn(folder, file)).lines.map(({ table, class_name, redemption, years, value }) =>
        fact(table, class_name, redemption, years, value),
      ),
    }))
}

function advisers(places: Places, folder: string): Pile['compare'] {
  const truths = truthIn<Record<string, [role: string, name: string][]>>(places, 'fundreg/fundreg-advisers-truth.json')
  return () =>
    Object.entries(truths).map(([file, typed]) => ({
      of: path.basename(file),
      typed: typed.map(([kind, value]) => ({ kind, value })),
      read: advisersOf(markdownIn(folder, file)).map(({ role, name }) => ({ kind: role, value: name })),
    }))
}

function weaknesses(places: Places): Pile['compare'] {
  const truths = truthIn<Record<string, string[]>>(places, 'x17a5/x17a5-sentences.json')
  const fact = (reading: string): Fact => ({ kind: `weakness ${reading}`, value: '' })
  return () =>
    Object.entries(truths).flatMap(([reading, sentences]) =>
      sentences.map((sentence) => ({
        of: sentence.slice(0, 60),
        typed: [fact(reading)],
        read: weaknessSentences(sentence).map((one) => fact(one.reading)),
      })),
    )
}

interface Schedule {
  file: string
  form: string
  report: Row & { securities?: [cusip: string, flag: string | null][] }
  persons: Row[]
}

function schedules(places: Places, folder: string): Pile['compare'] {
  const truths = truthIn<Schedule[]>(places, 'schedule13/schedule13-text-truth.json')
  const ofPersons = (persons: readonly Row[]) =>
    persons.flatMap((person, at) => factsOf(stated(person, PERSON), String(at + 1)))
  return () =>
    truths.map(({ file, form, report: { securities: _, ...typed }, persons }) => {
      const filing = filedText(folder, file, form)
      const rows = [...textRows(filing, readText(filing))]
      const of = (table: string) => rows.flatMap(([name, row]): Row[] => (name === table ? [row] : []))
      return {
        of: path.basename(file),
        typed: [...factsOf(stated(typed, COVER)), ...ofPersons(persons)],
        read: [...factsOf(stated(of('report')[0]!, COVER)), ...ofPersons(of('person'))],
      }
    })
}

const FIXTURE = '0000950150-00-000752'

/** A cover and table in text. Only typed columns count, since `truth.json` has a part of each row. */
async function holdings(): Promise<Compared[]> {
  const folder = path.resolve(import.meta.dirname, `../../src/datasets/thirteenf/fixtures/${FIXTURE}`)
  const own = { truths: folder, corpus: null }
  const truth = truthIn<Record<string, Row[]>>(own, 'truth.json')
  const header = headerWith(truthIn<Row>(own, 'header.json'))
  const documents = { cover: null, table: null, old: textIn(folder, 'form.txt') }
  const rows: (readonly [string, Row])[] = []
  for await (const row of parseThirteenf({ documents, header, tell() {} })) rows.push(row)
  return Object.entries(truth).flatMap(([table, typed]) => {
    const read = rows.flatMap(([name, row]) => (name === table ? [row] : []))
    return typed.map((row) => {
      const same = read.find((one) => ['n', 'position'].every((key) => !(key in row) || one[key] === row[key])) ?? {}
      return { of: FIXTURE, typed: inTable(table, row), read: inTable(table, stated(same, Object.keys(row))) }
    })
  })
}

const inTable = (table: string, row: Row): Fact[] =>
  factsOf(row).map(({ kind, value }) => ({ kind: `${table} row`, value: `${kind} ${value}` }))
