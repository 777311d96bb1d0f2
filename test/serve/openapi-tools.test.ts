/**
 * The OpenAPI document in third-party tools: linters find nothing in it, and a generated client has a type for each
 * row. test/serve/answers.test.ts compares every answer of the sample with it. The tests start the service with the
 * sample. On a fresh clone, they install the tools (openapi-tools.ts).
 *
 * @early it takes 16 s of the processor
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { relationsOf } from '../../src/declare/dataset.ts'
import { columnType, storedColumns } from '../../src/declare/table.ts'
import registry from '../../src/registry.ts'
import { secondRun } from '../second-run.ts'
import { beginHere, freePort, sampledEnv, untilReady } from '../support/command.ts'
import { withMutex } from '../support/database.ts'
import { findings, folder, install, node } from '../support/openapi-tools.ts'
import { serveSample } from '../support/served.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

before(async () => {
  if (!secondRun) await withMutex('tools of OpenAPI', () => install())
})

const served = secondRun ? undefined : await serveSample({ after })

const committed = () => readFile(path.join(checkout, 'generated/openapi.json'), 'utf8')

test('tools are installed once, and again if the lock file changed or an installation was interrupted', {
  skip: secondRun,
}, async (t) => {
  const at = await temporaryFolder(t)
  await mkdir(path.join(at, 'tool'))
  const write = (name: string, content: object) => writeFile(path.join(at, name), JSON.stringify(content))
  const manifest = { name: 'tools', version: '1.0.0', dependencies: { tool: 'file:tool' } }
  await write('package.json', manifest)
  await write('tool/package.json', { name: 'tool', version: '1.0.0' })
  const lock = {
    ...{ name: 'tools', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: { '': manifest, tool: { version: '1.0.0' }, 'node_modules/tool': { resolved: 'tool', link: true } },
  }
  await write('package-lock.json', lock)
  await install(at)
  assert.ok(existsSync(path.join(at, 'node_modules/tool/package.json')))
  // A start of npm takes a second of processor time, so npm must not be started if the tools are installed.
  let times = 0
  const count = async () => void times++
  const isInstalled = async () => {
    const before = times
    await install(at, count)
    return times > before
  }
  assert.equal(await isInstalled(), false)
  await rm(path.join(at, 'node_modules', '.installed'))
  assert.equal(await isInstalled(), true, 'without its stamp the installation was interrupted')
  await write('package-lock.json', { ...lock, requires: false })
  assert.equal(await isInstalled(), true, 'the lock file changed')
  assert.equal(await isInstalled(), false)
  await write('package-lock.json', { ...lock, packages: {} })
  await assert.rejects(install(at), /npm ci/)
  assert.equal(await isInstalled(), true, 'a failed installation does not count as installed')
})

test('Redocly, Spectral and swagger-parser find neither an error nor a warning in the document', {
  skip: secondRun,
}, async () => {
  assert.deepEqual(await findings(await committed()), { redocly: [], spectral: [], parser: [] })
})

test('each of the tools reports a document with a fault', { skip: secondRun }, async () => {
  // One path suffices: the test above shows the findings on all paths.
  const document = JSON.parse(await committed())
  document.paths = { '/feed': document.paths['/feed'] }
  delete document.tags[0].description
  delete document.paths['/feed'].get.operationId
  document.paths['/feed'].get.responses[200].content['application/json'].schema = { $ref: '#/nowhere' }
  const { redocly, spectral, parser } = await findings(JSON.stringify(document))
  assert.match(redocly!.join('\n'), /warn tag-description.*#\/tags\/0/)
  assert.match(spectral!.join('\n'), /operation-operationId.*paths\/\/feed\/get/)
  assert.match(parser!.join('\n'), /nowhere/)
})

test('columns that list their possible values have no other values in the sample', { skip: secondRun }, async () => {
  const { sql } = served!
  const wrong: unknown[] = []
  let looked = 0
  for (const relation of registry.slices.flatMap(relationsOf)) {
    for (const [name, type] of Object.entries(storedColumns(relation))) {
      const { values, kind } = columnType(type)!
      if (!values) continue
      const each = kind === 'list' ? sql`unnest(${sql(name)})` : sql(name)
      const held = await sql`select distinct ${each} as value from ${sql(relation.id)}`
      looked += held.length
      wrong.push(
        ...held
          .filter(({ value }) => value !== null && !values.includes(value))
          .map((row) => [relation.id, name, row.value]),
      )
    }
  }
  assert.ok(looked > 50)
  assert.deepEqual(wrong, [])
})

/** A program with the generated types: rows have names, and their fields are known. */
const PROGRAM = `import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

type Row<Name extends keyof components['schemas']> = components['schemas'][Name]

const [baseUrl, key] = process.argv.slice(2) as [string, string]
const client = createClient<paths, 'application/json'>({ baseUrl, headers: { 'x-api-key': key } })

const of = (adviser: Row<'AdviserRow'>): string => adviser.firm_name + ' ' + (adviser.latest_raum ?? 'unknown')
const raised = (filing: Row<'FundraisingFiling'>): number => Number(filing.raised ?? 0)
const held = ({ issuer_name, value }: Row<'Position'>): string => (issuer_name ?? '') + ' ' + value

const list = await client.GET('/adv/advisers/list', { params: { query: { sort: 'raum', state: ['NY', 'CA'], limit: 2 } } })
const feed = await client.GET('/feed', { params: { query: { type: ['formd'], limit: 5 } } })
const managers = await client.GET('/thirteenf/managers')
if (!list.data || !feed.data || !managers.data) throw new Error('no answer')
const [first] = list.data.rows
if (!first) throw new Error('no adviser')
const profile = await client.GET('/adv/advisers/by-crd/{crd}', { params: { path: { crd: first.crd }, query: { include: ['people'] } } })
const adviser: Row<'Adviser'> | undefined = profile.data?.adviser
const owners: Row<'AdviserOwner'>[] = profile.data?.people ?? []
const cik = managers.data.rows[0]!.cik
const holdings = await client.GET('/thirteenf/managers/by-cik/{cik}/holdings', { params: { path: { cik } } })
const offering = await client.GET('/formd/filings/by-accession/{accession}', {
  params: { path: { accession: feed.data.rows[0]!.accession } },
})
const filing: Row<'FormDOffering'> | undefined = offering.data?.filing
const nobody = await client.GET('/brokers/{cik}', { params: { path: { cik: '9999999999' } } })
const refusal: Row<'Error'> | undefined = nobody.error

console.log(JSON.stringify({
  advisers: list.data.rows.map(of),
  raised: feed.data.rows.map(raised),
  held: (holdings.data?.positions ?? []).map(held),
  name: adviser?.legal_name,
  owners: owners.length,
  issuers: filing?.issuers.map(({ entity_name }) => entity_name),
  refusal: refusal?.error,
}))
`

