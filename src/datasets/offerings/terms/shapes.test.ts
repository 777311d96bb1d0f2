/** Covers of made-up companies, in the words and layouts that filers use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../../test/support/effort.ts'
import { markdownOfHtml } from '../../../read/html.ts'
import { termsOf } from '../terms.ts'

const LEGEND = 'Any representation to the contrary is a criminal offense.'
const prose = 'Investing in our securities involves risks. '.repeat(12)

function read(paragraphs: readonly string[], { form = 'S-1', foot = '', title = '' } = {}) {
  const lines = [
    'Subject to completion, dated today',
    'PROSPECTUS',
    ...(title ? [title] : []),
    ...paragraphs,
    LEGEND,
  ].map((line) => `<p>${line}</p>`)
  const html = `${lines.join('')}${foot}<p>${prose}</p><h2>TABLE OF CONTENTS</h2>`
  return termsOf(markdownOfHtml(html).text, form)!
}
const facts = (...args: Parameters<typeof read>) => read(...args).facts.map(({ name, value }) => `${name} ${value}`)
const names = (foot: string) =>
  read([], { foot })
    .facts.filter(({ name }) => name === 'underwriter')
    .map(({ value }) => value)

test('reads the price range in the wordings of underwriters', () => {
  for (const sentence of [
    'It is currently estimated that the initial public offering price per share will be between $14.00 and $16.00.',
    'It is currently estimated that the initial public offering price per share of our common stock to the public will be between $14.00 and $16.00.',
    'We expect the initial public offering price of our ADSs to be between US$14.00 and US$16.00 per ADS.',
    'We anticipate that the offering price will be between U.S.$14.00 and U.S.$16.00 per American Depositary Share.',
    'The initial public offering price is expected to be in the range of $14.00 to $16.00 per share.',
    'We currently expect the offering price to be from $14.00 to $16.00 per ordinary share.',
    'The estimated price range is between $14.00 and $16.00 per common unit.',
    'We expect that the price will be $14.00 – $16.00 per Class A ordinary share, a public offering price of our choice.',
    'We expect a price between $14.00 and $16.00 per share.',
  ]) {
    assert.deepEqual(facts([sentence]), ['price_low 14.00', 'price_high 16.00'], sentence)
  }
})

test('if a cover has two ranges or two numbers of shares, none is read, and `left_out` names them', () => {
  const { facts: found, leftOut } = read(
    [
      'The offering price is expected to be between $14.00 and $16.00 per share.',
      'The offering price is expected to be between $15.00 and $17.00 per share.',
    ],
    { title: '1,000,000 Shares</p><p>2,000,000 Shares' },
  )
  assert.deepEqual(
    found.map(({ name }) => name),
    ['security'],
  )
  assert.deepEqual(leftOut, ['price_high', 'price_low', 'shares'])
})

test('a single expected price is both ends of the range, and an assumed price is not read', () => {
  assert.deepEqual(facts(['We expect the initial public offering price to be $135.00 per share.']), [
    'price_low 135.00',
    'price_high 135.00',
  ])
  for (const sentence of [
    'We assume an initial public offering price of $15.00 per share, the midpoint of the range.',
    'Based on an assumed initial public offering price of $15.00 per share we would receive $100 million.',
    'The maximum aggregate offering price of $15.00 is paid to nobody.',
    'The exercise price of the warrants is between $1.00 and $2.00 per share.',
    'The closing price has been between $1.00 and $2.00 per share, and we expect it to vary.',
    'The offering price will be between $16.00 and $14.00 per share.',
    'The offering price will be between $ and $ per share.',
  ]) {
    assert.deepEqual(facts([sentence]), [], sentence)
  }
})

test('a fixed price of only cents is read, and amounts in millions are not read as prices', () => {
  for (const sentence of [
    'We are selling our shares at a fixed price of $.03 per share.',
    'The offering price of the common stock is $0.03 per share.',
    'The public offering price is $0.03^(1) per share.',
    'The initial public offering price per share is $ 0.03.',
  ]) {
    assert.deepEqual(facts([sentence]), ['price 0.03'], sentence)
  }
  assert.deepEqual(facts(['The offering price to the public is $3 million per share.']), [])
  assert.deepEqual(facts(['The public offering price is ＄１２．００ per share.']), ['price 12.00'])
})

test('if "$" means the dollars of another country, only amounts in US$ are read', () => {
  const sentences = ['The offering price is expected to be between $8.00 and $10.00 per share.']
  assert.deepEqual(facts(sentences, { form: 'F-10' }), [])
  assert.deepEqual(facts([...sentences, 'References to “$” are to Canadian dollars.']), [])
  assert.deepEqual(
    facts(['The offering price will be between US$8.00 and US$10.00 per common share.'], { form: 'F-10' }),
    ['price_low 8.00', 'price_high 10.00'],
  )
  for (const sign of ['C$', 'CAD $', 'TWD $', 'Cdn$', 'HK$', 'A$', 'R$', 'NT$']) {
    assert.deepEqual(facts([`The offering price will be between ${sign}8.00 and ${sign}10.00 per share.`]), [], sign)
  }
})

test('reads the offered shares from the head or a sentence, without the shares of selling holders', () => {
  for (const [title, shares, security] of [
    ['16,000,000 American Depositary Shares', '16000000', 'american depositary shares'],
    ['10,000,000 Shares of Class A Common Stock', '10000000', 'shares'],
    ['2,500,000 Class A Ordinary Shares', '2500000', 'class a ordinary shares'],
    ['6,000,000 Units, each consisting of one share and one warrant', '6000000', 'units'],
    ['5,000,000 Subordinate Voting Shares', '5000000', 'subordinate voting shares'],
    ['5,000,000 Shares<sup>(1)</sup>', '5000000', 'shares'],
  ] as const) {
    assert.deepEqual(facts([], { title }), [`shares ${shares}`, `security ${security}`], title)
  }
  for (const sentence of [
    'We are offering 4,000,000 shares of our common stock.',
    'This is an initial public offering of 4,000,000 shares of common stock of Sample Inc.',
    'Sample Inc. is offering 4,000,000 shares.',
    'We are offering up to 4,000,000 of our shares.',
  ]) {
    assert.ok(facts([sentence]).includes('shares 4000000'), sentence)
  }
  const both = read([
    'We are offering 4,000,000 shares. The selling stockholders identified in this prospectus are offering 1,000,000 shares.',
  ])
  assert.deepEqual([both.facts, both.leftOut], [[], ['security', 'shares']])
  const titled = facts(
    ['We are offering 4,000,000 shares and the selling stockholders are offering 1,000,000 shares.'],
    {
      title: '5,000,000 Shares',
    },
  )
  assert.deepEqual(titled, ['shares 5000000', 'security shares'])
})

test('a symbol has the exchange that is named with it; symbols on exchanges abroad do not belong to this offering', () => {
  for (const sentence of [
    'Our ordinary shares are listed on the Australian Securities Exchange under the symbol “ABC,” and we have applied to list our ADSs on Nasdaq under the symbol “ABCD.”',
    'Our shares are traded on Nasdaq Stockholm under the symbol “ABC”. We have applied to list our ADSs on Nasdaq under the symbol “ABCD”.',
    'Our common shares are listed on the Toronto Stock Exchange under the symbol “ABC” and will be listed on Nasdaq under the symbol “ABCD.”',
    'We have applied to list our ADSs under the symbol “ABCD” on the Nasdaq Capital Market.',
    'We have applied to list our shares on Nasdaq under the symbol ‘ABCD’.',
  ]) {
    assert.deepEqual(facts([sentence]), ['exchange Nasdaq', 'ticker ABCD'], sentence)
  }
  const nyse = facts(['Our stock trades on the New York Stock Exchange under the symbol “ABC”.'])
  assert.deepEqual(nyse, ['exchange NYSE', 'ticker ABC', 'listed NYSE'])
  assert.deepEqual(facts(['Our stock has been listed on the NYSE under the symbol “ABC”.']), nyse)
  assert.deepEqual(facts(['Our stock will trade on the NYSE under the symbol “ABC”.']), ['exchange NYSE', 'ticker ABC'])
  assert.deepEqual(facts(['Our stock has been approved for listing on the NYSE under the symbol “ABC”.']), [
    'exchange NYSE',
    'ticker ABC',
  ])
})

test('an initial offering, and the lack of a market for the equity, are two facts; statements about warrants yield neither', () => {
  for (const sentence of [
    'This is a firm commitment initial public offering of our shares.',
    'This is our initial public offering.',
    'We are selling 1 share in this initial public offering.',
  ]) {
    assert.deepEqual(facts([sentence]).slice(-1), ['initial true'], sentence)
  }
  for (const sentence of [
    'Prior to this offering, there has been no public market for our common stock.',
    'Currently, no public market exists for our Class A common stock.',
    'There is no established public trading market for our ADSs.',
    'There has not been a public market for our ordinary shares.',
    'No public market currently exists.',
  ]) {
    assert.deepEqual(facts([sentence]), ['no_market true'], sentence)
  }
  for (const sentence of [
    'There is no established public trading market for the pre-funded warrants.',
    'There is no established trading market for the Series A Preferred Stock.',
    'There is no established public trading market for the common warrants.',
    'The warrants were sold in our initial public offering.',
    'Sample Partners is the sponsor of the initial public offering of another company.',
  ]) {
    assert.deepEqual(facts([sentence]), [], sentence)
  }
})

/** A table of firms with one row for each argument. The HTML reader turns a table with only one row into a line. */
const rows = (...all: string[][]) =>
  `<table>${all.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('<td>&nbsp;</td>')}</tr>`).join('')}</table>`

test('unknown names of underwriters below a label are separated at cells, at lines, and after legal forms', () => {
  const label = '<p><b>Joint Book-Running Managers</b></p>'
  assert.deepEqual(
    names(`${label}${rows(['Nowhere Securities', 'Otherwhere Capital Markets'], ['Anywhere', 'Stifel'])}`),
    ['Nowhere Securities', 'Otherwhere Capital Markets', 'Stifel'],
  )
  assert.deepEqual(names(rows(['Goldman Sachs & Co. LLC', 'Nowhere Securities'], ['Baird', 'Otherwhere Partners'])), [
    'Goldman Sachs & Co. LLC',
    'Nowhere Securities',
    'Baird',
    'Otherwhere Partners',
  ])
  assert.deepEqual(names(`${label}<p>Nowhere Securities LLC Otherwhere Inc.</p>`), [
    'Nowhere Securities LLC',
    'Otherwhere Inc.',
  ])
  assert.deepEqual(names(`${label}<p>Nowhere Securities, LLC</p><p>Otherwhere Inc.</p>`), [
    'Nowhere Securities, LLC',
    'Otherwhere Inc.',
  ])
  for (const sole of [
    'Sole Book-Running Manager',
    'Sole Bookrunner',
    'Exclusive Placement Agent',
    'Underwriter:',
    'Dealer Manager',
    'Representative of the Underwriters',
  ]) {
    assert.deepEqual(names(`<p>${sole}</p><p>Nowhere Securities, LLC</p>`), ['Nowhere Securities, LLC'], sole)
  }
  assert.deepEqual(
    names(`<p>Joint Lead Bookrunning Managers</p><p>Stifel Baird</p><p>Co-Manager</p><p>Lake Street</p>`),
    ['Stifel', 'Baird', 'Lake Street'],
  )
  assert.deepEqual(names(rows(['Sole Bookrunner', 'Nowhere Securities'], ['Co-Manager', 'Stifel'])), [
    'Nowhere Securities',
    'Stifel',
  ])
})

test('a line that may be two firms is left out and reported, and text below the names is not a firm', () => {
  const label = '<p>Joint Book-Running Managers</p>'
  for (const line of ['Nowhere Securities Otherwhere Capital', 'Baird Nowhere Securities LLC']) {
    const { facts: found, leftOut } = read([], { foot: `${label}<p>${line}</p>` })
    assert.deepEqual([found, leftOut], [[], ['underwriter']], line)
  }
  const after = names(
    `${label}<p>Nowhere Securities LLC</p><p>The date of this prospectus is today.</p><p>Sample Motors Inc.</p>`,
  )
  assert.deepEqual(after, ['Nowhere Securities LLC'])
  assert.deepEqual(names('<p>Sample Motors Inc.</p><p>Nowhere Securities LLC</p>'), [], 'without a label')
})

test('a line with too many firms is left out and reported, and a label as long as a paragraph is skipped', () => {
  const label = '<p>Underwriters</p>'
  const line = Array.from({ length: 22 }, (_, i) => `Nowhere${'abcdefghijklmnopqrstuvwxyz'[i]} LLC`).join(' ')
  assert.deepEqual(read([], { foot: `${label}<p>${line}</p>` }).leftOut, ['underwriter'])
  assert.deepEqual(names(`${label}<p>${line}</p>`), [])
  assert.deepEqual(names(`<p>${'Joint '.repeat(30)}Managers</p><p>Nowhere Securities LLC</p>`), [])
})

test('a price that is impossible for a share or unit is left out', () => {
  assert.deepEqual(facts(['The public offering price is $250,000,000 per unit.']), [])
  assert.deepEqual(facts(['The public offering price is $0.00 per unit.']), [])
})

test('ten thousand rows of underwriters are read in bounded time, up to the maximum number of firms', async () => {
  const foot = `<p>Underwriters</p><table>${Array.from({ length: 10_000 }, (_, i) => `<tr><td>Nowhere ${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]} Securities</td><td>Otherwhere Capital</td></tr>`).join('')}</table>`
  await assertQuick('rows of underwriters', () => assert.ok(names(foot).length <= 200))
})

test('hostile prose is read in bounded time', async () => {
  for (const text of [
    'offering price '.repeat(2_000),
    `offering price per ${'share of our '.repeat(2_000)}`,
    `symbol “${'A'.repeat(20_000)}”`,
    `the symbol “A” ${'on the Toronto '.repeat(1_900)}`,
    `${'Nowhere '.repeat(3_500)}Securities Exchange under the symbol “ABC”`,
    `no public market for ${'class a '.repeat(3_000)}`,
    `is ${'newly '.repeat(4_500)}blank check`,
    `references to $ ${'and amounts '.repeat(2_300)}`,
    `initial public offering of ${'1,000'.repeat(5_000)} shares`,
  ]) {
    await assertQuick(text, () =>
      termsOf(`Subject to completion\n\n${text}\n\n${LEGEND}\n\n## TABLE OF CONTENTS\n`, 'S-1'),
    )
  }
})

