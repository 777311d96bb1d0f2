/** Real brochures and annual reports of brokers, compared with a person's reading. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type PdfText, readPdf } from '../../src/read/pdf.ts'
import { corpus } from '../support/corpus.ts'

const BROCHURES = 'adviserinfo/brochures'
const REPORTS = 'documents/altered/X-17A-5'
const { skip } = corpus

const read = (folder: string, name: string): Promise<PdfText> =>
  readPdf(readFileSync(path.join(corpus.folder, folder, `${name}.pdf`)))

async function textOf(folder: string, name: string) {
  const found = await read(folder, name)
  assert.equal(found.kind, 'text', name)
  return { ...(found as Extract<PdfText, { kind: 'text' }>).markdown, pages: (found as { pages: number }).pages }
}

/** Titles of the items of Form ADV Part 2A from Item 3 on, as most firms write them. */
const ITEMS = [
  'Table of Contents',
  'Advisory Business',
  'Fees and Compensation',
  'Performance-Based Fees and Side-By-Side Management',
  'Types of Clients',
  'Methods of Analysis, Investment Strategies and Risk of Loss',
  'Disciplinary Information',
  'Other Financial Industry Activities and Affiliations',
  'Code of Ethics, Participation or Interest in Client Transactions and Personal Trading',
  'Brokerage Practices',
  'Review of Accounts',
  'Client Referrals and Other Compensation',
  'Custody',
  'Investment Discretion',
  'Voting Client Securities',
  'Financial Information',
]

/** Titles of a brochure that differ from the usual titles, by item, and the brochure's style of item numbers. */
const TRUTH: Record<string, { pages: number; titles: string[] }> = {
  '108102_fairview-capital_adv2a': {
    pages: 18,
    titles: items((n) => `Item ${n}.`, ['Cover Page', 'Material Changes'], {
      10: 'Other Financial Industry Activities and Affiliation',
    }),
  },
  'build-asset-management_adv2a': {
    pages: 17,
    titles: items((n) => `Item ${n}`, [null, 'Summary of Material Changes'], {}),
  },
  'klein-wealth_adv2a': {
    pages: 7,
    titles: [
      'Item 2: Table of Contents',
      'Item 3: Material Changes',
      ...items((n) => `Item ${n}:`, [null, null], {
        3: null,
        8: 'Methods of Analysis, Investment Strategies, and Risk of Loss',
        11: 'Code of Ethics, Participation or Interest in Client Transactions, and Personal Trading',
      }),
      'Item 19: Requirements for State-Registered Advisors',
    ],
  },
  'top-shelf-private-wealth_adv2a': {
    pages: 18,
    titles: [
      ...items((n) => `Item ${n}:`, ['Cover Page', 'Material Changes'], {
        8: 'Methods of Analysis, Investment Strategies, & Risk of Loss',
        17: 'Voting Client Securities (Proxy Voting)',
      }),
      'Item 19: Requirements For State Registered Advisers',
    ],
  },
  'ufpg_adv2a_2025-03-21': { pages: 21, titles: ofUfpg() },
  'ufpg_adv2a_2026-03-31': { pages: 21, titles: ofUfpg() },
}

function items(
  number: (n: number) => string,
  first: (string | null)[],
  other: Record<number, string | null>,
): string[] {
  return [...first, ...ITEMS].flatMap((title, i) => {
    const own = i + 1 in other ? other[i + 1] : title
    return own == null ? [] : [`${number(i + 1)} ${own}`]
  })
}

function ofUfpg(): string[] {
  return items((n) => `Item ${n}`, ['Cover Page', 'Material Changes'], {
    6: 'Performance Based Fees',
    8: 'Methods of Analysis, Investment Strategies & Risk of Loss',
  })
}

