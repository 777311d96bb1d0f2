/**
 * `node bench/textsearch-kept.ts`: the section `textsearch` on databases in a folder that stays.
 *
 *     node bin/run.mjs bench/textsearch-kept.ts --data FOLDER --documents 200000 --steps load,ask
 *
 * Loading takes minutes and measuring one; so what is loaded once is asked again after the code has changed, and when the machine
 * is quiet. 200,000 documents are 9 GB.
 */
import { parseArgs } from 'node:util'
import { connect, type Sql } from '../src/store/db.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { openScope } from './scope.ts'
import { answered, loaded, PART } from './textsearch.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    documents: { type: 'string', default: '200000' },
    steps: { type: 'string', default: 'load,ask' },
    only: { type: 'string' },
  },
})
if (!values.data) {
  process.stderr.write('textsearch-kept: --data FOLDER is needed\n')
  process.exit(2)
}
const count = Number(values.documents)
const steps = values.steps.split(',')
const tell = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`)

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
      const { times, sizes } = await loaded(sql, documents)
      tell(`${documents} documents: ${JSON.stringify({ ...times, ...sizes })}`)
      return sql
    }
    return opened(database)
  }
  const [small, large] = [await world(count * PART), await world(count)]
  if (steps.includes('ask')) {
    for (const { what, ours, peer } of await answered({ small, large }, values.only)) {
      tell(`${what.padEnd(34)} ${[ours, peer, ours / peer].map((n) => n.toFixed(2).padStart(8)).join('')}`)
    }
  }
} finally {
  await scope.close()
}
