import { z } from 'zod'
import { crd, flag, get } from '../../declare/route.ts'
import { nothing, notLoaded, withMissing } from '../../serve/loaded.ts'
import { advAdviser } from '../adv/views.ts'
import * as queries from './queries.ts'
import { move as moves, stint as stints } from './rollups.ts'
import { person as people, registration } from './tables.ts'

const READ = { series: { IA_INDVL: 'who is or was registered with a firm is not known' } }

const indvlPk = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'must be a number of digits' })
  .overwrite((value) => value.replace(/^0+(?=\d)/, ''))
  .describe('CRD number of the person, as rep-flows has it')

const count = (meaning: string) => z.int().describe(meaning)
const firm = stints.columns.org_pk.describe('CRD number of the firm')

const registered = registration.columns
const { indvl_pk, first_nm, last_nm, mid_nm, suf_nm, link } = people.columns

const move = z.object({
  indvl_pk,
  first_nm,
  last_nm,
  other_org_pk: moves.columns.other_org_pk.describe('Firm moved from or to; null when none'),
  other_org_nm: moves.columns.other_org_nm.describe('Name of that firm at the time; null when none'),
  move_date: moves.columns.move_date.describe('First day with this firm, or last'),
  is_bulk: moves.columns.is_bulk,
  bulk_reason: moves.columns.bulk_reason,
})

const flowsAnswer = z.object({
  crd: firm,
  summary: z.object({
    gained: count('Arrivals'),
    lost: count('Departures'),
    net: count('Arrivals less departures'),
    from_firms: count('Arrivals from another firm'),
    new_to_industry: count('Arrivals of people who were never registered before'),
    gained_otherwise: count('Other arrivals: beside a firm that the person stays with, or back after a break'),
    to_firms: count('Departures to another firm'),
    left_industry: count('Departures of people who have not registered with a firm since'),
    lost_otherwise: count('Other departures: the person stays with another firm, or comes back after a break'),
  }),
  bulk: z
    .object({ gained: count('Arrivals in bulk'), lost: count('Departures in bulk') })
    .describe('Moves of mergers and re-registrations: left out of everything else unless include_bulk'),
  byYear: z
    .array(z.object({ year: z.int(), gained: z.int(), lost: z.int() }))
    .describe('Years with moves, the latest first'),
  recentIn: z.array(move).describe('Arrivals, the latest first, at most 100'),
  recentOut: z.array(move).describe('Departures, the latest first, at most 100'),
  ...notLoaded,
})

export type RepFlows = z.infer<typeof flowsAnswer>

const headcountAnswer = z.object({
  crd: firm,
  current: count('People registered with the firm today'),
  peak: count('Largest number of the series'),
  series: z
    .array(
      z.object({
        month: z.iso.date().describe('First day of the month'),
        headcount: count('People registered on that day'),
      }),
    )
    .describe('By month, ascending, to that of the newest feed loaded, those with 0 included'),
  ...notLoaded,
})

export type Headcount = z.infer<typeof headcountAnswer>

const movementsAnswer = z.object({
  person: z.object({ indvl_pk, first_nm, last_nm, mid_nm, suf_nm, link }),
  stints: z
    .array(
      z.object({
        org_pk: firm,
        org_nm: stints.columns.org_nm,
        firm_legal_name: advAdviser.columns.legal_name.describe(
          'Legal name of the firm today, from Form ADV; the name in the registration where it files none',
        ),
        start_date: stints.columns.start_date,
        end_date: stints.columns.end_date,
        is_current: stints.columns.is_current,
      }),
    )
    .describe('The current ones first, then those that ended last'),
  registrations: z
    .array(
      z.object({
        org_pk: firm.nullable(),
        regulator: registered.regulator,
        category: registered.category,
        status: registered.status,
        date: z.iso.date().nullable().describe('Day of that status'),
      }),
    )
    .describe('With each regulator, of the firms that the feed names as present employers, or named last'),
})

export type Movements = z.infer<typeof movementsAnswer>

export const repFlows = get('/adv/advisers/by-crd/{crd}/rep-flows', {
  name: 'adviser_rep_flows',
  summary: 'Representatives that a firm gained and lost, by year, and the latest of them',
  description: `From the stints of the people in IAPD’s individual feed. A stint is the time of registration with one firm: registrations that overlap, touch or lie a day apart are one, and a firm that renames itself keeps its number, so neither is a move. An arrival is the first day of a stint, a departure its last; whoever disappears from the feed has left on the first day without them.
The other firm of an arrival is the one left last before it, or at most 30 days after; of a departure the one joined next after it, or at most 30 days before. It is null for first and last registrations, for a second firm beside one that the person stays with, and for a return after a break.
Moves between the same two firms on the same day, of at least 10 people, or of at least 3 who are at least half of the people of the firm left, are mergers or re-registrations: \`is_bulk\`. They are counted in \`bulk\` alone unless \`include_bulk\` is true.
A firm without representatives has zeros and empty lists; so has one of which nothing is known, and \`not_loaded\` says so. People gone for more than ten years are deleted, and their moves with them.`,
  tag: 'reps',
  reads: ['adv'],
  input: {
    crd,
    include_bulk: flag('true: count and list the moves of mergers and re-registrations too').default(false),
  },
  output: flowsAnswer,
  run: async (input, { sql }) => {
    const found = await queries.repFlows(sql, input.crd, input.include_bulk)
    if (!found) return nothing(sql, READ)
    const { summary, bulk } = found
    const whole = summary.gained + summary.lost + bulk.gained + bulk.lost === 0
    return withMissing(sql, { ...READ, whole }, found)
  },
})

export const headcount = get('/adv/advisers/by-crd/{crd}/headcount', {
  name: 'adviser_headcount',
  summary: 'Registered representatives of a firm by month',
  description:
    'Counts people registered with the firm on the first day of each month, from the stints of the people in IAPD’s individual feed: not employees, most of whom need no registration, and without people who are in the feed no longer for more than ten years. Stints of which the feed does not say the first or last day are in no month. `current` is of the newest feed, and may be larger than the last month.',
  tag: 'reps',
  reads: ['adv'],
  input: { crd },
  output: headcountAnswer,
  run: async (input, { sql }) => {
    const found = await queries.headcount(sql, input.crd)
    return found ? withMissing(sql, { ...READ, whole: found.current + found.peak === 0 }, found) : nothing(sql, READ)
  },
})

export const movements = get('/adv/rep/{indvlPk}/movements', {
  name: 'rep_movements',
  summary: 'One representative and the firms it is and was registered with',
  description:
    'One row a stint: registrations with one firm that overlap, touch or lie a day apart. Days are null where the feed does not say them. Other employment, offices, exams and disclosures of the person are not kept.',
  tag: 'reps',
  reads: ['adv'],
  input: { indvlPk },
  output: movementsAnswer,
  run: async (input, { sql }) => (await queries.movements(sql, input.indvlPk)) ?? nothing(sql, READ),
})
