/** Real current reports, compared with a person's reading. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { factsOf } from '../../../src/datasets/eightk/facts.ts'
import { itemsOf } from '../../../src/datasets/eightk/items.ts'
import { noticesOf } from '../../../src/datasets/eightk/notices.ts'
import { type Officer, officersOf } from '../../../src/datasets/eightk/officers.ts'
import { type Period, periodIn } from '../../../src/datasets/eightk/results/earnings.ts'
import { headlinesOf } from '../../../src/datasets/eightk/results/headlines.ts'
import { statementOf } from '../../../src/datasets/eightk/results/statements.ts'
import { type ItemSection, inMarkdown } from '../../../src/datasets/eightk/sections.ts'
import { votesOf } from '../../../src/datasets/eightk/votes.ts'
import { corpus } from '../../support/corpus.ts'
import { markdownOf, reportIn } from '../../support/eightk/corpus-reports.ts'
import { isSameNotice } from '../../support/eightk/same-notice.ts'

/** The value is null for a date or title that the item does not state. */
type TypedOfficer = [
  name: string,
  title: string | null,
  event: string,
  event_date: string | null,
  effective_date: string | null,
]

interface Truth {
  /** Items of reports whose header names no items. */
  items: Record<string, string[]>
  officers: { file: string; officers: TypedOfficer[] }[]
  results: {
    file: string
    period: string
    period_end: string
    revenue: string | null
    net_income: string | null
    eps_diluted: string | null
  }[]
  facts: { file: string; item: string; facts: [name: string, value: string][] }[]
  /** The filer of a document without its header. */
  notices: { file: string; item: string; filer?: string; facts: [name: string, value: string][] }[]
}

const truth = JSON.parse(readFileSync(new URL('eightk-truth.json', import.meta.url), 'utf8')) as Truth

const reportOf = (file: string) => reportIn(corpus.folder, file)

const made = new Map<string, ItemSection[]>()

/** Sections of the main document, computed once for all tests. */
function sectionsOf(file: string): ItemSection[] {
  const known = made.get(file)
  if (known) return known
  const { documents } = reportOf(file)
  const main = documents.find(({ type }) => !type.startsWith('EX-'))!
  const sections = inMarkdown(markdownOf(main.text), 1)
  made.set(file, sections)
  return sections
}

const itemsIn = (file: string) => sectionsOf(file).map(({ item }) => item)

