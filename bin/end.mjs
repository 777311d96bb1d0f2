// Ends a command together with the npm that runs it.
let isWatching = false

/**
 * At SIGTERM npm ends, and the shell that it runs its scripts in, and neither passes it on: without a parent we send it to
 * ourselves. A Windows process keeps its parent's number for life.
 */
export function endWithNpm() {
  if (isWatching || !process.env.npm_lifecycle_event || process.platform === 'win32') return
  isWatching = true
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, 200)
  look.unref()
}
