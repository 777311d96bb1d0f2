/** Shapes of answers. */
import { z } from 'zod'
import { count, date } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { advAdviser } from '../adv/views.ts'
import { move as moves, stint as stints } from './rollups.ts'
import { person as people, registration } from './tables.ts'

const firm = stints.columns.org_pk.describe('CRD number of the firm')

const registered = registration.columns
const { indvl_pk, first_nm, last_nm, mid_nm, suf_nm, link } = people.columns

const move = z
  .object({
    indvl_pk,
    first_nm,
    last_nm,
    other_org_pk: moves.columns.other_org_pk.describe(
      'CRD number of the firm from which the person came, or to which the person went; null if there is none',
    ),
    other_org_nm: moves.columns.other_org_nm.describe(
      'Name of the other firm at the time of the move; null if there is none',
    ),
    move_date: moves.columns.move_date.describe(
      'First day of an arrival, or last day of a departure, with the requested firm',
    ),
    is_bulk: moves.columns.is_bulk,
    bulk_reason: moves.columns.bulk_reason,
  })
  .meta({ id: 'RepMove' })

export const flowsAnswer = z
  .object({
    crd: firm,
    summary: z
      .object({
        gained: count('Number of arrivals'),
        lost: count('Number of departures'),
        net: count('Number of arrivals minus number of departures'),
        from_firms: count('Number of arrivals from another firm'),
        new_to_industry: count('Number of arrivals of people who were never registered before'),
        gained_otherwise: count(
          'Number of other arrivals: the person also stays with another firm, or comes back after a break',
        ),
        to_firms: count('Number of departures to another firm'),
        left_industry: count('Number of departures of people who have not registered with a firm since'),
        lost_otherwise: count(
          'Number of other departures: the person stays with another firm, or comes back after a break',
        ),
      })
      .meta({ id: 'RepFlowSummary' }),
    bulk: z
      .object({ gained: count('Number of arrivals in bulk'), lost: count('Number of departures in bulk') })
      .meta({ id: 'RepFlowBulk' })
      .describe(
        'Moves that are part of a merger or a re-registration; the other counts and lists include them only if include_bulk is true',
      ),
    byYear: z
      .array(
        z
          .object({
            year: z.int().describe('Calendar year'),
            gained: count('Number of arrivals'),
            lost: count('Number of departures'),
          })
          .meta({ id: 'RepFlowYear' }),
      )
      .describe('Years with moves, the latest first'),
    recentIn: z.array(move).describe('Arrivals, the latest first, at most 100'),
    recentOut: z.array(move).describe('Departures, the latest first, at most 100'),
    ...notLoaded,
  })
  .meta({ id: 'RepFlows' })

export type RepFlows = z.infer<typeof flowsAnswer>

export const headcountAnswer = z
  .object({
    crd: firm,
    current: count('Number of people who are registered with the firm in the newest loaded feed'),
    peak: count('Largest headcount of the series'),
    series: z
      .array(
        z
          .object({
            month: date('First day of the month'),
            headcount: count('Number of people who were registered on this day'),
          })
          .meta({ id: 'HeadcountMonth' }),
      )
      .describe('Months in ascending order, up to the month of the newest loaded feed, including months with 0 people'),
    ...notLoaded,
  })
  .meta({ id: 'Headcount' })

export type Headcount = z.infer<typeof headcountAnswer>

export const movementsAnswer = z
  .object({
    person: z.object({ indvl_pk, first_nm, last_nm, mid_nm, suf_nm, link }).meta({ id: 'Representative' }),
    stints: z
      .array(
        z
          .object({
            org_pk: firm,
            org_nm: stints.columns.org_nm,
            firm_legal_name: advAdviser.columns.legal_name.describe(
              'Current legal name of the firm, from Form ADV; if it files no Form ADV, the name in the registration',
            ),
            start_date: stints.columns.start_date,
            end_date: stints.columns.end_date,
            is_current: stints.columns.is_current,
          })
          .meta({ id: 'Stint' }),
      )
      .describe('Current stints first, then ended stints, the most recently ended first'),
    registrations: z
      .array(
        z
          .object({
            org_pk: firm.nullable(),
            regulator: registered.regulator,
            category: registered.category,
            status: registered.status,
            date: date('Day on which the registration got this status').nullable(),
          })
          .meta({ id: 'RepRegistration' }),
      )
      .describe(
        'Registrations with each regulator at the firms that the feed names as current employers, or named as the last employers',
      ),
  })
  .meta({ id: 'RepMovements' })

export type Movements = z.infer<typeof movementsAnswer>
