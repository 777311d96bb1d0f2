/**
 * The alert rules and the dashboard in deploy/ name metrics that a running server has, and are valid as far as a test
 * can check.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'yaml'
import { beginRun } from '../../src/ingest/runs.ts'
import { createWebhook, setState } from '../../src/webhooks/subscriptions.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'
import { checkout } from '../support/world.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

interface Panel {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { refId: string; expr: string; legendFormat: string }[]
}

const read = (file: string) => readFileSync(path.join(checkout, 'deploy', file), 'utf8')
const { groups } = parse(read('prometheus-alerts.yml')) as { groups: { name: string; rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
  panels: Panel[]
  templating: { list: { name: string; query: string }[] }
}
const targets = dashboard.panels.flatMap((panel) => panel.targets)

const server = await scratchServer({ after }, { dataDir: checkout })
const { metrics } = server.server
const now = new Date()

/** Creates at least one of each counted thing, because a metric without a sample has no labels to compare. */
async function made() {
  const key = await server.key()
  await server.as(key, '/v1/things')
  await server.as(key, '/v1/things')
  metrics.refusal('search')
  metrics.file('csv', 'whole')
  metrics.stream('gone')
  metrics.webhook('delivered')
  metrics.noSlot('list', 'late')
  const { sql } = server
  const url = 'https://hooks.example.org/'
  const states = [0, 1, 2].map(() => createWebhook(sql, { url, filters: {}, now }))
  const [, paused, failing] = await Promise.all(states)
  await setState(sql, paused!.webhook_id, 'paused', now)
  await sql`update core.webhook set failures = 3 where webhook_id = ${failing!.webhook_id}`
  await sql`insert into core.webhook_dead (webhook_id, after_event, to_event, tries, reason, given_up_at)
    values (${failing!.webhook_id}, 1, 2, 12, 'status 500', ${now})`
  await sql`update core.pace set paused_until = to_timestamp(1)`
  const run = await beginRun(sql, { command: 'ingest', what: 'all --follow', pid: 1, host: 'x' })
  await run.end('done', { followed_at: now.toISOString() })
  await sql`insert into edgar.watermark (host, source, through) values ('https://x', '/x', '2026-11-20')`
  await sql`insert into edgar.coverage (form_type, task, family, filings, extracted) values ('D', 'formd', 'formd', 1, 0)`
  await sql`
    insert into edgar.filing (accession, form_type, family, filed_date, cik, company_name, name_key, path)
    values ('0000000001-26-000001', 'D', 'formd', '2026-11-20', '0000000001', 'A', 'a', 'x')`
}

await made()

/** Each metric with its type and labels, as scraped. */
interface Exposed {
  types: Map<string, string>
  labels: Map<string, Set<string>>
  text: string
}

