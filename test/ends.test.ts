/** A test file that hangs is named, whether its tests have begun or are over, and the files beside it have their run. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { again } from './again.ts'
import { checkout, temporaryFolder } from './world.ts'

test('a test file that does not end fails with its name, and the files beside it have their run', {
  skip: again,
}, async (t) => {
  const folder = await temporaryFolder(t)
  const hang = 'setInterval(() => {}, 1000)'
  const files = {
    'after.test.mjs': `import { test } from 'node:test'\n${hang}\ntest('before it hangs', () => {})`,
    'before.test.mjs': `await new Promise(() => ${hang})`,
    'fine.test.mjs': `import { test } from 'node:test'\ntest('beside them', () => {})`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  const args = ['--import', path.join(checkout, 'test/ends.ts'), '--test', '--test-reporter=spec', `${folder}/*.mjs`]
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...env, TEST_FILE_LIMIT_MS: '1500' } }) // biome-ignore format: one line
  assert.equal(status, 1, stdout)
  for (const name of ['after.test.mjs', 'before.test.mjs'])
    assert.match(stdout, new RegExp(`${name} has not ended within 1500 ms; it holds: .*Timeout`))
  assert.match(stdout, /✔ before it hangs/)
  assert.match(stdout, /✔ beside them/)
  assert.match(stdout, /✖ .*before\.test\.mjs/)
})