for (const [name, { pages, titles }] of Object.entries(TRUTH)) {
  test(`the items of ${name} are its headings of one level, in order, each once`, { skip }, async () => {
    const found = await textOf(BROCHURES, name)
    assert.equal(found.pages, pages)
    const items = found.headings.filter(({ text }) => /^item \d/i.test(text))
    assert.deepEqual(
      items.map(({ text }) => text),
      titles,
    )
    assert.deepEqual([...new Set(items.map(({ level }) => level))], [2])
    for (const { level, text, start } of found.headings)
      assert.equal(found.text.slice(start).split('\n')[0]!.replaceAll('\\', ''), `${'#'.repeat(level)} ${text}`)
  })
}

test('headings within the items of a brochure are below the items', { skip }, async () => {
  const { headings } = await textOf(BROCHURES, 'top-shelf-private-wealth_adv2a')
  const from = headings.findIndex(({ text }) => text.startsWith('Item 9'))
  assert.deepEqual(
    headings.slice(from, from + 5).map(({ level, text }) => `${level} ${text}`),
    [
      '2 Item 9: Disciplinary Information',
      '3 A. Criminal or Civil Actions',
      '3 B. Administrative Proceedings',
      '3 C. Self-regulatory Organization (SRO) Proceedings',
      '2 Item 10: Other Financial Industry Activities and Affiliations',
    ],
  )
})

test('each person of a supplement has its items as headings in order, none of them twice', { skip }, async () => {
  const { headings } = await textOf(BROCHURES, 'klein-wealth_adv2b')
  assert.deepEqual(
    headings.flatMap(({ text }) => /^Item (\d)/.exec(text)?.[1] ?? []),
    ['2', '3', '4', '5', '6', '7', '2', '4', '5', '6', '7'],
  )
})

test('fees and assets of brochures are in complete sentences', { skip }, async () => {
  const facts: [string, RegExp][] = [
    ['108102_fairview-capital_adv2a', /As of December 31, 2025, .* \$2,026,735,656 /],
    ['108102_fairview-capital_adv2a', /1\.00% of .* \$5,000,000; plus 0\.75% of .* \$10,000,000; plus 0\.50% of /],
    ['ufpg_adv2a_2026-03-31', /approximately \$316,999,603 .* and \$30,485,614 on a non-discretionary basis\./],
    [
      'ufpg_adv2a_2026-03-31',
      /either \(a\) a 0\.50% per annum .* or \(b\) a flat fee .* between \$1,800 and \$10,000 /,
    ],
    ['klein-wealth_adv2a', /\$16,776,678 .* 71 accounts, and \$0\.00 /],
    ['klein-wealth_adv2a', /fee of 1\.00%, charged in arrears/],
    ['top-shelf-private-wealth_adv2a', /between \$250 and \$500\./],
    ['build-asset-management_adv2a', /between 0\.25% and 2%, depending/],
    ['build-asset-management_adv2a', /\$105,446,669 in client assets on a discretionary basis, and \$0 /],
  ]
  for (const [name, fact] of facts) {
    const { text } = await textOf(BROCHURES, name)
    assert.ok(
      text.split('\n').some((line) => fact.test(line)),
      `${name}: ${fact}`,
    )
  }
})

