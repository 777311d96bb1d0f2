/**
 * Computes digests of code. The digest of a module covers the module, everything of the project that it imports by
 * value, and the SQL files that it names. Such code made the stored rows: if its digest has changed, the rows may be
 * outdated. A file's location, comments and line breaks do not affect the digest.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Token, textOfSql, tokensOf } from './code-tokens.ts'

/** An import of a module. `names` is null if the statement imports everything. */
interface Import {
  specifier: string
  names: readonly { name: string; as: string }[] | null
}

/** A module as it is written, without what it imports. */
export interface Module {
  /** The module's code, without imports and without exports from other modules. */
  body: string
  imports: readonly Import[]
  /** Names that the module exports from another module: an import of such a name depends only on that other module. */
  doors: ReadonlyMap<string, { specifier: string; name: string }>
  /** Modules that this module exports as a whole. */
  whole: readonly Import[]
}

const PROJECT = new URL('../../package.json', import.meta.url)

/**
 * Reads each module once, even if many modules import it. Long: all its steps use the known facts about each module.
 *
 * @param project the `package.json` that has the versions of packages
 * @param read reads a module from its file; a caller that reads the same files again and again may memoize it
 * @returns a function that computes the digest of a module with everything that it imports. The digest covers the name
 *   and version of each imported package, not its code. The function throws an Error that names the module, if the
 *   imports of a module cannot be read or if a module imports itself through other modules
 */
export function codeDigests(project = PROJECT, read = moduleAt): (entry: URL) => string {
  const modules = new Map<string, Module>()
  /** Digests by module; null while the imports of a module are being read. */
  const digests = new Map<string, string | null>()
  let packages: Record<string, string> | undefined

  function digestOf(url: string): string {
    const known = digests.get(url)
    if (known === null) throw new Error(`${nameOf(url)} imports itself through other modules`)
    if (known !== undefined) return known
    digests.set(url, null)
    try {
      const { body, imports } = moduleOf(url)
      // Sorted, since a formatter orders imports by the folders of their files.
      const reached = imports.flatMap((each) => linksOf(url, each)).sort()
      const digest = createHash('sha256')
        .update([...reached, body].join('\n'))
        .digest('hex')
      digests.set(url, digest)
      return digest
    } finally {
      if (digests.get(url) === null) digests.delete(url)
    }
  }

  /** The local name of each import, and the digest of its definition. */
  function linksOf(from: string, { specifier, names }: Import): string[] {
    if (isPackage(specifier)) {
      const version = versionOf(from, specifier)
      return names?.map(({ name, as }) => `${as} ${name} ${version}`) ?? [`* ${version}`]
    }
    const url = new URL(specifier, from).href
    if (names) return names.map(({ name, as }) => `${as} ${definitionOf(url, name)}`)
    const { doors, whole } = moduleOf(url)
    const named = [...doors].flatMap(([as, door]) => linksOf(url, { ...door, names: [{ name: door.name, as }] }))
    return [`* ${digestOf(url)}`, ...named, ...whole.flatMap((each) => linksOf(url, each))]
  }

  /**
   * The name under which a module defines the thing that another module imports, and the digest of the defining module.
   */
  function definitionOf(url: string, name: string): string {
    const { doors, whole } = moduleOf(url)
    const door = doors.get(name)
    if (door) return linksOf(url, { ...door, names: [{ name: door.name, as: '' }] }).join()
    // This module may export everything of other modules (`export *`), and any of these may define the name.
    return [`${name} ${digestOf(url)}`, ...whole.flatMap((each) => linksOf(url, each))].join()
  }

  function versionOf(from: string, specifier: string): string {
    if (specifier.startsWith('node:')) return specifier
    if (specifier.startsWith('#')) return vendored(specifier.slice(1), project)
    packages ??= versionsIn(project)
    const version = packages[/^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]]
    if (!version) throw new Error(`${nameOf(from)} imports ${specifier}, which is not a package of the project`)
    return `${specifier}@${version}`
  }

  function moduleOf(url: string): Module {
    const known = modules.get(url)
    if (known) return known
    try {
      const module = read(url)
      modules.set(url, module)
      return module
    } catch (cause) {
      throw new Error(`${nameOf(url)}: its imports cannot be read`, { cause })
    }
  }

  return (entry) => digestOf(entry.href)
}

