/** The shadow takes the place of the slice's schema: by renames, so that readers see the old tables or the new and never wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Slice } from '../../declare/dataset.ts'
import { grantReading } from '../../store/analysts.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { oldSchemaOf, schemasAmong } from '../../store/gaps.ts'
import { dataChanged } from '../../store/meta.ts'
import { isLockTimeout } from '../../store/refused.ts'
import { createViews, ofOtherShape, recordViews } from '../../store/schema.ts'
import { isUnknownName } from '../../store/version.ts'
import { followersOf, markAll } from '../marks.ts'
import { holdRebuild, shadowOf, tryHoldRebuild } from './shadow.ts'

/** How long others may wait behind us for a view that somebody reads. */
const LOCK_TIMEOUT_MS = 50
const PAUSE_MS = 200
/** Statements of requests end after 30 seconds; who reads longer is waited for no longer than this. */
const SWAP_TRIES = 600
const DROP_TRIES = 300
/** A start waits no longer for who reads what a rebuild left. */
const LEFT_TRIES = 4

interface Exchange {
  /** All that may be made of the slice. */
  slices: readonly Slice[]
  /** How often a lock is tried for. */
  tries?: number
}

/**
 * Renames the schemas and makes the views anew: the slice's own, and those of others that are made of them.
 *
 * @throws the database's error, for example where a view of others names a column that there is no more, or where a view
 *   is read by somebody or other all the time
 */
export async function swap(tx: Transaction, slice: Slice, exchange: Exchange): Promise<void> {
  const { slug } = slice
  await exchangeViews(tx, slice, exchange, async (sp) => {
    // It is not there where somebody lost it.
    const [{ old } = { old: false }] = await sp<{ old: boolean }[]>`select to_regnamespace(${slug}) is not null as old`
    if (old) await sp`alter schema ${sp(slug)} rename to ${sp(oldSchemaOf(slice))}`
    await sp`alter schema ${sp(shadowOf(slice))} rename to ${sp(slug)}`
    await grantReading(sp, [slug])
  })
}

/**
 * Replaces the views of a slice whose tables are of this version, and makes those of others again that are made of them. No row
 * is made again but what follows the slice, since a view may say something else of the same rows.
 *
 * @param onWait called if another process rebuilds the slice, or replaces its views, at the moment
 * @throws as `swap`
 */
export async function replaceViews(
  { sql, signal, onWait, ...exchange }: Exchange & { sql: Sql; signal?: AbortSignal; onWait?: () => void },
  slice: Slice,
): Promise<void> {
  const { slug } = slice
  await sql.begin(async (tx) => {
    await holdRebuild(tx, slice, { onWait, signal })
    if ((await ofOtherShape(tx, [slice])).length === 0) return
    // A batch holds the row while it loads: waiting for it with a view locked would keep readers waiting too.
    await tx`select from core.dataset where slug = ${slug} for update`
    await exchangeViews(tx, slice, exchange)
    await recordViews(tx, slice)
    await markAll(tx, followersOf(exchange.slices, slice))
    await dataChanged(tx, [slug])
  })
}

/**
 * Drops the views of the slice and those of others that are made of it, and makes them anew. A view can only be replaced while
 * nobody reads it: that is tried for moments, so that no reader queues behind us for longer.
 *
 * @param between what is done while there are none
 */
