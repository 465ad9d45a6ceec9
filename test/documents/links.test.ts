import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { listAnchors } from '../support/guides/anchors.ts'

const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?/g

test('links in the documentation lead to committed files and to headings of them', (context) => {
  let listed: string
  try {
    listed = execFileSync('git', ['ls-files', '-z', '--cached'], { encoding: 'utf8' })
  } catch {
    return context.skip('this is no checkout of git')
  }
  const files = listed.split('\0')
  const documents = files.filter((file) => file.endsWith('.md'))
  assert.ok(documents.length > 100)
  const isKnown = (path: string): boolean => files.some((file) => file === path || file.startsWith(`${path}/`))
  const broken = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(LINK)]
      .map(([, link = '']) => normalize(join(dirname(document), link)).replace(/\/$/, ''))
      .filter((path) => path !== '.' && !isKnown(path))
      .map((path) => `${document}: ${path}`),
  )
  assert.deepEqual(broken, [])
  const missing = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(LINK)].flatMap(([, link = '', anchor]) => {
      const page = link ? join(dirname(document), link) : document
      if (!anchor || !page.endsWith('.md') || listAnchors(page).includes(anchor)) return []
      return [`${document}: ${link}#${anchor}`]
    }),
  )
  assert.deepEqual(missing, [])
})

test('every page is in the index of the documents under its own title', () => {
  const index = readFileSync('docs/README.md', 'utf8')
  const pages = globSync('docs/{tutorials,how-to,reference,operations,explanation}/*.md')
  assert.ok(pages.length > 60)
  const entries = pages.map((page) => {
    const [, title] = /^# (.+)\n/.exec(readFileSync(page, 'utf8')) ?? []
    return `[${title}](${page.slice('docs/'.length).replaceAll('\\', '/')})`
  })
  assert.deepEqual(
    entries.filter((entry) => !index.includes(entry)),
    [],
  )
})
