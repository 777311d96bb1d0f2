import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAgo, momentAgo } from './ago.ts'

const now = new Date('2026-11-22T12:00:00Z')

test('days and moments are written as a person would say them', () => {
  const days = [
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
    '2026-10-01',
    '2026-09-23',
    '2026-09-22',
    '2026-09-01',
    '2025-06-24',
    '2019-06-30',
  ]
  assert.deepEqual(
    days.map((day) => daysAgo(day, now)),
    [
      'today',
      'today',
      'yesterday',
      '52 days ago',
      '60 days ago',
      '2 months ago',
      '2 months ago',
      '16 months ago',
      '7 years ago',
    ],
  )
  const moments = ['11:59:40', '11:58:00', '09:30:00'].map((time) => `2026-11-22T${time}.000+00:00`)
  assert.deepEqual(
    [...moments, '2026-11-20T13:00:00.000+00:00', '2026-11-19T12:00:00.000+00:00'].map((at) => momentAgo(at, now)),
    ['just now', '2 min ago', '2 h ago', '47 h ago', '3 days ago'],
  )
})
