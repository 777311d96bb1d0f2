/** Pages of lists, over the sample: columns, sort orders, filters and counts, all without scripts. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveSample } from '../support/served.ts'

const served = await serveSample({ after })
const headers = { cookie: `openfilings_key=${served.keys.full}`, accept: 'text/html' }
const open = (address: string) => fetch(served.origin + address, { headers, redirect: 'manual' })
const read = async (address: string) => {
  const response = await open(address)
  assert.equal(response.status, 200, address)
  return response.text()
}
const plain = (text: string) => text.replaceAll('&amp;', '&')
const table = (text: string) => text.slice(text.indexOf('<div class="list-rows">'))
const headsOf = (text: string) =>
  Array.from(table(text).matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)</g), ([, label]) => label)

test('a reader chooses the columns of a list in a form whose checkboxes become one parameter', async () => {
  const sent = await open('/ipos?stage=listed&fields=company_name&fields=underwriters')
  assert.equal(sent.headers.get('location'), '/ipos?stage=listed&fields=company_name%2Cunderwriters')
  const text = await read('/ipos?stage=listed&fields=company_name,underwriters')
  assert.deepEqual(headsOf(text), ['Company name', 'Underwriters'])
  // The name is a link to its company, although the number of the company is not a column.
  assert.match(table(text), /<td><a href="\/company\/1713445"/)
  const checked = Array.from(text.matchAll(/name="fields" value="(\w+)" checked/g), ([, name]) => name)
  assert.deepEqual(checked, ['company_name', 'underwriters'])
  // A change of columns keeps the filters, and a change of filters keeps the columns.
  assert.match(text, /<input type="hidden" name="stage" value="listed">/)
  assert.match(text, /<input type="hidden" name="fields" value="company_name,underwriters">/)
  const csv = await open('/ipos?stage=listed&fields=company_name,underwriters&format=csv')
  assert.match(await csv.text(), /^company_name,underwriters\r?\n/)
  assert.equal((await open('/ipos?fields=colour')).status, 400)
})

test('a click on a column heading sorts the list, and a second click reverses the order', async () => {
  const heads = (text: string) =>
    new Map(
      Array.from(
        table(text).matchAll(/<th scope="col"[^>]*?(?: aria-sort="(\w+)")?><a class="sort" href="([^"]+)">([^<]+)</g),
        ([, sorted, href, label]) => [label!, { sorted: sorted ?? null, href: plain(href!) }],
      ),
    )
  const first = heads(await read('/adv/advisers/list?state=NY'))
  assert.deepEqual(first.get('Assets under management'), {
    sorted: 'descending',
    href: '/adv/advisers/list?state=NY&sort=raum&order=asc',
  })
  assert.deepEqual(first.get('Firm name'), { sorted: null, href: '/adv/advisers/list?state=NY&sort=name' })
  const turned = heads(await read('/adv/advisers/list?state=NY&sort=raum&order=asc'))
  assert.deepEqual(turned.get('Assets under management'), {
    sorted: 'ascending',
    href: '/adv/advisers/list?state=NY&sort=raum',
  })
  // By default, names of Form D are in ascending order.
  assert.equal(heads(await read('/formd/filings?sort=name')).get('Entity name')!.sorted, 'ascending')
  // Links to another order lead to the first page.
  const { next_cursor: cursor } = await served.json<{ next_cursor: string }>('/formd/filings?limit=2')
  for (const { href } of heads(await read(`/formd/filings?limit=2&cursor=${cursor}`)).values())
    assert.doesNotMatch(href, /cursor/)
})

test('the condition rows of a form become the filter tree in the address, and the form shows the tree again', async () => {
  const rows = 'where=state&op=eq&value=CA&where=total_offered&op=gte&value=1000&where=&op=eq&value='
  const to = (await open(`/filings?family=formd&${rows}`)).headers.get('location')!
  const and = [
    { field: 'state', op: 'eq', value: 'CA' },
    { field: 'total_offered', op: 'gte', value: '1000' },
  ]
  assert.deepEqual(JSON.parse(new URLSearchParams(to.slice(to.indexOf('?'))).get('filters')!), { and })
  const text = await read(to)
  const { total } = await served.json<{ total: number }>(`${to}&count=exact`)
  assert.ok(total > 0)
  assert.match(text, new RegExp(`>${total} rows?<`))
  assert.match(text, /<option value="state" selected[^>]*>State</)
  assert.match(text, /<option value="gte" selected>is at least</)
  assert.match(text, /value="1000"/)
  // Without a family, the filters have no fields of a family.
  assert.doesNotMatch(await read('/filings'), /<option value="total_offered"/)
})

test('condition rows accept lists, flags and missing values, and a row without a field or a value is dropped', async () => {
  const treeOf = async (query: string) => {
    const to = (await open(`/filings?${query}`)).headers.get('location')!
    const text = new URLSearchParams(to.split('?')[1]).get('filters')
    return text === null ? null : JSON.parse(text)
  }
  const row = (field: string, op: string, value: string) => `where=${field}&op=${op}&value=${encodeURIComponent(value)}`
  assert.deepEqual(await treeOf(row('form_type', 'in', '8-K, 10-K')), {
    and: [{ field: 'form_type', op: 'in', value: ['8-K', '10-K'] }],
  })
  assert.deepEqual(await treeOf(row('has_text', 'eq', 'true')), { and: [{ field: 'has_text', op: 'eq', value: true }] })
  assert.deepEqual(await treeOf(row('period_of_report', 'is_null', '')), {
    and: [{ field: 'period_of_report', op: 'is_null', value: true }],
  })
  assert.equal(await treeOf(`${row('', 'eq', 'x')}&${row('form_type', 'eq', '')}`), null)
  assert.equal((await open('/filings?where=a&op=b')).headers.get('location'), '/filings')
})

test('a filter tree that the form cannot show stays as text, and an invalid tree is refused with an explanation', async () => {
  const or = { or: [{ field: 'form_type', op: 'eq', value: '8-K' }] }
  const text = await read(`/filings?filters=${encodeURIComponent(JSON.stringify(or))}`)
  assert.match(text, /name="filters" type="text" value="\{&quot;or&quot;/)
  const bad = await open('/filings?filters=%7B')
  assert.equal(bad.status, 400)
  assert.match(await bad.text(), /not JSON/)
  const unknown = await open('/filings?where=colour&op=eq&value=%3Cscript%3E')
  const refused = await open(unknown.headers.get('location')!)
  assert.equal(refused.status, 400)
  assert.doesNotMatch(await refused.text(), /<script>/)
})

test('an active filter is shown, with a link that removes it', async () => {
  const text = await read('/formd/filings?state=CA&min_amount=1000&limit=5')
  const links = Array.from(
    text.matchAll(/<a href="([^"]+)" aria-label="Remove the filter ([^"]+)"/g),
    ([, href, of]) => [plain(href!), of],
  )
  assert.deepEqual(links, [
    ['/formd/filings?min_amount=1000&limit=5', 'State CA'],
    ['/formd/filings?state=CA&limit=5', 'Amount at least 1000'],
  ])
})

test('the link that removes a filter also removes the filters that the list accepts only with it', async () => {
  const tree = (field: string, value: string) =>
    new URLSearchParams({ '': JSON.stringify({ field, op: 'eq', value }) }).toString().slice(1)
  const [inState, ofForm] = [tree('state', 'CA'), tree('form_type', 'D')]
  for (const [address, expected] of [
    [
      '/eightk/events?kind=item&item=1.01&cik=320193',
      { Kind: '/eightk/events?cik=320193', Item: '/eightk/events?cik=320193' },
    ],
    [
      '/eightk/events?kind=officer&event=resigned',
      { Kind: '/eightk/events?event=resigned', Event: '/eightk/events?kind=officer' },
    ],
    ['/npx/votes?cusip=88025U109&how=AGAINST&management=against', { CUSIP: '/npx/votes' }],
    [`/filings?family=formd&cik=320193&filters=${inState}`, { Family: '/filings?cik=320193' }],
    [`/filings?form=D&cik=320193&filters=${ofForm}`, { CIK: `/filings?form=D&filters=${ofForm}` }],
    [
      '/npx/votes?cusip=88025U109&series=S000099002&how=AGAINST',
      { CUSIP: '/npx/votes?series=S000099002&how=AGAINST', Vote: '/npx/votes?cusip=88025U109&series=S000099002' },
    ],
  ] as const) {
    const links = Array.from(
      (await read(address)).matchAll(/<a href="([^"]+)" aria-label="Remove the filter (\w+)/g),
      ([, href, of]) => [of!, plain(href!)] as const,
    )
    assert.ok(links.length > 1, address)
    for (const [of, href] of links) assert.equal((await open(href)).status, 200, `${address} without ${of}`)
    for (const [of, href] of Object.entries(expected))
      assert.equal(new Map(links).get(of), href, `${address} without ${of}`)
  }
})

test('a list that requires a filter opens after its last filter is removed', async () => {
  const text = await read('/npx/votes?cusip=990115107&limit=2')
  const [, href] = /<a href="([^"]+)" aria-label="Remove the filter CUSIP/.exec(text)!
  const removed = await open(plain(href!))
  assert.equal(removed.status, 200)
  assert.match(await removed.text(), /To begin:/)
  // A value that is not valid stays an error.
  assert.equal((await open('/npx/votes?limit=many')).status, 400)
})

test('events begin with the newest, and paging reaches every older event once', async () => {
  const { events } = await served.json<{ events: { event_number: number }[] }>('/events?limit=1000')
  const seen: number[] = []
  for (let at: string | undefined = '/events'; at; ) {
    const text = await read(at)
    seen.push(
      ...Array.from(text.matchAll(/<td class="number">([\d,]+)<\/td>/g), ([, n]) => Number(n!.replaceAll(',', ''))),
    )
    at = /rel="next" href="([^"]+)"/.exec(text)?.[1]
    if (at) at = plain(at)
  }
  assert.deepEqual(seen, events.map(({ event_number: number }) => number).reverse())
  for (const wrong of ['/events?before=x', '/events?before=-1', '/events?before=1e9'])
    assert.equal((await open(wrong)).status, 400, wrong)
  // With `after`, the page shows the log from this event on, oldest first.
  assert.match(await read('/events?after=0&limit=2'), /rel="next" href="\/events\?after=2/)
})

test('the JSON of a page of events has the same events in log order, as does the request that the page shows', async () => {
  for (const page of ['/events?limit=5', '/events?before=30&limit=5', '/events?before=30&limit=5&family=formd']) {
    const text = await read(page)
    const shown = Array.from(text.matchAll(/<td class="number">([\d,]+)<\/td>/g), ([, n]) => Number(n))
    const { events } = (await (await open(`${page}&format=json`)).json()) as { events: { event_number: number }[] }
    assert.ok(events.length > 0, page)
    const numbers = events.map(({ event_number: number }) => number)
    assert.deepEqual(numbers.toReversed(), shown, page)
    const [, request] = /curl &#39;http:\/\/[^/]+\/v1(\/events\?[^<]*?)&#39;/.exec(text) ?? []
    assert.deepEqual(await served.json(plain(request!)), await (await open(`${page}&format=json`)).json(), page)
  }
})

test('names of derivatives and short positions are not links, and every linked security has a page', async () => {
  for (const series of ['S999000082', '0001905379']) {
    const text = await read(`/fund/${series}`)
    const links = new Set(Array.from(table(text).matchAll(/href="(\/security\/[^"]+)"/g), ([, href]) => plain(href!)))
    assert.ok(links.size > 0, series)
    for (const href of links) assert.equal((await open(href)).status, 200, href)
  }
  assert.match(await read('/fund/S999000082'), /Specimen Exchange/)
})

test('the page of a filing shows its values by the columns of its dataset, each with its description', async () => {
  const text = await read('/filing/0001045810-26-000024')
  const data = text.slice(text.indexOf('id="family_data"'))
  assert.doesNotMatch(data, /\| 200% \|/)
  assert.match(data, /<span class="text">Jen-Hsun Huang President and Chief Executive Officer · 200% · \$4,000,000</)
  assert.match(
    data,
    /<th scope="col"[^>]* title="Beginning of the text of the item’s section, up to 400 characters">Excerpt</,
  )
})
