/** The names of filers as the code takes them apart, before a command works with them. */
import type { App } from '../app.ts'
import { bringFilerNamesOver } from '../core/edgar/filer-names.ts'
import { INDEX_LOCK } from '../core/edgar/spine.ts'
import type { Reporter } from './reporter.ts'

/** Tells how far it is while they are made anew; says nothing where they are as they should be. */
export async function bringNamesOver({ sql }: App, reporter: Reporter): Promise<void> {
  let isTold = false
  await bringFilerNamesOver(sql, INDEX_LOCK, (done, of) => {
    if (of === 0) return
    if (!isTold) reporter.stage('taking the names of filers apart anew', of)
    isTold = true
    reporter.progress(done)
  })
  if (isTold) reporter.stage(null)
}
