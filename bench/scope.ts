/** Resources of a process that it must release: folders, databases, servers. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface Scope {
  /** Registers a function that runs at the end, last registered first. The helpers of test/ expect this interface. */
  after(fn: () => Promise<void>): void
}

export interface OpenScope extends Scope {
  close(): Promise<void>
}

export function openScope(): OpenScope {
  const left: (() => Promise<void>)[] = []
  return {
    after: (fn) => void left.push(fn),
    async close() {
      for (let fn = left.pop(); fn; fn = left.pop()) await fn()
    },
  }
}

/** A folder for generated files. */
export async function folder(scope: Scope): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'openfilings-bench-'))
  scope.after(() => rm(made, { recursive: true, force: true }))
  await chmod(made, 0o755)
  return made
}