async function scraped(): Promise<Exposed> {
  const { text, status } = await ask(server.base, '/metrics')
  assert.equal(status, 200)
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]))
  const labels = new Map<string, Set<string>>()
  for (const [, name, list = ''] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const all = labels.get(name!) ?? new Set()
    for (const [, label] of list.matchAll(/(?:^|,)(\w+)="/g)) all.add(label!)
    labels.set(name!, all)
  }
  return { types, labels, text }
}

/** Keywords of PromQL; any other word is a metric, a label or a mistake. */
const FUNCTIONS = 'rate delta increase time sum count histogram_quantile topk clamp_min predict_linear'.split(' ')
const WORDS = 'by on and or unless without'.split(' ')
const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|\[(\d+[smhdw])\]|[0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?|[a-z_]\w*|[=!<>]=|[=!]~|[-+*/<>=(){},]/giy

function tokensOf(expr: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < expr.length) {
    const at = TOKEN.lastIndex
    const [token] =
      TOKEN.exec(expr) ?? assert.fail(`the expression cannot be read at ${JSON.stringify(expr.slice(at, at + 20))}`)
    if (token.trim() !== '') tokens.push(token)
  }
  return tokens
}

/**
 * @throws AssertionError in three cases: brackets do not match; a metric, label or function is unknown; the rate of a
 * metric that is not a counter is used
 */
function check(expr: string, { types, labels }: Exposed): void {
  const tokens = tokensOf(expr)
  const open: string[] = []
  /** Labels of the selectors so far; each grouping label must be a label of one of these selectors. */
  const grouped: string[] = []
  const known = new Set(['instance', 'job', 'le'])
  let braces = ''
  tokens.forEach((token, i) => {
    const [before = '', next = ''] = [tokens[i - 1], tokens[i + 1]]
    if ('({'.includes(token)) open.push(token)
    if (token === '{') braces = before
    if (token === ')' || token === '}') {
      assert.equal(open.pop(), token === ')' ? '(' : '{', `brackets of ${expr}`)
      if (token === '}') braces = ''
      assert.notEqual(before, ',', expr)
    }
    const isOperator = /^([-+*/<>]|[=!<>]=|and|or|unless)$/.test(token)
    if (isOperator)
      assert.ok(before !== '' && next !== '' && !'(,'.includes(before) && next !== ')', `${token} in ${expr}`)
    if (!/^[a-z_]/i.test(token) || WORDS.includes(token)) return
    if (next === '(') {
      assert.ok(FUNCTIONS.includes(token), `unknown function ${token} in ${expr}`)
      return
    }
    if (braces !== '') {
      const own = labels.get(braces) ?? new Set()
      assert.ok(own.has(token) || ['job', 'instance'].includes(token), `${braces} has no label ${token}`)
      assert.match(next, /^(=|!=|=~|!~)$/)
      assert.match(tokens[i + 2] ?? '', /^"/)
      return
    }
    if (
      open.length > 0 &&
      tokens.slice(0, i).findLast((each) => WORDS.includes(each) || FUNCTIONS.includes(each)) !== undefined &&
      isGrouping(tokens, i)
    ) {
      grouped.push(token)
      return
    }
    if (FUNCTIONS.includes(token)) {
      assert.ok(next === 'by' || next === 'without', `${token} in ${expr}`)
      return
    }
    assert.ok(labels.has(token) || types.has(token) || token === 'up', `there is no metric ${token}`)
    for (const label of labels.get(token) ?? []) known.add(label)
    const range = tokens.slice(i).find((each) => each.startsWith('[') || each === ')' || /^[-+*/<>]$/.test(each))
    const of = before === '(' ? tokens[i - 2] : undefined
    const base = token.replace(/_(bucket|sum|count)$/, '')
    const type = types.get(token) ?? types.get(base)
    if (of === 'rate' || of === 'increase') assert.ok(type === 'counter' || type === 'histogram', `${of} of ${token}`)
    if (of === 'delta' || of === 'predict_linear') assert.equal(type, 'gauge', `${of} of ${token}`)
    const wantsRange = ['rate', 'increase', 'delta', 'predict_linear'].includes(of ?? '')
    assert.equal(range?.startsWith('[') ?? false, wantsRange, `a range in ${expr}`)
  })
  assert.deepEqual(open, [], `brackets of ${expr}`)
  for (const label of grouped) assert.ok(known.has(label), `nothing has the label ${label} in ${expr}`)
}

/** Tests whether a token is in the brackets after `by`, `on` or `without`. */
function isGrouping(tokens: readonly string[], i: number): boolean {
  const from = tokens.lastIndexOf('(', i)
  return ['by', 'on', 'without'].includes(tokens[from - 1] ?? '') && !tokens.slice(from, i).includes(')')
}

test('every alert uses existing metrics, labels and functions, and says what to do', async () => {
  const exposed = await scraped()
  assert.ok(rules.length > 12)
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, expr, labels, annotations, for: during } of rules) {
    assert.match(alert, /^OpenFilings[A-Z]\w+$/)
    check(expr, exposed)
    assert.ok(['critical', 'warning'].includes(labels.severity!), alert)
    assert.deepEqual(Object.keys(annotations), ['summary', 'action'], alert)
    if (during !== undefined) assert.match(during, /^\d+[mhd]$/, alert)
    for (const text of Object.values(annotations)) {
      for (const [, label] of text.matchAll(/\{\{ \$labels\.(\w+) \}\}/g))
        assert.ok(
          expr.includes(label!) || [...exposed.labels].some(([name, own]) => expr.includes(name) && own.has(label!)),
          `${alert} ${label}`,
        )
    }
  }
  // Each thing that can go wrong has an alert.
  const all = rules.map(({ expr }) => expr).join('\n')
  for (const name of [
    'last_success',
    'data_lag',
    'filings_failed',
    'filings_pending',
    'feed_gaps_open',
    'disk_free',
    'edgar_paused_until',
    'webhooks',
    'webhook_deliveries_dead',
  ]) {
    assert.ok(all.includes(`openfilings_${name}`), name)
  }
})

