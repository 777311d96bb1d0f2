/**
 * Three TypeScript clients that third-party generators make from the OpenAPI document, and programs that page through
 * lists with them.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { folder, node } from './openapi-tools.ts'
import { checkout } from './world.ts'

/** A list, with the values of its first example and the number of rows per page. */
export interface Walk {
  /** Name of the operation: `thirteenf_holdings`. */
  name: string
  path: string
  /** Member of the answer that has the rows. */
  member: string
  inPath: Readonly<Record<string, string>>
  /** Parameter values in the JSON types of the document. */
  query: Readonly<Record<string, unknown>>
}

export interface Client {
  /** Name of the generator. */
  name: string
  /** Makes the client in a folder, from `openapi.json` there. */
  make(place: string): Promise<void>
  /** Source of a program that prints the number of rows of each list by name; its arguments are an origin and a key. */
  program(place: string, walks: readonly Walk[]): Promise<string>
}

const tool = (file: string) => path.join(folder, 'node_modules', file)

async function made(args: readonly string[], place: string): Promise<void> {
  const { status, output } = await node(args, place)
  if (status !== 0) throw new Error(output)
}

const json = (value: unknown) => JSON.stringify(value)
/**
 * Returns a name without underscores and dollar signs, in lower case: two of the generators change the case of names.
 */
const letters = (name: string) => name.replaceAll(/[_$]/g, '').toLowerCase()

/** Names of the functions that a generated file exports, by their key from `letters`. */
const functionsOf = (text: string) =>
  new Map([...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => [letters(name!), name!]))

/** The common part of all programs: a list is a first request and a function that follows the link to the next page. */
const around = (head: string, lists: readonly string[]) => `${head}
interface Page { rows: readonly unknown[]; link: string | null }
type List = [name: string, first: () => Promise<Page>, follow: (address: string) => Promise<Page>]

/** Address of the next page from the Link header: a path with its query. */
const next = (link: string | null) => /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1] ?? null

const lists: List[] = [
${lists.join('\n')}
]
async function walk(): Promise<void> {
  const found: Record<string, number> = {}
  for (const [name, first, follow] of lists) {
    let page = await first()
    let rows = page.rows.length
    for (let pages = 1, to = next(page.link); to !== null; to = next(page.link)) {
      if (++pages > 500) throw new Error(name + ' does not end')
      page = await follow(to)
      rows += page.rows.length
    }
    found[name] = rows
  }
  console.log(JSON.stringify(found))
}

walk().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
`

const ARGUMENTS = 'const [origin, key] = process.argv.slice(2) as [string, string]'

