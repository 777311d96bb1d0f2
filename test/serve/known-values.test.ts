/**
 * A value that no row can have is refused with the value that was probably meant. An empty list would wrongly claim
 * that there are no such rows.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveSample } from '../support/served.ts'

const served = await serveSample({ after })

const refusal = async (path: string) => {
  const response = await served.get(path)
  const { error } = (await response.json()) as { error?: string }
  return [response.status, error ?? ''] as const
}

/** Requests, each with the text that its error must contain. */
const REFUSED: readonly (readonly [path: string, says: RegExp])[] = [
  // A name that every object has.
  ['/search?q=musk&kind=constructor', /^kind: "constructor" is not a known kind/],
  ['/search?q=musk&kind=person', /^kind: "person" is not a known kind; did you mean insider or representative\?/],
  ['/search?q=vanguard&kind=ETF', /did you mean fund\?/],
  ['/filings?form=DEF14A', /^form: "DEF14A" is not a known form type; did you mean DEF 14A\?/],
  ['/filings?form=10-k', /did you mean 10-K\?/],
  ['/filings?form=10K', /did you mean 10-K\?/],
  ['/filings?form=10-KA', /did you mean 10-K\/A\?/],
  ['/filings?form=SC13D', /did you mean SC 13D or SCHEDULE 13D\?/],
  ['/filings?form=sc13g%2Fa', /did you mean SC 13G\/A or SCHEDULE 13G\/A\?/],
  ['/filings?form=SC%20TO', /did you mean SC TO-/],
  ['/filings?form=Schedule%2013G', /did you mean .*SCHEDULE 13G/],
  ['/filings?form=13D', /did you mean SC 13D or SCHEDULE 13D\?/],
  ['/filings?form=Form%204', /did you mean 4\?/],
  ['/filings?form=13F', /13F-HR/],
  ['/filings?form=ZZZ', /^form: "ZZZ" is not a known form type; .*\/v1\/filings\/families/],
  ['/filings?item=2.99', /^item: "2.99" is not a known item/],
  ['/filings?item=202', /did you mean 2.02\?/],
  ['/filings?family=form-d', /^family: "form-d" is not a known family; did you mean formd\?/],
  ['/filings?form=8-K,10-K', /^form: takes one value; `filters` of \/v1\/filings takes several, with "op":"in"$/],
  ['/filings?family=formd,rega', /^family: takes one value; `filters`/],
  ['/filings?item=5.02,2.02', /^item: takes one value; `filters`/],
  ['/filings?cik=320193,789019', /^cik: takes one value, without commas$/],
  ['/feed?min_amount=1,000,000', /^min_amount: takes one value, without commas$/],
  ['/filings?cik=320193,x', /^cik: must be a CIK/],
  ['/filings?item=1.1', /^item: "1.1" is not a known item; did you mean 1.01\?/],
  ['/filings?item=9.1.1', /^item: "9.1.1" is not a known item; use one of/],
  ['/filings?item=Item%205.02', /did you mean 5.02\?/],
  ['/eightk/events?kind=item&item=1.1', /did you mean 1.01\?/],
  ['/eightk/events?kind=item&item=item%205.02', /did you mean 5.02\?/],
  ['/filings?family=8-K', /^family: "8-K" is not a known family; did you mean eightk\?; use one of formd/],
  ['/filings?family=form%204', /did you mean ownership\?/],
  ['/events?family=13F', /did you mean thirteenf\?/],
  ['/events?source=10b', /^source: "10b" is not a known source; use one of filings/],
  ['/events?source=8-K', /^source: "8-K" is not a known source; did you mean eightk\?/],
  ['/filings?sort=dat', /must be one of date, name; did you mean date\?/],
  [`/filings?filters=${encodeURIComponent('{"field":"form_type","op":"eq","value":"8K"}')}`, /did you mean 8-K\?/],
  [`/filings?filters=${encodeURIComponent('{"not":{"field":"family","op":"in","value":["form d"]}}')}`, /formd/],
  [
    `/filings?family=ownership&filters=${encodeURIComponent('{"field":"source","op":"eq","value":"html"}')}`,
    /use one of xml, set, text/,
  ],
  ['/events?form=10Q', /did you mean 10-Q\?/],
  ['/events?source=form%20d', /did you mean formd\?/],
  ['/text-search?q=risk&form=10-k', /did you mean 10-K\?/],
  ['/text-search?q=risk&corpora=8k', /eightk|corpus/],
  ['/eightk/events?kind=item&item=5.2', /^item: "5.2" is not a known item of Form 8-K/],
  ['/eightk/events?kind=officers', /did you mean officer\?/],
  [
    '/feed?industry=banking',
    /^industry: "banking" is not a known industry; did you mean Commercial Banking, Investment Banking .*use one of Agriculture/,
  ],
  ['/feed?industry=hospitals,clinics', /did you mean Hospitals and Physicians\?/],
  ['/feed?state=California', /did you mean CA \(California\)\?/],
  ['/brokers?state=Ontario', /must be a code of a state or country.*did you mean ON or A6 \(Ontario\)\?/],
  ['/brokers?state=Texas', /did you mean TX \(Texas\)\?/],
  ['/cfportal?state=Germany', /did you mean 2M \(Germany\)\?/],
  ['/feed?state=zz', /^state: "ZZ" must be a code of a state or country as EDGAR has them, such as NY or A6$/],
  ['/adv/advisers/list?state=ZZ,QQ', /^state: "ZZ" must be a code/],
  ['/new-advisers?state=UK', /did you mean X0 \(UK\)\?/],
  ['/brokers?state=ZZ', /^state: "ZZ" must be/],
  ['/cfportal?state=ZZ', /^state: "ZZ" must be/],
  ['/adv/advisers/list?fund_type=Hedge', /did you mean Hedge Fund\?; use one of Hedge Fund,/],
  ['/adv/advisers/list?fund_type=tulip', /^fund_type: "tulip" is not a known fund type; use one of Hedge Fund/],
]

