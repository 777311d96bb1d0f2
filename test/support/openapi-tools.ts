/**
 * Third-party tools that read the OpenAPI document: three linters, a validator and three generators of TypeScript
 * clients. The tools consist of 270 packages. Therefore they are not dependencies of the project, but are installed
 * into `test/support/openapi/` on first use.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
export const folder = path.join(import.meta.dirname, 'openapi')

/** Installs the packages of a lock file. Takes 10 s for the tools, and needs a registry. */
export async function npmCi(at: string): Promise<void> {
  await execute('npm', ['ci', '--ignore-scripts'], { cwd: at, shell: process.platform === 'win32' })
}

/**
 * Installs the tools that the lock file of the folder names, unless they are installed already.
 *
 * @throws the error of `ci`
 */
export async function install(at = folder, ci = npmCi): Promise<void> {
  const stamp = path.join(at, 'node_modules', '.installed')
  const lock = createHash('sha256')
    .update(await readFile(path.join(at, 'package-lock.json')))
    .digest('hex')
  if ((await readFile(stamp, 'utf8').catch(() => null)) === lock) return
  await ci(at)
  // The stamp is written last: an interrupted installation has no stamp, so the next run installs again.
  await writeFile(stamp, lock)
}

const required = createRequire(path.join(folder, 'package.json'))

/** Returns each linter's findings on a document. */
export async function findings(text: string): Promise<Record<string, string[]>> {
  return { redocly: await redocly(text), spectral: await spectral(text), parser: await parser(text) }
}

async function redocly(source: string): Promise<string[]> {
  const { createConfig, lintFromString } = required('@redocly/openapi-core')
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(
    ({ severity, ruleId, message, location }: Redocly) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
  )
}

interface Redocly {
  severity: string
  ruleId: string
  message: string
  location: { pointer?: string }[]
}

async function spectral(text: string): Promise<string[]> {
  const { Document, Spectral } = required('@stoplight/spectral-core')
  const { oas } = required('@stoplight/spectral-rulesets')
  const linter = new Spectral()
  // test/serve/examples.test.ts checks that each example fits its schema; the linter's own check would take half of the
  // time of all rules.
  linter.setRuleset({ extends: [[oas, 'recommended']], rules: { 'oas3-valid-media-example': 'off' } })
  const results = await linter.run(new Document(text, required('@stoplight/spectral-parsers').Json, 'openapi.json'))
  return results.map(({ code, message, path }: Spectral) => `${code}: ${message} ${path.join('/')}`)
}

interface Spectral {
  code: string
  message: string
  path: string[]
}

async function parser(text: string): Promise<string[]> {
  const { default: SwaggerParser } = required('@apidevtools/swagger-parser')
  const found = await SwaggerParser.validate(JSON.parse(text)).catch((error: Error) => error)
  return found instanceof Error ? [found.message] : []
}

type Tree = Record<string, unknown>

/**
 * Returns a validator that lists an answer's deviations from the document: an undeclared member, a word outside its
 * list, an invalid day.
 */
export function validatorOf(document: Tree): (path: string, answer: unknown) => string[] {
  const { Ajv2020 } = required('ajv/dist/2020')
  const { default: addFormats } = required('ajv-formats')
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema(closed(document), 'document')
  return (path, answer) => {
    const pointer = `document#/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`
    const validate = ajv.getSchema(encodeURI(pointer))
    validate(answer)
    return (validate.errors ?? []).map((error: Tree) => `${error.instancePath} ${error.message} ${error.schemaPath}`)
  }
}

/** Returns the document with objects closed to undeclared members. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const whole = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]))
  return whole.type === 'object' && whole.properties ? { ...whole, additionalProperties: false } : whole
}

/** Runs a command of the tools, or of the project, in a folder: returns its status, and all its output. */
export async function node(args: readonly string[], cwd: string): Promise<{ status: number; output: string }> {
  return execute(process.execPath, args, { cwd }).then(
    ({ stdout, stderr }) => ({ status: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ status: Number(code), output: `${stdout}${stderr}` }),
  )
}
