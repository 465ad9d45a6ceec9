import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { schemasOf } from '#test/support/openapi/example-schemas.ts'
import { listOpenApiOperations, type OpenApiDocument, omitWebhooks } from '../../../http/openapi/document.ts'
import { webhookEventNames } from '../webhook-schemas.ts'

const document = JSON.parse(
  readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument
const webhooks = document.webhooks!
const fault = schemasOf(document)

const findFault = (name: string, body: unknown): string | undefined =>
  fault(body, ['webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema'])

const exampleOf = (name: string): Record<string, unknown> => {
  const content = webhooks[name]?.['post']?.requestBody?.content['application/json']
  return structuredClone(content?.example) as Record<string, unknown>
}

suite('webhooks of the description', () => {
  test('every event that a webhook can subscribe to has an entry, or entries below it', () => {
    const names = Object.keys(webhooks)
    assert.deepEqual(
      webhookEventNames.filter((event) => !names.some((name) => name === event || name.startsWith(`${event}/`))),
      [],
    )
    assert.deepEqual(
      names.filter((name) => !webhookEventNames.includes(name)),
      ['events', 'test'],
    )
  })

  test('every entry has an example of its own type that its schema admits', () => {
    for (const name of Object.keys(webhooks)) {
      const example = exampleOf(name)
      assert.equal(findFault(name, example), undefined, name)
      assert.ok(findFault(name, { ...example, type: 'other' }), name)
    }
  })

  test('the record of an event has the members of its kind', () => {
    const click = exampleOf('hits/redirection') as { data: { source: { detail: Record<string, unknown> } } }
    assert.equal(findFault('hits/redirection', click), undefined)
    assert.ok(findFault('hits/open', click))
    delete click.data.source.detail['link']
    assert.match(findFault('hits/redirection', click) ?? '', /link/)
  })

  test('clients are made without webhooks and the components that only webhooks use', () => {
    const { webhooks: omitted, components, paths } = omitWebhooks(document) as OpenApiDocument
    assert.equal(omitted, undefined)
    assert.deepEqual(paths, document.paths)
    assert.ok('ContactEvent' in components.schemas)
    assert.ok(!('ChangeNotice' in components.schemas))
    assert.ok(!('WebhookIdHeader' in components.parameters!))
    const ids = listOpenApiOperations(document).map(({ operation }) => operation.operationId!)
    assert.deepEqual(
      Object.values(webhooks).filter(({ post }) => ids.includes(post!.operationId!)),
      [],
    )
  })
})
