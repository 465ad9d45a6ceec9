import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventChannels, eventKindTable, eventTypes } from '../../events/kinds/event-kinds.ts'
import type { EventCriteriaLeaf } from '../criteria/criteria-types.ts'
import { englishCriteriaLanguage } from './english.ts'
import { frenchCriteriaLanguage } from './french.ts'
import { describeCriteria } from './words.ts'

const none = () => undefined
const names = { field: none, label: none, segment: none, action: none, application: none }
const languages = [englishCriteriaLanguage, frenchCriteriaLanguage]
const describe = (leaf: Omit<EventCriteriaLeaf, 'type'>): string[] =>
  languages.map((language) => describeCriteria({ type: 'event', ...leaf }, undefined, { names, language }))

test('names events by a type, by its kind and by a path with the same words', () => {
  for (const [type, kind] of [
    ['activation', 'activations'],
    ['hit', 'hits'],
    ['reply', 'responses'],
    ['interaction', 'interactions'],
  ] as const)
    assert.deepEqual(describe({ event: kind }), describe({ event: type }), kind)
  assert.deepEqual(describe({ event: 'hit', link: 'open' }), describe({ event: 'hits/open' }))
  assert.deepEqual(describe({ event: 'activations' }), [
    'Contacts who had at least 1 message sent.',
    'Les contacts qui ont eu au moins 1 message envoyé.',
  ])
  assert.deepEqual(describe({ event: 'responses/other', channel: 'sms', count: { operator: 'equals', value: 0 } }), [
    'Contacts who had no other replies by SMS.',
    'Les contacts qui n’ont eu aucune autre réponse par SMS.',
  ])
})

test('never shows the name of a kind of events in the interface', () => {
  const events = [...eventTypes, ...eventKindTable.map(({ kind }) => kind), 'hits', 'responses', 'interactions']
  for (const event of events) {
    const sentences = describe({ event })
    for (const sentence of sentences) assert.doesNotMatch(sentence, /\/|executions?|activation|cancellations?\b/, event)
    assert.notEqual(sentences[0], sentences[1], event)
  }
})

test('says channels in words', () => {
  const sentences = eventChannels.map((channel) => describe({ event: 'activations', channel })[0])
  assert.deepEqual(
    sentences.map((sentence) => sentence?.replace('Contacts who had at least 1 message sent ', '')),
    ['by email.', 'by SMS.', 'by RCS.', 'by push.', 'in display.'],
  )
})
