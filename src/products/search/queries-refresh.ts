/**
 * Keeps the names of `search` up to date. A key of the refresh consists of a source and the identifier of a thing in
 * this source (`funds S000002848`, `insiders 0001214156`), or of the slug of a dataset and an accession (`form144
 * 0000950103-25-000001`). The key `portals` or `securities` means the whole source. The database selects the things
 * that the keys mean, and compares them with the stored things. Only names of things that changed are split and
 * written.
 */
import type { Follow, Refresh } from '../../declare/refresh.ts'
import { type MarkedName, type Named, removeWords, storeMarkedNames } from '../../names.ts'
import type { Fragment, Transaction } from '../../store/db.ts'
import { entityId, type Kind } from './kinds.ts'
import { ENTITIES, mark } from './named.ts'
import * as from from './queries-entities.ts'

/** The names of the tables have no schema, so that they also mean the tables of a shadow schema. */
const OWN: Named = { ...ENTITIES, table: 'name', dictionary: 'word' }

/** Number of things whose names are split in one batch. */
const BATCH = 5_000

/** If more things than this have changed, the statistics of the tables are out of date, and the tables are analyzed. */
const ANALYZE_MIN = 1_000

/** If a source has more keys than this, all its rows are made, since one pass is then faster than single look-ups. */
const KEYS_MAX = 50_000