test('a stock that is quoted elsewhere and is to be listed is not listed yet', () => {
  for (const sentence of [
    'Our common stock is quoted on the OTCQB Marketplace and we have applied to list it on Nasdaq under the symbol “ABC.”',
    'Our shares are listed on the Tel Aviv Stock Exchange, and we intend to list them on Nasdaq under the symbol “ABC.”',
  ])
    assert.deepEqual(facts([sentence]), ['exchange Nasdaq', 'ticker ABC'], sentence)
  assert.deepEqual(
    facts(['Our stock is quoted on the OTC Pink under the symbol “ABCD”. We intend to list it on Nasdaq under “ABC”.']),
    ['ticker ABCD'],
  )
  for (const sentence of [
    'Our common stock is listed on Nasdaq, and will continue to trade under the symbol “ABC.”',
    'Our common stock is traded under the symbol “ABC” on Nasdaq.',
  ])
    assert.deepEqual(facts([sentence]), ['exchange Nasdaq', 'ticker ABC', 'listed Nasdaq'], sentence)
})

test('the price of an earlier offering is not the price of this one', () => {
  for (const sentence of [
    'Other holders purchased units at the initial public offering price of $10.00 per unit.',
    'In 2021 we sold units at an offering price of $10.00 per unit.',
    'An increase in the offering price of $15.00 per share would raise the proceeds.',
  ])
    assert.deepEqual(facts([sentence], { form: '424B3' }), [], sentence)
  assert.deepEqual(facts(['We are selling units at an offering price of $10.00 per unit.']), ['price 10.00'])
  assert.deepEqual(facts(['We expect an initial public offering price of our shares between $14.00 and $16.00.']), [
    'price_low 14.00',
    'price_high 16.00',
  ])
  assert.deepEqual(facts(['We expect a price of our shares between $14.00 and $16.00.']), [])
})

