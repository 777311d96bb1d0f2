/** `doctor`: looks at everything that this installation needs, and says of what is wrong how to put it right. */
import { readSettings } from '../config.ts'
import { messageOf } from '../declare/errors.ts'
import { command, refuseMore } from './command.ts'
import { checkDatabase } from './doctor-database.ts'
import { checkHosts } from './doctor-hosts.ts'
import { checkPlace, checkSettings } from './doctor-place.ts'

export interface Check {
  name: string
  /** FAIL stops something that was asked for; warn is worth a look. */
  state: 'ok' | 'warn' | 'FAIL'
  found: string
  /** What to do about it. */
  wayOut?: string
}

export default command({
  name: 'doctor',
  summary: 'looks for what is wrong: settings, database, disk, clock, hosts',
  usage: ['openfilings doctor [--json]'],
  about: `Looks at the settings, the versions, the data folder and its disk, the database, and asks EDGAR and the host of the adviser
files one thing each. Makes nothing; an embedded database that does not run is started for the look.`,
  options: { json: { type: 'boolean', help: 'one JSON array of checks: name, state, found, wayOut' } },
  examples: [['openfilings doctor', 'a line for each check: ok, warn or FAIL, with the way out']],
  failure: 'a check says FAIL',
  async run({ values, positionals }, _config, environment) {
    refuseMore('doctor', positionals)
    const checks: Check[] = []
    const note = (...found: Check[]) => {
      checks.push(...found)
      if (!values.json) for (const check of found) process.stdout.write(`${lineOf(check)}\n`)
    }
    const settings = readSettings(environment)
    const { config } = settings
    note(...checkSettings(settings, environment))
    note(...(await whole('data folder', () => checkPlace(config))))
    note(...(await whole('database', () => checkDatabase(config))))
    note(...(await whole('hosts', () => checkHosts(config))))
    if (values.json) process.stdout.write(`${JSON.stringify(checks, null, 2)}\n`)
    return checks.some(({ state }) => state === 'FAIL') ? 1 : 0
  },
})

/** A look that fails in a way nobody thought of is a finding too, and the others go on. */
const whole = (name: string, look: () => Promise<Check[]>): Promise<Check[]> =>
  look().catch((error) => [{ name, state: 'FAIL', found: messageOf(error) }])

const lineOf = ({ name, state, found, wayOut }: Check) =>
  `${state.padEnd(4)}  ${name}: ${found}${wayOut ? `; ${wayOut}` : ''}`
