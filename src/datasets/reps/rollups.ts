/** Rollups of stints, moves and firms, from the registrations: see queries-refresh.ts. */
import { z } from 'zod'
import { boolean, count, crd, date, integer, json, rollup, text } from '../../declare/table.ts'

export const stint = rollup(
  'reps.stint',
  'One row per stint: a time in which a person was registered with a firm without a break',
  ['indvl_pk', 'n'],
  {
    indvl_pk: text('CRD number of the person, digits', { entity: 'person', label: 'CRD number' }),
    n: integer('Number of the stint of the person, from 1, in the order of first days'),
    org_pk: crd('CRD number of the firm, digits'),
    org_nm: text('Name of the firm, from the newest registration of the stint').nullable(),
    start_date: date('First day of the stint; null if the feed does not state it').nullable(),
    end_date: date('Last day of the stint; null if it is current, or if the feed does not state the day').nullable(),
    is_current: boolean('True if the person is now registered with the firm'),
  },
  { indexes: ['(org_pk, start_date)'] },
)

export const move = rollup(
  'reps.move',
  'One row per arrival at a firm (a stint with a known first day) or departure from it (a stint with a known last day)',
  ['indvl_pk', 'n', 'direction'],
  {
    indvl_pk: text('CRD number of the person, digits', { entity: 'person', label: 'CRD number' }),
    n: integer('Number of the stint (`n` in the table `stint`) that begins or ends'),
    direction: text('Direction of the move: in for an arrival, out for a departure'),
    org_pk: crd('CRD number of the firm at which the person arrived or from which the person departed'),
    move_date: date('Day of the move: first day of the stint for an arrival, last day for a departure'),
    kind: text(
      'Kind of move. firm: from or to another firm. industry: into the industry or out of it, without another stint before or after. beside: the person stays with another firm meanwhile. back: between two stints with the same firm',
    ),
    other_org_pk: crd('CRD number of the other firm; null unless kind is firm').nullable(),
    other_org_nm: text('Name of the other firm in its stint').nullable(),
    from_pk: crd(
      'CRD number of the firm that was left, for kinds firm and back, which may be part of a move in bulk',
    ).nullable(),
    left_on: date('Last day with the firm that was left (from_pk)').nullable(),
    is_bulk: boolean('True if the move is part of a merger or a re-registration of many people'),
    bulk_reason: text(
      'Why the move is in bulk. many_people: at least 10 people moved between the same two firms on one day. half_of_firm: at least 3 people moved in this way, and they were at least half of the people of the firm that they left',
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

export const firm = rollup(
  'reps.firm',
  'One row per firm, with counts of its arrivals, departures and people',
  ['org_pk'],
  {
    org_pk: crd('CRD number of the firm, digits'),
    gained: count('Number of arrivals that are not in bulk'),
    from_firms: count('Number of arrivals from another firm that are not in bulk'),
    new_to_industry: count('Number of arrivals that are the person’s first registration and are not in bulk'),
    lost: count('Number of departures that are not in bulk'),
    to_firms: count('Number of departures to another firm that are not in bulk'),
    left_industry: count('Number of departures to no other firm (kind industry) that are not in bulk'),
    bulk_gained: count('Number of arrivals in bulk'),
    bulk_from_firms: count('Number of arrivals in bulk from another firm'),
    bulk_lost: count('Number of departures in bulk'),
    bulk_to_firms: count('Number of departures in bulk to another firm'),
    by_year: json(
      z.array(z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()])),
      'By year, the latest first: year, arrivals and departures that are not in bulk, arrivals and departures in bulk',
    ),
    current: count('Number of people with a current stint at the firm'),
    first_month: date('Month in which the earliest stint with known days began').nullable(),
    steps: json(
      z.record(z.string(), z.int()),
      'By first day of a month: number of people registered on that day minus the number on the first day of the preceding month. Months without a difference are left out',
    ),
  },
)