test('two classes next to each other are both left out, and shares that are issued later are not the offered ones', () => {
  for (const words of [
    'We are offering 2,000,000 Class A ordinary shares and 1,000,000 Class B ordinary shares.',
    'We are offering 3,000,000 shares of common stock and up to 2,000,000 shares of preferred stock.',
  ])
    assert.deepEqual([read([words]).facts, read([words]).leftOut], [[], ['security', 'shares']], words)
  const titled = read([], { title: '3,000,000 Shares of Common Stock and 2,000,000 Shares of Preferred Stock' })
  assert.deepEqual([titled.facts, titled.leftOut], [[], ['security', 'shares']])
  for (const title of [
    '4,000,000 Units</p><p>4,000,000 Shares of Common Stock Underlying the Units',
    '4,000,000 Units, each consisting of one share, and 1 warrant</p><p>2,000,000 Shares Issuable upon Exercise',
  ])
    assert.deepEqual(facts([], { title }), ['shares 4000000', 'security units'], title)
  assert.deepEqual(facts([], { title: '2,000,000 Shares of Common Stock Issuable upon Exercise of the Warrants' }), [])
  const option = 'We are offering 4,000,000 shares and the underwriters have an option on 600,000 additional shares.'
  assert.deepEqual(facts([option]), ['shares 4000000', 'security shares'])
})