async function exchangeViews(
  tx: Transaction,
  slice: Slice,
  { slices, tries = SWAP_TRIES }: Exchange,
  between: (sp: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  await patiently(tries, () =>
    tx.savepoint(async (sp) => {
      await sp`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`
      const views = await viewsOf(sp, slice.slug)
      if (views.length > 0) await sp.unsafe(`drop view ${views.map(({ name }) => name).join(', ')}`)
      await between(sp)
      await createViews(sp, slice)
      const outdated = await ofOtherShape(
        sp,
        slices.filter(({ slug }) => slug !== slice.slug),
      )
      for (const view of views) if (!view.isOwn) await restore(sp, view, outdated)
      await grantReading(sp, ['pub'])
      await sp`set local lock_timeout to default`
    }),
  )
}

/**
 * Makes a view of others again. A slice that is of another version too has its turn: its view of before may name a column that
 * there is no more, and is left out then.
 */
async function restore(sp: Transaction, { name, restored }: View, outdated: readonly Slice[]): Promise<void> {
  const hasItsTurn = outdated.some(({ slug }) => name.startsWith(`pub.${slug}_`))
  if (!hasItsTurn) {
    await sp.unsafe(restored)
    return
  }
  await sp
    .savepoint((own) => own.unsafe(restored))
    .catch((error) => {
      if (!isUnknownName(error)) throw error
    })
}

interface View {
  /** With its schema. */
  name: string
  /** One of the slice's, `pub.<slug>_…`. */
  isOwn: boolean
  /** Statements that make it again with its comments, its owner and who may read it. */
  restored: string
}

/** Views that are made of the slice's tables or of its views, each behind those that it is made of. */
async function viewsOf(tx: Transaction, slug: string): Promise<View[]> {
  await tx`set local search_path to pg_catalog`
  const views = await tx<View[]>`
    with recursive made as (
      select v.oid, 1 as depth, v.relnamespace = to_regnamespace('pub') and starts_with(v.relname, ${`${slug}_`}) as is_own
      from pg_class v
      where v.relkind = 'v' and v.relnamespace = to_regnamespace('pub') and starts_with(v.relname, ${`${slug}_`})
      union
      select v.oid, 1, v.relnamespace = to_regnamespace('pub') and starts_with(v.relname, ${`${slug}_`})
      from pg_class t
      join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid and d.classid = 'pg_rewrite'::regclass
      join pg_rewrite r on r.oid = d.objid
      join pg_class v on v.oid = r.ev_class and v.oid <> t.oid and v.relkind = 'v'
      where t.relnamespace = to_regnamespace(${slug})
      union
      select v.oid, m.depth + 1, v.relnamespace = to_regnamespace('pub') and starts_with(v.relname, ${`${slug}_`})
      from made m
      join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = m.oid and d.classid = 'pg_rewrite'::regclass
      join pg_rewrite r on r.oid = d.objid
      join pg_class v on v.oid = r.ev_class and v.oid <> m.oid and v.relkind = 'v'
    )
    select m.name, m.is_own as "isOwn",
      concat_ws(';',
        format('create view %s %s as %s', m.name, 'with (' || array_to_string(v.reloptions, ', ') || ')',
          rtrim(pg_get_viewdef(v.oid), ';')),
        case when v.relowner <> current_user::regrole then
          format('alter view %s owner to %s', m.name, v.relowner::regrole) end,
        format('comment on view %s is %L', m.name, obj_description(v.oid, 'pg_class')),
        (select string_agg(format('comment on column %s.%I is %L', m.name, attname, col_description(v.oid, attnum)), ';')
          from pg_attribute where attrelid = v.oid and col_description(v.oid, attnum) is not null),
        (select string_agg(format('grant %s on %s to %s', privilege_type, m.name,
            case grantee when 0 then 'public' else grantee::regrole::text end), ';')
          from aclexplode(v.relacl))) as restored
    from (select oid, oid::regclass::text as name, is_own, max(depth) as depth from made group by oid, is_own) m
    join pg_class v using (oid)
    order by m.depth, m.oid`
  await tx`set local search_path to default`
  return views
}

/**
 * Removes the tables that were swapped out, when nobody reads them any more. What somebody reads for minutes is left to the
 * next rebuild or start.
 */
export async function dropOld(sql: Sql, slice: Slice, tries = DROP_TRIES): Promise<void> {
  await patiently(tries, () =>
    sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`
      await tx`drop schema if exists ${tx(oldSchemaOf(slice))} cascade`
    }),
  ).catch((error) => {
    if (!isLockTimeout(error)) throw error
  })
}

/** Removes the swapped-out tables of rebuilds that were killed between their swap and their end, unless somebody reads them. */
export async function dropLeftOld(sql: Sql, slices: readonly Slice[]): Promise<void> {
  const found = new Set(await schemasAmong(sql, slices.map(oldSchemaOf)))
  for (const slice of slices.filter((each) => found.has(oldSchemaOf(each)))) {
    await sql.begin(async (lock) => {
      // Who rebuilds the slice at the moment removes them.
      if (await tryHoldRebuild(lock, slice)) await dropOld(sql, slice, LEFT_TRIES)
    })
  }
}

/** @throws the error of the last try, where it was that somebody holds a lock; any other at once */
async function patiently(tries: number, work: () => Promise<unknown>): Promise<void> {
  for (let left = tries - 1; ; left--) {
    try {
      await work()
      return
    } catch (error) {
      if (!isLockTimeout(error) || left === 0) throw error
    }
    await sleep(PAUSE_MS)
  }
}
