import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { collectHomeNeeds } from '../../console/screens/home/needs.ts'

const DATE = '2026-03-20T09:00:00.000Z'

const destination = (name: string, complaints: number) => ({
  destination: name,
  sent: 1000,
  refused: 0,
  bounces: { hard: 0, soft: 0 },
  complaints,
  bounceRate: 0,
  complaintRate: complaints / 1000,
})

suite('what needs a person', () => {
  test('alarms are first, then failures, decisions, approvals and domains', () => {
    const campaign = { type: 'mailCampaign', id: '000001', name: 'Spring', state: 'sending', since: null } as const
    const needs = collectHomeNeeds({
      overview: {
        failed: [{ type: 'import', id: 7, name: 'Shop', date: DATE, detail: 'No address.' }],
        approvals: [
          { id: 'a1', type: 'action', object: '000002', name: 'Autumn', askedBy: 'Bo', date: DATE, comment: null },
        ],
        failingTasks: [],
      },
      destinations: [destination('outlook', 0), destination('gmail', 100)],
      domains: [
        { name: 'news.example.com', verified: false },
        { name: 'old.example.com', verified: true },
      ],
      decisions: [{ campaign: { ...campaign, progress: null }, waiting: 6894 }],
    })
    assert.deepEqual(
      needs.map(({ kind }) => kind),
      ['alarm', 'failure', 'decision', 'approval', 'domain'],
    )
    assert.deepEqual(needs[0], { kind: 'alarm', destination: 'gmail', of: 'complaints', rate: 0.1, limit: 0.003 })
  })

  test('nothing needs a person when all is well', () => {
    const overview = { failed: [], approvals: [], failingTasks: [] }
    assert.deepEqual(collectHomeNeeds({ overview, destinations: [], domains: [], decisions: [] }), [])
  })
})
