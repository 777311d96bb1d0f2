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

test('a misspelt setting of ours is refused, and variables of other programs are ignored', () => {
  assert.match(oneLine(readSettings({ INGEST_WORKER: '3' }).problems), /unknown setting INGEST_WORKER/)
  assert.deepEqual(readSettings({ PATH: '/bin', HOME: '/', npm_config_x: '1' }).problems, [])
})

test('a switch accepts only the words for on and off', () => {
  for (const name of ['WEBHOOK_PRIVATE', 'HOME_PAGE', 'SAMPLE', 'TRUST_PROXY'] as const) {
    for (const [word, is] of [
      ['on', true],
      ['off', false],
    ] as const)
      assert.equal(readSettings({ [name]: word }).config[name], is, `${name}=${word}`)
    assert.deepEqual(readSettings({ [name]: 'yes' }).problems, [`${name} must be on or off`])
  }
})

const SIGN_IN = {
  OIDC_ISSUER: 'https://login.example.org/realms/team/',
  OIDC_CLIENT_ID: 'openfilings',
  OIDC_CLIENT_SECRET: 'hunter2',
  PUBLIC_URL: 'https://filings.example.org/',
}

test('an issuer stays as it is written, and the public address is reduced to its origin', () => {
  const { config, problems } = readSettings(SIGN_IN)
  assert.deepEqual(problems, [])
  assert.equal(config.OIDC_ISSUER, SIGN_IN.OIDC_ISSUER)
  assert.equal(config.PUBLIC_URL, 'https://filings.example.org')
  for (const OIDC_ISSUER of ['http://127.0.0.1:1', 'http://localhost/x', 'http://[::1]:2'])
    assert.deepEqual(readSettings({ ...SIGN_IN, OIDC_ISSUER }).problems, [])
})

test('a missing or invalid setting for sign-in stops the start, such as an address of another machine with plain http', () => {
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'] as const) {
    const { problems } = readSettings({ ...SIGN_IN, [name]: '' })
    assert.equal(problems.length, 1)
    assert.match(problems[0]!, new RegExp(`^OIDC_ISSUER needs ${name}`))
  }
  for (const [name, value] of [
    ['OIDC_ISSUER', 'http://login.example.org'],
    ['OIDC_ISSUER', 'login.example.org'],
    ['OIDC_ISSUER', 'https://login.example.org/?realm=x'],
    ['PUBLIC_URL', 'https://example.org/filings'],
    ['PUBLIC_URL', 'filings.example.org'],
    ['OIDC_SCOPES', 'profile email'],
    ['OIDC_CLIENT_SECRET_FILE', '/etc/secret'],
    ['OIDC_OPERATOR_CLAIM', 'groups'],
    ['OIDC_OPERATOR_VALUE', 'operators'],
  ]) {
    const { problems } = readSettings({ ...SIGN_IN, [name!]: value })
    assert.equal(problems.length, 1, `${name}=${value}`)
    assert.match(problems[0]!, new RegExp(name!))
    assert.doesNotMatch(problems[0]!, /hunter2/)
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

test('a bare % in the user or password of an address is refused, and the error names the setting but not the password', () => {
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

test('several hosts in DATABASE_READ_URL are refused with the reason, and so is a replica without DATABASE_URL', () => {
  const DATABASE_URL = 'postgres://me:a,b@primary/x'
  const replicas = ['postgres://a,b/x', 'postgres://me:p,w@a:5432,b:5433/x', 'postgresql://a,b']
  for (const DATABASE_READ_URL of replicas) {
    assert.deepEqual(readSettings({ DATABASE_URL, DATABASE_READ_URL }).problems, [
      'DATABASE_READ_URL must name one host: several replicas may hold different data',
    ])
  }
  const DATABASE_READ_URL = 'postgres://me:p,w@replica/x?application_name=a,b'
  assert.equal(readSettings({ DATABASE_URL, DATABASE_READ_URL }).config.DATABASE_READ_URL, DATABASE_READ_URL)
  assert.deepEqual(readSettings({ DATABASE_READ_URL }).problems, [
    'DATABASE_READ_URL needs DATABASE_URL, which is not set',
  ])
})

test('the address of the archive’s bucket has no keys, and its folder path has no empty, "." or ".." part', () => {
  const parsed = (ARCHIVE_URL: string) => readSettings({ ARCHIVE_URL }).config.ARCHIVE_URL
  assert.deepEqual(parsed('s3://filings'), { bucket: 'filings', prefix: '' })
  assert.deepEqual(parsed('s3://filings/a/b.c/'), { bucket: 'filings', prefix: 'a/b.c/' })
  const wrong = [
    'filings',
    'https://filings',
    's3://',
    's3://Filings',
    's3://key:hunter2@filings',
    's3://filings?hunter2',
  ]
  const folders = ['s3://filings/a/../b', 's3://filings/..', 's3://filings/./a', 's3://filings/a//b']
  for (const ARCHIVE_URL of [...wrong, ...folders]) {
    const { problems } = readSettings({ ARCHIVE_URL })
    assert.equal(problems.length, 1, ARCHIVE_URL)
    assert.match(problems[0]!, /^ARCHIVE_URL must (be s3:\/\/BUCKET|not have an empty folder name)/)
    assert.doesNotMatch(problems[0]!, /hunter2/)
  }
  for (const ARCHIVE_ENDPOINT of ['minio:9000', 'ftp://minio', 'http://key:hunter2@minio', 'http://minio/?hunter2']) {
    const { problems } = readSettings({ ARCHIVE_URL: 's3://filings', ARCHIVE_ENDPOINT })
    assert.match(problems.join(), /^ARCHIVE_ENDPOINT must be an address /, ARCHIVE_ENDPOINT)
    assert.doesNotMatch(problems.join(), /hunter2/)
  }
  assert.deepEqual(readSettings({ ARCHIVE_ENDPOINT: 'http://minio:9000' }).problems, [
    'ARCHIVE_ENDPOINT needs ARCHIVE_URL, which is not set',
  ])
})

test('every setting is in --help and in docs/operating/settings.md', () => {
  const docs = readFileSync(new URL('../docs/operating/settings.md', import.meta.url), 'utf8')
  for (const name of Object.keys(SETTINGS)) {
    assert.ok(settingsHelp().includes(name))
    assert.ok(docs.includes(`\`${name}\``), name)
  }
})
