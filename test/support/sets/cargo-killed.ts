/**
 * Loads a set of `support/sets/cargo.ts` in a process that a test kills. Arguments: the database as JSON, the archive,
 * the file.
 */
import { diskStore } from '../../../src/archive/store.ts'
import { ingestSets } from '../../../src/ingest/sets/ingest.ts'
import { connect } from '../../../src/store/db.ts'
import { cargo, own } from './cargo.ts'

const [target, archive, file] = process.argv.slice(2)
const sql = connect({ target: JSON.parse(target!), max: 4 })
const [outcome] = await ingestSets({
  sql,
  slices: own.slices,
  store: diskStore(archive!),
  dataset: cargo,
  from: { files: [file!] },
})
process.stdout.write(JSON.stringify([outcome!.error, outcome!.result]))
await sql.end()
