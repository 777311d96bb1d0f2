/** Every regular expression of the program: literals, and expressions that are composed at its start. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Frames from '../../../src/datasets/eightk/officers/frames.ts'
import type * as Lexicon from '../../../src/datasets/eightk/officers/lexicon.ts'
import { tokensOf } from '../../../src/store/code-tokens.ts'

export interface FoundPattern {
  pattern: RegExp
  /** `src/read/plain.ts`. */
  file: string
}

// This file imports no module that loads the program: expressions in modules that were loaded before would be missed.
const source = path.resolve(import.meta.dirname, '../../../src')
/** Programs, which run when they are loaded. */
const PROGRAMS = /^(?:cli|main)\.ts$|(?:thread|child|worker)[^/]*\.ts$/

const modules = () =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()

export function written(): FoundPattern[] {
  return modules().flatMap((file) =>
    tokensOf(readFileSync(path.join(source, file), 'utf8')).flatMap(({ kind, text }) => {
      if (kind !== 'pattern') return []
      const end = text.lastIndexOf('/')
      return [{ pattern: new RegExp(text.slice(1, end), text.slice(end + 1)), file: `src/${file}` }]
    }),
  )
}

/**
 * Loads every module of the program, and records each expression that a module makes by `new RegExp`, also those that
 * the lexicon of officers makes when it is first needed.
 */
export async function composed(): Promise<FoundPattern[]> {
  const found: FoundPattern[] = []
  const own = globalThis.RegExp
  const root = pathToFileURL(source).href
  globalThis.RegExp = new Proxy(own, {
    construct(target, given, made) {
      const pattern = Reflect.construct(target, given, made) as RegExp
      const caller = new Error().stack!.split('\n')[2] ?? ''
      const at = caller.indexOf(root)
      if (at >= 0) found.push({ pattern, file: `src${caller.slice(at + root.length).replace(/:\d+:\d+\)?$/, '')}` })
      return pattern
    },
  })
  try {
    for (const file of modules()) if (!PROGRAMS.test(file)) await import(path.join(source, file))
    const officers = path.join(source, 'datasets/eightk/officers')
    const { ownLexicon } = (await import(path.join(officers, 'lexicon.ts'))) as typeof Lexicon
    const { FRAMES } = (await import(path.join(officers, 'frames.ts'))) as typeof Frames
    for (const frame of Object.keys(FRAMES)) ownLexicon().pattern(frame as Frames.FrameName)
  } finally {
    globalThis.RegExp = own
  }
  return found
}
