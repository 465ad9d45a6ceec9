import './examples/seeded-random.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import type { OpenApiDocument } from '../src/http/openapi/document.ts'
import { listOpenApiOperations } from '../src/http/openapi/document.ts'
import { openStoryCalendar, waitForQuarter } from './examples/calendar.ts'
import { buildExamples } from './examples/recorder.ts'
import { startExampleService } from './examples/service.ts'
import { createStableValues } from './examples/stable-values.ts'
import { openStory } from './examples/story.ts'
import { openShop, tellStory } from './examples/tell-story.ts'

/**
 * Writes an example for each operation of openapi.json: starts the service in this process, lives through the story of a small shop in
 * it, and writes what each operation was sent and answered. A second run gives the same file, unless a quarter of an hour begins during
 * one of them, which is a fault.
 */
const FILE = 'openapi-examples.json'

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument
const service = await startExampleService()
try {
  await waitForQuarter()
  const calendar = openStoryCalendar()
  const values = createStableValues(calendar)
  const story = openStory(service, document, { calendar, values, key: await openShop(service) })
  await tellStory(story)
  if (calendar.hasPassedQuarter()) throw new Error('a quarter of an hour began during the story: run it again')
  const { examples, faults } = buildExamples(document, story.calls, { values, calendar })
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  const lines = Object.entries(examples)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, example]) => `${JSON.stringify(id)}: ${JSON.stringify(example)}`)
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`)
  const operations = listOpenApiOperations(document).map(({ operation }) => operation.operationId!)
  process.stdout.write(`${lines.length} of ${operations.length} operations have an example; none have:\n`)
  process.stdout.write(`${operations.filter((id) => !(id in examples)).join(' ')}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  await service.stop()
}
