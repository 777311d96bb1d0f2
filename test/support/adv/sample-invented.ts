/**
 * Invented advisers of the bundled sample, each called a specimen: they have every schedule, and the rare kinds of
 * adviser. Their filings are from 2018 and 2019, on the form of October 2017. They precede every filing of a real
 * adviser, so that lists by date show them last.
 */
import type { Firm } from './firm.ts'
import { line } from './given.ts'
import { answered, branch, exempt, fund, holding, owner, PROVIDERS, specimen } from './specimen.ts'
import type { Filing } from './world.ts'

const { primeBroker, administrator, marketer } = PROVIDERS as Required<typeof PROVIDERS>
const feederOf = 'Feeder Fund=Y; Master Fund Name=OPENFILINGS SPECIMEN FUND 01, L.P.; Master Fund ID=805-9000000001'

/** The adviser with every schedule. */
const advisers = specimen({
  crd: 999_000_001,
  legal: 'OPENFILINGS SPECIMEN ADVISERS LLC',
  at: ['1 SPECIMEN PLAZA', 'NEW YORK', 'NY', '10022'],
  registered: '2005-02-01',
  filed: '2019-06-17',
  webs: ['https://www.linkedin.com/company/openfilings-specimen', 'HTTPS://ADVISERS.SPECIMEN.EXAMPLE'],
  answers: answered(
    `1F5=2 1I=Y 5A=40 5B1=25 5B2=10 5D1a=120 5D3a=60000000 5D1b=80 5D3b=340000000 5D1f=4 5D3f=800000000 5D1g=5
5D3g=34567890 5E4=Y 5E6=Y 5E7=Y 5F2a=1200000000 5F2b=34567890 5F2c=1234567890 5F2d=230 5F2e=5 5F2f=235 5G2=Y 5G4=Y 5G5=Y
5K1=Y 5K2=Y 5K4=Y 7A1=Y 7B=Y 8A1=Y 9C2=Y 9E=11/2018 11=Y 11E3=Y`,
    { '5E7-Other': 'SPECIMEN "PLACEMENT" FEES' },
  ),
  schedules: {
    lines: {
      Schedule_A_B: [
        holding('OPENFILINGS SPECIMEN HOLDINGS LLC', 'E'),
        owner(1, 'CHIEF EXECUTIVE OFFICER', '03/2012', 'NA'),
        owner(2, 'CHIEF COMPLIANCE OFFICER', '06/2014', 'NA'),
        holding('OPENFILINGS SPECIMEN PARENT INC.', 'F', 'OPENFILINGS SPECIMEN HOLDINGS LLC'),
      ],
      Schedule_D_1B: [line('Other Business Name=SPECIMEN PRIVATE WEALTH; NY=Y; NJ=Y')],
      Schedule_D_1F: [
        branch(701, 'City=GREENWICH; State=CT; Postal Code=06830', 6),
        branch(702, 'City=MIAMI; State=FL; Postal Code=33131', 3),
      ],
      Schedule_D_1I: [
        line('Website=https://www.linkedin.com/company/openfilings-specimen'),
        line('Website=HTTPS://ADVISERS.SPECIMEN.EXAMPLE'),
      ],
      Schedule_D_Books_and_Records: [
        {
          ...line('Name=SPECIMEN ARCHIVE INC.; Street 1=9 SPECIMEN ROAD; City=RENO; State=NV; Country=United States'),
          ...line('Postal Code=89501; Private Residence=N; Type=Other; Description=ELECTRONIC RECORDS'),
        },
      ],
      IA_Schedule_D_5K1: [
        {
          ...line('5K(1)(a)(i)MID=55; 5K(1)(a)(i)EOY=60; 5K(1)(a)(ii)MID=5; 5K(1)(a)(ii)EOY=5'),
          ...line('5K(1)(a)vi)MID=40; 5K(1)(a)vi)EOY=35'),
        },
      ],
      IA_Schedule_D_5K2: [line('5K(2)(b)(1)10=90000000; 5K(2)(b)(2)10=4000000; 5K(2)(b)Desc=MARGIN LOANS')],
      IA_Schedule_D_5K3: [
        {
          ...line('5K(3)(a)=SPECIMEN CUSTODY BANK, N.A.; 5K(3)(b)=SPECIMEN CUSTODY BANK; 5K(3)(c) City=BOSTON'),
          ...line('5K(3)(c) State=MA; 5K(3)(c) Country=United States; 5K(3)(d)=N; 5K(3)(g)=300000000'),
        },
      ],
      Schedule_D_7A: [
        {
          ...line('ReferenceID=7001; Legal Name=OPENFILINGS SPECIMEN SECURITIES LLC; SEC Number or Other=8-99917'),
          ...line('Business Name=OPENFILINGS SPECIMEN SECURITIES LLC; CRD Number=999000002; 5a=Y; Common Control=Y'),
          ...line('Control/Controlled=N; Custodian=Y; Share Persons=Y; Share Location=N'),
        },
      ],
      Schedule_D_7A_CIK: [line('ReferenceID=7001; CIK=9000000017')],
      Schedule_D_7B2: [
        {
          ...line('Fund Name=OPENFILINGS SPECIMEN FUND 07, L.P.; Fund ID=805-9000000007; Clients Solicited?=N'),
          ...line('Adviser Name=OPENFILINGS SPECIMEN PARTNERS L.P.; Adviser SEC Number=801-999004'),
        },
      ],
      IA_Firm_Download_SCH_R: [
        {
          ...line('Reference ID=8001; Relying Advisor Business Name=OPENFILINGS SPECIMEN ADVISERS II LLC'),
          ...line('Relying Advisor Legal Name=OPENFILINGS SPECIMEN ADVISERS II LLC'),
          'Relying Advisor CRD Number': 999_000_021,
        },
      ],
      DRP_Advisory_Affiliates: [
        {
          ...line('ReferenceID=9001; Disclosure Type=Regulatory Action; CRD Number=999000002; Affiliate Type=Firm'),
          ...line('Registered=Y; Affiliate Name=OPENFILINGS SPECIMEN SECURITIES LLC'),
        },
      ],
      DRP_Regulatory: [
        {
          ...line('Initial/Amended=INITIAL; 11.E(3)=Y; Filed Against=Affiliates; ReferenceID=9001; Initiator Type=SRO'),
          ...line('Initiated By=INVENTED REGULATOR; Principal Sanction=Censure; Date Initiated=02/19/2014'),
          ...line('Case Number=SPECIMEN-1; Allegations=INVENTED FOR THE SAMPLE; Status=Final; Resolution=Consent'),
          ...line('Resolution Date=05/05/2014; Monetary Sanction=Y; Monetary Amount=5000; Censure=Y'),
        },
      ],
    },
    funds: [
      fund(1, 'Hedge Fund', 500_000_000, { 'Master Fund': 'Y' }, primeBroker!, administrator!),
      fund(
        2,
        'Hedge Fund',
        120_000_000,
        line(`${feederOf}; Country=Cayman Islands; State=`),
        administrator!,
        marketer!,
      ),
      fund(3, 'Private Equity Fund', 150_000_000, {}, { Schedule_D_7B1A22: [line('Form D File Number=021-999001')] }),
      fund(4, 'Venture Capital Fund', 'N', line('3(c)(1) Exclusion=Y; 3(c)(7) Exclusion=N')),
    ],
  },
})

