/** Reads one cover page of a Schedule 13D or 13G: the facts about one reporting person. */

import type { Span } from '../../../read/prose/sentences.ts'
import { type Fact, type FactName, type LeftOut, leftOut, type ReadValue } from './facts.ts'
import { nameOfPerson } from './name.ts'
import type { Page, Row, RowName } from './person-rows.ts'
import { amountOf, boxOf, citizenshipOf, codesOf, FUNDS, groupOf, percentOf, saysNone, TYPES } from './values.ts'

type Several = ReturnType<typeof codesOf>

const single =
  (read: (row: string) => ReadValue) =>
  (row: string): Several => {
    const found = read(row)
    return typeof found === 'string' ? found : { values: [found.value], end: found.end }
  }

const codes =
  (known: readonly string[]) =>
  (row: string): Several =>
    saysNone(row) ? 'blank' : codesOf(row, known)

/** The rows that fill columns, each with its reader. */
const READ: Readonly<Partial<Record<RowName, readonly [FactName, (row: string) => Several]>>> = {
  group: ['member_of_group', single(groupOf)],
  funds: ['source_of_funds', codes(FUNDS)],
  legal: ['legal_proceedings', single(boxOf)],
  citizenship: ['citizenship', single(citizenshipOf)],
  sole_voting: ['sole_voting', single(amountOf)],
  shared_voting: ['shared_voting', single(amountOf)],
  sole_dispositive: ['sole_dispositive', single(amountOf)],
  shared_dispositive: ['shared_dispositive', single(amountOf)],
  shares: ['shares', single(amountOf)],
  excludes: ['excludes_shares', single(boxOf)],
  percent: ['percent', single(percentOf)],
  type: ['type', codes(TYPES)],
}

/**
 * @param text the result of `plainText`
 * @param names names of the filers in EDGAR's header, which show where a name of several lines ends
 * @param person index of the page, from 0
 */
export function personFacts(
  text: string,
  page: Page,
  { names, person }: { names: readonly string[]; person: number },
): { facts: Fact[]; leftOut: LeftOut[] } {
  const facts: Fact[] = []
  const left = new Map<FactName, LeftOut>()
  const leave = (name: FactName, { start, end }: Span) =>
    void left.set(name, leftOut(name, text.slice(start, end), person))
  const name = nameOfPerson(page, names)
  if (typeof name === 'string') leave('name', page.rows[0]!.value)
  else facts.push({ name: 'name', person, ...name })
  for (const [rowName, rows] of Map.groupBy(page.rows, ({ name }) => name)) {
    const [fact, read] = READ[rowName] ?? []
    if (!fact || !read) continue
    const [row, second] = rows as [Row, Row?]
    // If a page has a row twice, the page is about two classes or two persons, and the row is uncertain.
    const found = second ? 'uncertain' : read(row.text)
    if (found === 'uncertain') leave(fact, row.value)
    else if (found !== 'blank') {
      const place = { start: row.label, end: row.value.start + found.end }
      for (const value of found.values) facts.push({ name: fact, person, value, ...place })
    }
  }
  for (const missing of unnamed(page)) leave(missing, page)
  const doubted = isReversed(facts) ? page.rows.flatMap(({ name }) => factOf(name)) : contradicting(facts)
  for (const name of doubted) if (!left.has(name)) leave(name, facts.find((fact) => fact.name === name) ?? page)
  return { facts: facts.filter(({ name }) => !doubted.includes(name)), leftOut: [...left.values()] }
}

/**
 * Tests whether values precede their labels. If they do, each value was assigned to the row of the label before it, so
 * neither the name nor the type could be read (0000728974-98-000014).
 */
const isReversed = (facts: readonly Fact[]) => !facts.some(({ name }) => name === 'name' || name === 'type')

/**
 * Returns rows that every page has, but whose label was not recognized on this page. The wording of the label is
 * unknown, so the value is not read. A page on which three of the four powers were found also has the fourth.
 */
function unnamed({ rows }: Page): FactName[] {
  const lacks = (wanted: FactName) => !rows.some(({ name }) => name === wanted)
  const powers = POWERS.filter(lacks)
  return [...ALWAYS.filter(lacks), ...(powers.length === 1 ? powers : [])]
}
const ALWAYS: readonly FactName[] = ['shares', 'percent']

const factOf = (row: RowName): FactName[] => (row === 'name' ? ['name'] : [READ[row]?.[0] ?? []].flat())

const POWERS: readonly FactName[] = ['sole_voting', 'shared_voting', 'sole_dispositive', 'shared_dispositive']

/**
 * Returns the facts that contradict each other. A power over more shares than are owned is a mistake of the filer or of
 * this reader, and it is unknown which figure is wrong.
 */
function contradicting(facts: readonly Fact[]): FactName[] {
  const of = (name: FactName) => Number(facts.find((fact) => fact.name === name)?.value ?? Number.NaN)
  const more = POWERS.filter((name) => of(name) > of('shares'))
  return more.length > 0 ? [...more, 'shares'] : []
}
