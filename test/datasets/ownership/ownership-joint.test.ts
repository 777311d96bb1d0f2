/**
 * One trade reported in several Forms 4: the proof, the other filings that a row names, and lists that show the trade
 * once.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from '../../../src/datasets/ownership/answers.ts'
import ownership from '../../../src/datasets/ownership/index.ts'
import { documentRows, parse } from '../../../src/datasets/ownership/parse.ts'
import { detail, transactions } from '../../../src/datasets/ownership/routes.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import { testContext } from '../../support/context.ts'
import { corpus } from '../../support/corpus.ts'
import { byCursor, type Query } from '../../support/list-walks.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { rowsRead } from '../../support/rows-read.ts'
import { listLoaded } from '../../support/spine-rows.ts'

const { sql } = await reusedDatabase({ after })
const context = testContext(sql)

const HELD = 'Held by Specimen Ventures LP, whose general partner the director manages.'

interface Trade {
  code?: string
  shares?: string
  price?: string
  after?: string
  ownership?: 'D' | 'I'
  /** Null if there is no footnote. */
  footnote?: string | null
  /** The footnote is attached to the price, not to the ownership. */
  ofPrice?: boolean
  title?: string
}

interface Form {
  /** The last digits of the accession. */
  n: number
  owner: number
  filed?: string
  form?: '4' | '4/A'
  /** Relationship of the owner to the issuer. */
  is?: string
  plan?: boolean
  trades: readonly Trade[]
  derivative?: boolean
  /** The rows are from a quarterly set. */
  ofSet?: boolean
}

const accession = (n: number) => `9000000001-26-${String(n).padStart(6, '0')}`

const value = (name: string, text: string, more = '') => `<${name}><value>${text}</value>${more}</${name}>`

function documentOf({ owner, form = '4', is = 'isDirector', plan = false, trades, derivative }: Form): string {
  const kind = derivative ? 'derivative' : 'nonDerivative'
  const lines = trades.map(
    (
      {
        code = 'S',
        shares = '12345',
        price = '17.31',
        after = '500000',
        ownership = 'I',
        footnote = HELD,
        ofPrice = false,
        title = 'Common',
      },
      at,
    ) => {
      const note = footnote === null ? '' : `<footnoteId id="F${owner + at}"/>`
      return `<${kind}Transaction>
        ${value('securityTitle', title)}${derivative ? value('conversionOrExercisePrice', '1') : ''}${value('transactionDate', '2026-03-10')}
        <transactionCoding><transactionFormType>4</transactionFormType><transactionCode>${code}</transactionCode><equitySwapInvolved>0</equitySwapInvolved></transactionCoding>
        <transactionAmounts>${value('transactionShares', shares)}${value('transactionPricePerShare', price, ofPrice ? note : '')}${value('transactionAcquiredDisposedCode', code === 'S' ? 'D' : 'A')}</transactionAmounts>
        ${derivative ? `<underlyingSecurity>${value('underlyingSecurityTitle', 'Common')}${value('underlyingSecurityShares', shares)}</underlyingSecurity>` : ''}
        <postTransactionAmounts>${value('sharesOwnedFollowingTransaction', after)}</postTransactionAmounts>
        <ownershipNature>${value('directOrIndirectOwnership', ownership, ofPrice ? '' : note)}</ownershipNature>
      </${kind}Transaction>`
    },
  )
  const notes = trades.map(({ footnote = HELD }, at) =>
    footnote === null ? '' : `<footnote id="F${owner + at}">${footnote}</footnote>`,
  )
  return `<ownershipDocument><schemaVersion>X0609</schemaVersion><documentType>${form}</documentType>
    <periodOfReport>2026-03-10</periodOfReport><issuer><issuerCik>0000000050</issuerCik><issuerName>Specimen</issuerName></issuer>
    <reportingOwner><reportingOwnerId><rptOwnerCik>${owner}</rptOwnerCik><rptOwnerName>Owner ${owner}</rptOwnerName></reportingOwnerId>
      <reportingOwnerRelationship><${is}>1</${is}></reportingOwnerRelationship></reportingOwner>
    <aff10b5One>${plan}</aff10b5One><${kind}Table>${lines.join('')}</${kind}Table><footnotes>${notes.join('')}</footnotes></ownershipDocument>`
}

const parseAsSet: typeof parse = ({ documents: { form }, header }) => documentRows(form!, header, 'set')