/**
 * An adviser that is also registered as a broker-dealer: the sample has its broker reports under the CIK given here.
 */
const securities = specimen({
  crd: 999_000_002,
  legal: 'OPENFILINGS SPECIMEN SECURITIES LLC',
  at: ['1 SPECIMEN STREET', 'ALBANY', 'NY', '12207'],
  registered: '2001-01-16',
  filed: '2019-03-28',
  answers:
    answered(`5A=60 5B1=50 5B2=45 5D1a=900 5D3a=270000000 5D1b=150 5D3b=330000000 5D1m=12 5D3m=50000000 5E4=Y 5E5=Y
5F2a=400000000 5F2b=250000000 5F2c=650000000 5F2d=700 5F2e=420 5F2f=1120 5G1=Y 5G2=Y 6A1=Y 8C1=Y`),
  schedules: {
    lines: {
      '1D3_CIK': [{ CIK: 9_000_000_017 }],
      Schedule_A_B: [holding('OPENFILINGS SPECIMEN PARENT INC.', 'F'), owner(31, 'PRESIDENT', '03/2008', 'NA')],
      Schedule_D_1F: [branch(711, 'City=BUFFALO; State=NY; Postal Code=14202', 9)],
    },
    funds: [],
  },
})

const wealth = specimen({
  crd: 999_000_003,
  legal: 'OPENFILINGS SPECIMEN WEALTH INC.',
  business: 'SPECIMEN WEALTH',
  at: ['2 SPECIMEN ROAD', 'BOULDER', 'CO', '80302'],
  registered: '2002-01-07',
  filed: '2019-06-19',
  webs: ['HTTPS://WEALTH.SPECIMEN.EXAMPLE'],
  answers: answered(
    `1I=Y 3A=Corporation 3C-State=CO 5A=22 5B1=18 5D1a=400 5D3a=120000000 5D1b=90 5D3b=210000000 5D1g=8 5D3g=30000000
5D1h=6 5D3h=15000000 5E4=Y 5F2a=375000000 5F2b=0 5F2c=375000000 5F2d=610 5F2e=0 5F2f=610 5G1=Y 5G2=Y 5G8=Y`,
  ),
  schedules: {
    lines: {
      Schedule_A_B: [owner(21, 'PRESIDENT', '01/2009', 'D'), owner(22, 'DIRECTOR', '04/2011', 'B')],
      Schedule_D_1F: [branch(721, 'City=DENVER; State=CO; Postal Code=80202', 4)],
      Schedule_D_1I: [line('Website=HTTPS://WEALTH.SPECIMEN.EXAMPLE')],
    },
    funds: [],
  },
})

