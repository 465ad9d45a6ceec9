import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { type Document, type JsonObject, operationsOf, type Response } from './document.ts'
import { members } from './member-words.ts'
import { eachChild } from './schema-walk.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as Document

type Named = readonly [name: string, schema: JsonObject]

/** The schemas of a body; what problems are is said once, by their component. */
const schemasOf = (name: string, { content = {} }: Pick<Response, 'content'>): Named[] =>
  Object.entries(content).flatMap(([type, { schema }]) =>
    schema && type !== 'application/problem+json' ? [[name, schema]] : [],
  )

const bodies = operationsOf(document).flatMap(({ method, path, operation }) =>
  [operation.requestBody ?? {}, ...(Object.values(operation.responses) as Response[])].flatMap((body) =>
    schemasOf(`${method.toUpperCase()} ${path}`, body),
  ),
)
const shared = Object.entries(document.components.responses ?? {}).flatMap(([name, body]) => schemasOf(name, body))

/** Whether a schema, or the component that it refers to, is described. */
function isSaid({ description, $ref }: JsonObject): boolean {
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : ''
  return (description ?? document.components.schemas[name]?.description) !== undefined
}

/** Members without words within a schema, by the way to them. */
function silent(schema: JsonObject, way: string): string[] {
  const found: string[] = []
  eachChild(schema, (child, { keyword, at }) => {
    const isMember = keyword === 'properties'
    const there = isMember ? `${way}.${at}` : way
    if (isMember && !isSaid(child)) found.push(there)
    found.push(...silent(child, there))
  })
  return found
}

suite('descriptions of members', () => {
  test('every member of every component and body has a description', () => {
    const schemas = [...Object.entries(document.components.schemas), ...bodies, ...shared]
    assert.ok(schemas.length > 400, `${schemas.length} schemas`)
    assert.deepEqual(
      schemas.flatMap(([name, schema]) => silent(schema, name)),
      [],
    )
  })

  test('every row of the table describes a member', () => {
    const text = JSON.stringify(document)
    assert.deepEqual(
      Object.entries(members).filter(([, words]) => !text.includes(JSON.stringify(words))),
      [],
    )
  })
})
