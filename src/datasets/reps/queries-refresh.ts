/** Keeps the rollups: registrations → stints → moves → sums by firm. */
import type { Changed } from '../../declare/series.ts'
import type { Transaction } from '../../store/db.ts'
import { insertFirms } from './queries-firm.ts'
import { insertMoves, markBulk } from './queries-move.ts'
import { insertStints } from './queries-stint.ts'

/**
 * Rewrites stints and moves of the people that changed, and the sums of every firm that one of them was or is with; all
 * for null. Whoever is gone from the feed for more than ten years, counted to the newest edition, is deleted with all
 * rows, as IAPD shows former representatives for ten years.
 *
 * Measured on two cores that had as much else to do: two minutes for all 440,000 people of 2.2 million registrations at
 * 25,000 firms, 0.1 s where nobody changed. With a quarter of the people 30 s for all, 0.5 s for 20 people, of whom some
 * were with the largest firm (8,000 people), 2.5 s for 500.
 */
export async function refresh(tx: Transaction, changed: Changed | null): Promise<void> {
  const expired = await deleteExpired(tx, changed)
  if (changed === null || changed.keys.length > PEOPLE_MAX) return refreshAll(tx)
  await collect(tx, 'reps_person', [...changed.keys, ...expired])
  await collect(tx, 'reps_firm', [])
  await addFirms()
  await tx`delete from reps.move where indvl_pk in (select pk from reps_person)`
  await tx`delete from reps.stint where indvl_pk in (select pk from reps_person)`
  await insertStints(tx, tx`r.indvl_pk in (select pk from reps_person)`)
  await addFirms()
  await insertMoves(tx, tx`s.indvl_pk in (select pk from reps_person)`)
  await tx`analyze reps_firm`
  // A firm's people are the measure of how many of them are half: groups of unchanged people may change too.
  const marked = await markBulk(tx, tx`from_pk in (select pk from reps_firm)`)
  await tx`insert into reps_firm select unnest(${marked}::text[]) on conflict do nothing`
  await tx`delete from reps.firm where org_pk in (select pk from reps_firm)`
  await insertFirms(tx, tx`org_pk in (select pk from reps_firm)`)

  /** Firms that the people have stints with: those before, and then those after. */
  async function addFirms(): Promise<void> {
    await tx`
      insert into reps_firm
      select distinct org_pk from reps.stint where indvl_pk in (select pk from reps_person)
      on conflict do nothing`
  }
}

/** A quarter of all people: with so many nearly every firm is summed anyway, and sorting once beats looking each up. */
const PEOPLE_MAX = 100_000

async function refreshAll(tx: Transaction): Promise<void> {
  // Sorts of two million rows: with the 4 MB of a server as installed they would go to disk in many small runs.
  await tx`set local work_mem = '128MB'`
  // Loaded in this transaction, perhaps: nothing else has counted the rows yet.
  await tx`analyze reps.registration`
  await tx`delete from reps.firm`
  await tx`delete from reps.move`
  await tx`delete from reps.stint`
  await insertStints(tx, tx`true`)
  await tx`analyze reps.stint`
  await insertMoves(tx, tx`true`)
  await tx`analyze reps.move`
  await markBulk(tx, tx`from_pk is not null`)
  await insertFirms(tx, tx`true`)
}

/** A temporary table of numbers, anew: a transaction may refresh more than once. */
async function collect(tx: Transaction, name: string, pks: readonly string[]): Promise<void> {
  await tx`drop table if exists ${tx(`pg_temp.${name}`)}`
  await tx`create temporary table ${tx(name)} (pk text collate "C" primary key) on commit drop`
  await tx`insert into ${tx(name)} select unnest(${pks as string[]}::text[]) on conflict do nothing`
  await tx`analyze ${tx(name)}`
}

/** @returns those deleted */
async function deleteExpired(tx: Transaction, changed: Changed | null): Promise<string[]> {
  const expired = await tx<{ indvl_pk: string }[]>`
    delete from reps.person p using bulk.record r
    where r.series = 'IA_INDVL' and r.key = p.indvl_pk
      and r.gone_day < coalesce(
        ${changed?.edition.to ?? null}::date,
        (select max(to_day) from bulk.edition where series = 'IA_INDVL' and state = 'done')) - interval '10 years'
    returning p.indvl_pk`
  const pks = expired.map(({ indvl_pk }) => indvl_pk)
  if (pks.length > 0) await tx`delete from reps.registration where indvl_pk = any(${pks})`
  return pks
}