const partners = specimen({
  crd: 999_000_004,
  legal: 'OPENFILINGS SPECIMEN PARTNERS L.P.',
  at: ['3 SPECIMEN AVENUE', 'SAN FRANCISCO', 'CA', '94111'],
  registered: '2004-11-01',
  filed: '2019-03-29',
  answers: answered(
    `5A=18 5B1=12 5D1f=2 5D3f=900000000 5E6=Y 5F2a=900000000 5F2b=0 5F2c=900000000 5F2d=2 5F2e=0 5F2f=2 5G4=Y 7B=Y`,
    { '3A': 'Limited Partnership' },
  ),
  schedules: {
    lines: { Schedule_A_B: [owner(36, 'MANAGING PARTNER', '11/2011', 'C')] },
    funds: [fund(7, 'Private Equity Fund', 600_000_000, {}, administrator!), fund(8, 'Real Estate Fund', 250_000_000)],
  },
})

const ventures = specimen({
  crd: 999_000_005,
  kind: 'ERA',
  inStates: true,
  legal: 'OPENFILINGS SPECIMEN VENTURES LLC',
  at: ['4 SPECIMEN WAY', 'PALO ALTO', 'CA', '94301'],
  registered: '2012-05-21',
  filed: '2019-03-25',
  webs: ['HTTPS://VENTURES.SPECIMEN.EXAMPLE'],
  answers: exempt('1I=Y 2B1=Y 2B2=N 2B-Assets=140000000'),
  schedules: {
    lines: {
      Schedule_A_B: [owner(60, 'PARTNER', '05/2019', 'D')],
      Schedule_D_1I: [line('Website=HTTPS://VENTURES.SPECIMEN.EXAMPLE')],
    },
    funds: [fund(5, 'Venture Capital Fund', 90_000_000), fund(6, 'Venture Capital Fund', 50_000_000)],
  },
})

/** A firm that has another name in the first of the sample's feeds. */
const state = (business: string) =>
  specimen({
    crd: 999_000_006,
    kind: 'STATE',
    legal: 'OPENFILINGS SPECIMEN STATE ADVISERS LLC',
    business,
    at: ['5 SPECIMEN COURT', 'DENVER', 'CO', '80202'],
    registered: '2007-01-22',
    filed: '2019-02-12',
    answers: answered(`2A1=N 2A13=Y 5A=4 5B1=4 5D1a=70 5D3a=30000000 5D1b=10 5D3b=15000000 5E2=Y 5F2a=45000000 5F2b=0
5F2c=45000000 5F2d=95 5F2e=0 5F2f=95 5G1=Y`),
  })