/** Every current report that the corpus has as a submission. */
const reports = (): string[] =>
  readFileSync(path.join(corpus.folder!, 'MANIFEST.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, form]) => /^8-K/.test(form ?? ''))
    .map(([file]) => file!)

test('a report whose header names no item has the items that a person finds in its text', { skip: corpus.skip }, () => {
  const typed = Object.entries(truth.items)
  assert.ok(typed.length >= 68)
  for (const [file, items] of typed) assert.deepEqual(itemsIn(file).toSorted(byNumber), items, file)
  const silent = reports().filter((file) => !reportOf(file).header.some((line) => line.trim() !== ''))
  assert.deepEqual(
    silent.filter((file) => !truth.items[file]),
    [],
  )
})

const byNumber = (a: string, b: string) => Number(a) - Number(b)

const RESULTS_TOO = 'its header names the exhibits alone; the text furnishes results under item 12'
/** Reports whose text has other items than the header, each with the reason. */
const DIFFERENT: Record<string, readonly [text: string, why: string]> = {
  '0000019617-26-000241': ['5.02 9.01', 'its header leaves out the exhibits'],
  '0000066740-24-000023': ['8.01 9.01', 'its header leaves out the exhibits'],
  '0000774352-01-000002': ['5 7', 'its header leaves out the exhibits'],
  '0000891092-03-002843': ['7 12', RESULTS_TOO],
  '0000891092-04-003383': ['7 12', RESULTS_TOO],
  '0001104659-04-019574': ['7 12', RESULTS_TOO],
  '0001125282-04-000379': ['7 12', RESULTS_TOO],
  '0001125282-04-002113': ['7 12', RESULTS_TOO],
  '0001125282-04-003595': ['7 12', RESULTS_TOO],
  '0001004963-96-000018': ['5', 'its header says change in control, its text other events'],
  '0000320193-96-000027': ['5 7', 'its header leaves out the other events'],
  '0001213900-09-002194': ['4.01', 'its exhibits stand below item 4.01, without a heading of item 9.01'],
}

test('if the header of a report names items, its text has the same items, unless the reason is recorded', {
  skip: corpus.skip,
}, () => {
  let compared = 0
  const differences: string[] = []
  for (const file of reports()) {
    const { header, form, filedDate } = reportOf(file)
    const { items, unknown } = itemsOf(header, itemsIn(file), { form, filedDate })
    assert.deepEqual(unknown, [], file)
    if (!items.some(({ source }) => source !== 'text')) continue
    compared++
    if (items.every(({ source }) => source === 'both')) continue
    differences.push(path.basename(file, '.txt'))
    assert.equal(itemsIn(file).toSorted(byNumber).join(' '), DIFFERENT[differences.at(-1)!]?.[0], file)
  }
  assert.ok(compared >= 120, `${compared} reports`)
  assert.deepEqual(differences.sort(), Object.keys(DIFFERENT).sort())
})

test('no section of a real report is empty or extends beyond its document', { skip: corpus.skip }, () => {
  for (const file of [...reports(), ...Object.keys(truth.items)]) {
    const sections = sectionsOf(file)
    assert.ok(sections.length > 0, file)
    for (const { item, markdown, start, textStart, stop } of sections) {
      assert.ok(start <= textStart && textStart < stop && stop <= markdown.length, `${file} ${item}`)
      assert.match(markdown.slice(textStart, stop), /\w{3}/, `${file} ${item}`)
      assert.match(markdown.slice(start, start + 40), /item/i, `${file} ${item}`)
    }
  }
})

function officersIn(file: string): Officer[] {
  const section = sectionsOf(file).find(({ item }) => item === '5.02')!
  const { officers } = officersOf(
    section.markdown,
    { start: section.textStart, end: section.stop },
    reportOf(file).name,
  )
  for (const { start, end, name } of officers) {
    assert.ok(section.start <= start && start < end && end <= section.stop)
    const sentence = section.markdown.slice(start, end)
    assert.ok(sentence.includes(name.split(/[ -]/).at(-1)!), `${name}: ${sentence}`)
  }
  return officers
}

test('reads at least 95 % of the hand-typed facts on officers in real items 5.02, and invents no name', {
  skip: corpus.skip,
}, (t) => {
  assert.ok(truth.officers.length >= 20)
  let facts = 0
  const missed: string[] = []
  for (const { file, officers } of truth.officers) {
    const read = officersIn(file)
    const names = new Set(officers.map(([name]) => name))
    assert.deepEqual(
      read.filter(({ name }) => !names.has(name)),
      [],
      `${file}: an invented name`,
    )
    for (const [name, title, event, event_date, effective_date] of officers) {
      const same = read.filter((one) => one.name === name && one.event === event)
      const found =
        same.find((one) => one.title === title) ??
        same.find((one) => !officers.some(([n, other, e]) => n === name && e === event && other === one.title))
      const wanted = { name, event, title, event_date, effective_date }
      for (const [fact, value] of Object.entries(wanted)) {
        facts++
        if (!found || found[fact as keyof Officer] !== value)
          missed.push(`${path.basename(file)} ${name} ${event} ${fact}`)
      }
    }
    // An event that nobody typed is as wrong as one that is missed.
    for (const one of read) {
      if (!officers.some(([name, , event]) => name === one.name && event === one.event)) {
        facts++
        missed.push(`${path.basename(file)} ${one.name} ${one.event}: not there`)
      }
    }
  }
  t.diagnostic(`${facts - missed.length} of ${facts} facts`)
  assert.ok(facts >= 400, `${facts}`)
  assert.ok(missed.length <= facts * 0.05, `${missed.length} of ${facts}:\n${missed.join('\n')}`)
})

test('results have the period that the item states and the headline figures of the release, and nothing else', {
  skip: corpus.skip,
}, () => {
  for (const { file, ...wanted } of truth.results) {
    const section = sectionsOf(file).find(({ item }) => item === '2.02' || item === '12')!
    const release = markdownOf(reportOf(file).documents.find(({ type }) => type.startsWith('EX-99'))!.text).text
    const own = periodIn(section.markdown, { start: section.textStart, end: section.stop })
    const period = own.length > 0 ? own : periodIn(release, { start: 0, end: 5_000 })
    const read = Object.fromEntries(
      [
        ...period,
        ...headlinesOf(release, { period: (period.find((one) => one.name === 'period')?.value as Period) ?? null }),
      ].map(({ name, value }) => [name, value]),
    )
    const none = { revenue: null, net_income: null, eps_diluted: null }
    assert.deepEqual({ ...none, ...read }, wanted, file)
  }
})

test('a statement of operations agrees with the words of its release, and is never of another period or unit', {
  skip: corpus.skip,
}, (t) => {
  let compared = 0
  for (const { file, period, period_end, ...wanted } of truth.results) {
    const release = markdownOf(reportOf(file).documents.find(({ type }) => type.startsWith('EX-99'))!.text).text
    for (const { name, value } of statementOf(
      release,
      { period: period as Period, periodEnd: period_end, filedDate: period_end },
      [],
    )) {
      const said = wanted[name as keyof typeof wanted]
      if (said === null) continue
      compared++
      assert.ok(
        Math.abs(Number(said) / Number(value) - 1) < 0.01,
        `${file}: ${name} is ${said} in words, ${value} in the statement`,
      )
    }
  }
  t.diagnostic(`${compared} figures compared`)
  assert.ok(compared >= 5, `${compared}`)
})

test('notices of exchanges, auditors, restatements and bankruptcies have the facts that a person finds, and nothing else', {
  skip: corpus.skip,
}, () => {
  for (const { file, item, facts } of truth.facts) {
    const section = sectionsOf(file).find((one) => one.item === item)!
    const read = factsOf(item, section.markdown, { start: section.textStart, end: section.stop })
    assert.deepEqual(
      read.map(({ name, value }) => [name, value]),
      facts,
      `${file} ${item}`,
    )
  }
})

test('notices have at least 80 % of the facts that a person finds in real reports, and at most 2 % others', {
  skip: corpus.skip,
}, (t) => {
  const missed: string[] = []
  const wrong: string[] = []
  let typed = 0
  for (const { file, item, filer, facts } of truth.notices) {
    const { markdown, textStart, stop } = sectionsOf(file).find((one) => one.item === item)!
    const name = filer ?? reportOf(file).name
    const read = noticesOf(item, markdown, { start: textStart, end: stop }, name).facts.map(
      (fact): [string, string] => [fact.name, fact.value],
    )
    typed += facts.length
    missed.push(
      ...facts.filter((one) => !read.some((other) => isSameNotice(one, other))).map((one) => `${file} ${one}`),
    )
    wrong.push(...read.filter((one) => !facts.some((other) => isSameNotice(other, one))).map((one) => `${file} ${one}`))
  }
  t.diagnostic(`${typed - missed.length} of ${typed} facts, ${wrong.length} others`)
  assert.ok(typed >= 400, `${typed}`)
  assert.ok(missed.length <= typed * 0.2, missed.join('\n'))
  assert.ok(wrong.length <= typed * 0.02, wrong.join('\n'))
})

test('every count in a table of votes belongs to exactly one nominee or proposal, with its row as evidence', {
  skip: corpus.skip,
}, (t) => {
  let votes = 0
  const folder = 'documents/8-K'
  for (const file of readdirSync(path.join(corpus.folder!, folder))) {
    const section = sectionsOf(`${folder}/${file}`).find(({ item }) => item === '5.07')
    if (!section) continue
    const { markdown, textStart, stop } = section
    const read = votesOf(markdown, { start: textStart, end: stop })
    const rows = markdown
      .slice(textStart, stop)
      .split('\n')
      .filter((line) => line.startsWith('|'))
    const written = rows.flatMap((row) => row.match(/\d{1,3}(?:,\d{3})+/g) ?? [])
    const inTables = read.votes.filter(({ start }) => markdown[start] === '|')
    const counted = inTables.flatMap(({ counts }) => Object.values(counts)).filter((count) => count.length > 3)
    assert.deepEqual(counted.toSorted(), written.map((count) => count.replaceAll(',', '')).toSorted(), file)
    assert.equal(read.leftOut, 0, file)
    for (const { counts, nominee, start, end } of read.votes) {
      const evidence = markdown.slice(start, end).replaceAll(',', '')
      for (const count of Object.values(counts)) assert.ok(evidence.includes(count), `${file}: ${count}`)
      assert.ok(nominee === null || evidence.includes(nominee), `${file}: ${nominee}`)
    }
    votes += read.votes.length
  }
  t.diagnostic(`${votes} votes`)
  assert.ok(votes >= 230, `${votes}`)
})
