/** The current reports of eightk.test.ts: each has an item, a wording or a missing part that some test needs. */
import type { MadeReport } from './made.ts'

const COVER = [
  'FORM 8-K',
  '(Former name or former address, if changed since last report.)',
  'Pre-commencement communications pursuant to Rule 13e-4(c) under the Exchange Act (17 CFR 240.13e-4(c))',
]
const SIGNED = ['# SIGNATURES', 'Pursuant to the requirements of the Securities Exchange Act of 1934 it is signed.']

export const REPORTS: readonly MadeReport[] = [
  {
    n: 1,
    day: '2010-01-04',
    paragraphs: [
      ...COVER,
      '# Item 5.02 Departure of Directors or Certain Officers',
      'On January 4, 2010, the Board appointed Ada M. Sample, 44, as Chief Financial Officer, effective February 1, 2010. Ms. Sample will receive a base salary of $300,000. The company was advised by Sample Brothers Partners, and by Northern Lights.',
      '# Item 1.01 Entry into a Material Definitive Agreement',
      'On January 4, 2010, the Company entered into a Loan Agreement with Harbor Bank, N.A. for a term loan of $5 million and a revolving credit facility of $2 million. It is Exhibit 10.1.',
      ...SIGNED,
    ],
    exhibits: [{ type: 'EX-10.1', paragraphs: ['Agreement'] }],
  },
  {
    n: 2,
    day: '2010-01-05',
    header: ['Results of Operations and Financial Condition', 'Other Events'],
    paragraphs: [
      ...COVER,
      '# Item 2.02 Results of Operations and Financial Condition',
      'The company issued a press release on its results for the quarter ended December 31, 2009. It is Exhibit 99.2.',
      ...SIGNED,
    ],
    exhibits: [
      { type: 'EX-99.1', paragraphs: ['Another letter. Total revenue was $1.0 million.'] },
      {
        type: 'EX-99.2',
        paragraphs: [
          'Total revenue was $12.5 million, compared with $11.0 million in the prior year.',
          'Adjusted net income was $9.0 million. GAAP net income was $2.25 million, or $0.10 per diluted share.',
        ],
      },
    ],
  },
  {
    n: 3,
    day: '2010-01-06',
    paragraphs: [
      ...COVER,
      '# Item 7.01 Regulation FD Disclosure',
      'A report of another company is Exhibit 99.1.',
      ...SIGNED,
    ],
    exhibits: [
      {
        type: 'EX-99.1',
        paragraphs: [
          '# Item 4.02 Non-Reliance on Previously Issued Financial Statements',
          'They should not be relied upon.',
        ],
      },
    ],
  },
  {
    n: 4,
    day: '2004-02-03',
    header: ['Other events'],
    paragraphs: [
      ...COVER,
      '# Item 5. Other Events',
      'Something happened.',
      '# Item 6. Resignations',
      'Not applicable.',
      '# Item 9. Regulation FD Disclosure',
      'A talk was given.',
      ...SIGNED,
    ],
  },
  { n: 5, day: '2010-01-07', header: ['Departure of Directors or Certain Officers', 'Seven dwarfs'], paragraphs: [] },
  {
    n: 7,
    day: '2010-01-08',
    paragraphs: [
      ...COVER,
      '# Item 4.01 Changes in Registrant’s Certifying Accountant',
      'Our auditor changes.',
      ...SIGNED,
    ],
  },
  {
    n: 6,
    form: '8-K/A',
    day: '2010-01-08',
    header: ['Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing'],
    paragraphs: [
      ...COVER,
      '# Item 3.01 Notice of Delisting',
      'On January 6, 2010, the company received a letter from the New York Stock Exchange: it did not timely file its annual report, which Section 802.01E of the Listed Company Manual asks for. It has until July 6, 2010 to regain compliance.',
      ...SIGNED,
    ],
  },
  {
    n: 30,
    day: '2010-01-12',
    header: ['Submission of Matters to a Vote of Security Holders'],
    paragraphs: [
      ...COVER,
      '# Item 5.07 Submission of Matters to a Vote of Security Holders',
      'Proposal 1: Approval of the 2010 plan',
      'The holders approved it, with 1,200,300 shares in favor, 40,000 shares against and 1,500 shares abstaining.',
      ...SIGNED,
    ],
  },
  {
    n: 8,
    day: '2010-01-11',
    header: ['Results of Operations and Financial Condition'],
    paragraphs: [...COVER, '# Item 5.02 Departure of Directors', 'The holders approved a plan of bonuses.', ...SIGNED],
  },
  {
    n: 9,
    day: '2004-02-04',
    header: ['Results of operations and financial condition'],
    paragraphs: [...COVER, '# Item 12. Results of Operations and Financial Condition', 'Results were good.', ...SIGNED],
  },
  {
    n: 10,
    day: '2010-01-11',
    paragraphs: [
      ...COVER,
      '# Item 3.01 Notice of Delisting',
      'As reported before, on January 5, 2010, Nasdaq notified the company that its bid price was below that of Rule 5550(a)(2), and gave it until July 5, 2010 to regain compliance. On January 9, 2010, Nasdaq notified the company that it has regained compliance with the bid price requirement.',
      ...SIGNED,
    ],
  },
]