async function store(...forms: readonly Form[]): Promise<void> {
  await sql`truncate ownership.report, ownership.owner, ownership.security, ownership.derivative, ownership.footnote,
    ownership.signature`
  const parsed = forms.map((each): Parsed => {
    const header = {
      form: each.form ?? '4',
      filedDate: each.filed ?? '2026-03-11',
      cik: String(each.owner).padStart(10, '0'),
    }
    const { rows } = rowsRead(each.ofSet ? parseAsSet : parse, documentOf(each), [], header)
    return { accession: accession(each.n), filedDate: header.filedDate, rows: rows as Parsed['rows'] }
  })
  await sql.begin((tx) => load(tx, ownership, parsed))
  await listLoaded(sql, ownership)
}

type Row = Page['transactions'][number]
const rows = async (query: Query = {}) =>
  ((await transactions.run(transactions.input.parse(query), context)) as { transactions: Row[] }).transactions
/** Returns the last digits of accessions and the lines, with the other filings of each trade. */
const joints = async (query: Query = {}) =>
  (await rows(query))
    .map(({ accession, line, joint }) => [
      Number(accession.slice(-6)),
      line,
      joint.map((each) => Number(each.slice(-6))),
    ])
    .sort()

const FUND: Form = { n: 1, owner: 11, is: 'isTenPercentOwner', trades: [{ ownership: 'D' }] }
const DIRECTOR: Form = { n: 2, owner: 12, trades: [{}] }

test('a trade that both a fund and its managing director report is one trade with two filings, in lists and details', async () => {
  const grant: Trade = { code: 'A', shares: '100', price: '0', after: '100', ownership: 'D', footnote: null }
  await store(FUND, { ...DIRECTOR, trades: [grant, {}] }, { n: 3, owner: 13, trades: [{ footnote: null }] })
  assert.deepEqual(await joints(), [
    [1, 1, [2]],
    [2, 1, []],
    [2, 2, [1]],
    [3, 1, []],
  ])
  assert.deepEqual(await joints({ joint: 'once' }), [
    [1, 1, [2]],
    [2, 1, []],
    [3, 1, []],
  ])
  const found = (await detail.run(detail.input.parse({ accession: accession(2) }), context)) as {
    non_derivative: Row[]
  }
  assert.deepEqual(
    found.non_derivative.map(({ joint }) => joint),
    [[], [accession(1)]],
  )
  const counted = (await transactions.run(
    transactions.input.parse({ joint: 'once', count: 'exact', limit: '1' }),
    context,
  )) as { total: number }
  assert.equal(counted.total, 3)
  const list = { route: transactions, context, idOf: (row: Record<string, unknown>) => `${row.accession} ${row.line}` }
  const walked = await byCursor(list, { joint: 'once' }, { limit: 1 })
  assert.deepEqual([walked.length, new Set(walked).size], [3, 3])
})

test('only filings that match the filters represent a trade: if a filter excludes one filing, the other is listed', async () => {
  await store({ ...FUND, plan: true }, DIRECTOR, { n: 3, owner: 13, trades: [{}] })
  const once = async (query: Query) => (await joints({ ...query, joint: 'once' })).map(([n]) => n)
  assert.deepEqual(await once({}), [1])
  assert.deepEqual(await once({ cik: '50', code: 'S', min_value: '1000' }), [1])
  assert.deepEqual(await once({ role: 'director' }), [2])
  assert.deepEqual(await once({ plan_10b5_1: 'false' }), [2])
  assert.deepEqual(await once({ person: '13' }), [3])
  assert.deepEqual(await once({ person: '13', role: 'director' }), [3])
  assert.deepEqual(await once({ person: '13', role: 'officer' }), [])
  // The fund's form is amended, and the amendment states another number.
  const amendment: Form = {
    ...FUND,
    n: 4,
    form: '4/A',
    filed: '2026-03-12',
    trades: [{ ownership: 'D', shares: '999' }],
  }
  await store(FUND, DIRECTOR, amendment)
  await sql`update ownership.report set original_date = '2026-03-11' where is_amendment`
  assert.deepEqual(await once({}), [1, 4])
  assert.deepEqual(await once({ amended: 'latest' }), [2, 4])
})