test('the total without the over-allotment option counts, and totals in thousands are left out and reported', () => {
  const table = (...heads: string[]) =>
    `<table>${[
      ['', 'Per Share', ...heads],
      ['Public offering price', '$5.00', ...heads.map((_, i) => `$2${5 + 3 * i},000,000`)],
      ['Proceeds to us, before expenses', '$4.65', ...heads.map((_, i) => `$2${3 + 3 * i},250,000`)],
    ]
      .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
      .join('')}</table>`
  const of = (...heads: string[]) => read([], { foot: table(...heads) })
  const values = of('Total Without Over-Allotment', 'Total With Over-Allotment').facts.map(({ value }) => value)
  assert.deepEqual(values, ['5.00', '25000000', '23250000'])
  const scaled = of('Total (in thousands)')
  assert.deepEqual([scaled.facts.map(({ value }) => value), scaled.leftOut], [['5.00'], ['gross', 'proceeds']])
})

test('a legal form of two words ends one name', () => {
  for (const name of [
    'Nowhere & Company, Incorporated',
    'Nowhere & Co., L.L.C.',
    'Nowhere & Co., Ltd.',
    'Nowhere Securities Co., Limited',
  ])
    assert.deepEqual(names(`<p>Joint Book-Running Managers</p><p>${name}</p>`), [name])
  assert.deepEqual(names('<p>Underwriters</p><p>Nowhere Capital, LLC Otherwhere & Co., Inc.</p>'), [
    'Nowhere Capital, LLC',
    'Otherwhere & Co., Inc.',
  ])
  assert.deepEqual(names('<p>Sole Underwriter</p><p>Nowhere Capital, LLC Otherwhere & Co., Inc.</p>'), [
    'Nowhere Capital, LLC',
    'Otherwhere & Co., Inc.',
  ])
  assert.deepEqual(names('<p>Underwriters</p><p>Incorporated</p>'), [])
  assert.deepEqual(names('<p>Sole Underwriter</p><p>Best Efforts Offering</p>'), [])
})

