import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { measureCpu } from '#test/support/processes/processor-time.ts'
import { findBounceSubject, isHardBounceCode } from './bounce-subjects.ts'
import { classifyBounce } from './classify-mail-bounce.ts'

const WORDINGS = join(import.meta.dirname, '../../../test/fixtures/bounce-formats/wordings.txt')

/** The wordings of a meaning, from the fixture. */
function wordings(meaning: string): string[] {
  const [, lines] = readFileSync(WORDINGS, 'utf8').split(`\n=== ${meaning}\n`)
  const end = lines?.indexOf('\n===') ?? -1
  const found = (lines ?? '').slice(0, end < 0 ? undefined : end).split('\n')
  return found.filter((line) => line !== '')
}

/** What a wording may stand in: nothing here says more than that it is for good. */
const vague: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => `550 ${text}`,
  (text) => `550-${text}.`,
  (text) => `550 5.0.0 ${text}`,
  (text) => `554 5.5.0 ${text}`,
  (text) => `smtp; 550 #5.0.0 ${text}`,
  (text) => `host mx.mailbox.example[192.0.2.1] said: 550 ${text} (in reply to RCPT TO command)`,
  (text) => `SMTP error from remote mail server after RCPT TO:<ann@mailbox.example>: 554 ${text}`,
  (text) => `550 <ann@mailbox.example>: ${text}`,
  (text) => `(reason: 553 ${text})`,
]
const with511 = (text: string): string => `550 5.1.1 ${text}`
const with521 = (text: string): string => `550 5.2.1 ${text}`
const with571 = (text: string): string => `554 5.7.1 ${text}`
const transient = [(text: string): string => `450 ${text}`, (text: string): string => `450 4.2.0 ${text}`]

/** What each meaning is in each of its contexts. */
const meanings: [meaning: string, verdict: 'hard' | 'soft', contexts: ((text: string) => string)[]][] = [
  ['unknown mailbox', 'hard', [...vague, with511]],
  ['closed mailbox', 'hard', [...vague, with511, with521]],
  ['unknown domain', 'hard', [...vague, with511]],
  ['mailbox full', 'soft', [...vague, with511, with521, with571]],
  ['refused for another reason', 'soft', [...vague, with571]],
]

suite('bounce wordings in any context', () => {
  for (const [meaning, verdict, contexts] of meanings) {
    const texts = wordings(meaning)
    test(`at least 30 wordings exist for: ${meaning}`, () => assert.ok(texts.length >= 30))
    for (const text of texts) {
      test(`${meaning} has the same verdict in every context: ${text}`, () => {
        const found = contexts.map((context) => context(text)).map((said) => ({ said, ...judgement(said) }))
        assert.deepEqual(
          found.filter((one) => one.verdict !== verdict),
          [],
        )
        const later = transient.map((context) => judgement(context(text)).verdict)
        assert.deepEqual(later, ['soft', 'soft'])
      })
    }
  }
})

suite('words of the registry of enhanced codes', () => {
  const codes = [1, 2, 3, 4, 6, 7].flatMap((x) => Array.from({ length: 31 }, (_, n) => `${x}.${n}` as const))
  for (const code of codes) {
    const words = findBounceSubject(code).detail?.type
    if (
      words === undefined ||
      (!code.endsWith('.0') && words === findBounceSubject(`${Number.parseInt(code, 10)}.0`).detail?.type)
    )
      continue
    test(`words of ${code} get the verdict of their code: ${words}`, () => {
      const said = [
        words,
        `550 5.0.0 ${words}`,
        `554 5.5.0 <ann@mailbox.example>: Recipient address rejected: ${words}`,
      ]
      const verdict = isHardBounceCode(code) ? 'hard' : 'soft'
      assert.deepEqual(
        said.map((text) => judgement(text).verdict),
        said.map(() => verdict),
      )
    })
  }
})

suite('bounce texts crafted to be slow', () => {
  const words = [
    ...['unknown mailbox', 'closed mailbox', 'unknown domain', 'mailbox full', 'refused for another reason'].flatMap(
      wordings,
    ),
    'user ',
    'user account mailbox ',
    'not ',
    'is not ',
    'a',
    ' ',
    '\n',
    '550-5.1.1 ',
    '550 ',
    '5.1.1 ',
    '<a',
    'a@',
    '.',
    'a.',
    '<<< ',
    '>>> ',
  ]
  test('are classified in little time, whatever they repeat', () => {
    const cpuMs = (text: string): number => measureCpu(() => classifyBounce({ stage: null, reply: null, text })).ms
    const texts = words.map((word) => word.repeat(Math.ceil(8000 / word.length)))
    // Garbage collection may take a while too, but not three times.
    const slow = texts.filter((text) => [1, 2, 3].every(() => cpuMs(text) > 250))
    assert.deepEqual(
      slow.map((text) => text.slice(0, 80)),
      [],
    )
  })
})

function judgement(text: string): { verdict: string; rule: string } {
  const { verdict, rule } = classifyBounce({ stage: null, reply: null, text })
  return { verdict, rule }
}
