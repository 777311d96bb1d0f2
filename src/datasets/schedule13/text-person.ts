/** One cover page of a Schedule 13D or 13G → what the person reports. */
import type { Fact, FactName, Found, LeftOut } from './facts.ts'
import { oneLine, type Span } from './legible.ts'
import type { Page, Row, RowName } from './person-rows.ts'
import { nameOfPerson } from './text-name.ts'
import { amountOf, boxOf, citizenshipOf, codesOf, FUNDS, groupOf, percentOf, saysNone, TYPES } from './text-values.ts'

/** Rows of which each has one value. */
const READ: Readonly<Partial<Record<RowName, [FactName, (row: string) => Found]>>> = {
  group: ['member_of_group', groupOf],
  legal: ['legal_proceedings', boxOf],
  citizenship: ['citizenship', citizenshipOf],
  sole_voting: ['sole_voting', amountOf],
  shared_voting: ['shared_voting', amountOf],
  sole_dispositive: ['sole_dispositive', amountOf],
  shared_dispositive: ['shared_dispositive', amountOf],
  shares: ['shares', amountOf],
  excludes: ['excludes_shares', boxOf],
  percent: ['percent', percentOf],
}

const CODES: Readonly<Partial<Record<RowName, [FactName, readonly string[]]>>> = {
  funds: ['source_of_funds', FUNDS],
  type: ['type', TYPES],
}

/**
 * @param names of those who filed, of EDGAR's header: they say where a name ends that goes on in another line
 * @param person place of the page, from 0
 */
export function personFacts(
  text: string,
  page: Page,
  { names, person }: { names: readonly string[]; person: number },
): { facts: Fact[]; leftOut: LeftOut[] } {
  const facts: Fact[] = []
  const leftOut: LeftOut[] = []
  const leave = (name: FactName, said: Span) =>
    void leftOut.push({ name, person, text: oneLine(text.slice(said.start, Math.min(said.end, said.start + 200))) })
  const name = nameOfPerson(page, names)
  if (typeof name === 'string') leave('name', page.rows[0]!.said)
  else facts.push({ name: 'name', person, ...name })
  for (const [rowName, rows] of Map.groupBy(page.rows, ({ name }) => name)) {
    const [row, second] = rows as [Row, Row?]
    const [fact] = READ[rowName] ?? CODES[rowName] ?? []
    if (fact === undefined) continue
    const { text: said } = row
    // A row that a page has twice is of two classes, or of two persons.
    if (second) leave(fact, row.said)
    else if (rowName in CODES) codes(row, said)
    else one(row, READ[rowName]![1](said))
  }
  const doubted = isReversed(facts) ? page.rows.flatMap(({ name }) => factOf(name)) : contradicting(facts)
  for (const name of new Set(doubted)) {
    const [first] = facts.filter((fact) => fact.name === name)
    if (!leftOut.some((one) => one.name === name)) leave(name, first ?? page)
  }
  return { facts: facts.filter(({ name }) => !doubted.includes(name)), leftOut }

  function one(row: Row, found: Found): void {
    const [name] = READ[row.name]!
    if (found === 'uncertain') leave(name, row.said)
    else if (found !== 'blank') facts.push({ name, person, value: found.value, ...evidence(row, found.end) })
  }

  function codes(row: Row, said: string): void {
    const [name, known] = CODES[row.name]!
    const found = codesOf(said, known)
    if (found === 'uncertain' && !saysNone(said)) leave(name, row.said)
    if (typeof found === 'string') return
    for (const value of found.values) facts.push({ name, person, value, ...evidence(row, found.end) })
  }
}

const POWERS: readonly FactName[] = ['sole_voting', 'shared_voting', 'sole_dispositive', 'shared_dispositive']

/**
 * Where neither who reports nor of which type was read, the values stand before their labels (0000728974-98-000014), and
 * each was taken for that of the row above.
 */
const isReversed = (facts: readonly Fact[]) => !facts.some(({ name }) => name === 'name' || name === 'type')

const factOf = (row: RowName): FactName[] =>
  row === 'name' ? ['name'] : [READ[row]?.[0] ?? CODES[row]?.[0] ?? []].flat()

/** A power over more shares than are owned is a slip of the filer or of the reading, and nothing says whose. */
function contradicting(facts: readonly Fact[]): FactName[] {
  const of = (name: FactName) => Number(facts.find((fact) => fact.name === name)?.value ?? Number.NaN)
  const more = POWERS.filter((name) => of(name) > of('shares'))
  return more.length > 0 ? [...more, 'shares'] : []
}

/** From the number of the row to the end of its value. */
const evidence = ({ label, said }: Row, end: number): Span => ({ start: label, end: said.start + end })
