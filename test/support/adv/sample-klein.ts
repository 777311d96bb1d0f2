/**
 * The real adviser of the bundled sample whose whole Form ADV is public as one set: Part 1 of January 8, 2026, its
 * brochure (Part 2A) and the supplement about its two advisers (Part 2B). Facts and figures are those of the documents;
 * the sentences are invented. The firm's street and telephone number are left out, since they may be those of a home.
 */
import { documentPdf, type Part } from '../pdf/made.ts'
import type { Firm } from './firm.ts'
import { facts, line, marks } from './given.ts'
import type { Person } from './people.ts'
import type { Brochure } from './site.ts'
import type { Filing } from './world.ts'

const NAME = 'KLEIN WEALTH MANAGEMENT, LLC'
const CRD = 307_078
/** The filing date, and the first and last day of its month. */
const FILED = '2026-01-08'
export const KLEIN_MONTH = { from: '2026-01-01', to: '2026-01-31' } as const
/**
 * An invented number, since the document does not state the number of its filing. This number is below the filing
 * numbers of the specimens.
 */
const FILING = 989_000_001

const answers = {
  ...facts(`1F5=0 1I=N 1M=N 1N=N 1O=N 3B=DECEMBER 3C-State=FL 5A=2 5B1=2 5B2=0 5B3=2 5B4=0 5B5=0 5B6=0 5C1=0 5C2=0
5D1a=13 5D3a=628967 5D1b=20 5D3b=16147711 5F1=Y 5F2a=16776678 5F2b=0 5F2c=16776678 5F2d=71 5F2e=0 5F2f=71 5F3=0 5I1=N
7B=N 8D=N 8E=Y 8F=N 8G1=N 8I=N 9A1a=Y 9A1b=Y 9A2a=16776678 9A2b=33 9B1a=N 9B1b=N 9F=2 10A=N 11=N 11F=N 11G=N 11H1a=N
11H1b=N 11H1c=N 11H2=N`),
  ...marks(
    `5E=YYNNNNN 5G=YYNNNNNNNNNN 5J=NN 5K=YNNN 6A=NNNNNNNNNNNNNN 6B=N-N 7A=NNNNNNNNNNNNNNNN 8A=NYN 8B=NNN
8C=YYNN 8H=NN 9C=YNNN 9D=NN 11A=NN 11B=NN 11C=NNNNN 11D=NNNNN 11E=NNNN`.replaceAll('\n', ' '),
  ),
  ...line('3A=Limited Liability Company; 3C-Country=United States; 5H=26-50; Execution Type=Domestic'),
  ...line('Signatory=BRYAN KLEIN; Title=CEO/CCO'),
}

const owner = (title: string) => ({
  ...line(`SchA-3=N; Schedule=A; DE/FE/I=I; Title or Status=${title}; Status Acquired=12/2019; Ownership Code=E`),
  ...line('Control Person=Y; PR=N; Full Legal Name=KLEIN, BRYAN, KEITH'),
  OwnerID: '4484689',
})

/**
 * Holdings of the firm's accounts at the end of the year, in percent: shares, corporate bonds, federal and state bonds,
 * cash.
 */
const shares = {
  ...line('5K(1)(b)(i)=94; 5K(1)(b)(ii)=0; 5K(1)(b)(iii)=1; 5K(1)(b)(iv)=3; 5K(1)(b)(v)=0; 5K(1)(b)(vi)=0'),
  ...line('5K(1)(b)(vii)=0; 5K(1)(b)(viii)=0; 5K(1)(b)(ix)=0; 5K(1)(b)(x)=0; 5K(1)(b)(xi)=2; 5K(1)(b)(xii)=0'),
}

const office = { street1: null, city: 'SAINT JOHNS', state: 'FL', country: 'United States', postal: '32259' }

const firm: Firm = {
  crd: CRD,
  kind: 'STATE',
  secNumber: null,
  region: null,
  business: NAME,
  legal: NAME,
  umbrella: false,
  office,
  mailing: null,
  phone: null,
  fax: null,
  registration: null,
  states: [],
  webs: [],
  filed: FILED,
  formVersion: '10/2021',
  withdrawn: null,
  answers: () => answers,
  schedules: () => ({
    lines: {
      Schedule_A_B: [owner('CEO'), owner('CHIEF COMPLIANCE OFFICER')],
      IA_Schedule_D_5K1: [shares],
    },
    funds: [],
  }),
}

/** The firm, which the feeds contain from its filing date on. */
export const kleinOn = (day: string): Firm[] => (day < FILED ? [] : [firm])

