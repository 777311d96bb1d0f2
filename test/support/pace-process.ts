/**
 * A process of an operator that requests one file after the other from a host, with the settings of its environment.
 * Its arguments are the host, and the number of requests.
 */
import { clientOf } from '../../src/client.ts'
import { readSettings } from '../../src/config.ts'
import { connect } from '../../src/store/db.ts'
import { sharedPace } from '../../src/store/pace.ts'

const [host, times] = process.argv.slice(2)
const { config } = readSettings(process.env)
const sql = connect({ target: config.DATABASE_URL!, max: 2 })
const client = clientOf(config, host!, {
  shared: sharedPace(sql),
  log: (event) => process.stdout.write(`${event.event}: ${event.reason}\n`),
})
try {
  for (let i = 0; i < Number(times); i++) await client.get(`/Archives/${process.pid}/${i}`, async () => {})
} finally {
  await client.close()
  await sql.end()
}