interface Source {
  kinds: readonly Kind[]
  select: (tx: Transaction, keys: from.Keys) => Fragment
  codes?: (tx: Transaction, keys: from.Keys) => Fragment
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
/**
 * Sources that only add identifiers, each with the kind of the things that have these identifiers. Other sources add
 * the things themselves.
 */
const NUMBERS = {
  advisers: { kind: 'adviser', codes: from.adviserCodes },
  companies: { kind: 'company', codes: from.companyCodes },
} as const
const INSIDERS = 'insiders'

const always =
  (...keys: string[]): Follow =>
  () =>
    keys

const named = (source: string, keys: readonly string[]) => [...new Set(keys)].map((key) => `${source} ${key}`)

/** Marks the filings that a load changes. */
const filed =
  (slug: keyof typeof from.CODED): Follow =>
  (_tx, _keys, _when, records) =>
    named(slug, records)

/** Returns a function that combines the keys of several functions. */
const all =
  (...follows: Follow[]): Follow =>
  async (...args) =>
    (await Promise.all(follows.map((follow) => follow(...args)))).flat()

/** Marks funds by series, or by CIK. Keys of the slice look like `0000862021-S000011990 2024-12-31`. */
const ofReports: Follow = (_, keys) =>
  named(
    'funds',
    keys.map((key) => key.split(' ')[0]!.replace(/^\d+-/, '')),
  )

/**
 * Marks the funds of registrants when the rollups of the slice are made. The keys of the slice are CIKs of registrants.
 */
const ofRegistrants =
  (select: (tx: Transaction, ciks: readonly string[]) => PromiseLike<{ key: string }[]>): Follow =>
  async (tx, ciks, when) =>
    when === 'make'
      ? named(
          'funds',
          (await select(tx, ciks)).map(({ key }) => key),
        )
      : []

const CIK_LENGTH = 10

export const refresh: Refresh = {
  follows: {
    // A key without a blank is a quarter, in which the scales of filings may have changed.
    thirteenf: async (tx, keys) => {
      const quarters = keys.filter((key) => !key.includes(' '))
      const rescaled = quarters.length > 0 ? await from.rescaledManagers(tx, quarters) : []
      const reporting = keys.filter((key) => key.includes(' ')).map((key) => key.slice(0, CIK_LENGTH))
      return named('managers', [...reporting, ...rescaled.map(({ cik }) => cik)])
    },
    x17a5: (_, ciks) => named('brokers', ciks),
    cfportal: all(always('portals'), filed('cfportal')),
    reps: (_, pks) => named('representatives', pks),
    adv: (_, crds) => named('advisers', crds),
    securities: always('securities'),
    nport: all(ofReports, filed('nport')),
    nmfp: all(ofReports, filed('nmfp')),
    ncen: all(ofRegistrants(from.fundsOfRegistrants), filed('ncen')),
    fundreg: all(ofRegistrants(from.fundsOfTrusts), filed('fundreg')),
    // The numbers of an offering are in a rollup, whose keys are CIKs.
    offerings: all(filed('offerings'), async (tx, ciks, when) =>
      when === 'make'
        ? named(
            'offerings',
            (await from.offeringsOf(tx, ciks)).map(({ accession }) => accession),
          )
        : [],
    ),
    rega: filed('rega'),
    crowdfunding: filed('crowdfunding'),
    form144: filed('form144'),
    form25: filed('form25'),
    npx: filed('npx'),
    // A key that is longer than a CIK means that a list of tickers has changed.
    companies: async (tx, keys) => {
      const lists = keys.filter((key) => key.length > CIK_LENGTH).map((key) => key.slice(0, CIK_LENGTH))
      const funds = lists.length > 0 ? await from.fundsInList(tx, lists) : []
      return [
        ...named(
          'companies',
          keys.filter((key) => key.length === CIK_LENGTH),
        ),
        ...named(
          'funds',
          funds.map(({ key }) => key),
        ),
      ]
    },
    ownership: async (tx, accessions) => {
      const rows = await tx<{ cik: string }[]>`
        select distinct cik from pub.ownership_owner where accession = any(${accessions as string[]}) and cik is not null`
      return rows.map(({ cik }) => `${INSIDERS} ${cik}`)
    },
  },

  async divide(tx, key) {
    if (key === null) return [...Object.keys(SOURCES), ...Object.keys(NUMBERS), ...Object.keys(from.CODED), INSIDERS]
    return key.includes(' ') ? [] : named(key, await keysOf(tx, key))
  },

  async make(tx, marked) {
    const bySource = bySources(marked)
    const keysOf = (source: string) => (bySource === null ? null : bySource.get(source))
    for (const [source, parts] of Object.entries(SOURCES)) {
      const keys = keysOf(source)
      if (keys === undefined) continue
      for (const { kinds, select, codes } of parts) {
        const ids = keys?.flatMap((key) => kinds.map((kind) => entityId(kind, key))) ?? null
        const own = ids ? tx`id = any(${ids})` : tx`kind = any(${kinds as Kind[]})`
        await makeEntities(tx, onlyOf(tx, select(tx, keys), ids), own)
        if (codes) await makeCodes(tx, source, unfiled(tx, onlyOf(tx, codes(tx, keys), ids)), ids)
      }
    }
    for (const [source, { kind, codes }] of Object.entries(NUMBERS)) {
      const keys = keysOf(source)
      if (keys === undefined) continue
      await makeCodes(tx, source, unfiled(tx, codes(tx, keys)), keys?.map((key) => entityId(kind, key)) ?? null)
    }
    for (const [slug, view] of Object.entries(from.CODED)) {
      const accessions = keysOf(slug)
      if (accessions === undefined) continue
      if (accessions === null) await makeCodes(tx, slug, from.filedCodes(tx, view, null), null)
      else await makeFiledCodes(tx, slug, view, accessions)
    }
    const ciks = keysOf(INSIDERS)
    if (ciks === null) return everyInsider(tx)
    for (let at = 0; ciks && at < ciks.length; at += BATCH) await makeInsiders(tx, ciks.slice(at, at + BATCH))
  },
}

/** Groups keys by their source; null means all things of the source, or of all sources. */
function bySources(marked: readonly string[] | null): ReadonlyMap<string, readonly string[] | null> | null {
  if (marked === null) return null
  const bySource = new Map<string, string[] | null>()
  for (const key of marked) {
    const [source, of] = key.split(' ') as [string, string | undefined]
    const own = bySource.get(source)
    if (own === null) continue
    if (of === undefined || own?.length === KEYS_MAX) bySource.set(source, null)
    else if (own) own.push(of)
    else bySource.set(source, [of])
  }
  return bySource
}

/** Returns the keys of everything that the source has, or had when its rows were made. */
async function keysOf(tx: Transaction, source: string): Promise<string[]> {
  const selects: Fragment[] = []
  for (const { kinds, select } of SOURCES[source] ?? []) {
    selects.push(tx`select key from (${select(tx, null)}) s`)
    selects.push(tx`select key from entity where kind = any(${kinds as Kind[]})`)
  }
  if (source in NUMBERS) {
    const { kind, codes } = NUMBERS[source as keyof typeof NUMBERS]
    const start = kind.length + 2
    selects.push(tx`select substr(id, ${start}::int) as key from (${codes(tx, null)}) s`)
    selects.push(tx`select substr(id, ${start}::int) from code where source = ${source}`)
  }
  if (source in from.CODED) {
    const view = tx(`pub.${from.CODED[source as keyof typeof from.CODED]}`)
    selects.push(tx`select accession as key from ${view}`)
    selects.push(tx`select accession from code where source = ${source} and accession is not null`)
  }
  if (source === INSIDERS) {
    selects.push(tx`select cik as key from pub.ownership_owner where cik is not null`)
    selects.push(tx`select key from entity where kind = 'insider'`)
  }
  const keys = new Set<string>()
  for (const select of selects) for (const { key } of await tx`${select}`) keys.add(String(key))
  return [...keys]
}

/** Limits a selection to these ids (null: all), since some sources ignore the keys that they are given. */
const onlyOf = (tx: Transaction, select: Fragment, ids: readonly string[] | null) =>
  ids ? tx`select * from (${select}) every where id = any(${ids as string[]})` : select

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
  await tx`create temporary table if not exists made_entity (like entity, primary key (id)) on commit drop`
  await tx`create temporary table if not exists changed_entity (id text collate "C" primary key) on commit drop`
  await tx`truncate made_entity, changed_entity`
  await tx`insert into made_entity (${columns}) select ${columns} from (${select}) s where name <> ''`
  await tx`analyze made_entity (id)`
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
  if (changed > ANALYZE_MIN) await tx`analyze entity (id, kind, key), name, word`
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

/** Adds empty columns for a filing to codes that come from no single filing. */
const unfiled = (tx: Transaction, select: Fragment) =>
  tx`select *, 0 as part, null as accession, null::date as filed_date from (${select}) s`

/**
 * Replaces stored codes of a source that differ from its present codes.
 *
 * @param ids the only things whose codes are replaced; null for all
 */
async function makeCodes(
  tx: Transaction,
  source: string,
  select: Fragment,
  ids: readonly string[] | null,
): Promise<void> {
  await holdCodes(tx, source, select)
  const own = ids ? tx`and c.id = any(${ids as string[]})` : tx``
  await tx`delete from code c where source = ${source} ${own} and not exists (
    select from made_code m where m.code = c.code and m.id = c.id and m.what = c.what and m.part = c.part
        and (m.accession, m.filed_date) is not distinct from (c.accession, c.filed_date))`
  await tx`insert into code (code, id, what, source, part, accession, filed_date)
    select code, id, what, source, part, accession, filed_date from made_code on conflict do nothing`
}

/**
 * Updates the codes that filings state. A stored code has the newest filing that states it. So a filing that was added
 * is only compared with the stored one. If a stored filing was removed, or no longer states the code, the newest of the
 * other filings is looked up.
 */
async function makeFiledCodes(
  tx: Transaction,
  source: string,
  view: string,
  accessions: readonly string[],
): Promise<void> {
  await holdCodes(tx, source, from.filedCodes(tx, view, accessions))
  await tx`
    with lost as (
      delete from code c where accession = any(${accessions as string[]}) and source = ${source} and not exists (
        select from made_code m where m.code = c.code and m.id = c.id and m.what = c.what and m.part = c.part
          and m.accession = c.accession and m.filed_date = c.filed_date)
      returning code, id, what, part
    )
    insert into made_code (code, id, what, source, part, accession, filed_date)
    select code, id, what, ${source}, part, accession, filed_date
    from lost cross join lateral (${from.newestCoded(tx, view, 'lost')}) newest
    on conflict (code, id, what, source, part) do update set accession = excluded.accession, filed_date = excluded.filed_date`
  await tx`
    insert into code as c (code, id, what, source, part, accession, filed_date)
    select code, id, what, source, part, accession, filed_date from made_code
    on conflict (code, id, what, source, part) do update set accession = excluded.accession, filed_date = excluded.filed_date
    where (excluded.filed_date, excluded.accession) > (c.filed_date, c.accession)`
}

/** Maximum length of a code in bytes. A longer text in the place of a number is not a number, and fits no index. */
const CODE_MAX = 100

/** Writes the selected codes into the temporary table `made_code`. */
async function holdCodes(tx: Transaction, source: string, select: Fragment): Promise<void> {
  await tx`create temporary table if not exists made_code (like code including indexes) on commit drop`
  await tx`truncate made_code`
  await tx`
    insert into made_code (code, id, what, source, part, accession, filed_date)
    select code, id, what, ${source}, part, accession, filed_date from (${select}) s
    where octet_length(code) <= ${CODE_MAX}`
  await tx`analyze made_code`
}