test('every panel of the dashboard uses existing metrics and labels, and no panels overlap', async () => {
  const exposed = await scraped()
  assert.ok(targets.length > 20)
  const variables = dashboard.templating.list.map(({ name }) => `$${name}`)
  for (const { expr, legendFormat } of targets) {
    const used = [...expr.matchAll(/\$\{?(\w+)\}?/g)].map(([, name]) => `$${name}`)
    for (const name of used) assert.ok([...variables, '$__rate_interval'].includes(name), name)
    const plain = expr.replaceAll('$__rate_interval', '5m').replaceAll('"$job"', '"x"')
    check(plain, exposed)
    assert.ok(expr.includes('job="$job"'), expr)
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
      assert.ok(
        [...exposed.labels].some(([name, own]) => plain.includes(name) && own.has(label!)),
        `${expr}: ${label}`,
      )
    }
  }
  const { panels } = dashboard
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const [i, { gridPos: a, title }] of panels.entries()) {
    assert.ok(a.x + a.w <= 24, title)
    for (const { gridPos: b } of panels.slice(i + 1)) {
      const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y
      assert.ok(apart, title)
    }
  }
})

test('the checker of PromQL expressions finds each kind of mistake', async () => {
  const exposed = await scraped()
  for (const [wrong, why] of [
    ['openfilings_nothing > 0', /there is no metric/],
    ['openfilings_webhooks{status="paused"} > 0', /has no label status/],
    ['sum by (colour) (openfilings_webhooks)', /nothing has the label/],
    ['sum(openfilings_webhooks', /brackets/],
    ['rate(openfilings_webhooks[5m])', /rate of/],
    ['rate(openfilings_http_requests_total)', /a range/],
    ['openfilings_webhooks >', /> in/],
    ['average(openfilings_webhooks)', /unknown function/],
    ['openfilings_webhooks § 1', /cannot be read/],
  ] as const) {
    assert.throws(() => check(wrong, exposed), why, wrong)
  }
})

test('there are metrics for webhooks by state, abandoned deliveries, the disk and a pause that EDGAR demands', async () => {
  const { text } = await scraped()
  const shown = (line: string) => Number(new RegExp(`^${line.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
  assert.equal(shown('openfilings_webhooks{state="active"}'), 1)
  assert.equal(shown('openfilings_webhooks{state="paused"}'), 1)
  assert.equal(shown('openfilings_webhooks{state="failing"}'), 1)
  assert.equal(shown('openfilings_webhook_deliveries_dead'), 1)
  assert.equal(shown('openfilings_edgar_paused_until_timestamp_seconds'), 1)
  const [free, size] = [shown('openfilings_disk_free_bytes'), shown('openfilings_disk_size_bytes')]
  assert.ok(free > 0 && free < size, `${free} of ${size}`)
})

test('without a data folder only the metrics of the disk are missing', async (t) => {
  const own = await scratchServer(t, { dataDir: path.join(checkout, 'nothing-here') })
  const { status, text } = await ask(own.base, '/metrics')
  assert.equal(status, 200)
  assert.doesNotMatch(text, /^openfilings_disk_free_bytes \d/m)
  assert.match(text, /^openfilings_webhook_deliveries_dead 0$/m)
})
