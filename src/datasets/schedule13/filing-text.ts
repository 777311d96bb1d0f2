/**
 * Turns the facts from the text of a Schedule 13D or 13G into the same rows as XML yields. Also yields one row for each
 * fact, with the evidence of the fact.
 */
import type { Rows } from '../../declare/table.ts'
import { foldedKey } from '../../read/fold.ts'
import { cusipFlag } from '../../read/securityid.ts'
import type { HeaderFiler } from '../../read/sgml/header.ts'
import { decimal } from '../../read/values.ts'
import { wordsOfNames } from '../../stored-names.ts'
import { foundBy } from './parse/person.ts'
import { largest } from './parse.ts'
import type * as tables from './tables.ts'
import type { Fact, FactName } from './text/facts.ts'
import { areSame } from './text/name.ts'
import { type Schedule, scheduleOf } from './text.ts'

export interface TextFiling {
  form: string
  /** `YYYY-MM-DD` */
  filedDate: string
  /** Filers of EDGAR's header. */
  filers: readonly HeaderFiler[]
  /** Text of the main document; empty if the filing has no main document. */
  markdown: string
  sequence: number
}

const NOTHING: Schedule = { facts: [], leftOut: [], persons: 0 }

/** Returns the parties of a filing from EDGAR's header: its subject, and its filers. */
function partiesOf(filers: readonly HeaderFiler[]) {
  const of = (role: string) => filers.filter((filer) => filer.role === role)
  const by = of('filed by')
  // A filer that names itself as the subject company too does not identify the issuer (0000025445-94-000008).
  const isOther = ({ cik }: HeaderFiler) => cik === null || !by.some((filer) => filer.cik === cik)
  const issuers = of('subject company').filter(isOther)
  const ciks = [...new Set(issuers.flatMap(({ cik }) => cik ?? []))]
  return {
    // Takes the CIK only if there is exactly one: a schedule may name two companies in one document.
    // 0000950152-94-000206 names one company twice.
    issuerCik: ciks.length === 1 ? ciks[0]! : null,
    issuerNames: [
      ...new Set(
        issuers.flatMap(({ name, formerNames }) => [name ?? [], ...formerNames.map((one) => one.name)].flat()),
      ),
    ],
    by,
  }
}

/** Reads the facts from the text of a filing. */
export function readText({ form, filedDate, filers, markdown }: TextFiling): Schedule {
  if (markdown === '') return NOTHING
  const { issuerNames, by } = partiesOf(filers)
  const filerNames = by.flatMap(({ name }) => name ?? [])
  return scheduleOf(markdown, { schedule: scheduleOfForm(form), filedDate, issuerNames, filerNames })
}

const scheduleOfForm = (form: string) => (form.includes('13D') ? '13D' : '13G')

/** Yields the rows of one filing from its facts. */
export function* textRows(filing: TextFiling, { facts, leftOut, persons: pages }: Schedule): Rows<typeof tables> {
  const { form, filers, markdown, sequence } = filing
  const { issuerCik, issuerNames, by } = partiesOf(filers)
  const cover = valuesOf(facts, null)
  const name = cover.one('issuer_name') ?? issuerNames[0] ?? null
  const names = [...new Set([cover.one('issuer_name') ?? [], ...issuerNames].flat())]
  const securities = cover.all('cusip').map(securityOf)
  const persons = Array.from({ length: pages }, (_, position) => personOf(facts, position))
  const amendment = cover.one('amendment_number')
  yield [
    'report',
    {
      submission_type: form,
      source: 'text',
      schedule: scheduleOfForm(form),
      is_amendment: form.endsWith('/A'),
      amendment_number: amendment === null ? null : Number(amendment),
      previous_accession: null,
      cik: by.find(({ cik }) => cik !== null)?.cik ?? null,
      issuer_cik: issuerCik,
      issuer_name: name,
      name_key: name === null ? null : foldedKey(name),
      name_words: names.length === 0 ? null : wordsOfNames(names),
      ...foundBy(persons),
      cusip: securities.find(({ cusip_flag }) => cusip_flag === null)?.cusip ?? null,
      title_of_class: cover.one('title_of_class'),
      event_date: cover.one('event_date'),
      previously_filed: null,
      rules: cover.all('rule'),
      ...NO_ADDRESS,
      person_count: pages,
      shares: largest(persons.map(({ shares }) => shares)),
      percent: largest(persons.map(({ percent }) => percent)),
      exhibit_text: null,
      signature_comment: null,
      is_malformed: false,
      repairs: [],
      left_out: [...new Set(leftOut.map((one) => one.name))].sort(),
    },
  ]
  for (const [position, row] of securities.entries()) yield ['security', { ...row, position }]
  for (const [position, row] of persons.entries())
    yield ['person', { ...row, cik: cikOf(row.name, persons, by), position }]
  for (const [at, { name, value, person, start, end }] of facts.entries()) {
    const place = { person_position: person, sequence, start, stop: end, sentence: markdown.slice(start, end) }
    yield ['fact', { n: at + 1, name, value, ...place }]
  }
}

const NO_ADDRESS = {
  ...{ issuer_street1: null, issuer_street2: null, issuer_city: null, issuer_state: null, issuer_zip: null },
}

function valuesOf(facts: readonly Fact[], person: number | null) {
  const own = facts.filter((fact) => fact.person === person)
  return {
    one: (name: FactName) => own.find((fact) => fact.name === name)?.value ?? null,
    all: (name: FactName) => own.flatMap((fact) => (fact.name === name ? [fact.value] : [])),
  }
}

function securityOf(cusip: string) {
  const flag = cusipFlag(cusip)
  return { cusip, cusip_flag: flag as 'length' | 'placeholder' | 'check_digit' | null }
}

function personOf(facts: readonly Fact[], position: number) {
  const { one, all } = valuesOf(facts, position)
  const amount = (name: FactName) => decimal(one(name) ?? '')
  const flag = (name: FactName) => (one(name) === null ? null : one(name) === 'true')
  return {
    name: one('name'),
    has_no_cik: null,
    member_of_group: one('member_of_group') as 'a' | 'b' | null,
    source_of_funds: all('source_of_funds'),
    legal_proceedings: flag('legal_proceedings'),
    citizenship: one('citizenship'),
    sole_voting: amount('sole_voting'),
    shared_voting: amount('shared_voting'),
    sole_dispositive: amount('sole_dispositive'),
    shared_dispositive: amount('shared_dispositive'),
    shares: amount('shares'),
    excludes_shares: flag('excludes_shares'),
    percent: amount('percent'),
    types: all('type'),
    comment: null,
  }
}

/** Returns the CIK of the filer with this name in the header; null if several filers or several pages have the name. */
function cikOf(name: string | null, persons: readonly { name: string | null }[], by: readonly HeaderFiler[]) {
  if (name === null || persons.filter((one) => one.name !== null && areSame(one.name, name)).length > 1) return null
  const found = new Set(
    by.flatMap((filer) => (filer.name !== null && areSame(filer.name, name) ? (filer.cik ?? []) : [])),
  )
  return found.size === 1 ? [...found][0]! : null
}
