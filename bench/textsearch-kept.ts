/**
 * `node bench/textsearch-kept.ts`: runs the queries of the section `textsearch` against databases in a permanent
 * folder.
 *
 *     node bin/run.mjs bench/textsearch-kept.ts --data FOLDER --documents 200000 --steps load,ask
 *
 * Loading takes minutes and the queries take half a minute. Therefore the loaded data stays, and can be queried again
 * after a change of the code, or when the machine is quiet. 200,000 documents take 2.5 GB; `--share 0.01` takes a
 * hundredth of the documents and of the queries. `--words 8000` makes documents of about 8,000 words each.
 */
import { parseArgs } from 'node:util'
import { connect, type Sql } from '../src/store/db.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { migrate } from '../src/store/schema.ts'
import { openScope } from './scope.ts'
import { part } from './share.ts'
import { answered, loaded, PART } from './textsearch.ts'

const STEPS = ['load', 'ask'] as const

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    documents: { type: 'string', default: '200000' },
    steps: { type: 'string', default: STEPS.join(',') },
    only: { type: 'string' },
    share: { type: 'string', default: '1' },
    words: { type: 'string' },
  },
})
const share = Number(values.share)
const words = values.words === undefined ? undefined : Number(values.words)
const count = part(Number(values.documents), share)
const steps = values.steps.split(',')
if (!values.data || steps.some((step) => !(STEPS as readonly string[]).includes(step))) {
  process.stderr.write(`textsearch-kept: --data FOLDER is needed; --steps are some of ${STEPS.join(', ')}\n`)
  process.exit(2)
}
const report = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`)

const scope = openScope()
try {
  const server = await openEmbedded({ dataDir: values.data })
  scope.after(() => server.close())
  const opened = (database: string) => {
    const sql = connect({ target: { ...server.target, database } })
    scope.after(() => sql.end({ timeout: 5 }))
    return sql
  }
  const admin = opened('openfilings')
  const world = async (documents: number): Promise<Sql> => {
    const database = `text_${documents}`
    if (steps.includes('load')) {
      await admin`drop database if exists ${admin(database)} with (force)`
      await admin`create database ${admin(database)}`
      const sql = opened(database)
      await migrate(sql, []) // an answer for one filer reads the spine
      const { times, sizes } = await loaded(sql, documents, words)
      report(`${documents} documents: ${JSON.stringify({ ...times, ...sizes })}`)
      return sql
    }
    return opened(database)
  }
  const [small, large] = [await world(count * PART), await world(count)]
  if (steps.includes('ask')) {
    report(`${'ms'.padEnd(34)} ${[count, count * PART, 'ratio'].map((text) => String(text).padStart(8)).join('')}`)
    for (const row of await answered({ small, large }, { share, only: values.only })) {
      const [ours, peer] = [row.ours!, row.peer!]
      report(`${row.what.padEnd(34)} ${[ours, peer, ours / peer].map((n) => n.toFixed(2).padStart(8)).join('')}`)
    }
  }
} finally {
  await scope.close()
}
