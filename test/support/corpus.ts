/** Locates the corpus of real filings, for tests that need it. The corpus is not part of the project. */
import { existsSync } from 'node:fs'
import path from 'node:path'

const folder = path.resolve(import.meta.dirname, '../../../shared/corpus')

/**
 * The corpus folder, or null with a reason to skip the tests. On a build machine (`CI=true`) a missing corpus is a
 * failure: the tests then run and fail on the missing folder.
 */
export const corpus =
  existsSync(folder) || process.env.CI === 'true'
    ? { folder, skip: false as const }
    : { folder, skip: 'the corpus of real filings is not beside the project (../shared/corpus)' }