/** The digests of this project's own code, which is read once a process. */
export const digestOfCode = codeDigests()

const nameOf = (url: string) => fileURLToPath(url)
const isPackage = (specifier: string) => !/^(?:\.{1,2}\/|file:)/.test(specifier)

/** Packages are pinned, so the declared version is the installed one. */
function versionsIn(project: URL): Record<string, string> {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(project, 'utf8'))
  return { ...devDependencies, ...optionalDependencies, ...dependencies }
}

/** The name and version of a package below `vendor`, in the form that an installed package has. */
function vendored(folder: string, project: URL): string {
  const { name, version } = JSON.parse(readFileSync(new URL(`vendor/${folder}/package.json`, project), 'utf8'))
  return `${name}@${version}`
}

/** Reads a file as `moduleIn` does. @param url address of the file */
export function moduleAt(url: string): Module {
  return moduleIn(readFileSync(new URL(url), 'utf8'), url)
}

/**
 * Reads the text of a module, of an SQL file, or of data in .tsv, without following its imports.
 *
 * @param url address of the file: its extension determines how the text is read
 * @throws Error that names the part that cannot be read
 */
export function moduleIn(text: string, url: string): Module {
  if (url.endsWith('.tsv')) return bare(text)
  return url.endsWith('.sql') ? bare(textOfSql(text)) : readModule(text)
}

/** Makes the module of a file that imports nothing: SQL, or data that a module reads. */
const bare = (body: string): Module => ({ body, imports: [], doors: new Map(), whole: [] })

function readModule(code: string): Module {
  const tokens = tokensOf(code)
  const body: string[] = []
  const imports: Import[] = []
  const doors = new Map<string, { specifier: string; name: string }>()
  const whole: Import[] = []
  let at = 0
  while (at < tokens.length) {
    const token = tokens[at]!
    const isKeyword = token.kind === 'word' && tokens[at - 1]?.text !== '.'
    const statement = isKeyword ? statementAt(tokens, at) : null
    if (statement) {
      const { kind, end, specifier, names, isType } = statement
      at = end
      if (isType) continue
      if (kind === 'import') imports.push({ specifier, names })
      else if (!names || names.some(({ name }) => name === '*')) whole.push({ specifier, names: null })
      else for (const { name, as } of names) doors.set(as, { specifier, name })
      continue
    }
    if (isKeyword) {
      const loaded = loadedAt(tokens, at)
      if (loaded !== null) imports.push({ specifier: loaded, names: null })
      const file = fileAt(tokens, at)
      if (file !== null) {
        imports.push({ specifier: file, names: null })
        body.push('URL(')
        at += 3
        continue
      }
    }
    body.push(token.isApart ? ` ${token.text}` : token.text)
    at++
  }
  return { body: body.join('').trim(), imports, doors, whole }
}

interface Statement {
  kind: 'import' | 'export'
  specifier: string
  names: Import['names']
  /** Whether the statement imports or exports only types, which do not exist when the code runs. */
  isType: boolean
  /** Index of the token after the statement. */
  end: number
}

/**
 * The statement `import … from '…'`, `import '…'` or `export … from '…'` that begins here; null for anything else.
 * Branches: each is a form of import or export.
 */
