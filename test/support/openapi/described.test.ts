import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Asked, judgeRequest, undescribed } from './described.ts'

const refusal = (status: number, kind: string) => ({
  status,
  type: 'application/problem+json; charset=utf-8',
  body: { type: `urn:stentor:problem:${kind}`, title: '', status, detail: '', instance: '' },
})

const judgedRequest = (asked: Asked) => judgeRequest(asked)?.()

suite('the comparison of requests and answers with the description', () => {
  test('names a type of problem that the description does not have for this operation and status', () => {
    const gateway = { method: 'POST', route: '/gateways' }
    assert.equal(undescribed({ ...gateway, ...refusal(403, 'session-required') }), undefined)
    assert.equal(
      undescribed({ ...gateway, ...refusal(403, 'approval-own') }),
      'POST /gateways answers 403 (urn:stentor:problem:approval-own) with what is not described: data/type must be equal to one of the allowed values',
    )
    assert.match(undescribed({ ...gateway, ...refusal(418, 'gone') }) ?? '', /^POST \/gateways answers 418 .*, which/)
  })

  test('names what a body lacks that the description requires', () => {
    const answer = { method: 'GET', route: '/display/content/:id/tags', status: 200, type: 'application/json' }
    const tags = { impression: 'https://t.shop.example/1', click: 'https://t.shop.example/2', html: '' }
    assert.equal(undescribed({ ...answer, body: tags }), undefined)
    assert.match(undescribed({ ...answer, body: { ...tags, html: 5 } }) ?? '', /data\/html must be string$/)
    assert.match(undescribed({ ...answer, body: {} }) ?? '', /must have required property 'impression'$/)
  })

  test('names what was accepted against the schema of a request, but for what every operation reads in addition', () => {
    const asked = { method: 'POST', route: '/actions/:id/audience', type: 'application/json' }
    assert.equal(judgedRequest({ ...asked, body: { segments: { selected: [1] } } }), undefined)
    assert.equal(judgedRequest({ ...asked, body: { segments: [] } }), undefined)
    assert.equal(judgedRequest({ ...asked, body: { segments: null } }), undefined)
    assert.equal(judgedRequest({ ...asked, body: { segments: { selected: ['1'] } } }), undefined)
    assert.equal(judgedRequest({ ...asked, method: 'DELETE', route: '/gateways/:id', body: { any: 1 } }), undefined)
    assert.match(judgedRequest({ ...asked, body: { segments: 5 } }) ?? '', /accepts what is not described: data/)
    assert.match(judgedRequest({ ...asked, type: 'text/csv', body: {} }) ?? '', /reads text\/csv, which is not/)
  })

  test('does not judge paths that are not of the interface', () => {
    assert.equal(undescribed({ method: 'GET', route: '/nowhere', status: 200, type: 'text/plain' }), undefined)
  })
})
