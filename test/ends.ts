/**
 * Preloaded by `npm test`: a test file whose process does not end fails with its name. Node's own limit is for tests alone; what
 * hangs before the first test or after the last one would hold up the whole run, without a word.
 */

/** Four times what the slowest file takes. */
const LIMIT_MS = Number(process.env.TEST_FILE_LIMIT_MS ?? 480_000)

// The process that runs all files waits for them.
if (process.env.NODE_TEST_CONTEXT) {
  const limit = setTimeout(() => {
    const held = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`${process.argv[1]} has not ended within ${LIMIT_MS} ms; it holds: ${held}\n`)
    process.exit(1)
  }, LIMIT_MS)
  limit.unref()
}
