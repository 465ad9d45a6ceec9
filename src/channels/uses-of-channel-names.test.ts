import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Where names of channels may stand beside their own folders, with the reason. */
const allowed: Record<string, string> = {
  'src/channels/channel-traits.ts': 'the registry',
  'src/channels/action-families.ts': 'the families of actions',
  'src/channels/load-channel.ts': 'the registry',
  'src/lib/sources.ts': 'kinds of what is sent, which every layer names',
  'src/features/events/kinds/event-kinds.ts': 'the table of kinds of the interface: which channel has which events',
  'src/features/events/kinds/listened-types.ts': 'the types of events of the interface',
  'src/features/events/history/scopes.ts': 'the table of the history operations of the interface',
  'src/features/events/history/timeline.ts': 'where the names of what events tell are stored',
  'src/features/events/history/subjects.ts': 'how the subjects of history operations are resolved',
  'src/features/events/history/criterion.ts': 'criteria over events of the interface',
  'src/features/events/counts/summary-counts.ts': 'the channels of the summaries of the interface',
  'src/features/actions/goals/goal-references.ts': 'what goals name, in words of the interface',
  'src/features/campaign-groups/items.ts': 'the types of items of the interface',
  'src/features/display/display-hits.ts': 'notifications name no contact in their activations',
  'src/features/inbound/unmatched-reports.ts': 'the addresses at which reports arrive',
  'src/features/mcp/prompts.ts': 'what prompts name, in words of the interface',
  'src/features/mcp/tools/acts.ts': 'what tools name, in words of the interface',
  'src/features/mcp/tools/delete-object.ts': 'what tools name, in words of the interface',
  'src/features/mcp/tools/message-checks.ts': 'what tools name, in words of the interface',
  'src/features/mcp/tools/suppressions.ts': 'what tools name, in words of the interface',
  'src/features/mcp/tools/kinds.ts': 'what tools name, in words of the interface',
  'src/features/mcp/tools/proofs.ts': 'what tools name, in words of the interface',
  'src/features/segments/search/objects.ts': 'the types of what is found, in words of the interface',
  'src/features/segments/search-words/names.ts': 'what criteria name, in words of the interface',
  'src/features/pipelines/definition/sources.ts': 'what sources name, in words of the interface',
  'src/features/pipelines/sql/event-rows.ts': 'which events of the interface have numbers for ids',
  'src/features/pipelines/uses.ts': 'what definitions name, in words of the interface',
  'src/scripting/schemas/shape.ts': 'what definitions may name, in words of the interface',
  'src/features/workflows/definition/reference-flaws.ts': 'what definitions name, in words of the interface',
  'src/features/workflows/nodes/send-nodes.ts': 'the types of nodes of the interface',
}

/** Where such a word names the address of a person, or a heading or type of a column. */
const OTHER_WORDS =
  /^src\/features\/(people\/|audit\/identity-fields|imports\/(preview\/(column-guess|preview|vendors)|definitions\/statuses)\.ts)/

/** A field type, or a format of JSON Schema, is called as a channel is. */
const OTHER_MEANING = /(type|format)(: | === )'email'|service === 'email'/

test('channel names appear only in channel folders, the registry, gateways and interface schemas', () => {
  const files = globSync('src/**/*.ts').filter(
    (file) =>
      !/\.test\.ts$|-schemas\.ts$|database\/tables\.ts$/.test(file) &&
      !/^src\/(gateways|channels\/[a-z]+)\//.test(file) &&
      !OTHER_WORDS.test(file) &&
      !Object.hasOwn(allowed, file),
  )
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /'(email|sms|rcs|notification)'/.test(line) && !OTHER_MEANING.test(line)
          ? [`${file}:${index + 1}: ${line}`]
          : [],
      ),
  )
  assert.ok(files.length > 300)
  assert.deepEqual(found, [])
})

test('every file allowed to name a channel does so', () => {
  for (const file of Object.keys(allowed))
    assert.match(readFileSync(file, 'utf8'), /\b(email|sms|rcs|notification)\b/, file)
})
