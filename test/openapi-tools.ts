/**
 * Tools of others that read the OpenAPI document: three linters and a generator of TypeScript clients. They are 200
 * packages, so they are kept out of the project's own and installed into `test/openapi/` when a test first needs them.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
export const folder = path.join(import.meta.dirname, 'openapi')
const stamp = path.join(folder, 'node_modules', '.installed')

/** Installs the tools that the lock file names, unless they are there already. Takes 10 s, and a registry. */
export async function install(): Promise<void> {
  const lock = createHash('sha256')
    .update(await readFile(path.join(folder, 'package-lock.json')))
    .digest('hex')
  if ((await readFile(stamp, 'utf8').catch(() => null)) === lock) return
  await execute('npm', ['ci', '--ignore-scripts'], { cwd: folder, shell: process.platform === 'win32' })
  // Last: an installation that was cut off has no stamp, and is made anew.
  await writeFile(stamp, lock)
}

const required = createRequire(path.join(folder, 'package.json'))

/** What each linter says of a document; nothing where it is content. */
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
  linter.setRuleset({ extends: [[oas, 'recommended']] })
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

/** A command of the tools, or of the project, run in a folder: its status, and all that it wrote. */
export async function node(args: readonly string[], cwd: string): Promise<{ status: number; output: string }> {
  return execute(process.execPath, args, { cwd }).then(
    ({ stdout, stderr }) => ({ status: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ status: Number(code), output: `${stdout}${stderr}` }),
  )
}
