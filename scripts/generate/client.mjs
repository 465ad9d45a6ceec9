// The generated part of the client library, made from the document of the interface on standard input into the folder that is named.

import process from 'node:process'
import { text } from 'node:stream/consumers'
import { createClient } from '@hey-api/openapi-ts'

const [path] = process.argv.slice(2)
const document = JSON.parse(await text(process.stdin))

/** The generator leaves null out of the values of an enum that names no types. */
function nameTypesOfNullableEnums(node) {
  if (node === null || typeof node !== 'object') return
  if (Array.isArray(node.enum) && node.enum.includes(null) && node.type === undefined)
    node.type = [...new Set(node.enum.map((value) => (value === null ? 'null' : typeof value)))]
  for (const child of Object.values(node)) nameTypesOfNullableEnums(child)
}
nameTypesOfNullableEnums(document)

/** Ids in paths may be passed on as text: programs read them from addresses, and the service takes both. */
function acceptTextIds({ paths, components }) {
  const parameters = [
    ...Object.values(components.parameters),
    ...Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.parameters ?? [])),
  ]
  for (const parameter of parameters)
    if (parameter.in === 'path' && parameter.schema.type === 'integer')
      parameter.schema = { anyOf: [parameter.schema, { type: 'string' }] }
}
acceptTextIds(document)

await createClient({
  input: document,
  // The stream of events is written by hand: it goes on where a lost connection was.
  parser: { filters: { operations: { exclude: ['GET /events/stream'] } } },
  output: { path, importFileExtension: '.ts', tsConfigPath: null, entryFile: false },
  plugins: [
    { name: '@hey-api/client-fetch', throwOnError: true },
    '@hey-api/typescript',
    {
      name: '@hey-api/sdk',
      auth: false,
      responseStyle: 'data',
      operations: { strategy: 'single', containerName: 'Operations', methods: 'instance' },
    },
  ],
  logs: { level: 'error', file: false },
})
