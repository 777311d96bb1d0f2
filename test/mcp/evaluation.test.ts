/** The evaluation: realistic questions, each answered by a scripted plan of tool calls. No model is needed. */
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { corpus } from '../support/corpus.ts'
import { connectAgent } from '../support/mcp/client.ts'
import { ask, QUESTIONS } from '../support/mcp/questions.ts'
import { serveSample } from '../support/served.ts'
import { openWorld, temporaryFolder, writeIndex } from '../support/world.ts'

/** If a question needs more calls, a model gives up or becomes too expensive. */
const CALLS_MAX = 4

const served = await serveSample({ after })
const agent = await connectAgent({ after }, served.origin, served.keys.mcp)
const on = Map.groupBy(QUESTIONS, (question) => question.on)

test('at least forty questions are about the sample, each plan has at most four calls, and at least nine tools are used', () => {
  assert.ok(on.get('sample')!.length >= 40, `${on.get('sample')!.length} questions over the sample`)
  assert.ok(on.get('corpus')!.length >= 5, `${on.get('corpus')!.length} questions over the corpus`)
  for (const { question, plan } of QUESTIONS) assert.ok(plan.length > 0 && plan.length <= CALLS_MAX, question)
  const used = new Set(QUESTIONS.flatMap(({ plan }) => plan.map(([tool]) => tool)))
  assert.ok(used.size >= 9, [...used].join())
})

describe('the plan of each question about the sample returns the answer', () => {
  for (const each of on.get('sample')!) {
    it(each.question, async () => {
      await ask(each, agent)
    })
  }
})

/** The filings of the corpus that its questions are about, as an index lists them. */
const FILED = {
  '2004/QTR1': '723533|EXPERTELLIGENCE INC|8-K|2004-01-08|edgar/data/723533/0000723533-04-000001.txt',
  '2014/QTR2': '1528985|Inland Real Estate Income Trust, Inc.|4|2014-04-25|edgar/data/1528985/0001528985-14-000001.txt',
  '2018/QTR3': '1745524|Upshot Real Estate Fund II, LP|D|2018-07-05|edgar/data/1745524/0001745524-18-000001.txt',
  '2021/QTR1': '1619124|ACTIAM N.V.|13F-HR|2021-02-12|edgar/data/1619124/0001619124-21-000002.txt',
  '2023/QTR4': '1854583|Collective Audience, Inc.|SCHEDULE 13G|2023-12-28|edgar/data/1854583/0002006228-23-000001.txt',
}

/** A host with these filings, over the database of the service. */
async function filedWorld() {
  const root = await temporaryFolder({ after })
  for (const [quarter, line] of Object.entries(FILED)) {
    await writeIndex(root, quarter, [line])
    const file = path.join('Archives', line.split('|').at(-1)!)
    await cp(path.join(corpus.folder, 'sec', file), path.join(root, file))
  }
  const { sql, target } = served
  return openWorld({ after }, { root, database: { sql, target } })
}
const world = corpus.skip ? null : await filedWorld()

// These questions come last: the filings of the corpus would change answers about the sample.
describe('the plan of each question about real filings of the corpus returns the answer', { skip: corpus.skip }, () => {
  before(async () => {
    await world!.crawl()
    const { failed } = await world!.drain()
    assert.equal(failed, 0)
    await served.known()
  })
  for (const each of on.get('corpus')!) {
    it(each.question, async () => {
      await ask(each, agent)
    })
  }
})
