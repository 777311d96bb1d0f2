/**
 * Replaces the slice's schema by the shadow. The swap only renames schemas and makes views again, so readers see either
 * the old or the new tables, and wait only for a moment.
 */
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

/** Maximum time in milliseconds for which other readers queue for a view while we wait for its lock. */
const LOCK_TIMEOUT_MS = 50
const PAUSE_MS = 200
/**
 * Number of tries to lock a view. The pauses between the tries add up to two minutes, and every statement of a request
 * ends sooner because of its own time limit. A slower reader makes the swap fail.
 */
const SWAP_TRIES = 600
const DROP_TRIES = 300
/**
 * Number of attempts to drop the tables that a rebuild left behind. It is small so that a start does not wait long for
 * sessions that read these tables.
 */
const LEFT_TRIES = 4

interface Exchange {
  /** All slices that may be made from this slice. */
  slices: readonly Slice[]
  /** Maximum number of tries for each lock. */
  tries?: number
}

/**
 * Renames the schemas. Makes the slice's own views again, and the views of other slices that read the slice's tables or
 * views.
 *
 * @throws the database's error, for example in these cases: another slice's view names a column that no longer exists,
 * or all `tries` to lock a view fail because sessions keep reading it
 */
export async function swap(tx: Transaction, slice: Slice, exchange: Exchange): Promise<void> {
  const { slug } = slice
  await exchangeViews(tx, slice, exchange, async (sp) => {
    // The old schema may have been lost.
    const [{ old } = { old: false }] = await sp<{ old: boolean }[]>`select to_regnamespace(${slug}) is not null as old`
    if (old) await sp`alter schema ${sp(slug)} rename to ${sp(oldSchemaOf(slice))}`
    await sp`alter schema ${sp(shadowOf(slice))} rename to ${sp(slug)}`
    await grantReading(sp, [slug])
  })
}

/**
 * Replaces the views of a slice whose tables are of this version. Also replaces those views of other slices that read
 * these views. No rows are made again, with one exception: the rollups of slices that follow this slice are marked,
 * since a changed view may show the same rows differently.
 *
 * @param onWait called if another process is rebuilding the slice or replacing its views
 * @throws whatever `swap` throws
 */
export async function replaceViews(
  { sql, signal, onWait, ...exchange }: Exchange & { sql: Sql; signal?: AbortSignal; onWait?: () => void },
  slice: Slice,
): Promise<void> {
  const { slug } = slice
  await sql.begin(async (tx) => {
    await holdRebuild(tx, slice, { onWait, signal })
    if ((await ofOtherShape(tx, [slice])).length === 0) return
    // A batch locks this row while it loads. So the row is locked first: waiting for it while a view is locked would
    // make readers wait too.
    await tx`select from core.dataset where slug = ${slug} for update`
    await exchangeViews(tx, slice, exchange)
    await recordViews(tx, slice)
    await markAll(tx, followersOf(exchange.slices, slice))
    await dataChanged(tx, [slug])
  })
}

/**
 * Drops the views of the slice and the views of other slices that read its tables or views, and makes all of them
 * again. A view can be replaced only while no session reads it, so the lock is attempted only briefly and no reader
 * queues for longer.
 *
 * @param between the work to do while the views do not exist
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
 * Makes another slice's view again. If that slice is of another version too, its old view may name a column that no
 * longer exists. Such a view is left out, and the upgrade of its own slice makes it.
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
  /** Name of the view, with its schema. */
  name: string
  /** True if this is one of the slice's own views, `pub.<slug>_…`. */
  isOwn: boolean
  /** Statements that make the view again with its comments, owner and grants. */
  restored: string
}

/** Views that read the slice's tables or the slice's views. Each view comes after the views that it reads. */
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
 * Drops the tables that were swapped out, once they are no longer read. If the tables are read for minutes, the next
 * rebuild or start drops them.
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

/**
 * Drops the swapped-out tables of rebuilds that were killed between their swap and their end, unless they are being
 * read.
 */
export async function dropLeftOld(sql: Sql, slices: readonly Slice[]): Promise<void> {
  const found = new Set(await schemasAmong(sql, slices.map(oldSchemaOf)))
  for (const slice of slices.filter((each) => found.has(oldSchemaOf(each)))) {
    await sql.begin(async (lock) => {
      // A running rebuild of the slice removes these tables itself.
      if (await tryHoldRebuild(lock, slice)) await dropOld(sql, slice, LEFT_TRIES)
    })
  }
}

/**
 * Repeats the work while a lock is not granted.
 *
 * @throws the error of the last attempt; any error other than a held lock is thrown immediately
 */
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
