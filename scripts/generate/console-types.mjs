// The types of the console's client, made from the document of the interface on standard input; written to standard output.
// Answers that are problems have one shape, which console/api/refusal.ts knows: they are left out, as are descriptions.

import process from 'node:process'
import { text } from 'node:stream/consumers'
import openapiTS, { astToString } from 'openapi-typescript'

const document = JSON.parse(await text(process.stdin))

function bare(node) {
  if (Array.isArray(node)) return node.map(bare)
  if (node === null || typeof node !== 'object') return node
  const kept = Object.entries(node).filter(
    ([key, value]) => !(['description', 'summary', 'examples'].includes(key) && typeof value === 'string'),
  )
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value)]))
}

for (const item of Object.values(document.paths))
  for (const operation of Object.values(item))
    if (operation.responses)
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status)),
      )

/** The console reads JSON: of an answer in several media types that one alone. */
for (const item of Object.values(document.paths))
  for (const operation of Object.values(item))
    for (const { content } of Object.values(operation.responses ?? {}))
      if (content?.['application/json'])
        for (const type of Object.keys(content)) if (type !== 'application/json') delete content[type]

/** Members that say nothing, which are most of the text. */
const EMPTY = /^ *(?:get|put|post|delete|options|head|patch|trace|query|header|path|cookie|requestBody)\?: never;\n/gm
const HEADERS = /^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm
const NO_PARAMETERS = /^ *parameters: \{\n *\};\n/gm

const types = astToString(await openapiTS(bare(document)))
  .replace(EMPTY, '')
  .replace(HEADERS, '')
  .replace(NO_PARAMETERS, '')
  .replace(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 4))
process.stdout.write(`// Made from openapi.json by npm run openapi.\n\n${types}`)
