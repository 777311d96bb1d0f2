/** Runs a command as a process: passes its arguments and settings, handles its streams, and ends the process. */
import { environment } from './config.ts'
import { main } from './main.ts'

// A program that reads our output may close it early, as `head` does. The command then continues its work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await main(process.argv.slice(2), environment)

// The command has closed everything by now. A connection that a library still holds must not keep the process from
// ending.
setTimeout(() => process.exit(), 5000).unref()
