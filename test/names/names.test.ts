/** Names in every list that has a parameter q: equivalent spellings, meaningless text, and the order of names. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../../bench/random.ts'
import { shortOf, WAYS, type Way } from '../support/names/kinds.ts'
import { serveSample } from '../support/served.ts'

const { json, get } = await serveSample({ after })

/** For each list, the members that have its rows, the name of a row, and the identifier of a row. */
const LISTS: Record<string, { rows: string; name: string; id: string }> = {
  '/adv/advisers/list': { rows: 'rows', name: 'firm_name', id: 'crd' },
  '/new-advisers': { rows: 'rows', name: 'firm_name', id: 'crd' },
  '/filings': { rows: 'rows', name: 'company_name', id: 'accession' },
  '/brokers': { rows: 'brokers', name: 'name', id: 'cik' },
  '/cfportal': { rows: 'rows', name: 'name', id: 'cik' },
  '/feed': { rows: 'rows', name: 'entity_name', id: 'accession' },
}
type ListRow = Record<string, string>

const rowsOf = async (route: string, query: Record<string, string>) =>
  (await json<Record<string, ListRow[]>>(`${route}?${new URLSearchParams(query)}`))[LISTS[route]!.rows]!

/**
 * Ways of typing that find a name in a list. The other ways have wrong letters or places, or words that only resemble
 * parts of a name. A list does not find names by these ways.
 */
const SAME = [
  'the full name',
  'without its legal form',
  'in small letters without marks',
  '"and" for "&"',
  'without "&"',
  'initials without dots',
  'initials apart',
  'short forms of words',
] as const satisfies readonly (keyof typeof WAYS)[]

for (const [route, { name, id }] of Object.entries(LISTS)) {
  test(`${route}?q= finds a name in each equivalent spelling`, async () => {
    const random = new Random(1)
    const rows = (await rowsOf(route, { limit: '50' })).slice(0, 30)
    assert.ok(rows.length > 0, 'the sample has rows')
    let tried = 0
    for (const row of rows) {
      const named = { name: row[name]!, city: null, state: null }
      const typed = [
        ...SAME.map((way) => (WAYS[way] as Way)(named, random)),
        `${shortOf(named.name)}, the`,
        turned(shortOf(named.name)),
      ]
      for (const q of new Set(typed)) {
        if (!q || [...q].length > 200) continue
        tried++
        const found = await rowsOf(route, { q, limit: '50' })
        assert.ok(found.length === 50 || found.some((one) => one[id] === row[id]), `${named.name} by ${q}`)
      }
    }
    assert.ok(tried > rows.length * 2)
  })
}

const turned = (name: string) => name.split(' ').toReversed().join(' ')

const HOSTILE = [
  ...['', ' ', 'a', '&', '+', '%', '_', '\\', "'", '"', '\\\\', '%%', "''", '!', '~', '@', '~a', '!a', '@tx'],
  ...['a & b', 'a | b', '!a', 'a:*', 'a <-> b', "'a':*", "a' | 'b", '(', ')', '(a', 'a\\', ':*', '<2>', "\\'", '--'],
  ...['the', 'and', 'the and', 'llc', 'inc', 'l l c', 'L.L.C.', 'co & co', 'the llc inc corp', 'of', 'sa de cv'],
  ...['theand', 'thethe', 'andthe', 'andthe llc', 'the andand'],
  ...[
    '💥',
    '👨‍👩‍👧‍👦 capital',
    'שלום',
    'مرحبا بالعالم',
    '\u202Eevil\u202C',
    '中文公司',
    'ﬁdelity',
    'Ⅷ',
    '𝔊𝔬𝔩𝔡𝔪𝔞𝔫',
    'é\u0301',
    'İ',
    'ß',
  ],
  ...[
    '\u0001',
    '\t',
    'a\nb',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '0',
    '00',
    '0000000000',
    '801',
    '801-',
    '801--',
    '-1',
    '1e9',
    'cik',
    'cik 0',
    'crd',
    '9'.repeat(30),
  ],
  ...[
    'x'.repeat(200),
    'a '.repeat(100),
    'ab'.repeat(100),
    '&'.repeat(200),
    "'".repeat(200),
    'a.'.repeat(100),
    '\u0301'.repeat(200),
  ],
]

test('any typed text is answered or refused without an internal error, in every list and in the search', async () => {
  for (const route of [...Object.keys(LISTS), '/adv/advisers/search']) {
    for (const q of [...HOSTILE, 'x'.repeat(10_000)]) {
      const answer = await get(`${route}?${new URLSearchParams({ q })}`)
      const text = await answer.text()
      assert.ok([200, 400, 414].includes(answer.status), `${route} ${q.slice(0, 40)}: ${answer.status} ${text}`)
      if (answer.status === 400) assert.match(text, /"q: /, `${route} ${q.slice(0, 40)}`)
      if ([...q].length > 200) assert.notEqual(answer.status, 200, `${route}: a text of ${q.length}`)
    }
  }
})

test('text without letters and digits matches literally: only names that contain it', async () => {
  for (const q of ['&', '%', '_', '\\', "'", '(']) {
    const rows = await rowsOf('/filings', { q, limit: '50' })
    for (const { company_name } of rows) assert.ok(company_name!.includes(q), `${company_name} by ${q}`)
  }
})
