/** Replaces the bundled sample at a first ingest, in the transaction that stores the first real data. */
import type { App } from '../app.ts'
import { UserError } from '../declare/errors.ts'
import { claimOrigin, holdSample, originOf } from '../ingest/origin.ts'
import { SAMPLE_URL } from '../package.ts'
import registry from '../registry.ts'
import type { Transaction } from '../store/db.ts'
import type { Reporter } from './progress/reporter.ts'

export interface Claim {
  /**
   * Whether the database still has the sample, which the first load removes. Until then, no stored data counts as
   * loaded.
   */
  replaces(): boolean
  /** Whether the database holds data from this app's source: the sample, or EDGAR. */
  isMade(): Promise<boolean>
  /** Does the work of `claimOrigin`. Must be called in each transaction that stores something. */
  inTransaction: (tx: Transaction) => Promise<boolean>
  /** Must be called after something was stored. */
  stored(): void
  /**
   * Must be called after an outage of the database. Takes the lock of the sample again if nothing was stored yet: the
   * outage has released the lock.
   */
  renew(): Promise<void>
  release(): Promise<void>
}

/**
 * Prepares a load from the app's host into a database that may hold the sample.
 *
 * @throws UserError if the sample is requested and the database has real filings
 */
export async function claimFor(app: App, reporter: Reporter, signal: AbortSignal): Promise<Claim> {
  const origin = app.client.baseUrl === SAMPLE_URL ? 'sample' : 'edgar'
  const isMade = async () => (await originOf(app.sql)) === origin
  const made = await isMade()
  const onWait = () => reporter.note('another process is loading the first data: waiting for it')
  // A process that is loading the sample finishes first: otherwise its rows would be stored after those of the real
  // filings.
  let held = made ? null : await holdSample(app.sql, { signal, onWait })
  /** Whether the lock is still needed. `held` does not show this: it is also null if an outage interrupts `renew`. */
  let isNeeded = held !== null
  const before = await originOf(app.sql)
  if (before === 'edgar' && origin === 'sample') {
    await held?.release()
    throw new UserError(
      'the database holds real filings, and the bundled sample would mix with them: name another database with DATA_DIR or DATABASE_URL',
    )
  }
  let replaces = before === 'sample' && origin === 'edgar'
  return {
    replaces: () => replaces,
    isMade,
    inTransaction: (tx) => claimOrigin(tx, registry.slices, origin),
    stored() {
      if (replaces) reporter.note('the bundled sample is replaced by real data')
      replaces = false
      isNeeded = false
      // The lock is released early, so that no other process waits for the rest of this run.
      void held?.release()
      held = null
    },
    async renew() {
      if (!isNeeded) return
      await held?.release()
      held = null
      isNeeded = !(await isMade())
      if (isNeeded) held = await holdSample(app.sql, { signal, onWait })
      replaces = (await originOf(app.sql)) === 'sample' && origin === 'edgar'
    },
    release: async () => held?.release(),
  }
}
