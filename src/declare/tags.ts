/**
 * The groups in which operations are shown, in the order in which a newcomer would look for them. A group is a subject
 * that people ask about, not a slice. Each route names its group as its `tag`.
 */
interface Group {
  /** Name for people. */
  readonly name: string
  /** One paragraph for people who have never heard of the subject. */
  readonly description: string
}

const groups = {
  filings: {
    name: 'Filings',
    description:
      'Every filing that EDGAR lists, of every form. Filings are found by filer, form, date and 8-K item, or by accession number, and their documents are downloaded exactly as filed. Forms are grouped in families (10-K and 10-Q, Form D, 13F …). The registry of families lists the forms of each family, and the fields by which filings of the family can be searched.',
  },
  companies: {
    name: 'Companies',
    description:
      'Shows who a company or any other filer of EDGAR is: its industry, addresses, tickers, exchanges and former names. A filer is found by CIK, or by a current or former ticker or name. Also shows what it reports. Current reports (8-K) are shown item by item, with results, delistings, and officers who join and leave. Proxy statements are shown with the meeting, its proposals and the recommendations of the board.',
  },
  advisers: {
    name: 'Investment advisers',
    description:
      'Firms that give investment advice and file Form ADV with the SEC or with states. Each is known by its CRD number. Find them by name, list them by assets under management, or see who registered lately. Read what a firm says about its clients, fees, private funds, owners, offices and disciplinary history. Also shows which filers on EDGAR are the same firm, which funds it advises, and which firms are similar.',
  },
  representatives: {
    name: 'Representatives',
    description:
      'The people who are registered to act for advisers, from IAPD’s individual feed. Shows how many people a firm has by month, and who came to a firm or left it, with the other firm. Shows also the firms with which one person is or was registered.',
  },
  fundraising: {
    name: 'Fundraising',
    description:
      'Companies and funds that raise money without a registered public offering: private placements (Form D), small public offerings (Regulation A) and crowdfunding (Form C). One feed has all three, newest first, and each filing has a detail with its terms, its issuer and the issuer’s other filings.',
  },
  offerings: {
    name: 'Public offerings',
    description:
      'Companies that go public. Each initial public offering is shown from its registration statement (S-1, F-1, S-11) through its amendments until it is effective, priced and listed, or withdrawn. Each offering has the terms that the cover of its prospectus states, and the sentence that states each term.',
  },
  securities: {
    name: 'Securities',
    description:
      'Every security that managers and funds hold, public and private, found by name, CUSIP, ISIN, LEI, ticker or CIK. Shows its holders by source and by quarter, the prices that funds put on it, its identifiers with their sources, and the figures of the company that issued it. For a private company, shows also its other names.',
  },
  holdings: {
    name: 'Managers and owners',
    description:
      'Shows what institutional investment managers hold, as they report it every quarter on Form 13F. Managers are listed by the value of their reports. The positions of a manager or an adviser have the changes since the quarter before. Each report is shown as it was filed. Also shows who owns more than 5% of a class of shares (Schedules 13D and 13G), what insiders of a company hold and trade (Forms 3, 4 and 5), and what they propose to sell (Form 144), and how managers and funds voted at meetings (Form N-PX).',
  },
  funds: {
    name: 'Funds',
    description:
      'Registered funds by their own reports. Form N-PORT has the public and private securities that each fund holds, by period. Form N-MFP has the yields and portfolios of money market funds. Form N-CEN says who advises a fund, keeps its assets and provides other services to it. Also shows the fees that funds state in their prospectuses, and the funds that are being launched, with the stages of each launch.',
  },
  brokers: {
    name: 'Brokers and portals',
    description:
      'Broker-dealers by their audited annual reports (Form X-17A-5): their accountants, and whether a material weakness is disclosed. Also shows the funding portals through which crowdfunding offerings are sold (Form CFPORTAL): their owners, their status and their filings.',
  },
  text: {
    name: 'Text',
    description:
      'The text of filings. Any document can be read as Markdown, whole or in parts, by people and programs. Words can be searched in corpora, which are collections of documents of one kind.',
  },
  account: {
    name: 'Account',
    description: 'The API key of a request: its scopes, and how many requests a minute it may send.',
  },
} as const satisfies Record<string, Group>

export type Tag = keyof typeof groups

/** The groups by tag, in order. */
export const TAGS: Readonly<Record<Tag, Group>> = groups
