import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import pg from 'pg'
import { listLibraryDesigns } from '../../../src/features/designs/library/library.ts'
import type { LibraryDesign } from '../../../src/features/designs/saved-design-schemas.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call } = await startStage()
const { body: field } = await call('POST', '/fields', { body: { name: 'City', type: 'textField' } })
const [{ design }] = listLibraryDesigns() as [LibraryDesign]
const script = 'export default () => 1'

/** Collections of the interface, the table of each, and a body that creates an object and one that changes it. */
const savedResources: readonly { path: string; table: string; body: object; change: object }[] = [
  { path: '/categories', table: 'categories', body: { name: 'Spring' }, change: { description: 'May' } },
  { path: '/segments', table: 'segments', body: { type: 'static', name: 'Readers' }, change: { description: 'May' } },
  {
    path: '/forms',
    table: 'forms',
    body: { name: 'Contact', fields: [{ field: field.id }] },
    change: { name: 'Contacts' },
  },
  { path: '/campaigns', table: 'campaigns', body: { name: 'Spring' }, change: { description: 'May' } },
  { path: '/imports', table: 'imports', body: { name: 'Contacts' }, change: { name: 'All contacts' } },
  { path: '/designs', table: 'designs', body: { name: 'Letter', design }, change: { description: 'May' } },
  { path: '/actions', table: 'actions', body: { type: 'mailMessage', name: 'Letter' }, change: { name: 'Letters' } },
  {
    path: '/scripting/webtasks',
    table: 'webtasks',
    body: { name: 'Task', value: script },
    change: { name: 'Tasks', value: script },
  },
  {
    path: '/scripting/workflows',
    table: 'workflows',
    body: { name: 'Welcome', value: {} },
    change: { name: 'Hello', value: {} },
  },
  { path: '/notifications', table: 'notifications', body: { type: 'push-app', name: 'N' }, change: { name: 'M' } },
  { path: '/parameters/applications', table: 'applications', body: { name: 'App' }, change: { name: 'Apps' } },
]

/** The statements that a request has the service run. */
async function collectStatements(t: { mock: typeof test.prototype.mock }, request: () => Promise<unknown>) {
  const statements: string[] = []
  const { query } = pg.Client.prototype
  const spy = t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }]
    statements.push(typeof first === 'string' ? first : (first.text ?? ''))
    return Reflect.apply(query, this, args)
  })
  await request()
  spy.mock.restore()
  return statements
}

suite('a save with If-Match', () => {
  for (const { path, table, body, change } of savedResources)
    test(`locks the row of ${table} once and reads it twice`, async (t) => {
      const created = await call('POST', path, { body })
      assert.equal(created.status, 200, created.text)
      const { id } = created.body
      const { headers } = await call('GET', `${path}/${id}`)
      const statements = await collectStatements(t, async () => {
        const answer = await call('PUT', `${path}/${id}`, {
          body: change,
          headers: { 'if-match': String(headers.etag) },
        })
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
      })
      const onTable = statements.filter((text) => new RegExp(`\\bfrom "?${table}"?\\b`).test(text))
      const isLock = (text: string) => /\bfor (?:no key )?update\b/.test(text)
      const locks = onTable.filter(isLock)
      const reads = onTable.filter((text) => !isLock(text))
      assert.equal(locks.length, 1, locks.join('\n'))
      assert.ok(reads.length <= 2, reads.join('\n'))
    })
})