export const KLEIN_FILINGS: readonly Filing[] = [{ id: FILING, firm, day: FILED, type: 'annual', age: 0 }]

/** A representative of the firm; the supplement states no registration date. */
const adviser = (pk: number, first: string, middle: string, last: string): Person => ({
  ...{ pk, first, middle, last, suffix: null, agency: false, otherNames: [] },
  current: [
    {
      ...{ crd: CRD, name: NAME, office },
      registrations: [{ regulator: 'FL', category: 'RA', status: 'APPROVED', day: null }],
    },
  ],
  ...{ previous: [], history: [], exams: [], designations: ['Certified Financial Planner'] },
  ...{ business: null, disclosures: [] },
})

/** The firm's two representatives, in the feeds from its filing date on. */
export const kleinPeopleOn = (day: string): Person[] =>
  day < FILED ? [] : [adviser(4_484_689, 'BRYAN', 'KEITH', 'KLEIN'), adviser(4_970_128, 'NOAH', 'C', 'STRUNK')]

const text = (words: string): Part => ({ text: words })
const item = (title: string, ...parts: Part[]): Part[] => [{ heading: `Item ${title}` }, ...parts]

const OURS =
  'The OpenFilings sample states the facts of this document in words of its own. The original is on IAPD under CRD 307078.'

const FIRM_BROCHURE: Part[] = [
  { title: 'Klein Wealth Management, LLC' },
  text('Form ADV Part 2A, firm brochure. January 7, 2026'),
  text(OURS),
  ...item(
    '3 – Material Changes',
    text(
      'New in this version: at the request of a client the firm may recommend and engage independent managers for all or a part of a portfolio. Their use is optional and needs the consent of the client, and further fees may apply.',
    ),
  ),
  ...item(
    '4 – Advisory Business',
    text(
      'The firm was founded in 2019. Bryan Keith Klein owns all of it; he is chief executive officer, principal wealth advisor and chief compliance officer. There are no indirect owners.',
    ),
    text(
      'On January 7, 2026 it managed $16,776,678 in 71 accounts, all with discretion. Each portfolio is made for one client, who may restrict what it holds.',
    ),
    {
      bullets: [
        'Management of investments, with discretion or without',
        'Financial planning: retirement, cash flow, taxes, estates, education, insurance',
        'Other managers, on request: the firm examines them before and during the engagement, and coordinates the whole portfolio',
      ],
    },
    text('Most portfolios rest on low-cost index funds and exchange-traded funds; active funds may be added.'),
  ),
  ...item(
    '5 – Fees and Compensation',
    text(
      'The yearly fee is 1.00% of the portfolio. It is charged in arrears, 0.25% each quarter, on the balance at the end of the quarter before; cash and money market funds may be left out.',
    ),
    {
      table: [
        ['Service', 'Fee'],
        ['Management of investments', '1.00% a year'],
        ['Planning or consulting, fixed fee', '$2,500 to $15,000'],
        ['Planning or consulting, by the hour', '$150 to $750'],
      ],
      ruled: true,
    },
    text(
      'Clients pay no transaction costs. A client who leaves within a quarter pays for a part of it; nothing is refunded. The fees of another manager come in addition, and the firm receives no part of them unless this was disclosed and agreed.',
    ),
  ),
  ...item('6 – Performance-Based Fees and Side-By-Side Management', text('The firm has no performance-based fees.')),
  ...item(
    '7 – Types of Clients',
    text(
      'Clients are individuals, pension and profit-sharing plans, trusts, estates, charities, accredited investors, corporations and other businesses. An account needs at least $10,000.',
    ),
  ),
  ...item(
    '8 – Methods of Analysis, Investment Strategies and Risk of Loss',
    text(
      'The firm works with business cycles, a foundation with opportunities, asset allocation, modern portfolio theory and technical analysis. It invests in shares at home and abroad, REITs, fixed income, commodity ETFs and active mutual funds.',
    ),
    text(
      'On request it trades options for clients who tolerate much risk over a long time: protective puts and covered calls (level 1), straddles, strangles, long calls and long puts (level 2). Other managers add risks of their own.',
    ),
  ),
  ...item('9 – Disciplinary Information', text('There is nothing to report.')),
  ...item(
    '10 – Other Financial Industry Activities and Affiliations',
    text(
      'The firm neither owns nor is affiliated with the managers that it recommends, and receives nothing for referrals, unless this was disclosed.',
    ),
  ),
  ...item(
    '11 – Code of Ethics, Participation in Client Transactions and Personal Trading',
    text(
      'A written code of ethics asks everyone to report holdings and trades, which the chief compliance officer reviews each quarter. Nobody at the firm may trade a security before the accounts of clients do.',
    ),
  ),
  ...item(
    '12 – Brokerage Practices',
    text(
      'The firm uses Schwab’s retail brokerage. It places orders account by account, so that prices of one security may differ between clients.',
    ),
  ),
  ...item(
    '13 – Review of Accounts',
    text(
      'Bryan Klein reviews each account every quarter against the policy of the client. Unusual performance, large losses or new restrictions lead to further reviews.',
    ),
  ),
  ...item(
    '14 – Client Referrals and Other Compensation',
    text('The firm pays nobody for referrals and is paid by nobody.'),
  ),
  ...item(
    '15 – Custody',
    text(
      'Because fees are deducted from accounts, the firm counts as having custody: of $16,778,678 for 33 clients. The custodian sends statements to clients, who should review them.',
    ),
  ),
  ...item(
    '16 – Investment Discretion',
    text('The agreement usually lets the firm choose securities and strategies and place trades without asking first.'),
  ),
  ...item('17 – Voting Client Securities', text('The firm votes proxies; clients may keep the vote to themselves.')),
  ...item(
    '18 – Financial Information',
    text('Fees are not taken more than six months ahead, and the firm knows of nothing that endangers its duties.'),
  ),
]

