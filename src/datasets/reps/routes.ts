import { z } from 'zod'
import { crd, flag, get } from '../../declare/route.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { flowsAnswer, headcountAnswer, movementsAnswer } from './answers.ts'
import * as queries from './queries.ts'

const READ = { series: { IA_INDVL: 'who is or was registered with a firm is not known' } }

const indvlPk = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'must be a number of digits' })
  .overwrite((value) => value.replace(/^0+(?=\d)/, ''))
  .describe('CRD number of the person, for example from rep-flows')
  .meta({ 'x-entity': 'person' })

export const repFlows = get('/adv/advisers/by-crd/{crd}/rep-flows', {
  name: 'adviser_rep_flows',
  summary: 'List representatives a firm gained and lost',
  description: `Arrivals and departures of a firm’s representatives by year, and the latest of them. They come from the stints of the people in IAPD’s individual feed. A stint is the time of registration with one firm: registrations that overlap, touch or are a day apart form one stint. A firm that changes its name keeps its CRD number, so a change of name is not a move. An arrival is the first day of a stint, a departure its last; a person who disappears from the feed departed on the first day of a feed without that person.
The other firm of an arrival is the firm that the person left last before the arrival, or at most 30 days after it. The other firm of a departure is the firm that the person joined next after the departure, or at most 30 days before it. The other firm is null for first and last registrations, for a second firm in addition to one that the person stays with, and for a return after a break.
Moves between the same two firms on the same day count as mergers or re-registrations (\`is_bulk\`) in two cases: at least 10 people move, or at least 3 people move who are at least half of the people of the firm that they leave. Unless \`include_bulk\` is true, such moves are counted only in \`bulk\`.
A firm without representatives has zeros and empty lists. A firm without any data also has zeros and empty lists, and \`not_loaded\` says which data is missing. People who left the feed more than ten years ago are deleted with their moves.`,
  tag: 'representatives',
  reads: ['adv'],
  leads: { found: { crd: { in: 'reps.firm', by: 'org_pk' } } },
  input: {
    crd,
    include_bulk: flag('true: also counts and lists moves that are part of a merger or a re-registration').default(
      false,
    ),
  },
  examples: [{ crd: '999000001' }, { crd: '999000001', include_bulk: 'true' }],
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
  summary: 'Count representatives of a firm by month',
  description:
    'Counts the people registered with a firm on the first day of each month, from their stints in IAPD’s individual feed. This is not the number of employees, since most employees need no registration. People who left the feed more than ten years ago are left out. Stints without a first or last day in the feed do not count in any month. `current` counts people in the newest feed, and may be larger than the headcount of the last month.',
  tag: 'representatives',
  reads: ['adv'],
  leads: { found: { crd: { in: 'reps.firm', by: 'org_pk' } } },
  input: { crd },
  examples: [{ crd: '999000001' }],
  output: headcountAnswer,
  rows: 'series',
  run: async (input, { sql }) => {
    const found = await queries.headcount(sql, input.crd)
    return found ? withMissing(sql, { ...READ, whole: found.current + found.peak === 0 }, found) : nothing(sql, READ)
  },
})

export const movements = get('/adv/rep/{indvlPk}/movements', {
  name: 'rep_movements',
  summary: 'Show a representative’s career',
  description:
    'A representative, and the firms with which this person is or was registered. One row per stint: registrations with one firm that overlap, touch or are a day apart. Days are null if the feed does not state them. Other employment, offices, exams and disclosures of the person are not kept.',
  tag: 'representatives',
  reads: ['adv'],
  input: { indvlPk },
  examples: [{ indvlPk: '990000003' }],
  output: movementsAnswer,
  rows: 'stints',
  run: async (input, { sql }) => (await queries.movements(sql, input.indvlPk)) ?? nothing(sql, READ),
})