/** Follows a link by sending its parameters to the same path again. */
const openapiFetch: Client = {
  name: 'openapi-fetch',
  make: (place) => made([tool('openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.d.ts'], place),
  program: async (_, walks) =>
    around(
      `import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
${ARGUMENTS}
const baseUrl = origin + '/v1'
const client = createClient<paths, 'application/json'>({ baseUrl, headers: { 'x-api-key': key } })
/** Returns the parameters of a link, which the service itself wrote. A list parameter occurs once for each value. */
function parametersOf<Query>(address: string): Query {
  const { searchParams } = new URL(address, origin)
  const parameters: any = {}
  for (const name of new Set(searchParams.keys())) {
    const values = searchParams.getAll(name)
    parameters[name] = values.length > 1 ? values : values[0]
  }
  return parameters
}
`,
      walks.map(({ name, path: at, member, inPath, query }) => {
        const given = Object.keys(inPath).length > 0 ? `path: ${json(inPath)}, ` : ''
        const type = `paths[${json(at)}]['get']['parameters']['query']`
        const page = `async (query: ${type}) => {
    const { data, error, response } = await client.GET(${json(at)}, { params: { ${given}query } })
    if (!data) throw new Error(JSON.stringify(error))
    return { rows: data.${member}, link: response.headers.get('link') }
  }`
        return `  (() => {
  const page = ${page}
  return [${json(name)}, () => page(${json(query)}), (address) => page(parametersOf<${type}>(address))] as List
})(),`
      }),
    ),
}

/** Follows a link with the client itself, which accepts any address. */
const heyApi: Client = {
  name: '@hey-api/openapi-ts',
  make: (place) =>
    made(
      [tool('@hey-api/openapi-ts/bin/run.js'), '-i', 'openapi.json', '-o', 'hey', '-c', '@hey-api/client-fetch'],
      place,
    ),
  program: async (place, walks) => {
    const functions = functionsOf(await readFile(path.join(place, 'hey/sdk.gen.ts'), 'utf8'))
    return around(
      `import { client } from './hey/client.gen'
import * as sdk from './hey/sdk.gen'
${ARGUMENTS}
client.setConfig({ baseUrl: origin + '/v1', headers: { 'x-api-key': key } })
`,
      walks.map(({ name, member, inPath, query }) => {
        const operation = `sdk.${functions.get(letters(name))}`
        const params = Object.keys(inPath).length > 0 ? { path: inPath, query } : { query }
        return `  [${json(name)}, async () => {
    const { data, error, response } = await ${operation}(${json(params)})
    if (!data) throw new Error(JSON.stringify(error))
    return { rows: data.${member}, link: response!.headers.get('link') }
  }, async (url) => {
    const { data, error, response } = await client.get<{ 200: Awaited<ReturnType<typeof ${operation}>>['data'] }>({ baseUrl: origin, url })
    if (!data) throw new Error(JSON.stringify(error))
    return { rows: data.${member}, link: response!.headers.get('link') }
  }],`
      }),
    )
  },
}

/** Follows a link with the generator's run-time library, since its generated functions accept no address. */
const oazapfts: Client = {
  name: 'oazapfts',
  make: (place) => made([tool('oazapfts/dist/cli.js'), 'openapi.json', 'oaz.ts'], place),
  program: async (place, walks) => {
    const text = await readFile(path.join(place, 'oaz.ts'), 'utf8')
    const functions = functionsOf(text)
    return around(
      `import * as Oazapfts from '@oazapfts/runtime'
import * as api from './oaz'
${ARGUMENTS}
api.defaults.baseUrl = origin + '/v1'
api.defaults.headers = { 'x-api-key': key }
const { fetchJson } = Oazapfts.runtime({ baseUrl: origin, headers: { 'x-api-key': key } })
`,
      walks.map(({ name, member, inPath, query }) => {
        const operation = functions.get(letters(name))!
        // Required parameters are passed one by one, in order; the others are members of one object.
        const [, apart = '', others = ''] = new RegExp(`function ${operation}\\(([^{]*)\\{([^}]*)\\}`).exec(text) ?? []
        const wire = new Map(Object.entries({ ...inPath, ...query }).map(([key, value]) => [letters(key), value]))
        const names = (list: string, part: RegExp) => [...list.matchAll(part)].map(([, argument]) => argument!)
        const first = names(apart, /(\$?\w+): /g).map((argument) => json(wire.get(letters(argument))))
        const more = names(others, /(\$?\w+)/g)
          .filter((argument) => wire.has(letters(argument)))
          .map((argument) => `${argument}: ${json(wire.get(letters(argument)))}`)
        return `  [${json(name)}, async () => {
    const answer = await api.${operation}(${[...first, `{ ${more.join(', ')} }`].join(', ')})
    if (answer.status !== 200) throw new Error(JSON.stringify(answer))
    return { rows: answer.data.${member}, link: answer.headers.get('link') }
  }, async (address) => {
    const answer = await fetchJson<Awaited<ReturnType<typeof api.${operation}>>>(address)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer))
    return { rows: answer.data.${member}, link: answer.headers.get('link') }
  }],`
      }),
    )
  },
}

export const clients: readonly Client[] = [openapiFetch, heyApi, oazapfts]

/**
 * Compiles programs with the project's own compiler and with the strict settings that the generators require; returns
 * the compiler's messages.
 *
 * @param place a folder whose `out` receives the compiled programs
 * @param programs files of the folder
 */
export async function compiled(place: string, programs: readonly string[]): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
    // The generators import files without extensions, which Node accepts only in CommonJS modules.
    ...{ target: 'es2022', module: 'commonjs', moduleResolution: 'bundler', lib: ['es2024', 'dom', 'dom.iterable'] },
    ...{ rewriteRelativeImportExtensions: true, rootDir: '.', outDir: 'out', types: ['node'] },
    typeRoots: [path.join(checkout, 'node_modules/@types')],
  }
  await writeFile(path.join(place, 'tsconfig.json'), json({ compilerOptions, files: programs }))
  const compiler = path.join(checkout, 'node_modules/typescript/bin/tsc')
  const { output } = await node([compiler, '-p', '.', '--pretty', 'false'], place)
  return output
}
