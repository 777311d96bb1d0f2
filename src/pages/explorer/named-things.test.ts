import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { accession, crd, cusip, text } from '../../declare/table.ts'
import { kindsIn, type Typed, thingsIn } from './named-things.ts'

const advisersIn = (answers: readonly Typed[]) => thingsIn(answers).crd

const row = z.object({ crd: crd('Adviser').nullable(), name: text('Name') })

test('CRD numbers are found wherever an answer has them, each once', () => {
  const type = z.object({
    rows: z.array(row),
    by_kind: z.record(z.string(), row),
    crds: z.array(crd('Advisers')),
    either: z.union([z.object({ n: z.int() }), z.object({ name: text('Name') })]),
  })
  const answer = {
    rows: [
      { crd: '1', name: '7' },
      { crd: null, name: '8' },
    ],
    ...{ by_kind: { a: { crd: '2', name: '9' } }, crds: ['3', '1'], either: { name: '4' } },
  }
  assert.deepEqual(advisersIn([{ answer, type }]), ['1', '2', '3'])
  assert.deepEqual(advisersIn([{ answer: null, type }]), [])
  assert.deepEqual(advisersIn([{ answer: { crd: '5' }, type: null }]), [])
})

test('the key of an entry of the log names an adviser if it is a record of a feed of firms', () => {
  const type = z.array(z.object({ key: text('Key').nullable(), source: text('Source') }))
  const answer = ['IA_FIRM_SEC/361', 'IA_FIRM_STATE/362', 'IA_INDVL/363', '0000320193-24-000123', null].map((key) => ({
    ...{ key, source: 'adv' },
  }))
  assert.deepEqual(advisersIn([{ answer, type }]), ['361', '362'])
})

test('a type that contains itself may name advisers if one of its parts does', () => {
  const tree = (part: z.ZodType): z.ZodType => {
    const node: z.ZodType = z.object({ children: z.array(z.lazy(() => node)), part })
    return node
  }
  assert.deepEqual([...kindsIn(tree(text('Name')))], [])
  assert.deepEqual([...kindsIn(tree(z.union([z.int(), z.record(z.string(), row)])))], ['crd'])
})

test('filings and securities are found too, but not the filing that a row comes from', () => {
  const type = z.object({
    accession: accession('Filing'),
    previous_accession: accession('Filing that it amends'),
    cusip: cusip('CUSIP'),
  })
  const answer = { accession: '0000000001-24-000001', previous_accession: '0000000001-24-000002', cusip: '037833100' }
  assert.deepEqual(thingsIn([{ answer, type }]), { crd: [], accession: ['0000000001-24-000002'], cusip: ['037833100'] })
  assert.deepEqual([...kindsIn(type)], ['accession', 'cusip'])
  assert.deepEqual([...kindsIn(z.object({ accession: accession('Filing') }))], [])
})
