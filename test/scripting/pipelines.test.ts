import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../stage.ts'

const stage = await startStage()
const { call } = stage

suite('pipelines', () => {
  test('smoke', async () => {
    const age = (await call('POST', '/fields', { body: { name: 'Age', type: 'numeric' } })).body.id
    await call('POST', '/fields', { body: { name: 'Spent', type: 'numeric' } })
    const ids = []
    for (let n = 0; n < 5; n++) ids.push(await stage.contact(`c${n}@x.example`, { Age: 10 + 5 * n, Spent: n * 100 }))
    const segment = await stage.segment(ids)
    const made = await call('POST', '/scripting/compilables', {
      body: {
        name: 'Top adults',
        value: {
          type: 'pipeline',
          source: { type: 'segment', segment },
          cursors: [
            {
              type: 'filter',
              condition: {
                type: 'compare',
                left: { type: 'path', value: 'row.fields.Age' },
                operator: 'greaterOrEqual',
                right: { type: 'path', value: 'arguments.minAge' },
              },
            },
            {
              type: 'map',
              fields: { id: { type: 'path', value: 'row.id' }, spent: { type: 'path', value: 'row.fields.Spent' } },
            },
            { type: 'sort', by: [{ value: { type: 'path', value: 'row.spent' }, direction: 'desc' }] },
            { type: 'limit', count: { type: 'path', value: 'arguments.top' } },
          ],
          parameters: [
            { name: 'minAge', type: 'number', default: 18 },
            { name: 'top', type: 'number', required: true },
          ],
        },
        preview: { top: 3 },
      },
    })
    console.log(made.text, age)
    const url = `/scripting/compilables/${made.body.id}`
    console.log((await call('GET', `${url}/flaws`)).text)
    console.log((await call('POST', `${url}/execution`, { body: { top: 2 } })).text)
    console.log((await call('POST', `${url}/preview`)).text)
    assert.ok(true)
  })
})
