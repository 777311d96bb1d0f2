/** The reference without a browser: pages, Markdown, escaping, and the requests that may receive the ready key. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, test } from 'node:test'
import type { z } from 'zod'
import { pages } from '../../src/pages/pages.ts'
import { isLoopback } from '../../src/pages/ready-key.ts'
import { GUIDE_NAMES } from '../../src/pages/reference/guides.ts'
import registry from '../../src/registry.ts'
import { described } from '../../src/serve/described.ts'
import { readExamples } from '../../src/serve/examples.ts'
import { schemaOf } from '../../src/serve/openapi/schemas.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { beginHere, sampledEnv, untilReady } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { codeOf } from '../support/error-codes.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const examples = await readExamples()
const real = openapi(registry, '1.2.3', examples) as {
  paths: Record<string, Record<string, { operationId: string; 'x-example'?: string }>>
}
const describedOf = (document: object) => described('1.2.3', () => document)
const KEY = 'of_the-ready-key-of-these-tests'
const TOKEN = 'token-of-the-printed-link'
const readyKey = { key: () => KEY, token: TOKEN, hasProxy: false }
// The servers below allow any host name. The ready key has a check of its own, which also holds if an operator allows
// every name.
/** Shared by all servers of this file. */
const database = await freshDatabase({ after })
const server = await scratchServer(
  { after },
  { database, pages: pages({ openapi: describedOf(real), readyKey }), allowedHosts: ['*'] },
)
const text = async (path: string) => {
  const reply = await ask(server.base, path)
  assert.equal(reply.status, 200, path)
  return reply.text
}
const ids = Object.values(real.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))

/** Returns the visible text of HTML. */
const shown = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name as 'lt'],
    )

test('every operation has a page and a Markdown page with its path, its summary and every parameter', async () => {
  assert.equal(ids.length, registry.routes.length)
  for (const route of registry.routes) {
    const page = await text(`/docs/${route.name}`)
    const markdown = await text(`/docs/${route.name}.md`)
    for (const one of [shown(page), markdown]) {
      assert.ok(one.includes(`/v1${route.path}`), route.name)
      assert.ok(one.includes(route.summary), route.name)
    }
    const link = `<a href="/docs/${route.name}" title="/v1${route.path}" aria-current="page">`
    assert.ok(page.split(link)[1]?.startsWith(route.summary.slice(0, 4)), `${route.name}: the sidebar shows its name`)
    for (const name of Object.keys(route.input.shape)) {
      assert.ok(page.includes(`<tr id="parameter-${name}">`), `${route.name} ${name}`)
      assert.ok(page.includes(`name="${name}"`), `${route.name} ${name} can be tried`)
      assert.match(markdown, new RegExp(`^- \`${name}\` \\(`, 'm'), route.name)
      // This also holds for a parameter that the document has once for several operations.
      const own = markdown.split('\n').find((line) => line.startsWith(`- \`${name}\` (`))!
      const [meaning] = String(schemaOf(route.input.shape[name] as z.ZodType).description).split('\n')
      const entry = markdown.slice(markdown.indexOf(own)).split('\n- `')[0]!
      assert.ok(entry.includes(meaning!), `${route.name} ${name}: ${entry}`)
      const example = examples.routes[route.name]!.parameters[name]!
      const written = [example, String((route.input.shape[name] as z.ZodType).parse(example))]
      assert.ok(
        written.some((value) => own.includes(`example \`${value}\``)),
        `${route.name} ${name}: ${own}`,
      )
    }
  }
})

test('the start page and its Markdown list every operation in groups, and explain how to begin', async () => {
  const page = await text('/docs')
  const markdown = await text('/docs.md')
  for (const name of GUIDE_NAMES)
    for (const one of [page, markdown]) assert.ok(one.includes(`/docs/guides/${name}`), name)
  for (const id of ids) {
    assert.ok(page.includes(`href="/docs/${id}"`), id)
    assert.ok(markdown.includes(`(/docs/${id}.md)`), id)
  }
  for (const heading of ['Begin', 'Errors', 'Limits', 'Paging', 'Provenance and units', 'Operations']) {
    assert.ok(shown(page).includes(heading) && markdown.includes(`\n## ${heading}\n`), heading)
  }
  for (const word of ['X-Api-Key', 'paginate=cursor', 'RateLimit-Remaining', 'problem+json']) {
    assert.ok(shown(page).includes(word) && markdown.includes(word), word)
  }
})

