/**
 * `npm run eval`: prints recall and precision of each reader of prose, by kind of fact, as measured with the facts that
 * a person typed. It needs no network and no database.
 *
 *     npm run eval                        the table
 *     npm run eval -- --misses            and then each wrong fact and each missing one
 *     npm run eval -- --truths FOLDER     typed facts of another folder, in the layout of test/datasets
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { eightkPiles } from './eval/eightk.ts'
import { otherPiles } from './eval/others.ts'
import type { Places } from './eval/pile.ts'
import { RECORDED } from './eval/recorded.ts'
import { scoreOf, sumOf } from './eval/score.ts'
import { missesOf, type Scored, tableOf } from './eval/table.ts'

const { values } = parseArgs({
  options: {
    misses: { type: 'boolean', default: false },
    truths: { type: 'string', default: path.join(import.meta.dirname, 'datasets') },
    corpus: { type: 'string', default: path.resolve(import.meta.dirname, '../../shared/corpus') },
  },
})

const NOTES = [
  'development: rules were made with these facts. held out: typed before the reader had read the documents; `first` is',
  'that reading, and rules were added after it. newest: typed before the reader had read the newest reports of the corpus.',
  '`later` and a `first` without `now` are figures from READMEs, whose typed facts were not kept; `wrong` of items 5.02',
  'counts events there.',
]

try {
  process.stdout.write(
    await evaluation({ truths: values.truths, corpus: existsSync(values.corpus) ? values.corpus : null }),
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

async function evaluation(places: Places): Promise<string> {
  const piles = [...eightkPiles(places), ...otherPiles(places)]
  const possible = piles.filter(({ inCorpus }) => !inCorpus || places.corpus !== null)
  const scored: Scored[] = []
  for (const { set, reader, name, compare, rules } of possible)
    scored.push({ set, reader, name, score: scoreOf(await compare(), rules) })
  const all = sumOf(scored.flatMap(({ score }) => [...score.kinds.values()]))
  const lines = [
    ...tableOf(scored, RECORDED),
    '',
    ...NOTES,
    ...(possible.length < piles.length
      ? [
          `${piles.length - possible.length} of ${piles.length} piles are left out: the corpus is not at ../shared/corpus`,
        ]
      : []),
    `wrong facts, which are worse than missing ones: ${all.wrong} of ${all.read} facts read`,
    ...(values.misses ? ['', ...missesOf(scored)] : []),
  ]
  return `${lines.join('\n')}\n`
}
