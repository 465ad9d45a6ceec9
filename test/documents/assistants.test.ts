import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { shownPrompts } from '../../src/features/mcp/prompts.ts'
import { resourceTemplates } from '../../src/features/mcp/resources.ts'
import { mcpTools } from '../../src/features/mcp/tools.ts'

const page = readFileSync('docs/reference/assistants.md', 'utf8')

/** The first cells of the rows of all tables that hold the name of something. */
const rows = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name = '']) => name)

suite('docs/reference/assistants.md', () => {
  test('has a row for every tool, prompt and kind of resource, and for nothing else', () => {
    const listed = ['stentor://segments', 'stentor://campaigns']
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate)
    const names = [
      ...mcpTools.map(({ name }) => name),
      ...shownPrompts.map(({ name }) => name),
      ...listed,
      ...templates,
    ]
    assert.deepEqual([...rows].sort(), names.sort())
  })
})

suite('tools for assistants', () => {
  test('are described in at most two short sentences', () => {
    for (const { name, description } of mcpTools) {
      assert.match(description, /^[A-Z].*\.$/, name)
      assert.ok(description.length <= 180, `${name}: ${description.length} characters`)
      assert.ok((description.match(/\.(?= |$)/g) ?? []).length <= 2, name)
    }
  })

  test('name the same thing with the same parameter', () => {
    const synonyms = new Set([
      'message',
      'segment',
      'workflow',
      'text',
      'startDate',
      'endDate',
      'size',
      'max',
      'search',
    ])
    for (const { name, input } of mcpTools) {
      const members = Object.keys(input.properties)
      assert.deepEqual(
        members.filter((member) => synonyms.has(member)),
        [],
        name,
      )
      // What several kinds of objects have is chosen by `kind`, and the object by `id`.
      if (members.includes('kind') && name !== 'list_messages') assert.ok(members.includes('id'), name)
    }
  })

  test('that send or delete take a confirmation, and those that only read take none', () => {
    for (const { name, effect, input } of mcpTools)
      assert.equal('confirmation' in input.properties, effect === 'acts', name)
  })
})
