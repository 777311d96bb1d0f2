import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig, SETTINGS, settingsHelp } from './config.ts'

test('without any variable every setting has its default', () => {
  const config = readConfig({})
  assert.equal(config.PORT, 8080)
  assert.equal(config.DATABASE_URL, null)
  assert.deepEqual(config.SELF_SERVE_CLOSED, [])
})

test('every problem is reported at once, each naming its setting', () => {
  const wrong = { PORT: 'eighty', DATABASE_URL: 'mysql://x', EDGAR_USERAGENT: 'x', LOG_LEVEL: 'loud' }
  assert.throws(
    () => readConfig(wrong),
    (error: Error) => {
      for (const name of Object.keys(wrong)) assert.match(error.message, new RegExp(`\\b${name}\\b`))
      return !error.message.includes('\n')
    },
  )
})

test('a misspelt setting of ours is refused, variables of others are not looked at', () => {
  assert.throws(() => readConfig({ INGEST_WORKER: '3' }), /INGEST_WORKER is no setting/)
  assert.doesNotThrow(() => readConfig({ PATH: '/bin', HOME: '/', npm_config_x: '1' }))
})

test('an empty variable counts as unset', () => {
  assert.equal(readConfig({ PORT: '' }).PORT, 8080)
})

test('a password in DATABASE_URL never appears in the message about it', () => {
  assert.throws(
    () => readConfig({ DATABASE_URL: 'mysql://me:hunter2@db/x' }),
    (error: Error) => !error.message.includes('hunter2'),
  )
})

test('several hosts in DATABASE_READ_URL are refused in words, and so is a replica of nothing', () => {
  const DATABASE_URL = 'postgres://me:a,b@primary/x'
  const replicas = ['postgres://a,b/x', 'postgres://me:p,w@a:5432,b:5433/x', 'postgresql://a,b']
  for (const DATABASE_READ_URL of replicas) {
    assert.throws(() => readConfig({ DATABASE_URL, DATABASE_READ_URL }), {
      name: 'UserError',
      message: 'DATABASE_READ_URL must name one host: what several replicas have is not the same',
    })
  }
  const DATABASE_READ_URL = 'postgres://me:p,w@replica/x?application_name=a,b'
  assert.equal(readConfig({ DATABASE_URL, DATABASE_READ_URL }).DATABASE_READ_URL, DATABASE_READ_URL)
  assert.throws(
    () => readConfig({ DATABASE_READ_URL }),
    /DATABASE_READ_URL is a replica of DATABASE_URL, which is not set/,
  )
})

test('every setting is in --help and in docs/operating.md', () => {
  const docs = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')
  for (const name of Object.keys(SETTINGS)) {
    assert.ok(settingsHelp().includes(name))
    assert.ok(docs.includes(`\`${name}\``), name)
  }
})
