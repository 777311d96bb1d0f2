/**
 * Maintains the holdings of securities. Sums are by security and quarter: one sum for all holders, and one for the
 * holders whose newest report is of that quarter. A new report moves its holder's positions from the sum of one quarter
 * to the sum of another, and present holdings are the sum of a few quarters. So a report changes only the sums of its
 * own securities, in two quarters. They are changed by the difference (difference.ts), or computed again.
 *
 * Keys: `f13 of 0001067983 2024-12-31` for a holder's report of a quarter; `f13 replaced 0001067983 2024-12-31` if stored
 * lines of this report were replaced or removed; `f13 security 037833100 2024-12-31` for a
 * security of a report that is about to be replaced; `issuer 037833` for the identifiers of an issuer's securities;
 * `named spacex` for a company whose corrections the operator changed. divide.ts makes `f13 quarter 2024-12-31` and
 * `f13 alone 0001067983 2024-09-30,2024-12-31`.
 */
import type { Follow, Refresh } from '../../../declare/refresh.ts'
import { LAST } from '../../../read/fold.ts'
import type { Transaction } from '../../../store/db.ts'
import { NAMED } from '../aliases.ts'
import { type Report, SLICES, type Source, WINDOW_MONTHS } from '../sources.ts'
import { divide, withoutQuarters } from './divide.ts'
import { makeFlows } from './flow.ts'
import { HELD } from './held.ts'
import { makeHoldings, type SpanMove } from './holding.ts'
import { makeIssuers } from './issuer.ts'
import { makePrices } from './price-make.ts'
import { makeSecurities } from './security.ts'

export const refresh: Refresh = {
  follows: {
    ...Object.fromEntries(
      Object.entries(HELD).map(([source, { follow }]): [string, Follow] => [SLICES[source as Source], follow]),
    ),
    // The other keys of `identifiers` are about reports that this product follows itself.
    identifiers: (_, keys) => keys.flatMap((key) => (key.includes(' ') ? [] : `issuer ${key}`)),
  },

  divide,

  async make(tx, marked) {
    const keys = marked && (await withoutQuarters(tx, marked))
    // All lines of a quarter are grouped and sorted, which with 16 MB needs more passes over temporary files.
    if (keys === null) await tx`set local work_mem = '32MB'`
    await tx`
      create temporary table if not exists touched_security (source text collate "C", sec_id text collate "C", quarter date)
        on commit drop`
    await tx`truncate touched_security`
    const recomputed = await makeHeld(tx, 'f13', keys)
    for (const source of ['nport', 'nmfp'] as const) await makeHeld(tx, source, keys)
    await analyzeHeld(tx, keys === null)
    await makeFlows(tx, keys && recomputed)
    const moves = await makeSpans(tx, keys)
    await makeHoldings(tx, keys && { reportsOf: (source) => reportsOf(source, keys), moves })
    if (keys) await touchNumbers(tx, keys)
    await makeSecurities(tx, keys === null)
    await makeIssuers(
      tx,
      keys === null,
      (keys ?? []).flatMap((key) => (key.startsWith(NAMED) ? key.slice(NAMED.length) : [])),
    )
    await makePrices(tx, keys === null)
  },
}

/**
 * Updates the planner's statistics of `held` after many new rows. With statistics of only the sample's eight rows,
 * PostgreSQL read all rows for each security, and the 12,000 securities of the first large report took a minute.
 */
async function analyzeHeld(tx: Transaction, all: boolean): Promise<void> {
  const [row] = await tx<[{ due: boolean }]>`
    select (select count(*) from touched_security) > greatest(reltuples, 0) / 10 as due
    from pg_class where oid = 'held'::regclass`
  if (all || row.due) await tx`analyze held (sec_id, source, quarter)`
}

/**
 * Marks securities whose CIK or ticker has changed. Compares the securities of issuers in the keys, and of issuers with
 * touched securities, since a report about one class also affects the other classes.
 */
async function touchNumbers(tx: Transaction, keys: readonly string[]): Promise<void> {
  const issuers = keys.flatMap((key) => (key.startsWith('issuer ') ? key.slice('issuer '.length) : []))
  await tx`
    insert into touched_security (source, sec_id)
    select 'numbers', s.sec_id
    from (
      select unnest(${issuers}::text[]) as issuer
      union
      select substr(sec_id, 1, 6) from touched_security where sec_id not like '%~%'
    ) i
    join security s on s.sec_id >= i.issuer and s.sec_id < i.issuer || ${LAST} and s.cusip is not null
    left join pub.identifiers_best b on b.cusip = s.cusip
    where (s.cik, s.ticker) is distinct from (b.cik, b.ticker)`
}

/**
 * Splits the keys of a source into a holder's reports of a quarter, those of them whose stored lines were replaced,
 * reports whose sums other keys make, and securities in a quarter.
 */
function parts(source: Source, keys: readonly string[]) {
  const own = keys.map((key) => key.split(' ')).filter(([of]) => of === source)
  const named = (kind: string) =>
    own.filter(([, of]) => of === kind).map(([, , id, quarter]) => ({ id: id!, quarter: quarter! }))
  const replaced = named('replaced')
  const alone = named('alone').flatMap(({ id, quarter }) => quarter.split(',').map((each) => ({ id, quarter: each })))
  return { reports: [...named('of'), ...replaced], replaced, alone, securities: named('security') }
}

/** Returns the reports of the keys whose holdings are made. */
function reportsOf(source: Source, keys: readonly string[]): Report[] {
  const { reports, alone } = parts(source, keys)
  return [...reports, ...alone]
}

