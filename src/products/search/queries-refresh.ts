/**
 * Keeps the names of `search` up to date. A key is a source, such as `funds`, or `insiders` with a CIK. The things of a
 * source are all selected and compared with the stored things in the database. Only names of things that changed are
 * split and written. Insiders are the exception: their names are in millions of forms.
 */
import type { Follow, Refresh } from '../../declare/refresh.ts'
import { type MarkedName, type Named, removeWords, storeMarkedNames } from '../../names.ts'
import type { Fragment, Transaction } from '../../store/db.ts'
import type { Kind } from './kinds.ts'
import { ENTITIES, mark } from './named.ts'
import * as from from './queries-entities.ts'

/** The names of the tables have no schema, so that they also mean the tables of a shadow schema. */
const OWN: Named = { ...ENTITIES, table: 'name', dictionary: 'word' }

/** Number of things whose names are split in one batch. */
const BATCH = 5_000

/** Number of changed things after which old statistics no longer describe the tables. */
const ANALYZE_MIN = 1_000

interface Source {
  kinds: readonly Kind[]
  select: (tx: Transaction) => Fragment
  codes?: (tx: Transaction) => Fragment
}

/** The sources by key, each with the kinds of things that only this source produces. */
const SOURCES: Readonly<Record<string, readonly Source[]>> = {
  managers: [{ kinds: ['manager'], select: from.managers, codes: from.managerCodes }],
  brokers: [{ kinds: ['broker'], select: from.brokers, codes: from.brokerCodes }],
  portals: [{ kinds: ['portal'], select: from.portals }],
  funds: [{ kinds: ['fund', 'money_market_fund'], select: from.funds, codes: from.fundCodes }],
  representatives: [{ kinds: ['representative'], select: from.representatives }],
  securities: [
    { kinds: ['security'], select: from.securities, codes: from.figiCodes },
    { kinds: ['private_company'], select: from.privateCompanies },
  ],
}
const ADVISERS = 'advisers'
/** Sources that only add identifiers: other sources add the things that have these identifiers. */
const NUMBERS: Readonly<Record<string, (tx: Transaction) => Fragment>> = {
  [ADVISERS]: from.adviserCodes,
  companies: from.companyCodes,
  ...Object.fromEntries(
    Object.entries(from.CODED).map(([slug, view]) => [slug, (tx: Transaction) => from.filedCodes(tx, view)]),
  ),
}
const INSIDERS = 'insiders'

const always =
  (...keys: string[]): Follow =>
  () =>
    keys

export const refresh: Refresh = {
  follows: {
    thirteenf: always('managers'),
    x17a5: always('brokers'),
    cfportal: always('portals', 'cfportal'),
    reps: always('representatives'),
    adv: always(ADVISERS),
    securities: always('securities'),
    nport: always('funds', 'nport'),
    nmfp: always('funds', 'nmfp'),
    ncen: always('funds', 'ncen'),
    fundreg: always('funds', 'fundreg'),
    offerings: always('offerings'),
    rega: always('rega'),
    crowdfunding: always('crowdfunding'),
    form144: always('form144'),
    form25: always('form25'),
    npx: always('npx'),
    // A key that is longer than a CIK means that a list of tickers has changed.
    companies: (_, keys) => ['companies', ...(keys.some((key) => key.length > 10) ? ['funds'] : [])],
    ownership: async (tx, accessions) => {
      const rows = await tx<{ cik: string }[]>`
        select distinct cik from pub.ownership_owner where accession = any(${accessions as string[]}) and cik is not null`
      return rows.map(({ cik }) => `${INSIDERS} ${cik}`)
    },
  },

  async make(tx, keys) {
    for (const [key, sources] of Object.entries(SOURCES)) {
      if (keys !== null && !keys.includes(key)) continue
      for (const { kinds, select, codes } of sources) {
        await makeEntities(tx, select(tx), tx`kind = any(${kinds as Kind[]})`)
        if (codes) await makeCodes(tx, key, codes(tx))
      }
    }
    for (const [key, codes] of Object.entries(NUMBERS)) {
      if (keys === null || keys.includes(key)) await makeCodes(tx, key, codes(tx))
    }
    if (keys === null) return everyInsider(tx)
    const ciks = keys.filter((key) => key.startsWith(`${INSIDERS} `)).map((key) => key.slice(INSIDERS.length + 1))
    for (let at = 0; at < ciks.length; at += BATCH) await makeInsiders(tx, ciks.slice(at, at + BATCH))
  },
}

