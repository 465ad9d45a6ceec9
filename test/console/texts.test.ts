import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parseSync } from '@swc/core'

type Strings = Record<string, string | { one: string; other: string }>

const read = async (file: string): Promise<Strings> => (await import(pathToFileURL(resolve(file)).href)).default

/** Places of values in a text, in the order of their names. */
const placesOf = (text: Strings[string] | undefined): string[] =>
  typeof text === 'object' ? placesOf(text.other) : [...new Set((text ?? '').match(/\{\w+\}/g) ?? [])].sort()

// biome-ignore lint/suspicious/noExplicitAny: any node of a syntax tree.
type Node = any

/** Attributes that people read. */
const READ_ALOUD = new Set([
  'title',
  'label',
  'placeholder',
  'alt',
  'aria-label',
  'description',
  'header',
  'definition',
])
/** What is the same in every language. */
const NAMES = new Set(['Stentor', 'Esc', 'HTML', 'ms', 'news.example.com', 'smtp.example.com'])

/** Words in a component that are not from a file of texts. */
function wordsIn(file: string): string[] {
  const found: string[] = []
  const note = (text: string): void => {
    if (/\p{L}{2}/u.test(text) && !NAMES.has(text.trim())) found.push(`${file}: ${text.trim()}`)
  }
  const visit = (node: Node): void => {
    if (node === null || typeof node !== 'object') return
    if (node.type === 'JSXText') note(node.value)
    if (node.type === 'JSXAttribute' && READ_ALOUD.has(node.name.value) && node.value?.type === 'StringLiteral')
      note(node.value.value)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', tsx: true, target: 'esnext' }))
  return found
}

suite('console texts', () => {
  test('every text exists in both languages with the same kind and placeholders', async () => {
    const files = globSync('console/**/en.ts')
    assert.ok(files.length > 3)
    for (const file of files) {
      const [en, fr] = await Promise.all([read(file), read(file.replace(/en\.ts$/, 'fr.ts'))])
      assert.deepEqual(Object.keys(fr).sort(), Object.keys(en).sort(), file)
      for (const [key, text] of Object.entries(en)) {
        assert.equal(typeof fr[key], typeof text, `${file}: ${key}`)
        assert.deepEqual(placesOf(fr[key]), placesOf(text), `${file}: ${key}`)
      }
    }
  })

  test('every text is used somewhere', () => {
    const sources = globSync('console/**/*.{ts,tsx}').filter((file) => !/[\\/](en|fr)\.ts$/.test(file))
    const written = sources.map((file) => readFileSync(file, 'utf8'))
    // Values of the interface, by which some texts are looked up.
    const values = readFileSync('clients/typescript/src/generated/types.gen.ts', 'utf8').match(/(?<=')\w+(?=')/g) ?? []
    const words = new Set([...values, ...written.flatMap((text) => text.match(/\w+/g) ?? [])])
    // Keys that are put together: `${state}Why`.
    const made = written
      .flatMap((text) => [...text.matchAll(/`(\w*)\$\{[^`{}]+\}(\w*)`/g)])
      .filter(([, start, end]) => start || end)
      .map(([, start, end]) => new RegExp(`^${start}\\w+${end}$`))
    for (const file of globSync('console/**/en.ts')) {
      const keys = [...readFileSync(file, 'utf8').matchAll(/^ {2}(\w+):/gm)].map(([, key]) => key!)
      assert.deepEqual(
        keys.filter((key) => !words.has(key) && !made.some((pattern) => pattern.test(key))),
        [],
        file,
      )
    }
  })

  test('no component contains literal text', () => {
    assert.deepEqual(globSync('console/**/*.tsx').flatMap(wordsIn), [])
  })
})