interface Recomputed {
  reports: readonly Report[]
  securities: readonly Report[]
}
const NOTHING: Recomputed = { reports: [], securities: [] }

/**
 * Makes the rows of `held` and `holder` of a source. Returns the reports, and the securities in quarters, whose
 * purchases and sales must be computed from all lines.
 */
async function makeHeld(tx: Transaction, source: Source, keys: readonly string[] | null): Promise<Recomputed> {
  const from = HELD[source]
  if (keys === null) {
    await tx`delete from held where source = ${source}`
    await tx`delete from holder where source = ${source}`
    await tx`insert into holder (source, holder, quarter) select ${source}, n.holder, n.quarter from ${from.newest(tx, null)} n`
    await from.sums(tx, null)
    return NOTHING
  }
  const { reports, replaced, alone, securities: named } = parts(source, keys)
  // A report changes only the sums of its own source.
  if (reports.length + alone.length + named.length === 0) return NOTHING
  const moved = await moveHolders(tx, source, [...reports, ...alone])
  if (alone.length > 0) await from.forget?.(tx, alone)
  // A new report is often also the newest report of its holder. The map has each report once, so that its lines are
  // read once.
  const alsoMoved = withoutCovered(moved, reports, alone)
  const all = new Map([...reports, ...alsoMoved].map((report) => [`${report.id} ${report.quarter}`, report]))
  const unknown = await from.change?.(tx, { reports, replaced, moved: alsoMoved })
  const lost = await tx<Report[]>`
    select sec_id as id, quarter from held where source = ${source} and quarter = any(${unknown?.quarters ?? []}::date[])`
  const securities = [...named, ...lost]
  await tx`
    insert into touched_security (source, sec_id, quarter)
    select ${source}, id, quarter
    from unnest(${securities.map(({ id }) => id)}::text[], ${securities.map(({ quarter }) => quarter)}::date[]) s (id, quarter)
    union
    select ${source}, sec_id, quarter from ${from.securitiesOf(tx, unknown?.sums ?? [...all.values()])} l where sec_id is not null`
  await tx`analyze touched_security`
  await tx`
    delete from held h using touched_security t
    where t.source = ${source} and h.source = t.source and h.sec_id = t.sec_id and h.quarter = t.quarter`
  await from.sums(tx, 'touched')
  return { reports: unknown?.flows ?? [], securities }
}

/**
 * Makes the rows of `holder` for the holders of these reports. Returns the reports that have become the newest of their
 * holder, and those that no longer are.
 */
async function moveHolders(tx: Transaction, source: Source, reports: readonly Report[]): Promise<Report[]> {
  const from = HELD[source]
  const ids = [...new Set(reports.map(({ id }) => id))]
  const moved = await tx<Report[]>`
    with stored as (select holder, quarter from holder where source = ${source} and holder = any(${ids})),
      newest as (select holder, quarter from ${from.newest(tx, ids)} n)
    select holder as id, quarter from (
      (select * from stored except select * from newest) union all (select * from newest except select * from stored)) m`
  await tx`delete from holder where source = ${source} and holder = any(${moved.map(({ id }) => id)})`
  await tx`
    insert into holder (source, holder, quarter)
    select ${source}, n.holder, n.quarter from ${from.newest(
      tx,
      moved.map(({ id }) => id),
    )} n`
  return moved
}

/**
 * Returns the moved reports whose sums must be made here. A holder with a key `alone` is left out, since that key names
 * all quarters of the move, and keys of securities make the sums. If another report has moved the holder since the key
 * was made, the holder is not left out.
 */
function withoutCovered(moved: readonly Report[], reports: readonly Report[], alone: readonly Report[]): Report[] {
  if (alone.length === 0) return [...moved]
  const changed = new Set(reports.map(({ id }) => id))
  const named = new Set(alone.map(({ id, quarter }) => `${id} ${quarter}`))
  for (const { id, quarter } of moved) if (!named.has(`${id} ${quarter}`)) changed.add(id)
  const isAlone = new Set(alone.map(({ id }) => id))
  return moved.filter(({ id }) => changed.has(id) || !isAlone.has(id))
}

/**
 * Computes the newest quarter of each source, and the oldest quarter of the window in which newest reports are used. If
 * the oldest quarter changes, marks the securities of the quarters between the old and the new one: their newest
 * holders enter or leave the sums. Returns these moves.
 */
async function makeSpans(tx: Transaction, keys: readonly string[] | null): Promise<SpanMove[]> {
  const before = await tx<{ source: Source; since: string }[]>`select source, since from span`
  await tx`delete from span`
  const now = await tx<{ source: Source; since: string }[]>`
    insert into span (source, newest, since)
    select source, max(quarter),
      (date_trunc('month', max(quarter) - make_interval(months => ${WINDOW_MONTHS - 1})) - interval '1 day')::date
    from holder group by source
    returning source, since`
  if (keys === null) return []
  const moved = before.filter(
    ({ source, since }) => !now.some((span) => span.source === source && span.since === since),
  )
  for (const { source, since } of moved) {
    await tx`
      insert into touched_security (source, sec_id, quarter)
      select h.source, h.sec_id, h.quarter from held h left join span s using (source)
      where h.source = ${source} and h.newest_holders > 0 and (s.since is null or (
        h.quarter >= least(s.since, ${since}::date) and h.quarter < greatest(s.since, ${since}::date)))`
  }
  return moved.flatMap(({ source, since }) => {
    const span = now.find((each) => each.source === source)
    return span ? [{ source, before: since, now: span.since }] : []
  })
}
