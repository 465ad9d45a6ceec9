import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { eventKindTable } from '../kinds/event-kinds.ts'
import { eventListScopes, expandEventLists } from './scopes.ts'

interface Row {
  area: string
  method: string
  path: string
  query?: string
}

async function interfaceRows(): Promise<Row[]> {
  return JSON.parse(await readFile(new URL('../../../http/operations.json', import.meta.url), 'utf8'))
}

test('the event lists match exactly the history operations of the interface', async () => {
  const rows = (await interfaceRows()).filter(({ area }) => /events|reactivities/.test(area))
  // Two operations share the path of the stamp; elsewhere a query only names the contact or the phone.
  const wanted = rows.map(({ method, path, query }) => `${method} ${path}${path.endsWith('/stamp') ? `?${query}` : ''}`)
  const made = eventListScopes.flatMap((scope) =>
    expandEventLists(scope).flatMap(({ path }) =>
      (scope.queries ?? ['']).map((query) => `GET ${path.replace(':id', '{id}')}${query === '' ? '' : `?${query}`}`),
    ),
  )
  assert.deepEqual(made.sort(), wanted.sort())
  assert.equal(made.length, 125)
})

test('every list has at least one kind, and reactivities have no execution, activation or cancellation', () => {
  for (const { path, scope, kinds: held } of eventListScopes.flatMap(expandEventLists)) {
    assert.notEqual(held.length, 0, path)
    if (scope.view === 'reactivities')
      assert.ok(!held.some((kind) => /^(executions|activations|cancellations)$/.test(kind)), path)
  }
})

test('a suffix selects its own kind and the kinds below it', () => {
  const lists = eventListScopes.flatMap(expandEventLists)
  const held = (path: string) => lists.find((list) => list.path === path)?.kinds
  assert.deepEqual(held('/actions/:id/events/hits'), [
    'hits/open',
    'hits/redirection',
    'hits/unsubscribe',
    'hits/mirror',
    'hits/form',
  ])
  assert.deepEqual(held('/notifications/:id/events/hits'), ['hits/redirection', 'hits/dismiss'])
  assert.deepEqual(held('/channel/rcs/actions/events/interactions/read'), ['interactions/read'])
  assert.deepEqual(
    held('/targets/:id/events'),
    eventKindTable.map(({ kind }) => kind),
  )
})