async function everyInsider(tx: Transaction): Promise<void> {
  const gone = await tx<{ id: string }[]>`
    select id from entity e where kind = 'insider' and not exists (
      select from pub.ownership_owner o where o.cik = e.key)`
  await forget(
    tx,
    gone.map(({ id }) => id),
  )
  for (let after = ''; ; ) {
    const ciks = await from.insiderCiks(tx, after, BATCH)
    const last = ciks.at(-1)
    if (!last) return
    after = last.cik
    await makeInsiders(
      tx,
      ciks.map(({ cik }) => cik),
    )
  }
}

const makeInsiders = (tx: Transaction, ciks: readonly string[]) =>
  makeEntities(tx, from.insiders(tx, ciks), tx`id = any(${ciks.map((cik) => `insider ${cik}`)})`)

const COLUMNS = ['id', 'kind', 'key', 'name', 'other_names', 'former_names', 'detail', 'page', 'weight'] as const

/**
 * Replaces stored things that differ from the things of the source.
 *
 * @param own the condition that selects the stored things of the source
 */
async function makeEntities(tx: Transaction, select: Fragment, own: Fragment): Promise<void> {
  const columns = tx(COLUMNS as unknown as string[])
  const same = (one: string, other: string) => tx`
    (${tx(COLUMNS.map((column) => `${one}.${column}`))}) is not distinct from (${tx(COLUMNS.map((column) => `${other}.${column}`))})`
  await tx`create temporary table if not exists made_entity (like entity including indexes) on commit drop`
  await tx`create temporary table if not exists changed_entity (id text collate "C" primary key) on commit drop`
  await tx`truncate made_entity, changed_entity`
  await tx`insert into made_entity (${columns}) select ${columns} from (${select}) s where name <> ''`
  await tx`analyze made_entity`
  await tx`
    insert into changed_entity
    select e.id from entity e where ${own} and not exists (select from made_entity m where m.id = e.id and ${same('m', 'e')})
    union
    select m.id from made_entity m where not exists (select from entity e where e.id = m.id)`
  const ids = tx`select id from changed_entity`
  await removeWords(tx, OWN, tx`select words from name where id in (${ids})`)
  await tx`delete from name where id in (${ids})`
  await tx`delete from entity where id in (${ids})`
  await tx`insert into entity (${columns}) select ${columns} from made_entity where id in (${ids})`
  let changed = 0
  for (let after = ''; ; ) {
    const batch = await tx`select id from changed_entity where id > ${after} order by id limit ${BATCH}`
    if (batch.length === 0) break
    changed += batch.length
    after = String(batch.at(-1)!.id)
    await nameEntities(
      tx,
      batch.map(({ id }) => String(id)),
    )
  }
  if (changed > ANALYZE_MIN) await tx`analyze entity, name, word`
}

async function forget(tx: Transaction, ids: readonly string[]): Promise<void> {
  const own = tx`id = any(${ids as string[]})`
  await removeWords(tx, OWN, tx`select words from name where ${own}`)
  await tx`delete from name where ${own}`
  await tx`delete from entity where ${own}`
}

interface Entity {
  id: string
  kind: Kind
  name: string
  other_names: string[]
  former_names: string[]
  importance: number
}

/** Writes the names of entities that have no rows in `name` yet. */
async function nameEntities(tx: Transaction, ids: readonly string[]): Promise<void> {
  const entities = await tx<Entity[]>`
    select id, kind, name, other_names, former_names, weight as importance from entity where id = any(${ids as string[]})`
  const names = entities.flatMap(({ id, kind, name, other_names, former_names, importance }) => {
    const of = { id, importance, mark: mark(kind) }
    return [
      { ...of, name, kind: 'now' },
      ...other_names.map((other) => ({ ...of, name: other, kind: 'other' })),
      ...former_names.map((former) => ({ ...of, name: former, kind: 'former' })),
    ] as MarkedName[]
  })
  await storeMarkedNames(tx, OWN, names)
}

/** Replaces stored codes of a source that differ from its present codes. */
async function makeCodes(tx: Transaction, source: string, select: Fragment): Promise<void> {
  await tx`create temporary table if not exists made_code (like code including indexes) on commit drop`
  await tx`truncate made_code`
  await tx`insert into made_code (code, id, what, source) select code, id, what, ${source} from (${select}) s`
  await tx`analyze made_code`
  await tx`
    delete from code c where source = ${source} and not exists (
      select from made_code m where m.code = c.code and m.id = c.id and m.what = c.what)`
  await tx`
    insert into code (code, id, what, source)
    select code, id, what, source from made_code m where not exists (
      select from code c where c.code = m.code and c.id = m.id and c.what = m.what and c.source = m.source)`
}
