/** Pages about the data: one of them lists every declared table, and their queries return rows of the sample. */
import assert from 'node:assert/strict'
import { after, describe, it, test } from 'node:test'
import { relationsOf } from '../../src/declare/dataset.ts'
import { type Columns, ENTITIES, meaningOf, UNITS } from '../../src/declare/table.ts'
import { dataPages } from '../../src/pages/data/pages.ts'
import { homesOf } from '../../src/pages/data/tables.ts'
import { pages } from '../../src/pages/pages.ts'
import registry from '../../src/registry.ts'
import { described } from '../../src/serve/described.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'

const world = await openSampledWorld({ after } as Parameters<typeof openSampledWorld>[0], { archived: false })
const { sql } = world
const all = dataPages(registry)
const pageOf = (slug: string) => all.find(({ name }) => name === slug)!

test('every table, view and column of every slice is on the page of its slice, with its description', () => {
  let columns = 0
  for (const slice of registry.slices) {
    const { text } = pageOf(slice.slug)
    for (const { id, row, meaning } of [...relationsOf(slice), ...slice.views]) {
      const section: string | undefined = text.split(`\n### \`${id}\`\n`)[1]
      assert.ok(section, `${id} is missing`)
      assert.ok(section.trim().startsWith(meaning), id)
      for (const [name, type] of Object.entries(row.shape as Columns)) {
        columns++
        const line: string | undefined = section.split('\n').find((each) => each.startsWith(`| \`${name}\` |`))
        assert.ok(line?.includes(meaningOf(type)!.replaceAll('|', '\\|')), `${id}.${name}`)
      }
    }
  }
  assert.ok(columns > 2000, `${columns} columns`)
})

test('the first page lists every other page, each unit and entity, and each family without a parser', () => {
  const { text } = pageOf('')
  const others = all.slice(1)
  for (const { href } of others) assert.ok(text.includes(`](${href})`), href)
  for (const word of [...Object.keys(UNITS), ...Object.keys(ENTITIES)])
    assert.ok(text.includes(`| \`${word}\` |`), word)
  const listed = registry.families.filter(({ dataset }) => !dataset)
  assert.ok(listed.length > 10)
  for (const { slug, forms } of listed) assert.ok(text.includes(`\`${slug}\``) && text.includes(forms.join(', ')), slug)
})

const SQL = /^### (.+)\n\n```sql\n([^`]+)```/gm

describe('both queries of each page return rows of the sample', () => {
  for (const { name, text } of all.slice(1)) {
    it(name, async () => {
      const queries = Array.from(text.matchAll(SQL), ([, title = '', query = '']) => ({ title, query }))
      assert.equal(queries.length, 2)
      for (const { title, query } of queries) {
        const rows = await sql.unsafe(query.trimEnd().replace(/;$/, ''))
        assert.ok(rows.length > 0, title)
      }
    })
  }
})

test('every table that a documented join names has the join’s column', async () => {
  const homes = [...homesOf(registry).values()]
  assert.ok(homes.length > 4)
  for (const home of homes) {
    const [schema, table, column] = home.split('.') as [string, string, string]
    await sql`select ${sql(column)} from ${sql(`${schema}.${table}`)} limit 0`
  }
})

test('pages are served as HTML and Markdown, and the start pages link to them; an unknown page is 404', async (t) => {
  const document = described('1.2.3', () => openapi(registry, '1.2.3'))
  const { base } = await scratchServer(t, { database: world, pages: pages({ openapi: document, catalog: registry }) })
  const text = async (path: string) => {
    const reply = await ask(base, path)
    assert.equal(reply.status, 200, path)
    return reply.text
  }
  assert.match(await text('/docs/data'), /<a href="\/docs\/data\/formd">Form D<\/a>/)
  const page = await text('/docs/data/formd')
  assert.match(page, /<h3 id="formd-issuer"><code>formd\.issuer<\/code><\/h3>/)
  assert.match(page, /<a href="\/docs\/formd_detail">/)
  assert.match(await text('/docs/data/formd.md'), /^# Form D\n\nOne row per filing: the offering/)
  assert.match(await text('/docs/data.md'), /^# Data by family\n/)
  assert.match(await text('/llms.txt'), /\(\/docs\/data\/thirteenf\.md\)/)
  for (const path of ['/docs', '/docs/feed']) assert.match(await text(path), /<a href="\/docs\/data">/)
  const { texts } = JSON.parse(await text('/docs/search.json')) as { texts: { href: string; words: string }[] }
  assert.match(texts.find(({ href }) => href === '/docs/data/formd')!.words, /formd\.issuer.*year_incorporated/)
  assert.equal((await ask(base, '/docs/data/none')).status, 404)
  assert.equal((await ask(base, '/docs/data/none.md')).status, 404)
  const bare = await scratchServer(t, { database: world, pages: pages({ openapi: document }) })
  assert.equal((await ask(bare.base, '/docs/data')).status, 404)
})
