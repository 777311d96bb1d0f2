/** Names as they are compared, places of postal codes, and what a search finds each touched firm by. */

import { fold } from '../../read/fold.ts'
import type { Transaction } from '../../store/db.ts'
import { placeOf } from './place.ts'

/**
 * Fills `adv_fold` with every name and city of the touched firms, and `adv_place` with their postal codes: neither folding
 * nor the list of postal codes is in the database.
 */
export async function foldNames(tx: Transaction): Promise<void> {
  await tx`drop table if exists pg_temp.adv_fold, pg_temp.adv_place`
  await tx`
    create temporary table adv_fold (name text collate "C" primary key, name_key text collate "C") on commit drop`
  await tx`
    create temporary table adv_place (postal_code text collate "C" primary key, lat numeric, lng numeric) on commit drop`
  const names = await tx<{ name: string }[]>`
    select name from adv_candidate, unnest(array[business_name, legal_name, city]) as name where name is not null
    union
    select name from adv_touched join adv.firm using (crd), unnest(array[business_name, legal_name]) as name
    where name is not null
    union
    select name from adv_touched join adv.filing using (crd), unnest(array[business_name, legal_name, new_name]) as name
    where name is not null
    union
    select r.name from adv_touched join adv.filing f using (crd) join adv.related r using (filing_id)
    where r.kind = 'other_name' and r.name is not null
    union
    select h.value from adv_touched join ${shownNames(tx)} h on h.key = crd`
  const plain = names.map(({ name }) => name)
  await tx`
    insert into adv_fold (name, name_key)
    select * from unnest(${plain}::text[], ${plain.map(fold)}::text[])`
  const codes = await tx<{ code: string }[]>`
    select distinct postal_code as code from adv_candidate where postal_code is not null`
  const places = codes.flatMap(({ code }) => {
    const place = placeOf(code)
    return place ? [{ code, ...place }] : []
  })
  await tx`
    insert into adv_place (postal_code, lat, lng)
    select * from unnest(
      ${places.map(({ code }) => code)}::text[],
      ${places.map(({ lat }) => String(lat))}::numeric[],
      ${places.map(({ lng }) => String(lng))}::numeric[])`
  await tx`analyze adv_fold, adv_place`
}

/** Names that any feed of any day showed, by CRD number. */
export const shownNames = (tx: Transaction) => tx`(
  select key, series, field, value, from_day, to_day from bulk.history
  where series in ('IA_FIRM_SEC', 'IA_FIRM_STATE') and field in ('business_name', 'legal_name') and value is not null
)`

/** Writes adv.adviser_name. Of names that compare as equal the one of now is shown, and it is not a former one too. */
export async function nameTouched(tx: Transaction): Promise<void> {
  await tx`delete from adv.adviser_name where crd in (select crd from adv_touched)`
  await tx`
    insert into adv.adviser_name (crd, kind, name, name_key)
    with firm as (
      select a.crd, a.business_name, a.legal_name, a.sec_file_number, a.schedule_filing_id
      from adv_touched join adv.adviser a using (crd)
    ), filing as (
      select f.crd, f.filing_id, f.business_name, f.legal_name, f.new_name, f.sec_number
      from firm join adv.filing f using (crd)
    ), now as (
      select crd, 'business' as kind, business_name as name from firm where business_name is not null
      union all
      select crd, 'legal', legal_name from firm where legal_name is not null
      union all
      select f.crd, 'other', r.name from firm f join adv.related r on r.filing_id = f.schedule_filing_id
      where r.kind = 'other_name' and r.name is not null
      union all
      select f.crd, 'other', l.new_name from firm f join filing l on l.filing_id = f.schedule_filing_id
      where l.new_name is not null
    ), known as (
      select f.crd, name from filing f, unnest(array[business_name, legal_name, new_name]) as name where name is not null
      union
      select m.crd, name from firm join adv.firm m using (crd), unnest(array[m.business_name, m.legal_name]) as name
      where name is not null
      union
      select firm.crd, h.value from firm join ${shownNames(tx)} h on h.key = firm.crd
      union
      select f.crd, r.name from filing f join adv.related r using (filing_id)
      where r.kind = 'other_name' and r.name is not null
    ), keyed as (
      select crd, kind, name, name_key from now join adv_fold using (name)
    )
    select distinct on (crd, kind, name_key) crd, kind, name, name_key from keyed where name_key <> ''
    union all
    (select distinct on (k.crd, o.name_key) k.crd, 'former', k.name, o.name_key
    from known k join adv_fold o using (name)
    where o.name_key <> '' and not exists (select from keyed y where y.crd = k.crd and y.name_key = o.name_key)
    order by k.crd, o.name_key, k.name)
    union all
    select crd, 'crd', crd, crd from firm
    union all
    (select distinct on (crd, lower(number)) crd, 'sec_number', number, lower(number) from (
      select crd, sec_file_number as number from firm
      union
      select crd, sec_number from filing
      union
      select m.crd, m.sec_number from firm join adv.firm m using (crd)
    ) n where number is not null
    order by crd, lower(number), number)`
}
