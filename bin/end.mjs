// Ends a command together with the npm that runs it.
let isWatching = false

/**
 * At SIGTERM, npm and the shell in which it runs its scripts end, and neither passes the signal on. So this process
 * sends itself the signal when its parent has ended. On Windows it cannot notice this, because `process.ppid` never
 * changes there.
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
