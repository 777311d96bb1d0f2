/** Does the work of `prune`: prints a line for each kind of entry that is not needed. */
import path from 'node:path'
import { type Pruned, prune } from '../ingest/prune.ts'
import registry from '../registry.ts'
import { type Run, refuseMore } from './command.ts'
import { opened } from './progress/recorded.ts'
import { reporterOf } from './progress/reporter.ts'
import { number, size } from './progress.ts'
import type { OPTIONS } from './prune.ts'

/** For each kind: the word for one entry, the word for several, and why they are not needed. */
const WORDS: Record<Pruned['kind'], [one: string, several: string, why: string]> = {
  submissions: ['filing', 'filings', 'documents that nothing reads'],
  editions: ['file', 'files', 'editions that newer ones replaced'],
  sets: ['file', 'files', 'quarterly sets from which no stored row comes'],
  unnamed: ['entry', 'entries', 'content to which no row refers'],
  texts: ['folder', 'folders', 'texts that other versions of OpenFilings made'],
  aside: ['file', 'files', 'damaged, or left by killed processes'],
}

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, config) => {
  refuseMore('prune', positionals)
  const act = values.yes ?? false
  const options = { config, make: false, only: 'write', command: 'prune', reporter: reporterOf(values) } as const
  return opened(options, async ({ app, reporter, signal }) => {
    const { sql, store, dataDir } = app
    const archive = path.join(dataDir, 'archive')
    let bytes = 0
    let isEstimate = false
    reporter.stage(act ? 'removing what is not needed' : 'looking for what is not needed')
    for await (const found of prune({ sql, store, catalog: registry, archive, act, signal })) {
      bytes += found.bytes
      isEstimate ||= found.isEstimate && found.count > 0
      reporter.fact({ event: 'pruned', done: act, ...found }, lineOf(found))
    }
    reporter.stage(null)
    const all = `${isEstimate ? 'about ' : ''}${size(bytes)}`
    const next = act ? [] : ['openfilings prune --yes']
    const text = act ? `prune: ${all} freed` : `prune: ${all} can be freed; "openfilings prune --yes" frees it`
    reporter.summary({ event: 'summary', command: 'prune', done: act, bytes, outcome: 'done', next }, text, true)
    return 'done'
  })
}

function lineOf({ kind, count, bytes, isEstimate }: Pruned): string {
  const [one, several, why] = WORDS[kind]
  const counted = `${number(count)} ${count === 1 ? one : several}`
  return `${kind.padEnd(12)} ${counted.padStart(20)}  ${(isEstimate && count > 0 ? 'about ' : '') + size(bytes)}: ${why}`
}