const SUPPLEMENT: Part[] = [
  { title: 'Klein Wealth Management, LLC: brochure supplement' },
  text('Form ADV Part 2B. January 1, 2026'),
  text(OURS),
  ...item(
    '2 – Educational Background and Business Experience: Bryan K. Klein, CFP',
    text(
      'Principal wealth advisor, chief executive officer and chief compliance officer since December 2019. Texas Tech University, bachelor of business administration in 2001; Boston University, master of science in 2009; certified financial planner since 2014.',
    ),
    {
      table: [
        ['Employer', 'Work', 'Time'],
        ['SS&C, Jacksonville', 'Product manager, financial planning', 'Since February 2019'],
        ['Fidelity, Jacksonville', 'Vice president, financial consultant', 'October 2010 to November 2018'],
        ['Fidelity, Jacksonville', 'Senior advisor', 'May 2007 to September 2010'],
        ['Fidelity, Jacksonville', 'Pension specialist', 'June 2005 to April 2007'],
        ['TD Ameritrade, Dallas', 'Branch investment consultant', 'March 2002 to May 2005'],
        ['American Express, Dallas', 'Financial advisor', 'December 2001 to February 2002'],
      ],
      ruled: true,
    },
  ),
  ...item(
    '4 – Other Business Activities',
    text('Mr. Klein also works full time at a financial technology company, where he gives no investment advice.'),
  ),
  ...item(
    '2 – Educational Background and Business Experience: Noah C. Strunk, CFP',
    text(
      'Senior financial advisor since December 2019. University of North Florida, bachelor of business administration in 2006 and master in 2010; certified financial planner since 2017.',
    ),
    {
      table: [
        ['Employer', 'Work', 'Time'],
        ['Ward & Ward, Atlantic Beach', 'Chief financial officer', 'Since July 2023'],
        ['SS&C, Jacksonville', 'Account executive', 'February 2019 to July 2023'],
        ['Sade Group, Stuart', 'Financial planner', 'April 2018 to February 2019'],
        ['Fidelity, Jacksonville', 'Portfolio specialist', 'April 2015 to July 2017'],
        ['Fidelity, Jacksonville', 'Investment consultant', 'January 2013 to March 2015'],
        ['Fidelity, Jacksonville', 'Client management representative', 'June 2011 to January 2013'],
        ['Fidelity, Jacksonville', 'Retirement relationship manager', 'March 2009 to June 2011'],
      ],
      ruled: true,
    },
  ),
  ...item('3 – Disciplinary Information', text('Neither of the two has had a disciplinary event.')),
  ...item(
    '6 – Supervision',
    text('Mr. Klein decides together with clients and supervises himself; Mr. Strunk assists him in all decisions.'),
  ),
]

const brochure = (id: string, name: string, parts: Part[]): Brochure => ({
  ...{ firm: NAME, secNumber: '', crd: String(CRD), filing: String(FILING), name, id, version: 1, day: FILED },
  pdf: documentPdf({ parts, footer: 'Klein Wealth Management, January 2026' }),
})

/** Brochure numbers are those of the filing; the version numbers are invented. */
export const KLEIN_BROCHURES: readonly Brochure[] = [
  brochure('323855', NAME, FIRM_BROCHURE),
  brochure('324480', 'FORM ADV PART 2B', SUPPLEMENT),
]
