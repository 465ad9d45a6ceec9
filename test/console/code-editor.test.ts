import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CompletionContext } from '@codemirror/autocomplete'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState, Text } from '@codemirror/state'
import { type CodeCompletions, scriptCompletionSource } from '../../console/components/code/completions.ts'
import { locateJsonPointer } from '../../console/components/code/json-places.ts'
import { type CodeLanguage, codeLanguageExtension } from '../../console/components/code/languages.ts'
import { joinCodeLines, toDocumentRange } from '../../console/components/code/places.ts'

const doc = Text.of(['export default (i => {', '  wörd.x', ''])

interface Asked {
  language: CodeLanguage
  text: string
  read: () => CodeCompletions
}

/** An editor whose text is parsed to its end, which a busy machine does not do in the 20 ms that a new one takes for it. */
function parsed(language: CodeLanguage, text: string, read: () => CodeCompletions): EditorState {
  const state = EditorState.create({ doc: text, extensions: [codeLanguageExtension(language, read)] })
  assert.ok(ensureSyntaxTree(state, text.length, 10_000))
  return state.update({}).state
}

/** What is offered at the end of a text. */
async function offered({ language, text, read }: Asked): Promise<string[]> {
  const state = parsed(language, text, read)
  const context = new CompletionContext(state, text.length, true)
  const sources = state.languageDataAt<(asked: CompletionContext) => unknown>('autocomplete', text.length)
  const found = await Promise.all(sources.filter((one) => typeof one === 'function').map((source) => source(context)))
  return found
    .flatMap((result) => (result as { options: { label: string }[] } | null)?.options ?? [])
    .map(({ label }) => label)
}

suite('positions of code errors', () => {
  test('a position without a length covers the word there', () => {
    assert.deepEqual(toDocumentRange(doc, { line: 2, column: 3 }), { from: 25, to: 29 })
  })
  test('a length is used as given, up to the end of the text', () => {
    assert.deepEqual(toDocumentRange(doc, { line: 1, column: 1, length: 6 }), { from: 0, to: 6 })
    assert.deepEqual(toDocumentRange(doc, { line: 2, column: 8, length: 99 }), { from: 30, to: 32 })
  })
  test('a position past a line covers its last character, and one past the text is at its end', () => {
    assert.deepEqual(toDocumentRange(doc, { line: 1, column: 90 }), { from: 21, to: 22 })
    assert.deepEqual(toDocumentRange(doc, { line: 3, column: 1 }), { from: 32, to: 32 })
    assert.deepEqual(toDocumentRange(doc, { line: 9, column: 1 }), { from: 32, to: 32 })
  })
})

suite('code completion', () => {
  const words = { words: [{ label: 'targets.get', detail: '(who)' }, { label: 'log' }] }
  test('scripts complete names by what is before their dot, and never within a string or comment', async () => {
    const source = scriptCompletionSource(() => words.words)
    const at = async (text: string) =>
      await source(
        new CompletionContext(
          parsed('javascript', text, () => words),
          text.length,
          false,
        ),
      )
    assert.deepEqual((await at('await targets.g'))?.from, 6)
    assert.deepEqual(await at('const a = "targets.g'), null)
    assert.deepEqual(await at('// targets.g'), null)
  })
  test('templates complete variables, their members, filters and tags in HTML and Liquid', async () => {
    const read = () => ({
      variables: [{ label: 'contact' }],
      properties: (path: readonly string[]) => (path[0] === 'contact' ? [{ label: 'Firstname' }] : []),
    })
    for (const language of ['html', 'liquid'] as const) {
      assert.ok((await offered({ language, text: 'Hello {{ con', read })).includes('contact'), language)
      assert.deepEqual(await offered({ language, text: 'Hello {{ contact.F', read }), ['Firstname'])
      const filters = await offered({ language, text: 'Hello {{ contact.Firstname | ', read })
      for (const filter of ['money', 'upcase', 'date']) assert.equal(filters.filter((one) => one === filter).length, 1)
      assert.ok((await offered({ language, text: '{% ', read })).includes('cancel'))
    }
  })
  test('completions loaded later are offered without recreating the editor', async () => {
    let variables = [{ label: 'data' }]
    const read = () => ({ variables })
    assert.ok((await offered({ language: 'liquid', text: '{{ d', read })).includes('data'))
    variables = [{ label: 'order' }]
    assert.ok((await offered({ language: 'liquid', text: '{{ o', read })).includes('order'))
  })
})

test('line breaks are removed from the value of a single-line field', () => {
  assert.equal(
    joinCodeLines('Hello {{ contact.Firstname }},\n  how are you?'),
    'Hello {{ contact.Firstname }}, how are you?',
  )
})

suite('positions of values in JSON', () => {
  const text = '{\n  "a": [1, {"b/c": "]"}],\n  "d": {"~": null}, "a,b": true\n}'
  for (const [pointer, line, column, length] of [
    ['', 1, 1, 1],
    ['/a', 2, 8, 1],
    ['/a/0', 2, 9, 1],
    ['/a/1/b~1c', 2, 20, 3],
    ['/a/1/gone', 2, 12, 1],
    ['/d/~0', 3, 14, 4],
    ['/a,b', 3, 28, 4],
    ['/gone', 1, 1, 1],
  ] as const)
    test(`the position of ${pointer || 'the whole'} is found`, () =>
      assert.deepEqual(locateJsonPointer(text, pointer), { line, column, length }))
})
