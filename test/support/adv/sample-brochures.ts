/** Brochures (Form ADV Part 2A) of the sample's invented advisers. */
import { documentPdf, type Part } from '../pdf/made.ts'
import type { Brochure } from './site.ts'

const item = (number: number, title: string, ...parts: Part[]): Part[] => [
  { heading: `Item ${number} – ${title}` },
  ...parts,
]
const text = (words: string): Part => ({ text: words })

const NOT_REAL =
  'This brochure is a specimen. The firm, its people and its figures are invented for the OpenFilings sample, and no such adviser exists.'

/** The sections that the brochures of all invented firms share. */
const common = (firm: string): Part[] => [
  ...item(
    9,
    'Disciplinary Information',
    text(`Neither ${firm} nor any of its managers has been the subject of a legal or disciplinary event.`),
  ),
  ...item(
    11,
    'Code of Ethics, Participation in Client Transactions and Personal Trading',
    text(
      'Everyone who works for the firm reports holdings each quarter and asks before buying shares that clients hold. Clients come first in every order.',
    ),
  ),
  ...item(
    15,
    'Custody',
    text('Client assets lie with a qualified custodian, which sends statements every month. Compare them with ours.'),
  ),
]

const advisers = (year: number, rate: string, more: Part[]): Part[] => [
  { title: 'OpenFilings Specimen Advisers LLC' },
  text(`Form ADV Part 2A, firm brochure. ${year}`),
  text(NOT_REAL),
  ...item(
    4,
    'Advisory Business',
    text(
      'Specimen Advisers has managed portfolios of exchange-traded funds and bonds for families and small foundations since 2005. Each portfolio follows a written policy that the client signs.',
    ),
    {
      bullets: [
        'Discretionary management of portfolios',
        'Financial planning, as a part of it',
        'Advice to one private fund',
      ],
    },
  ),
  ...item(
    5,
    'Fees and Compensation',
    text(
      `The firm charges a yearly fee of ${rate} of assets under management, billed every quarter in arrears. Fees are negotiable for charities.`,
    ),
    {
      table: [
        ['Assets', 'Yearly fee'],
        ['First $1 million', rate],
        ['Next $4 million', '0.75%'],
        ['Above $5 million', '0.50%'],
      ],
      ruled: true,
    },
    text('Clients also pay the costs of the funds that they hold, and what the custodian charges for trades.'),
  ),
  ...item(
    6,
    'Performance-Based Fees and Side-By-Side Management',
    text(
      'The private fund pays a performance-based fee. Other clients do not, which is a conflict of interest: the firm gives all accounts their part of each order.',
    ),
  ),
  ...more,
  ...common('Specimen Advisers'),
]

const WRAP: Part[] = [
  { title: 'Specimen Private Wealth Wrap Fee Program' },
  text('Form ADV Part 2A Appendix 1, wrap fee program brochure. 2019'),
  text(NOT_REAL),
  ...item(
    4,
    'Services, Fees and Compensation',
    text(
      'One wrap fee of 1.40% a year covers advice, trades and custody. Whoever trades little may pay more than for each of them alone.',
    ),
    text('The fee does not cover the expenses of mutual funds, wire transfers or taxes.'),
  ),
  ...item(
    5,
    'Account Requirements and Types of Clients',
    text('Accounts begin at $250,000. Smaller ones of a family count together.'),
  ),
]

const WEALTH: Part[] = [
  { title: 'Specimen Wealth' },
  text('Form ADV Part 2A, firm brochure of OpenFilings Specimen Wealth Inc. 2019'),
  text(NOT_REAL),
  ...item(
    4,
    'Advisory Business',
    text(
      'Specimen Wealth plans retirements for physicians and nurses in Colorado. It holds neither cash nor securities of its clients.',
    ),
  ),
  ...item(
    5,
    'Fees and Compensation',
    text(
      'Planning costs $240 an hour, or a fixed fee of $1,800 to $6,000 that is agreed beforehand. Half is due when the plan is ordered, half when it is given.',
    ),
  ),
  ...item(
    10,
    'Other Financial Industry Activities and Affiliations',
    text('Two of our planners sell insurance and receive commissions for it. You may buy any policy elsewhere.'),
  ),
  ...common('Specimen Wealth'),
]

const pdf = (parts: Part[], footer: string) => documentPdf({ parts, footer })

/** The older version of the first brochure is in one zip, the newest version in the other. */
export const BROCHURES: readonly { from: string; brochures: readonly Brochure[] }[] = [
  {
    from: '2019-03-01',
    brochures: [
      {
        ...{
          firm: 'OPENFILINGS SPECIMEN ADVISERS LLC',
          secNumber: '801-999001',
          crd: '999000001',
          filing: '991100001',
        },
        ...{ name: 'FIRM BROCHURE', id: '990001', version: 1, day: '2019-03-15' },
        pdf: pdf(advisers(2018, '1.10%', []), 'Specimen Advisers, March 2019'),
      },
    ],
  },
  {
    from: '2019-06-01',
    brochures: [
      {
        ...{
          firm: 'OPENFILINGS SPECIMEN ADVISERS LLC',
          secNumber: '801-999001',
          crd: '999000001',
          filing: '991100002',
        },
        ...{ name: 'FIRM BROCHURE', id: '990001', version: 2, day: '2019-06-14' },
        pdf: pdf(
          advisers(2019, '1.00%', [
            ...item(
              17,
              'Voting Client Securities',
              text(
                'Since June 2019 the firm votes proxies for clients who ask for it, by a policy that is sent on request.',
              ),
            ),
          ]),
          'Specimen Advisers, June 2019',
        ),
      },
      {
        ...{
          firm: 'OPENFILINGS SPECIMEN ADVISERS LLC',
          secNumber: '801-999001',
          crd: '999000001',
          filing: '991100002',
        },
        ...{ name: 'WRAP FEE PROGRAM BROCHURE', id: '990002', version: 1, day: '2019-06-14' },
        pdf: pdf(WRAP, 'Specimen Private Wealth'),
      },
      {
        ...{ firm: 'OPENFILINGS SPECIMEN WEALTH INC.', secNumber: '801-999003', crd: '999000003', filing: '991100003' },
        ...{ name: 'SPECIMEN WEALTH BROCHURE', id: '990003', version: 1, day: '2019-06-20' },
        pdf: pdf(WEALTH, 'Specimen Wealth, June 2019'),
      },
    ],
  },
]
