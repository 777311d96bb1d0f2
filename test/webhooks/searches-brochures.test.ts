/** Saved searches of text find new brochures, whose zips are published a month after the brochures were filed. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { diskStore } from '../../src/archive/store.ts'
import brochures from '../../src/datasets/brochures/index.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import { ingestBulk } from '../../src/ingest/bulk/ingest.ts'
import registry from '../../src/registry.ts'
import { createSearch } from '../../src/webhooks/saved-searches.ts'
import { searchedBy } from '../../src/webhooks/search-list.ts'
import { openLibrary, pdfOf } from '../support/brochures-made.ts'
import { writeZip } from '../support/bulk-world.ts'
import { logChange } from '../support/change-log.ts'
import { openDeliveries } from '../support/deliveries.ts'
import { firstsOf, receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { temporaryFolder } from '../support/world.ts'

const { served, sql, delivering } = await openDeliveries({ after })
const ABOUT = pdfOf('# Item 4 Advisory Business', 'We advise on zeppelins and on nothing else. '.repeat(3))
const OTHER = pdfOf('# Item 4 Advisory Business', 'We advise on bonds. '.repeat(3))

test('a search of text finds brochures that are loaded later, each once and in order, across restarts', async (t) => {
  const folder = await temporaryFolder(t)
  const store = diskStore(path.join(await temporaryFolder(t), 'archive'))
  const client = edgarClient({ baseUrl: `file://${folder}`, userAgent: null })
  t.after(() => client.close())
  const load = async (name: string, members: Record<string, Buffer>) => {
    const file = path.join(folder, name)
    await writeZip(file, members)
    const parts = { sql, slices: registry.slices, datasets: [brochures], store, client }
    const [outcome] = await ingestBulk({ ...parts, files: [file] })
    assert.equal(outcome!.error, null)
  }
  const to = await receiver(t)
  const save = async (list: string, url?: string) => {
    const { route, address } = searchedBy(registry, list)
    return createSearch(sql, { name: list, list: route.name, address, url, feed: true, now: new Date() })
  }
  const made = await save('/v1/text-search?q=zeppelins', to.url)
  const none = [
    await save('/v1/text-search?q=zeppelins&corpora=tenx'),
    await save('/v1/text-search?q=zeppelins&form=10-K'),
    await save('/v1/text-search?q=zeppelins&to=2019-12-31'),
  ]
  // A delivery whose answer the closing process did not record comes again with the same id.
  const received = () =>
    firstsOf(to.taken).flatMap(({ body }) =>
      (JSON.parse(body) as { matches: { row: { brochure: string } }[] }).matches.map(({ row }) => row.brochure),
    )
  const first = await delivering(t)
  await load('ADV_Brochures_2026_February.zip', {
    '999000001_500001_1_20260203.pdf': ABOUT,
    '999000002_500002_1_20260204.pdf': OTHER,
  })
  await until('the first brochure is delivered', () => received().length === 1)
  await first.close()
  await load('ADV_Brochures_2026_March.zip', {
    '999000003_500003_1_20260302.pdf': ABOUT,
    '999000001_500001_1_20260203.pdf': ABOUT,
  })
  await load('ADV_Brochures_2026_April.zip', { '999000001_500001_2_20260401.pdf': ABOUT })
  await delivering(t)
  await until('the other brochures are delivered', () => received().length >= 3)
  // The event of a rebuild names no brochure, so a saved search finds no new brochure.
  await logChange(sql, { slug: 'brochures', what: 'corrected', keys: null })
  const { position } = (
    await sql<{ position: number }[]>`
    select max(seq)::float8 as position from core.event`
  )[0]!
  await until('the event of the rebuild is processed', async () => {
    const [list] = await sql`select from core.search_list where list = 'text_search' and settled >= ${position}`
    return list !== undefined
  })
  assert.deepEqual(received(), ['1005000010001', '1005000030001', '1005000010002'])
  const { items } = (await (await fetch(`${served.origin}${made.feed}?format=jsonfeed`)).json()) as {
    items: { title: string }[]
  }
  assert.equal(items.length, 3)
  for (const { feed } of none) {
    const { items: found } = (await (await fetch(`${served.origin}${feed}?format=jsonfeed`)).json()) as {
      items: unknown[]
    }
    assert.deepEqual(found, [])
  }
})

test('the first load of brochures logs an event for each brochure', async (t) => {
  const library = await openLibrary(t)
  await library.zip('ADV_Brochures_2026_February.zip', {
    '999000001_500001_1_20260203.pdf': ABOUT,
    '999000002_500002_1_20260204.pdf': OTHER,
  })
  const events = await library.sql<{ key: string | null }[]>`
    select key from core.event where slug = 'brochures' order by key`
  assert.deepEqual(
    events.map(({ key }) => key),
    ['BROCHURES/1005000010001', 'BROCHURES/1005000020001'],
  )
})
