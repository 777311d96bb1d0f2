/** Rollups of stints, moves and firms, from the registrations: see queries-refresh.ts. */
import { z } from 'zod'
import { boolean, count, crd, date, integer, json, rollup, text } from '../../declare/table.ts'

export const stint = rollup(
  'reps.stint',
  'One row per time that a person was registered with a firm without a break',
  ['indvl_pk', 'n'],
  {
    indvl_pk: text('CRD number of the person, digits', { entity: 'person', label: 'CRD number' }),
    n: integer('Number of the stint among the person’s, from 1 in the order of their first days'),
    org_pk: crd('CRD number of the firm, digits'),
    org_nm: text('Name of the firm as the newest registration of the stint has it').nullable(),
    start_date: date('First day registered; null when the feed does not say').nullable(),
    end_date: date('Last day registered; null while current, or when the feed does not say').nullable(),
    is_current: boolean('The person is registered with the firm today'),
  },
  { indexes: ['(org_pk, start_date)'] },
)

export const move = rollup(
  'reps.move',
  'One row per arrival at a firm or a departure from it: a stint and a known boundary of it',
  ['indvl_pk', 'n', 'direction'],
  {
    indvl_pk: text('CRD number of the person, digits', { entity: 'person', label: 'CRD number' }),
    n: integer('Number of the stint that begins or ends'),
    direction: text('in for an arrival, out for a departure'),
    org_pk: crd('CRD number of the firm arrived at or departed from'),
    move_date: date('First or last day of the stint'),
    kind: text(
      'firm: from or to another firm. industry: the first registration ever, or the last. beside: the person stays with another firm. back: to the same firm after a break',
    ),
    other_org_pk: crd('The other firm, of kind firm alone').nullable(),
    other_org_nm: text('Its name at the time').nullable(),
    from_pk: crd('Firm that was left, where people of it may move in bulk: kinds firm and back').nullable(),
    left_on: date('Last day there').nullable(),
    is_bulk: boolean('Part of a merger or a re-registration of many people'),
    bulk_reason: text(
      'many_people: at least 10 with the same two firms and day. half_of_firm: at least 3 that are at least half of the firm',
      { values: ['many_people', 'half_of_firm'] },
    ).nullable(),
  },
  {
    indexes: [
      '(org_pk, direction, is_bulk, move_date desc, indvl_pk)',
      // Possible bulk groups, by the firm that was left.
      '(from_pk, move_date) where from_pk is not null',
    ],
  },
)

export const firm = rollup('reps.firm', 'One row per firm, with the sums of its moves and stints', ['org_pk'], {
  org_pk: crd('CRD number of the firm, digits'),
  gained: count('Arrivals without bulk ones'),
  from_firms: count('Moves among these from another firm'),
  new_to_industry: count('First registrations ever among these'),
  lost: count('Departures without bulk ones'),
  to_firms: count('Moves among these to another firm'),
  left_industry: count('Moves among these to no firm'),
  bulk_gained: count('Arrivals in bulk'),
  bulk_from_firms: count('Moves among these from another firm'),
  bulk_lost: count('Departures in bulk'),
  bulk_to_firms: count('Moves among these to another firm'),
  by_year: json(
    z.array(z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()])),
    'Year, arrivals, departures, both without bulk ones, arrivals and departures in bulk; the latest year first',
  ),
  current: count('People with a current stint'),
  first_month: date('Month in which the first stint began whose days are known').nullable(),
  steps: json(
    z.record(z.string(), z.int()),
    'By first day of a month: people then registered, less those on the first of the month before. Months without a difference are left out',
  ),
})