test('llms.txt has a title, a summary and links, and each link opens Markdown or the OpenAPI document', async () => {
  const list = await text('/llms.txt')
  assert.match(list, /^# OpenFilings\n\n> \S.*\n/)
  const links = Array.from(list.matchAll(/\]\(([^)]+)\)/g), ([, href]) => href!)
  assert.equal(links.length, ids.length + GUIDE_NAMES.length + 2)
  for (const link of links) {
    const { status, headers } = await ask(server.base, link)
    assert.equal(status, 200, link)
    assert.match(headers['content-type']!, link.endsWith('.md') ? /^text\/markdown/ : /^application\/json/)
  }
})

test('every guide has a page and a Markdown page with its requests, each with its operation', async () => {
  for (const name of GUIDE_NAMES) {
    const file = await readFile(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')
    const [, title] = /^# (.+)/.exec(file)!
    const page = await text(`/docs/guides/${name}`)
    const markdown = await text(`/docs/guides/${name}.md`)
    assert.ok(page.includes(`<a href="/docs/guides/${name}" aria-current="page">`), name)
    const addresses = [...file.matchAll(/'(http:[^']+)'/g)].map(([, address]) => address!)
    for (const one of [shown(page), markdown]) {
      for (const linked of [title!, ...addresses]) assert.ok(one.includes(linked), `${name}: ${linked}`)
      // The served page lacks parts of the file on disk: the comment for the search, and links to other files.
      assert.doesNotMatch(one, /Found by|\.\.\/|\]\((?!\/)/, name)
    }
    const operations = addresses.filter((address) => address.includes('/v1/'))
    const links = [...markdown.matchAll(/^All parameters and members: \[`[^`]+`\]\(([^)]+)\)\.$/gm)].map(
      ([, link]) => link!,
    )
    assert.equal(links.length, operations.length, name)
    for (const link of new Set(links)) {
      assert.ok(page.includes(`href="${link.replace(/\.md$/, '')}"`), link)
      await text(link)
    }
  }
})

test('the tree of an answer shows types, units, null and the kinds of things that values name, also within lists', async () => {
  const page = await text('/docs/feed')
  const [, amount] = /<li id="field-rows\.amount">([\s\S]*?)<\/li>/.exec(page)!
  assert.match(shown(amount!), /^amount decimal or null USD\s*Amount offered/)
  const [, cik] = /<li id="field-rows\.cik">([\s\S]*?)<\/li>/.exec(page)!
  assert.match(cik!, /<a class="entity" href="\/docs\/company">cik<\/a>/)
  assert.match(await text('/docs/feed.md'), /^ {2}- `amount` \(decimal or null, USD\): Amount offered/m)
})

test('a page has a policy that forbids inline code, is compressed, and is revalidated by ETag', async () => {
  const page = await ask(server.base, '/docs/adv_adviser', { headers: { 'accept-encoding': 'gzip' } })
  const policy = page.headers['content-security-policy'] as string
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  assert.equal(page.headers['content-encoding'], 'gzip')
  assert.equal(page.headers['cache-control'], 'public, no-cache')
  const again = await ask(server.base, '/docs/adv_adviser', { headers: { 'if-none-match': page.headers.etag! } })
  assert.equal(again.status, 304)
  const plain = await text('/docs/adv_adviser')
  assert.doesNotMatch(plain, / style=| on[a-z]+=|<style|<script(?![^>]* src="\/assets\/)/)
})

test('names of style and script files contain their digest, and caches may keep them for ever; any other name is 404', async () => {
  const page = await text('/docs')
  const files = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(new Set(files).size >= 4)
  for (const file of new Set(files)) {
    const { status, headers } = await ask(server.base, file)
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(headers['content-type']!, /^(text\/(css|javascript)|image\/svg\+xml); charset=utf-8$/)
  }
  const old = await ask(server.base, '/assets/style-00000000.css')
  assert.equal(codeOf(old.status, old.json()), 'page_not_found')
  assert.match(old.json().error, /of another version/)
})

test('a missing path is HTML for a browser and JSON for other clients and for requests that ask for JSON', async () => {
  for (const path of ['/docs/nothing', '/docs/nothing.md', '/docs/__proto__', '/nothing', '/v1/nothing', '/docs/a/b']) {
    const page = await ask(server.base, path, { headers: BROWSER })
    assert.equal(page.status, 404, path)
    assert.match(page.headers['content-type']!, /^text\/html/)
    assert.match(page.headers['content-security-policy'] as string, /default-src 'none'/)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(shown(page.text), /There is nothing at this address/)
    for (const accept of [undefined, '*/*', 'application/json', 'text/html, application/json', 'text/html;q=0, */*']) {
      const reply = await ask(server.base, path, { headers: accept === undefined ? {} : { accept } })
      assert.equal(reply.status, 404)
      assert.match(reply.json().error, /^there is no /)
    }
    const problem = await ask(server.base, path, { headers: { accept: 'text/html, application/problem+json' } })
    assert.equal(problem.headers['content-type'], 'application/problem+json; charset=utf-8')
  }
  const key = await server.key()
  const missing = await server.as(key, '/v1/things/0000000000-00-000000', { headers: BROWSER })
  assert.match(missing.json().error, /^not found: accession/)
})

test('the snippets and the form of an operation send the request whose answer is shown', async () => {
  for (const { get } of Object.values(real.paths)) {
    const address = get!['x-example']
    assert.ok(address, get!.operationId)
    const page = await text(`/docs/${get!.operationId}`)
    for (const one of [shown(page), await text(`/docs/${get!.operationId}.md`)])
      assert.equal(one.split(`http://127.0.0.1:8080${address}'`).length, 3, `${address} in curl and JavaScript`)
    const sent = new URL(address, server.base).searchParams
    for (const [name, value] of sent) {
      const [control] = new RegExp(`<(input|select) id="try-${name}".*?</div>`, 's').exec(page)!
      const [, set] =
        / value="([^"]+)"/.exec(control.replace(/<option value="">.*?<\/option>/, '')) ??
        /<option selected>([^<]+)/.exec(control) ??
        []
      assert.equal(shown(set ?? ''), value, `${get!.operationId} ${name}`)
    }
    const filled = page.match(/<input id="try-(?!key)[^>]* value="[^"]+"|<option selected>/g) ?? []
    assert.equal(filled.length, sent.size + (page.match(/data-in="path"/g) ?? []).length, get!.operationId)
  }
  const bytes = await text('/docs/edgar_doc')
  assert.match(bytes, /<span class="soft">bytes<\/span>/)
})

const EVIL = '<img src=x onerror=alert(1)>"\'&<script>alert(1)</script>'
const evilSchema = {
  type: 'object',
  description: `What it says. ${EVIL}`,
  properties: { [EVIL]: { type: 'string', enum: [EVIL], description: EVIL, 'x-unit': EVIL, 'x-entity': EVIL } },
}
const evil = {
  openapi: '3.1.0',
  info: { title: EVIL, version: EVIL, description: `${EVIL}\n${EVIL} [link](javascript:alert(1)) [in](/x"onclick=")` },
  servers: [{ url: '/v1' }],
  tags: [{ name: EVIL, 'x-displayName': EVIL, description: EVIL }],
  'x-units': { [EVIL]: EVIL },
  'x-entities': { [EVIL]: { meaning: EVIL, link: `/${EVIL}` } },
  paths: {
    [`/${EVIL}`]: {
      get: {
        operationId: 'evil',
        summary: EVIL,
        description: `${EVIL}\n\n\`${EVIL}\`\n\n- **${EVIL}**\n\n## ${EVIL}\n\n\`\`\`\n${EVIL}\n\`\`\``,
        tags: [EVIL],
        'x-bucket': EVIL,
        'x-scopes': [EVIL],
        parameters: [
          { name: EVIL, in: 'query', required: true, description: EVIL, schema: { type: 'string', enum: [EVIL], default: EVIL }, example: EVIL },
          { name: 'text', in: 'query', required: true, schema: { type: 'string' }, example: EVIL },
        ], // biome-ignore format: one line each
        responses: {
          200: { content: { [EVIL]: { schema: evilSchema, example: EVIL }, 'application/json': { schema: evilSchema, example: { [EVIL]: EVIL } } } },
          404: { description: EVIL },
        }, // biome-ignore format: one line each
      },
    },
  },
}

test('HTML in the document is shown as text, not as part of the page', async (t) => {
  const { base } = await scratchServer(t, { database, pages: pages({ openapi: describedOf(evil) }) })
  for (const path of ['/docs', '/docs/evil']) {
    const { status, text: page } = await ask(base, path)
    assert.equal(status, 200)
    assert.doesNotMatch(page, /<img src=x|<script>|href="javascript:/)
    // Values cannot end an attribute early: no tag has an unexpected attribute.
    for (const [tag] of page.matchAll(/<[a-z][^<>]*>/g))
      assert.doesNotMatch(tag.replaceAll(/"[^"]*"/g, '""'), /\bon\w+=|src=x|'/, tag)
    assert.ok(page.split('&lt;img src=x onerror=alert(1)&gt;').length > 10)
    assert.ok(shown(page).includes(EVIL))
  }
  for (const path of ['/docs/evil', '/docs/evil.md']) {
    assert.equal((await ask(base, path)).text.split('What it says.').length, 3, 'each content shows its description')
  }
})

test('a document with few details is shown as far as possible, and recursive schemas end', async (t) => {
  const bare = {
    info: { title: 'Bare', version: '1' },
    paths: {
      '/tree/{id}': {
        get: {
          operationId: 'tree',
          parameters: [{ name: 'id', in: 'path' }],
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } },
            default: { $ref: '#/components/responses/Bad' },
          },
        },
      },
      '/bytes': { get: { operationId: 'bytes', responses: { 200: { content: { '*/*': {} } } } } },
      '/none': { get: { operationId: 'none', deprecated: true, responses: {} } },
    },
    components: {
      responses: { Bad: {} },
      schemas: {
        Circle: { $ref: '#/components/schemas/Circle' },
        Node: {
          type: 'object',
          properties: {
            nowhere: { $ref: '#/components/schemas/None/of/them' },
            circle: { $ref: '#/components/schemas/Circle' },
            anything: true,
            parent: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
            children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
            values: { type: 'object', additionalProperties: { type: 'object', properties: { deep: { type: 'null' } } } },
          },
        },
      },
    },
  }
  const { base } = await scratchServer(t, { database, pages: pages({ openapi: describedOf(bare) }) })
  for (const path of ['/docs', '/docs.md', '/llms.txt', '/docs/search.json', '/docs/tree', '/docs/tree.md', '/docs/bytes', '/docs/bytes.md', '/docs/none', '/docs/none.md']) {
    const { status, text: page } = await ask(base, path)
    assert.equal(status, 200, path)
    assert.doesNotMatch(page, /undefined|\[object|NaN/, path)
  }
  const tree = (await ask(base, '/docs/tree')).text
  for (const name of ['nowhere', 'circle', 'anything']) assert.match(shown(tree), new RegExp(`${name} any( \\w+)? not always`))
  assert.match(shown(tree), /parent object or null Node not always present with the fields of the object that contains it/)
  assert.match(shown(tree), /children list of objects Node not always present with the fields of the object that contains it/)
  assert.match(tree, /id="field-values\.…\.deep"/)
  assert.match((await ask(base, '/docs/tree.md')).text, /^- `children` .*Its members are the same as those of the object that contains it/m)
  assert.match((await ask(base, '/docs/bytes')).text, /The bytes of the document/)
  assert.match((await ask(base, '/docs/none')).text, /Deprecated/)
}) // biome-ignore format: a list of paths

test('the reference explains paging and list files with the first list whose example needs no change', async (t) => {
  const choice = (name: string, ...values: string[]) => ({
    name,
    in: 'query',
    schema: { type: 'string', enum: values },
  })
  const one = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const list = (operationId: string, ...parameters: object[]) => ({ get: { operationId, parameters, responses: {} } })
  const both = [choice('paginate', 'cursor'), choice('format', 'csv', 'ndjson')]
  const made = (paths: object) => pages({ openapi: describedOf({ info: { title: 'Lists', version: '1' }, paths }) })
  const full = await scratchServer(t, {
    database,
    pages: made({
      '/of/{id}': list('of', one, ...both),
      '/all': list('all', ...both),
      '/json': list('json', choice('format', 'json')),
    }),
  })
  const [paging, files] = (await ask(full.base, '/docs.md')).text.split('## Paging')[1]!.split('## Files')
  assert.match(paging!, /'http:[^']*\/all\?paginate=cursor&limit=50&cursor=<next_cursor>'/)
  assert.match(files!, /'http:[^']*\/all\?format=csv'/)
  for (const section of [paging!, files!.split('## ')[0]!]) {
    assert.match(
      section,
      /These lists (?:have cursors|can be downloaded): \[`\/of\/{id}`\]\(\/docs\/of\), \[`\/all`\]\(\/docs\/all\)\./,
    )
  }
  const none = await scratchServer(t, { database, pages: made({ '/json': list('json', choice('format', 'json')) }) })
  assert.doesNotMatch((await ask(none.base, '/docs.md')).text, /## (Paging|Files)/)
})

test('the search list has every parameter and field once, at a tenth of the document’s size', async () => {
  const list = await text('/docs/search.json')
  const { operations: found } = JSON.parse(list) as {
    operations: { id: string; parameters: string[][]; fields: string[][] }[]
  }
  assert.deepEqual(found.map(({ id }) => id).sort(), [...ids].sort())
  const feed = found.find(({ id }) => id === 'feed')!
  assert.ok(feed.parameters.some(([name]) => name === 'state') && feed.fields.some(([name]) => name === 'rows.amount'))
  for (const { id, fields } of found) assert.equal(new Set(fields.map(([name]) => name)).size, fields.length, id)
  const page = await ask(server.base, '/docs/search.json', { headers: { 'accept-encoding': 'zstd' } })
  assert.ok(page.body.length < JSON.stringify(real).length / 10, `${page.body.length} bytes`)
})

const host = new URL(server.base).host
/** Headers that a browser sends from a page of this service. */
const OWN = { host, 'sec-fetch-site': 'same-origin', connection: 'keep-alive', 'x-start-token': TOKEN }
const keyFor = async (base: string, headers: Record<string, string>) => {
  const reply = await ask(base, '/docs/ready-key', { headers })
  assert.equal(reply.status, 200)
  assert.equal(reply.headers['cache-control'], 'no-store')
  assert.equal(reply.headers['access-control-allow-origin'], undefined)
  assert.equal(reply.headers.etag, undefined)
  return reply.json<{ key: string | null }>().key
}

test('the ready key is sent to a page of this service in a browser on this machine, and is never logged', async () => {
  const port = host.split(':')[1]
  for (const name of [host, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
    assert.equal(await keyFor(server.base, { ...OWN, host: name }), KEY, name)
    assert.equal(await keyFor(server.base, { ...OWN, host: name, origin: `http://${name}` }), KEY, name)
  }
  assert.match(server.logged(), /"url":"\/docs\/ready-key"/)
  assert.doesNotMatch(server.logged(), new RegExp(KEY))
  for (const path of ['/docs', '/docs/feed', '/docs/search.json']) {
    assert.doesNotMatch((await ask(server.base, path, { headers: OWN })).text, new RegExp(KEY))
  }
})

const REFUSED: Record<string, Record<string, string>> = {
  'a foreign host name, as if its DNS pointed here': { ...OWN, host: 'evil.example' },
  'a name that begins like one of this machine': { ...OWN, host: 'localhost.evil.example:8080' },
  'an address of this machine that others reach': { ...OWN, host: '192.168.1.5:8080' },
  'X-Forwarded-For': { ...OWN, 'x-forwarded-for': '127.0.0.1' },
  'X-Forwarded-Host': { ...OWN, 'x-forwarded-host': 'localhost' },
  Forwarded: { ...OWN, forwarded: 'for=127.0.0.1' },
  Via: { ...OWN, via: '1.1 proxy' },
  'X-Real-IP': { ...OWN, 'x-real-ip': '127.0.0.1' },
  'CF-Connecting-IP': { ...OWN, 'cf-connecting-ip': '127.0.0.1' },
  'a proxy that does not name itself': { ...OWN, connection: 'close' },
  'a page of another site': { ...OWN, 'sec-fetch-site': 'cross-site' },
  'a page of another port': { ...OWN, 'sec-fetch-site': 'same-site' },
  'a typed address, or a bookmark': { ...OWN, 'sec-fetch-site': 'none' },
  'an Origin that is not ours': { ...OWN, origin: 'http://evil.example' },
  'an Origin without a name': { ...OWN, origin: 'null' },
  'a request without Sec-Fetch-Site': { host, connection: 'keep-alive', 'x-start-token': TOKEN },
  'another user of the machine, who sends all headers except the token': {
    host,
    'sec-fetch-site': 'same-origin',
    connection: 'keep-alive',
  },
  'the link of another start': { ...OWN, 'x-start-token': `${TOKEN}x` },
  'an empty token': { ...OWN, 'x-start-token': '' },
}

for (const [what, headers] of Object.entries(REFUSED)) {
  test(`the ready key is refused: ${what}`, async () => {
    assert.equal(await keyFor(server.base, headers), null)
  })
}

test('the ready key is refused to HTTP/1.0, which proxies use and browsers do not', async () => {
  const { hostname, port } = new URL(server.base)
  const spoken = async (version: string) => {
    const socket = connect(Number(port), hostname)
    const headers = Object.entries({ ...OWN, connection: 'keep-alive' }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET /docs/ready-key HTTP/${version}\r\n${headers.join('')}\r\n`)
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (/\{.*\}/.test(text)) break
    }
    return JSON.parse(/\{.*\}/.exec(text)![0])
  }
  assert.deepEqual(await spoken('1.1'), { key: KEY })
  assert.deepEqual(await spoken('1.0'), { key: null })
})

test('an address counts as this machine’s own in every notation that sockets use, and no other address does', () => {
  for (const own of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(own), own)
  for (const other of [
    '10.0.0.1',
    '0.0.0.0',
    '::',
    '::ffff:10.0.0.1',
    '127.0.0.1.evil.example',
    '1127.0.0.1',
    undefined,
  ])
    assert.ok(!isLoopback(other), String(other))
})

test('no ready key is given through a proxy, on an address that others can reach, or if there is none', async (t) => {
  const proxied = await scratchServer(t, {
    database,
    pages: pages({ openapi: describedOf(real), readyKey: { ...readyKey, hasProxy: true } }),
  })
  assert.equal(await keyFor(proxied.base, OWN), null)
  const none = await scratchServer(t, { database, pages: pages({ openapi: describedOf(real) }) })
  assert.equal(await keyFor(none.base, OWN), null)
  const late = await scratchServer(t, {
    database,
    pages: pages({ openapi: describedOf(real), readyKey: { ...readyKey, key: () => null } }),
  })
  assert.equal(await keyFor(late.base, OWN), null)
  const open = await scratchServer(t, {
    database,
    host: '0.0.0.0',
    pages: pages({ openapi: describedOf(real), readyKey }),
  })
  const { port } = new URL(open.base)
  assert.equal(await keyFor(`http://127.0.0.1:${port}`, OWN), null)
  // A request from another address of this machine counts as a request from another machine, whatever host it names.
  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  if (own) assert.equal(await keyFor(`http://${own.address}:${port}`, OWN), null)
})

test('a page of a local start receives the key that the start printed; with TRUST_PROXY=on it does not', async (t) => {
  const env = await sampledEnv(t)
  for (const [setting, mayHave] of [['off', true], ['on', false]] as const) {
    const started = beginHere(t, ['serve'], { ...env, PORT: '0', TRUST_PROXY: setting })
    const reported = await untilReady(started)
    const [, base] = /OpenFilings is ready at (\S+)/.exec(reported)!
    const [, key] = /^API key: +(\S+)$/m.exec(reported)!
    const links = [...reported.matchAll(/^(?:Open|Reference): +\S+#start=([\w-]+)$/gm)].map(([, token]) => token!)
    assert.equal(links.length, 2)
    for (const token of links)
      assert.equal(await keyFor(base!, { ...OWN, host: new URL(base!).host, 'x-start-token': token }), mayHave ? key : null)
    assert.equal(await keyFor(base!, { ...OWN, host: new URL(base!).host }), null, 'a request without a printed token gets no key')
    assert.equal(await started.end(), 0)
  }
}) // biome-ignore format: pairs
