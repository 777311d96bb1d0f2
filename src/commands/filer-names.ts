/** Makes the searchable names of filers again, before a command works with them, if the code's rules have changed. */
import type { App } from '../app.ts'
import { bringFilerNamesOver } from '../ingest/filer-names.ts'
import { INDEX_LOCK } from '../ingest/order.ts'
import type { Reporter } from './progress/reporter.ts'

const STAGE = 'making the stored names of filers again'

/**
 * Rebuilds the names and reports the progress; does nothing if they are up to date.
 *
 * @param onStage called with a description of the work that is running
 */
export async function bringNamesOver(
  { sql, shape }: App,
  reporter: Reporter,
  onStage: (stage: string) => void = () => {},
): Promise<void> {
  let isReported = false
  const onBatch = (done: number, of: number) => {
    if (of === 0) return
    if (!isReported) {
      onStage(STAGE)
      reporter.stage(STAGE, of)
    }
    isReported = true
    reporter.progress(done)
  }
  await bringFilerNamesOver(sql, INDEX_LOCK, onBatch, shape.names)
  if (isReported) reporter.stage(null)
}
