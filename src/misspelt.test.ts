import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings, SETTINGS } from './config.ts'
import { editDistance, nearest, settingMeant } from './misspelt.ts'

const settings = Object.keys(SETTINGS)

test('the distance counts letters added, dropped, changed and swapped', () => {
  const cases: [string, string, number][] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['serve', 'serve', 0],
    ['sevre', 'serve', 1],
    ['serv', 'serve', 1],
    ['sserve', 'serve', 1],
    ['sarve', 'serve', 1],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['PORT', 'EDGAR_BASE_URL', 13],
  ]
  for (const [a, b, distance] of cases) {
    assert.equal(editDistance(a, b), distance, `${a} ${b}`)
    assert.equal(editDistance(b, a), distance, `${b} ${a}`)
    for (const max of [0, 1, 2, 3, 4]) {
      const found = editDistance(a, b, max)
      assert.ok(distance <= max ? found === distance : found > max, `${a} ${b} ${max}`)
    }
  }
})

test('a word means the only value that begins with it, else the value spelled most alike, and no value if none is spelled alike', () => {
  const commands = ['serve', 'ingest', 'sample', 'status', 'doctor', 'rebuild', 'keys', 'generate']
  const meant = { sevre: 'serve', ingst: 'ingest', stat: 'status', Rebuild: 'rebuild', key: 'keys', smaple: 'sample' }
  for (const [typed, command] of Object.entries(meant)) assert.equal(nearest(typed, commands), command)
  for (const typed of ['frobnicate', 'x', 'help', 's']) assert.equal(nearest(typed, commands), undefined, typed)
})

test('misspelt settings are found', () => {
  const meant = {
    PROT: 'PORT',
    PRT: 'PORT',
    POORT: 'PORT',
    HSOT: 'HOST',
    port: 'PORT',
    LOG_LEVL: 'LOG_LEVEL',
    LOGLEVEL: 'LOG_LEVEL',
    DATABASEURL: 'DATABASE_URL',
    DATABASE_URI: 'DATABASE_URL',
    DATADIR: 'DATA_DIR',
    SAMPEL: 'SAMPLE',
    CACHE_SIZE: 'CACHE_MB',
    CACHE_BM: 'CACHE_MB',
    STATEMENT_TIMEOUT: 'STATEMENT_TIMEOUT_SECONDS',
    STATMENT_TIMEOUT_SECOND: 'STATEMENT_TIMEOUT_SECONDS',
    TRUSTPROXY: 'TRUST_PROXY',
  }
  for (const [typed, setting] of Object.entries(meant)) assert.equal(settingMeant(typed, settings), setting, typed)
})

test('variables of the system and of other programs are not taken for settings', () => {
  const others =
    'PATH HOME USER SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL TMPDIR EDITOR PAGER MAIL HOSTNAME HOSTTYPE LOGNAME OSTYPE MACHTYPE ' +
    'DISPLAY SSH_AUTH_SOCK XDG_DATA_DIRS XDG_DATA_HOME DATABASE_SSL DATABASE_USER DATABASE_HOST DATABASE_NAME PGHOST PGPORT ' +
    'PGDATA PGUSER NODE_ENV NODE_OPTIONS NO_COLOR FORCE_COLOR COLUMNS LINES POST SORT PART COST MOST HTTP_PROXY HTTPS_PROXY ' +
    'NO_PROXY DEBUG CI GITHUB_TOKEN npm_config_x npm_lifecycle_event INIT_CWD JAVA_HOME LOG_DIR LOG_FILE DATA CACHE CACHE_DIR'
  for (const name of others.split(' ')) assert.equal(settingMeant(name, settings), undefined, name)
  assert.deepEqual(readSettings(Object.fromEntries(others.split(' ').map((name) => [name, 'x']))).problems, [])
})

test('a foreign variable that resembles a setting never stops a start; a misspelt variable with our prefix stops it', () => {
  const near = readSettings({ PORTS: '80,443', HOSTS: 'a,b', SAMPLES: '3', HOSTNAME: 'x', LOGNAME: 'me' })
  assert.deepEqual(near.problems, [])
  assert.deepEqual(near.doubts, [
    'unknown setting PORTS; did you mean PORT?',
    'unknown setting HOSTS; did you mean HOST?',
    'unknown setting SAMPLES; did you mean SAMPLE?',
  ])
  const ours = readSettings({ EDGAR_USERAGENT: 'x', EDGAR_IDENTITY: 'me', INGEST_THREADS: '3', OPENFILINGS_X: 'y' })
  assert.deepEqual(ours.problems, [
    'unknown setting EDGAR_USERAGENT; did you mean EDGAR_USER_AGENT?',
    'unknown setting OPENFILINGS_X; --help lists the settings',
  ])
  assert.deepEqual(ours.doubts, [
    'unknown setting EDGAR_IDENTITY; --help lists the settings',
    'unknown setting INGEST_THREADS; --help lists the settings',
  ])
})

test('OPENFILINGS_KEY and OPENFILINGS_URL, which examples export for clients, are not unknown settings', () => {
  const { problems, doubts } = readSettings({ OPENFILINGS_KEY: 'of_x', OPENFILINGS_URL: 'http://127.0.0.1:8080' })
  assert.deepEqual([...problems, ...doubts], [])
  assert.match(readSettings({ OPENFILINGS_KEYS: 'of_x' }).problems.join(), /unknown setting OPENFILINGS_KEYS/)
})

test('variables that Kubernetes sets for a service called openfilings or edgar stop nothing', () => {
  const { problems, doubts } = readSettings({
    OPENFILINGS_SERVICE_HOST: '10.0.0.7',
    OPENFILINGS_SERVICE_PORT: '8080',
    OPENFILINGS_SERVICE_PORT_HTTP: '8080',
    OPENFILINGS_PORT: 'tcp://10.0.0.7:8080',
    OPENFILINGS_PORT_8080_TCP: 'tcp://10.0.0.7:8080',
    OPENFILINGS_PORT_8080_TCP_PROTO: 'tcp',
    OPENFILINGS_PORT_8080_TCP_PORT: '8080',
    OPENFILINGS_PORT_8080_TCP_ADDR: '10.0.0.7',
    EDGAR_MIRROR_SERVICE_HOST: '10.0.0.8',
  })
  assert.deepEqual([problems, doubts], [[], []])
  assert.match(
    readSettings({ OPENFILINGS_PORT: '8080' }).problems[0]!,
    /^unknown setting OPENFILINGS_PORT; did you mean PORT\?$/,
  )
})