function statementAt(tokens: readonly Token[], begin: number): Statement | null {
  const kind = tokens[begin]!.text
  if (kind !== 'import' && kind !== 'export') return null
  let at = begin + 1
  const text = (ahead = 0) => tokens[at + ahead]?.text
  if (kind === 'import' && (text() === '(' || text() === '.')) return null
  if (kind === 'import' && tokens[at]?.kind === 'string') {
    return { kind, specifier: specifierOf(tokens[at]), names: null, isType: false, end: at + 1 }
  }
  const isType = text() === 'type' && text(1) !== 'from' && text(1) !== ','
  if (isType) at++
  const names: { name: string; as: string }[] = []
  if (kind === 'import' && tokens[at]?.kind === 'word') {
    names.push({ name: 'default', as: text()! })
    at++
  }
  const isMore = names.length === 0 || text() === ','
  if (text() === ',') at++
  const isWhole = isMore && text() === '*'
  if (isWhole) at += text(1) === 'as' ? 3 : 1
  else if (isMore && text() === '{') at = namesAt(tokens, at + 1, names)
  // The module itself declares what such a statement exports: `export const`, `export { a }`, `export type A =`.
  if (kind === 'export' && text() !== 'from') return null
  if (text() !== 'from') {
    throw new Error(
      `an import that cannot be read: ${tokens
        .slice(begin, begin + 8)
        .map(({ text }) => text)
        .join(' ')}`,
    )
  }
  const specifier = specifierOf(tokens[at + 1])
  return { kind, specifier, names: isWhole ? null : names, isType, end: at + 2 }
}

/** Reads names between braces. @returns the index of the token after the closing brace */
function namesAt(tokens: readonly Token[], begin: number, names: { name: string; as: string }[]): number {
  let at = begin
  for (;;) {
    const end = tokens.findIndex(({ text }, i) => i >= at && (text === ',' || text === '}'))
    if (end < 0) throw new Error('braces that do not end')
    const part = tokens.slice(at, end).map(({ text }) => text)
    const isType = part[0] === 'type' && part.length > 1 && part[1] !== 'as'
    if (part.length > 0 && !isType) names.push({ name: part[0]!, as: part.at(-1)! })
    if (tokens[end]!.text === '}') return end + 1
    at = end + 1
  }
}

function specifierOf(token: Token | undefined): string {
  if (token?.kind !== 'string') throw new Error(`an import must be named by a string, not by ${token?.text}`)
  return token.text.slice(1, -1)
}

const NEXT_TO_FILE = [',', 'import', '.', 'meta', '.', 'url', ')']

/**
 * If `URL('….sql', import.meta.url)` begins at this token, returns the name of the file, which may also be a .tsv file.
 * Returns null for any other token.
 */
function fileAt(tokens: readonly Token[], at: number): string | null {
  const file = tokens[at + 2]
  if (tokens[at]!.text !== 'URL' || file?.kind !== 'string' || !/\.(sql|tsv).$/.test(file.text)) return null
  if (tokens[at + 1]?.text !== '(' || !NEXT_TO_FILE.every((text, i) => tokens[at + 3 + i]?.text === text)) {
    throw new Error(`${file.text} is not named by new URL(…, import.meta.url)`)
  }
  const name = specifierOf(file)
  return name.startsWith('.') ? name : `./${name}`
}

const REQUIRED = ['(', 'import', '.', 'meta', '.', 'url', ')', '(']

/** The module that an `import('…')` or `createRequire(import.meta.url)('…')` at this token loads. */
function loadedAt(tokens: readonly Token[], at: number): string | null {
  const word = tokens[at]!.text
  const isCalled = tokens[at + 1]?.text === '('
  if (word === 'import' && isCalled) return specifierOf(tokens[at + 2])
  if (word === 'require' && isCalled) throw new Error('require(…) without createRequire(import.meta.url) before it')
  if (word !== 'createRequire') return null
  const isKnown = REQUIRED.every((text, i) => tokens[at + 1 + i]?.text === text)
  if (!isKnown) throw new Error('createRequire(…) must load a module in the same expression')
  return specifierOf(tokens[at + 1 + REQUIRED.length])
}
