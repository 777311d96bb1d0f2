/** Replaces the bundled sample by a first ingest: with the first real data, and not before. */
import type { App } from '../app.ts'
import { UserError } from '../declare/errors.ts'
import { claimOrigin, holdSample, originOf } from '../ingest/origin.ts'
import { SAMPLE_URL } from '../package.ts'
import registry from '../registry.ts'
import type { Transaction } from '../store/db.ts'
import type { Reporter } from './progress/reporter.ts'

export interface Claim {
  /** The sample stands, and goes with the first load: until then nothing that is stored counts. */
  replaces(): boolean
  /** Whether the database holds data of this source. */
  isMade(): Promise<boolean>
  /** To be called in the transaction that stores something: as claimOrigin. */
  inTransaction: (tx: Transaction) => Promise<boolean>
  /** Something was stored. */
  stored(): void
  /** After an outage of the database, which took the lock of who has stored nothing yet: takes it again. */
  renew(): Promise<void>
  release(): Promise<void>
}

/**
 * Prepares a load from the app's host into a database that may hold the sample.
 *
 * @throws UserError when the sample is asked for and real filings are there
 */
export async function claimFor(app: App, reporter: Reporter, signal: AbortSignal): Promise<Claim> {
  const origin = app.client.baseUrl === SAMPLE_URL ? 'sample' : 'edgar'
  const isMade = async () => (await originOf(app.sql)) === origin
  const made = await isMade()
  const onWait = () => reporter.note('another process is loading the first data: waiting for it')
  // A process that is loading the sample finishes first: its rows would come after those of the real filings.
  let held = made ? null : await holdSample(app.sql, { signal, onWait })
  const before = await originOf(app.sql)
  if (before === 'edgar' && origin === 'sample') {
    await held?.release()
    throw new UserError('the database holds real filings: the bundled sample would mix with them')
  }
  let replaces = before === 'sample' && origin === 'edgar'
  return {
    replaces: () => replaces,
    isMade,
    inTransaction: (tx) => claimOrigin(tx, registry.slices, origin),
    stored() {
      if (replaces) reporter.note('the bundled sample is replaced by real data')
      replaces = false
      // Nobody else has to wait for the rest of this run.
      void held?.release()
      held = null
    },
    async renew() {
      if (!held) return
      await held.release()
      held = null
      if (!(await isMade())) held = await holdSample(app.sql, { signal, onWait })
      replaces = (await originOf(app.sql)) === 'sample' && origin === 'edgar'
    },
    release: async () => held?.release(),
  }
}
