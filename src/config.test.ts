import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { oneLine, readSettings, SETTINGS, settingsHelp } from './config.ts'

test('without any variable every setting has its default', () => {
  const { config, problems } = readSettings({})
  assert.deepEqual(problems, [])
  assert.equal(config.PORT, 8080)
  assert.equal(config.DATABASE_URL, null)
  assert.deepEqual(config.SELF_SERVE_CLOSED, [])
})

test('every problem is reported at once, each naming its setting', () => {
  const wrong = { PORT: 'eighty', DATABASE_URL: 'mysql://x', EDGAR_USERAGENT: 'x', LOG_LEVEL: 'loud' }
  const text = oneLine(readSettings(wrong).problems)
  for (const name of Object.keys(wrong)) assert.match(text, new RegExp(`\\b${name}\\b`))
  assert.doesNotMatch(text, /\n/)
})

test('a misspelt setting of ours is refused, variables of others are not looked at', () => {
  assert.match(oneLine(readSettings({ INGEST_WORKER: '3' }).problems), /unknown setting INGEST_WORKER/)
  assert.deepEqual(readSettings({ PATH: '/bin', HOME: '/', npm_config_x: '1' }).problems, [])
})

test('a switch is on or off as its word says, and no other word', () => {
  for (const name of ['WEBHOOK_PRIVATE', 'HOME_PAGE', 'SAMPLE', 'TRUST_PROXY'] as const) {
    for (const [word, is] of [
      ['on', true],
      ['off', false],
    ] as const)
      assert.equal(readSettings({ [name]: word }).config[name], is, `${name}=${word}`)
    assert.deepEqual(readSettings({ [name]: 'yes' }).problems, [`${name} must be on or off`])
  }
})

test('an empty variable counts as unset', () => {
  assert.equal(readSettings({ PORT: '' }).config.PORT, 8080)
})

test('a password in DATABASE_URL never appears in the message about it', () => {
  const { problems } = readSettings({ DATABASE_URL: 'mysql://me:hunter2@db/x' })
  assert.equal(problems.length, 1)
  assert.doesNotMatch(problems[0]!, /hunter2/)
})

test('a bare % in the user or password of an address is refused by the name of its setting, without the password', () => {
  const good = 'postgres://me:50%25@db/x'
  for (const address of [
    'postgres://me:hunter2%@db/x',
    'postgres://me:hunter2%zz@db/x',
    'postgres://m%e:hunter2@db/x',
  ]) {
    for (const settings of [{ DATABASE_URL: address }, { DATABASE_URL: good, DATABASE_READ_URL: address }]) {
      const { problems } = readSettings(settings)
      assert.match(oneLine(problems), /^DATABASE_(READ_)?URL has a % .*%25$/)
      assert.ok(!oneLine(problems).includes('hunter2'))
    }
  }
  assert.equal(readSettings({ DATABASE_URL: good }).config.DATABASE_URL, good)
})

test('several hosts in DATABASE_READ_URL are refused in words, and so is a replica of nothing', () => {
  const DATABASE_URL = 'postgres://me:a,b@primary/x'
  const replicas = ['postgres://a,b/x', 'postgres://me:p,w@a:5432,b:5433/x', 'postgresql://a,b']
  for (const DATABASE_READ_URL of replicas) {
    assert.deepEqual(readSettings({ DATABASE_URL, DATABASE_READ_URL }).problems, [
      'DATABASE_READ_URL must name one host: what several replicas have is not the same',
    ])
  }
  const DATABASE_READ_URL = 'postgres://me:p,w@replica/x?application_name=a,b'
  assert.equal(readSettings({ DATABASE_URL, DATABASE_READ_URL }).config.DATABASE_READ_URL, DATABASE_READ_URL)
  assert.deepEqual(readSettings({ DATABASE_READ_URL }).problems, [
    'DATABASE_READ_URL is a replica of DATABASE_URL, which is not set',
  ])
})

test('every setting is in --help and in docs/operating.md', () => {
  const docs = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')
  for (const name of Object.keys(SETTINGS)) {
    assert.ok(settingsHelp().includes(name))
    assert.ok(docs.includes(`\`${name}\``), name)
  }
})
