import contract from '../operations.json' with { type: 'json' }
import type { Document, Operation, Parameter, Response } from './document.ts'
import { operationsOf } from './document.ts'
import { addErrors } from './errors.ts'
import { addExamples } from './examples.ts'
import { addMedia } from './media.ts'
import { operationId } from './operation-ids.ts'
import { simplified } from './schema-walk.ts'
import { shareParameters, shareResponses } from './shared-parts.ts'
import { shareSchemas } from './shared-schemas.ts'
import { addWords } from './words.ts'

/** Operations that the list of the interface calls deprecated; names of parameters differ. */
const deprecated = new Set(
  contract.filter((operation) => 'deprecated' in operation).map(({ method, path }) => `${method} ${path}`),
)

/** Whether an operation answers an array. */
function answersList({ responses }: Operation): boolean {
  const schema = (responses[200] as Response | undefined)?.content?.['application/json']?.schema
  return schema?.type === 'array'
}

function simplify({ parameters, requestBody, responses }: Operation): void {
  const answers = Object.values(responses).map((response) => ('content' in response ? response.content : undefined))
  for (const parameter of (parameters ?? []) as Parameter[]) {
    parameter.schema = simplified(parameter.schema)
    if (parameter.required === false) delete parameter.required
  }
  for (const content of [requestBody?.content, ...answers])
    for (const media of Object.values(content ?? {})) if (media.schema) media.schema = simplified(media.schema)
}

/** The description of the interface, of what the schemas of its routes say. Changes nothing of `collected`. */
export function describe(collected: object): Document {
  const document = structuredClone(collected) as Document
  for (const { method, path, operation } of operationsOf(document)) {
    operation.operationId = operationId(method, path, answersList(operation))
    if (deprecated.has(`${method.toUpperCase()} ${path}`)) operation.deprecated = true
    simplify(operation)
  }
  addMedia(document)
  for (const [name, schema] of Object.entries(document.components.schemas))
    document.components.schemas[name] = simplified(schema)
  addWords(document)
  shareSchemas(document)
  shareParameters(document)
  shareResponses(document)
  addErrors(document)
  addExamples(document)
  for (const { operation } of operationsOf(document)) delete operation['x-route']
  return document
}

/** The text of a description, with a line for each operation and each component. */
export function printed(document: Document): string {
  const lines = (value: object, depth: number): string =>
    depth === 0
      ? JSON.stringify(value)
      : `{\n${Object.entries(value)
          .map(([name, member]) => `${JSON.stringify(name)}: ${lineOf(member, depth - 1)}`)
          .join(',\n')}\n}`
  const lineOf = (value: unknown, depth: number): string =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? lines(value, depth) : JSON.stringify(value)
  const parts = Object.entries(document).map(([name, value]) => {
    const depth = name === 'paths' || name === 'components' ? 2 : 0
    return `${JSON.stringify(name)}: ${lineOf(value, depth)}`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}