/** The people of this firm moved to Specimen Wealth on one day; afterwards this firm withdrew. */
const legacy = specimen({
  crd: 999_000_007,
  legal: 'OPENFILINGS SPECIMEN LEGACY ADVISERS LLC',
  at: ['6 SPECIMEN ROAD', 'BOULDER', 'CO', '80302'],
  registered: '2003-01-13',
  filed: '2019-03-12',
  withdrawn: '2019-06-24',
  answers: answered(`5A=11 5B1=9 5D1a=200 5D3a=80000000 5D1b=20 5D3b=45000000 5E4=Y 5F2a=125000000 5F2b=0 5F2c=125000000
5F2d=260 5F2e=0 5F2f=260 5G1=Y 5G2=Y`),
})

const young = specimen({
  crd: 999_000_008,
  legal: 'OPENFILINGS SPECIMEN NEW ADVISERS LLC',
  at: ['7 SPECIMEN SQUARE', 'AUSTIN', 'TX', '78701'],
  registered: '2019-06-25',
  filed: '2019-06-25',
  answers: answered('2A1=N 2A9=Y 5A=5 5B1=3 5F1=N'),
})

/** A firm that changed its name between its filings. Its people were registered again after the change. */
const planning = (legal: string) =>
  specimen({
    crd: 999_000_009,
    legal,
    at: ['8 SPECIMEN STREET', 'CHICAGO', 'IL', '60606'],
    registered: '2008-05-05',
    filed: '2019-03-29',
    answers: answered(`5A=9 5B1=8 5D1a=160 5D3a=52000000 5D1b=30 5D3b=98000000 5E2=Y 5E4=Y 5F2a=100000000 5F2b=50000000
5F2c=150000000 5F2d=180 5F2e=60 5F2f=240 5G1=Y`),
  })
const formerly = planning('OPENFILINGS SPECIMEN COUNSEL LLC')
const now = planning('OPENFILINGS SPECIMEN PLANNING LLC')

const abroad = specimen({
  crd: 999_000_010,
  kind: 'ERA',
  legal: 'OPENFILINGS SPECIMEN LONDON LIMITED',
  at: ['9 SPECIMEN MEWS', 'LONDON', null, 'EC4N 8AF', 'United Kingdom'],
  registered: '2019-06-10',
  filed: '2019-06-10',
  answers: { ...exempt('2B1=N 2B2=Y 2B-Assets=75000000'), 'Execution Type': 'Non-Resident' },
  schedules: {
    lines: {},
    funds: [fund(9, 'Other', 75_000_000, { 'Fund Type Other': 'SPECIMEN OF ANOTHER KIND' })],
  },
})

/** The day from which the state-registered specimen has its current name. */
const RENAMED = '2025-01-02'

/** The specimens that the feeds of a day can have, including those that withdrew before that day. */
export function inventedOn(day: string): readonly Firm[] {
  const stateAdvisers = state(day < RENAMED ? 'SPECIMEN STATE COUNSEL' : 'OPENFILINGS SPECIMEN STATE ADVISERS LLC')
  return [advisers, securities, wealth, partners, ventures, stateAdvisers, legacy, young, now, abroad]
}

/**
 * Filings of the specimens: those of each firm from oldest to newest; the newest filing of a firm has the answers
 * above.
 */
const FILED: readonly (readonly [Firm, ...(readonly [string, Filing['type']])[]])[] = [
  [advisers, ['2018-03-28', 'annual'], ['2019-03-29', 'annual'], ['2019-06-17', 'other']],
  [securities, ['2018-03-29', 'annual'], ['2019-03-28', 'annual']],
  [wealth, ['2018-03-27', 'annual'], ['2019-03-27', 'annual'], ['2019-06-19', 'other']],
  [partners, ['2018-03-29', 'annual'], ['2019-03-29', 'annual']],
  [ventures, ['2018-03-20', 'annual'], ['2019-03-25', 'annual']],
  [legacy, ['2018-03-14', 'annual'], ['2019-03-12', 'annual']],
  [young, ['2019-06-25', 'initial']],
  [formerly, ['2018-03-29', 'annual']],
  [now, ['2019-03-29', 'annual']],
  [abroad, ['2019-06-10', 'initial']],
]

/** Filings in date order, numbered from 990000001. */
export const INVENTED_FILINGS: readonly Filing[] = FILED.flatMap(([firm, ...filed]) =>
  filed.map(([day, type], at) => ({ id: 0, firm, day, type, age: filed.length - 1 - at })),
)
  .sort((a, b) => (a.day === b.day ? a.firm.crd - b.firm.crd : a.day < b.day ? -1 : 1))
  .map((filing, at) => ({ ...filing, id: 990_000_001 + at }))