test('an offering "in our initial public offering" is initial if it is made now', () => {
  const now = 'We are offering 3,250,000 shares of our common stock in our initial public offering.'
  assert.ok(facts([now]).includes('initial true'))
  const then = 'We sold 3,250,000 shares of our common stock in our initial public offering of May 2024.'
  assert.ok(!facts([then]).includes('initial true'))
})

const cells = (rows: readonly string[][]) =>
  `<table>${rows.map((row) => `<tr><td>${row.join('</td><td>')}</td></tr>`).join('')}</table>`
const NOTES_TABLE = [
  ['', 'Per Note', 'Total'],
  ['Public offering price', '98.250%', '$294,750,000'],
  ['Proceeds, before expenses, to us', '97.400%', '$292,200,000'],
]

test('the principal amount of notes is not their price: gross is the total of the table, or is not read', () => {
  const notes = ['$300,000,000', 'Specimen Holdings', '4.750% Senior Notes due 2034']
  assert.deepEqual(facts(notes, { form: '424B5', foot: cells(NOTES_TABLE) }), ['gross 294750000', 'proceeds 292200000'])
  const inDollars = NOTES_TABLE.map((row) => row.map((cell) => cell.replace(/^(\d\d)\.(\d).*/, '$$$1$2.00')))
  assert.deepEqual(facts(notes, { form: '424B5', foot: cells(inDollars) }), ['gross 294750000', 'proceeds 292200000'])
  for (const name of ['Floating Rate Notes due 2030', 'Convertible Debentures', 'Debt Securities', '6% Bonds'])
    assert.deepEqual(facts(['$300,000,000', name, 'The public offering price is 98.25%.'], { form: '424B5' }), [], name)
  assert.deepEqual(facts(['$300,000,000', 'Specimen Acquisition Corp.']), ['gross 300000000'])
})