/** Rows of a table as cells; empty cells of spacer columns are left out. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ ?\| ?/)
        .filter((cell) => cell.trim() !== '')
        .join(' | '),
    )

const TABLES: [folder: string, name: string, rows: string[]][] = [
  [
    BROCHURES,
    'ufpg_adv2a_2026-03-31',
    [
      'Assets Under Management | Annual Fee Range (charged quarterly)',
      'For the first amount from $0 to $1,000,000 | 0.75% to 1.00%',
      'Any amount over $1,000,000 | 0.25% to 0.50%',
    ],
  ],
  [
    BROCHURES,
    'top-shelf-private-wealth_adv2a',
    ['Net Worth | Annual Fee', '$1,430,000 | $15,000', '$1,430,001- $3,000,000 | 0.35%', '$3,000,001- $10,000,000 | 0.2%', '$10,000,001 and Up | 0.1%'], // biome-ignore format: a table
  ],
  [
    REPORTS,
    '782124-2020-04-01',
    [
      'Cash | $9,594',
      'Securities purchased under resale agreements (included $14,133 at fair value) | 176,418',
      'Securities borrowed | 107,494',
      'Securities received as collateral, at fair value (included assets pledged of $1,975) | 3,194',
      'Receivables from customers | 31,474',
      'Receivables from brokers, dealers, clearing organizations and others | 14,650',
      'Financial instruments owned, at fair value (included assets pledged of $67,776) | 144,633',
      'Goodwill | 1,356',
      'Other assets (included $6 at fair value) | 2,132',
      'Total assets(a) | $490,945',
    ],
  ],
  [
    REPORTS,
    '58056-2019-03-01',
    [
      'As reported | Adjusted | As adjusted',
      'Cash and securities segregated for benefit of customers (1) | $3,402 | (3,402) | -',
      'Cash segregated under federal and other regulations (1) | - | 434 | 434',
      'Financial instruments owned, at fair value | 22,256 | 175 | 22,431',
      'Securities purchased under agreements to resell | 30,465 | 1,001 | 31,466',
    ],
  ],
  [
    REPORTS,
    '851376-2020-03-06',
    [
      "Stockholder's equity",
      'Common stock – no par value, 5,000 shares authorized,',
      '10 shares issued and outstanding | -',
      'Additional paid-in capital | 6,933',
      'Retained earnings | 429',
      'Accumulated other comprehensive loss, net of tax | -',
      "Total stockholder's equity | 7,362",
      "Total liabilities and stockholder's equity | $99,167",
    ],
  ],
]

for (const [folder, name, rows] of TABLES) {
  test(`cells of a table of ${name} are in their rows, in order`, { skip }, async () => {
    const found = rowsOf((await textOf(folder, name)).text)
    const at = found.indexOf(rows[0]!)
    assert.deepEqual(found.slice(at, at + rows.length), rows)
  })
}

test('reads the visible part of each page of a printed web page, without repetition', { skip }, async () => {
  const { text, pages } = await textOf(BROCHURES, 'klein-wealth_adv-part1')
  assert.equal(pages, 21)
  assert.equal(text.match(/^## Item 1 Identifying Information$/gm)?.length, 1)
  assert.ok(text.length > 75_000 && text.length < 90_000, `${text.length} characters, and 827,508 are in the file`)
})

test('running headers, footers and page numbers are left out, except for two of each at most', { skip }, async () => {
  const gone: [string, string, RegExp][] = [
    [REPORTS, '58056-2019-03-01', /^DEUTSCHE BANK SECURITIES INC\.$/gm],
    [REPORTS, '782124-2020-04-01', /^J\.P\. Morgan Securities LLC and Subsidiaries$/gm],
    [BROCHURES, 'ufpg_adv2a_2025-03-21', /Page \d+ of 21/g],
  ]
  for (const [folder, name, furniture] of gone) {
    const { text } = await textOf(folder, name)
    assert.ok((text.match(furniture)?.length ?? 0) <= 2, `${name}: ${furniture}`)
    assert.ok((text.match(/^\d{1,2}$/gm)?.length ?? 0) <= 2, `${name} has numbers of pages`)
  }
})

test('annual reports that are pictures are scans with their page count; a report whose fonts lack letters is broken', {
  skip,
}, async () => {
  const scans = { '1224385-2006-03-01': 14, '1224385-2007-03-01': 15, '42352-2002-01-30': 15, '877559-2002-03-01': 13, '877559-2007-03-01': 16, '895502-2008-02-15': 7 } // biome-ignore format: a table
  for (const [name, pages] of Object.entries(scans)) {
    const found = await read(REPORTS, name)
    assert.deepEqual([found.kind, found.pages], ['scanned', pages], name)
  }
  const found = await read(REPORTS, '851376-2016-02-29')
  assert.deepEqual([found.kind, found.pages], ['broken', 41])
})