test('a misspelt or unknown value is refused with 400, and the error names the likely value and the known values', async () => {
  for (const [path, says] of REFUSED) {
    const [status, error] = await refusal(path)
    assert.equal(status, 400, path)
    assert.match(error, says, path)
  }
})

test('a possible value is answered, even if no row has it now', async () => {
  const paths = [
    ...['/filings?form=10-K/A', '/filings?form=NT%2010-K', '/filings?item=1.04', '/filings?item=06b'],
    ...['/feed?industry=agriculture', '/feed?industry=Stone,%20clay,%20glass%20and%20concrete%20products'],
    ...[
      '/feed?industry=Computers,Residential',
      '/feed?industry=Computers,Nonsense',
      '/feed?state=ny,a6,ZZ',
      '/adv/advisers/list?fund_type=hedge%20fund',
    ],
    ...['/text-search?q=risk&form=ADV%20Part%202', '/events?form=d', '/eightk/events?kind=item&item=12'],
  ]
  for (const path of paths) assert.deepEqual([path, (await served.get(path)).status], [path, 200])
})

test('a state code that EDGAR does not define is accepted if a stored row has it', async () => {
  await served.sql`update x17a5.broker set state = 'Q9' where cik = (select min(cik) from x17a5.broker)`
  const response = await served.get('/brokers?state=q9')
  const { brokers } = (await response.json()) as { brokers: { state: string }[] }
  assert.deepEqual([response.status, brokers.map(({ state }) => state)], [200, ['Q9']])
})

test('a form that does not fit the requested family or corpus is refused, not answered with nothing', async () => {
  const tree = encodeURIComponent(
    '{"and":[{"field":"form_type","op":"in","value":["4","5"]},{"field":"cik","op":"eq","value":1}]}',
  )
  const conflicts: [path: string, says: RegExp][] = [
    [
      '/filings?family=formd&form=4',
      /^form: 4 is a form of the family ownership, not of formd: leave out one of the two$/,
    ],
    [`/filings?family=formd&filters=${tree}`, /^form: 4 is a form of the family ownership, not of formd/],
    ['/events?family=formd,rega&form=4', /not of formd or rega/],
    ['/text-search?q=risk&form=8-K&corpora=tenx', /^form: 8-K is a form of the corpus eightk, not of tenx/],
    ['/text-search?q=risk&form=ADV%20Part%202&corpora=exhibits', /corpus brochures, not of exhibits/],
    ['/text-search?q=risk&form=4', /^form: no text is made of form 4; \/v1\/text-search\/corpora has/],
  ]
  for (const [path, says] of conflicts) {
    const [status, error] = await refusal(path)
    assert.equal(status, 400, path)
    assert.match(error, says, path)
  }
  const possible = [
    '/filings?family=formd&form=D/A',
    '/events?family=formd&form=4,D',
    '/text-search?q=risk&form=8-K&corpora=tenx,eightk',
    '/text-search?q=risk&form=8-K&corpora=exhibits',
    '/text-search?q=risk&form=4,10-K',
    `/filings?filters=${encodeURIComponent('{"or":[{"field":"form_type","op":"eq","value":"4"},{"field":"family","op":"eq","value":"formd"}]}')}`,
    `/filings?family=formd&filters=${encodeURIComponent('{"field":"form_type","op":"ne","value":"4"}')}`,
  ]
  for (const path of possible) assert.deepEqual([path, (await served.get(path)).status], [path, 200])
})

test('if an id belongs to another kind of thing, the refusal names the search that finds this thing', async () => {
  const ids: [path: string, parameter: string, id: string, url: string][] = [
    ['/brokers/320193', 'cik', '320193', '/v1/companies/0000320193'],
    ['/adv/advisers/by-crd/320193', 'crd', '320193', '/v1/companies/0000320193'],
    ['/thirteenf/managers/by-cik/307078/holdings', 'cik', '307078', '/v1/adv/advisers/by-crd/307078'],
    ['/adv/rep/307078/movements', 'indvlPk', '307078', '/v1/adv/advisers/by-crd/307078'],
  ]
  for (const [path, parameter, id, url] of ids) {
    const response = await served.get(path)
    const address = `/search?q=${id}`
    assert.deepEqual(await response.json(), {
      error: `not found: ${parameter} ${id}; /v1${address} finds what has this id`,
      code: 'not_found',
      search_url: `/v1${address}`,
    })
    assert.equal(response.status, 404)
    const { rows } = (await (await served.get(address)).json()) as { rows: { url: string }[] }
    assert.ok(
      rows.some((row) => row.url === url),
      `${path}: ${JSON.stringify(rows)}`,
    )
  }
})
