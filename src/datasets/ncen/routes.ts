import { z } from 'zod'
import { BULK, SPINE } from '../../declare/catalog.ts'
import { byCursor } from '../../declare/paging.ts'
import { accession, choice, cik, crd, get, limit } from '../../declare/route.ts'
import { show } from '../../serve/details.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import * as adviserAnswers from './answers-adviser.ts'
import * as adviser from './queries/adviser.ts'
import * as queries from './queries.ts'
import { ROLES } from './tables/columns.ts'

const READ = { families: { ncen: 'reports on Form N-CEN' } }
const ADVISERS = {
  series: {
    IA_FIRM_SEC: 'advisers registered with the SEC are missing',
    IA_FIRM_STATE: 'advisers registered with states are missing',
    ADV_FILING_DATA: 'filings of Form ADV are not known',
  },
}
const fund = z
  .string()
  .overwrite((text) => text.toUpperCase())
  .regex(/^(?:\d{10}(?:-S\d{9})?|S\d{9})$/, {
    error: 'must be a series such as S000045542, or a fund as answers give it: 0000081443-S000045542',
  })
  .describe('Only providers of this fund: its series, or its CIK with ten digits, followed by the series if it has one')
/** Sources of a fund's figures: N-CEN and two other forms. */
const FIGURES = {
  families: { ...READ.families, nport: 'reports on Form N-PORT', nmfp: 'reports of money market funds (N-MFP)' },
}

/**
 * Conditions under which a report names an adviser `t` by another identifier or by its name, and not by its CRD number.
 */
const NUMBERS = [
  'exists (select from ncen.adviser p where p.number_key = t.number_key)',
  'exists (select from ncen.adviser p where p.lei = t.lei)',
  'exists (select from pub.adv_legal_name l join ncen.adviser p on p.name_key = l.name_key where l.crd = t.crd and p.state = t.state)',
]

export const detail = show('/ncen/filings/by-accession/{accession}', {
  name: 'ncen_detail',
  summary: 'Show a fund company’s annual report (N-CEN)',
  description:
    'The answers of a registrant on Form N-CEN, and its funds in pages. Each fund comes with its advisers and subadvisers, share classes, lines of credit, listings and part E. Its other providers (custodians, brokers, authorised participants …) are only counted by role: one report can have hundreds of them, so they have a list of their own.',
  tag: 'funds',
  detail: queries.detail,
  sources: READ,
  input: { limit: limit({ max: 100, default: 25 }), ...byCursor },
  rows: 'funds',
  examples: [{ accession: '0001410368-26-010921' }],
})

export const providers = get('/ncen/filings/by-accession/{accession}/providers', {
  name: 'ncen_providers',
  summary: 'List service providers of the funds of an N-CEN',
  description:
    'Providers of the funds of one Form N-CEN: custodians, brokers, authorised participants and others. Advisers and subadvisers are not among them: /ncen/filings/by-accession/{accession} shows them with their funds.',
  tag: 'funds',
  input: {
    accession,
    role: choice(ROLES, 'Only providers with this role').optional(),
    fund: fund.optional(),
    limit: limit({ max: 1000, default: 100 }),
    ...byCursor,
  },
  examples: [
    { accession: '0001410368-26-010918', role: 'authorized_participant' },
    { accession: '0001410368-26-010921', fund: '0000081443-S000045542' },
  ],
  output: answers.providerPage,
  rows: 'rows',
  run: async (input, { sql }) => (await queries.providers(sql, input)) ?? nothing(sql, READ, input.accession),
})

export const registrant = get('/ncen/registrants/{cik}', {
  name: 'ncen_registrant',
  summary: 'Show a fund company with its funds',
  description:
    'A registered investment company and all its funds, each as its newest Form N-CEN shows it. If the series of a trust have different fiscal years, the trust files a report for each year, and its funds may come from different reports. ended_by says why a fund has ended.',
  tag: 'funds',
  leads: { found: { cik: { in: 'ncen.standing', by: 'cik' } } },
  input: { cik },
  examples: [{ cik: '81443' }],
  output: answers.registrant,
  rows: 'funds',
  run: async ({ cik: number }, { sql }) => (await queries.registrant(sql, number)) ?? nothing(sql, READ),
})

export const registeredFunds = get('/adv/advisers/by-crd/{crd}/registered-funds', {
  name: 'adv_registered_funds',
  summary: 'List registered funds of an adviser (N-CEN)',
  description:
    'Registered funds that an adviser advises or subadvises, as Forms N-CEN report them. One row per fund. If several reports are about the same fund and period, the last filed report counts. An adviser is found in a report by its CRD number. If the report has no known CRD number, the SEC file number (801-) is tried, and then the LEI. A legal name is used only together with the state, and only if no number names another adviser. `method`, `confidence` and `basis` say how the adviser was found. total_net_assets adds up the newest figures of the funds that the adviser advises now, each fund once. It leaves out a feeder fund if it includes the master fund. It includes shares that one fund holds in another, since reports do not separate them.',
  tag: 'advisers',
  reads: ['adv', 'nmfp', 'nport', BULK, SPINE],
  leads: {
    found: {
      crd: [
        { in: 'ncen.adviser', by: 'crd' },
        ...NUMBERS.map((where) => ({ in: 'adv.adviser' as const, by: 'crd', where })),
      ],
    },
  },
  input: { crd },
  examples: [{ crd: '108477' }],
  output: adviserAnswers.registeredFunds,
  rows: 'funds',
  run: async ({ crd: number }, { sql }) => {
    if (!(await adviser.isKnown(sql, number))) return nothing(sql, ADVISERS)
    const found = await adviser.registeredFunds(sql, number)
    return withMissing(sql, found.funds.length > 0 ? FIGURES : { ...READ, edgar: true, whole: true }, found)
  },
})