test('lines that differ in any value of a trade, or that have too little evidence, stay two trades', async () => {
  const apart: readonly (readonly [string, Partial<Form>])[] = [
    ['another footnote', { trades: [{ footnote: 'Held by a trust of the director.' }] }],
    ['another number', { trades: [{ shares: '12346' }] }],
    ['another price', { trades: [{ price: '17.32' }] }],
    ['another holding after it', { trades: [{ after: '500001' }] }],
    ['another security', { trades: [{ title: 'Class B' }] }],
    ['another day of filing', { filed: '2026-03-12' }],
    ['an amendment', { form: '4/A' }],
    ['the same owner', { owner: FUND.owner }],
    ['a derivative', { derivative: true }],
    ['both direct, as two buyers', { trades: [{ ownership: 'D' }] }],
  ]
  for (const [what, by] of apart) {
    await store(FUND, { ...DIRECTOR, ...by })
    assert.deepEqual(
      [...(await joints()), ...(await joints({ derivative: 'true' }))].map(([, , joint]) => joint),
      [[], []],
      what,
    )
  }
  // Trusts of two directors buy the same number of shares in an offering, and hold no other shares.
  const bought: Trade = { code: 'P', after: '12345', footnote: 'Bought in the directed share program.', ofPrice: true }
  await store({ ...FUND, trades: [bought] }, { ...DIRECTOR, trades: [bought] })
  assert.deepEqual(
    (await joints()).map(([, , joint]) => joint),
    [[], []],
  )
  // The director states two equal trades, of which the fund reports one.
  await store(FUND, { ...DIRECTOR, trades: [{}, {}] })
  assert.deepEqual(
    (await joints({ joint: 'once' })).map(([, , joint]) => joint),
    [[], [], []],
  )
  // A company grants two directors of one fund the same number, which the fund holds for both.
  const grant: Trade = { code: 'A', shares: '5000', price: '0', after: '5000' }
  await store({ ...FUND, trades: [grant] }, { ...DIRECTOR, trades: [grant] })
  assert.deepEqual(
    (await joints()).map(([, , joint]) => joint),
    [[], []],
  )
})

test('a trade in a submission and in a quarterly set is one trade even if the set rounds its amounts; rows name their source', async () => {
  const joined = async (own: Trade[], ofSet: Trade[]) => {
    await store({ ...FUND, trades: own }, { ...DIRECTOR, ofSet: true, trades: ofSet })
    return (await joints()).some(([, , joint]) => (joint as number[]).length > 0)
  }
  assert.ok(await joined([{ price: '17.3149', after: '500000.004' }], [{ price: '17.31' }]))
  assert.deepEqual(
    (await rows()).map(({ source, price, rounded_to_zero }) => [source, price, rounded_to_zero]),
    [
      ['set', '17.31', []],
      ['xml', '17.3149', []],
    ],
  )
  assert.ok(await joined([{ price: '0.001' }], [{ price: '0.0' }]))
  assert.deepEqual(
    (await rows()).map(({ source, price, rounded_to_zero }) => [source, price, rounded_to_zero]),
    [
      ['set', null, ['price']],
      ['xml', '0.001', []],
    ],
  )
  assert.ok(!(await joined([{ price: '17.3151' }], [{ price: '17.31' }])))
  assert.ok(
    !(await joined([{ price: '17.311' }, { price: '17.312' }], [{ price: '17.31' }])),
    'either line may be meant',
  )
  await store({ ...FUND, trades: [{ price: '17.3149' }] }, { ...DIRECTOR, trades: [{ price: '17.31' }] })
  assert.deepEqual(
    (await joints()).map(([, , joint]) => joint),
    [[], []],
    'two submissions',
  )
})

test('Table II has joint trades too', async () => {
  const derivative = { derivative: true }
  await store({ ...FUND, ...derivative }, { ...DIRECTOR, ...derivative })
  assert.deepEqual(await joints({ derivative: 'true' }), [
    [1, 1, [2]],
    [2, 1, [1]],
  ])
  assert.deepEqual(await joints({ derivative: 'true', joint: 'once' }), [[1, 1, [2]]])
})

/** Pairs of filings in the corpus: two insiders of one company report about the same period. */
const PAIRS = [
  [
    'sec/Archives/edgar/data/201461/0001179110-14-007110.txt',
    'sec/Archives/edgar/data/201461/0001179110-14-007120.txt',
  ],
  [
    'documents/4/0001374545-26-000008_0001374545-26-000008.xml',
    'documents/4/0001557979-26-000006_0001557979-26-000006.xml',
  ],
] as const

test('trades of different real insiders of one company on one day are not joined', { skip: corpus.skip }, async () => {
  await store()
  const parsed = PAIRS.flatMap((pair, of) =>
    pair.map((file, at): Parsed => {
      const text = readFileSync(path.join(corpus.folder, file), 'utf8')
      const document = /<ownershipDocument>.*<\/ownershipDocument>/s.exec(text)![0]
      const header = { form: '4', filedDate: '2026-03-11', cik: '0000000001' }
      const { rows } = rowsRead(parse, document, [], header)
      return { accession: accession(10 * of + at), filedDate: header.filedDate, rows: rows as Parsed['rows'] }
    }),
  )
  await sql.begin((tx) => load(tx, ownership, parsed))
  await listLoaded(sql, ownership)
  const found = [...(await joints()), ...(await joints({ derivative: 'true' }))]
  assert.equal(new Set(found.map(([n]) => n)).size, 4)
  assert.ok(found.every(([, , joint]) => (joint as number[]).length === 0))
})