/** Mistakes that the types must find. */
const SLIPS: readonly [from: string, to: string, finding: RegExp][] = [
  ["<paths, 'application/json'>", '<paths>', /does not exist on type 'string/],
  ['adviser.firm_name', 'adviser.name', /Property 'name' does not exist/],
  ["'FundraisingFiling'", "'FundraisingFilings'", /does not satisfy the constraint/],
  ["sort: 'raum'", "sort: 'size'", /Type '"size"' is not assignable/],
  ["adviser.latest_raum ?? 'unknown'", 'adviser.latest_raum.length', /'adviser.latest_raum' is possibly 'null'/],
]

test('a TypeScript client generated from the served document compiles, names the rows, and runs against the service', {
  skip: secondRun,
}, async (t) => {
  const port = await freePort()
  const server = beginHere(t, ['serve'], { ...(await sampledEnv(t)), PORT: String(port) })
  const key = /Bearer (of_\w+)/.exec(await untilReady(server))![1]!
  const base = `http://127.0.0.1:${port}/v1`
  const served = await (await fetch(`${base}/openapi.json`)).text()
  // Compares the documents as text, so that the order of members is compared too.
  assert.equal(served, JSON.stringify(JSON.parse(await committed())), 'the committed document is served')

  const place = await temporaryFolder(t)
  await symlink(path.join(folder, 'node_modules'), path.join(place, 'node_modules'))
  await writeFile(path.join(place, 'package.json'), '{ "type": "module" }')
  const generator = path.join(folder, 'node_modules/openapi-typescript/bin/cli.js')
  const made = await node([generator, `${base}/openapi.json`, '-o', 'schema.d.ts'], place)
  assert.equal(made.status, 0, made.output)

  const types = path.join(checkout, 'node_modules/@types')
  const options = ['--strict', '--noUncheckedIndexedAccess', '--noEmit', '--module', 'nodenext', '--target', 'es2024']
  /** Returns the compiler's messages on each of these programs. */
  const compile = async (programs: Record<string, string>) => {
    for (const [name, text] of Object.entries(programs)) await writeFile(path.join(place, name), text)
    const names = Object.keys(programs)
    const more = ['--allowImportingTsExtensions', '--skipLibCheck', '--typeRoots', types, '--types', 'node']
    const tsc = path.join(checkout, 'node_modules/typescript/bin/tsc')
    const { status, output } = await node([tsc, ...options, ...more, '--pretty', 'false', ...names], place)
    const found = Object.fromEntries(names.map((name) => [name, ''] as [string, string]))
    let about = ''
    for (const line of output.split('\n').filter(Boolean)) {
      about = /^([\w-]+\.ts)\(/.exec(line)?.[1] ?? about
      assert.ok(about in found, output)
      found[about] += `${line}\n`
    }
    return { status, found }
  }
  const slips = SLIPS.map(([from, to], n) => {
    assert.ok(PROGRAM.includes(from), from)
    return [`slip${n}.ts`, PROGRAM.replace(from, to)] as const
  })
  const guide = await (await fetch(new URL('/docs.md', base))).text()
  const advised = /^## Generated clients$[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(guide)?.[1]
  assert.ok(advised)
  const around = (text: string) => `import createClient from 'openapi-fetch'
    import type { components, paths } from './schema.d.ts'
    const key = 'a key'
    ${text}
    export const rows: components['schemas']['FilingMatch'][] = data!.rows
    export const csv: string = file.data!`
  const sound = { 'program.ts': PROGRAM, 'advised.ts': around(advised) }
  const wrong = { ...Object.fromEntries(slips), 'unparsed.ts': around(advised.replace(", parseAs: 'text'", '')) }
  const { status, found: findings } = await compile({ ...sound, ...wrong })
  for (const name of Object.keys(sound)) assert.equal(findings[name], '', name)
  assert.notEqual(status, 0)
  for (const [n, [, to, finding]] of SLIPS.entries()) assert.match(findings[`slip${n}.ts`]!, finding, to)
  assert.match(findings['unparsed.ts']!, /error TS/)

  const ran = await node(['program.ts', base, key], place)
  assert.equal(ran.status, 0, ran.output)
  const found = JSON.parse(ran.output)
  assert.equal(found.advisers.length, 2)
  assert.equal(found.raised.length, 5)
  assert.ok(found.held.length > 0 && found.name.length > 0 && found.issuers.length > 0)
  assert.match(found.refusal, /not found/)
  assert.equal(await server.end(), 0)
})
